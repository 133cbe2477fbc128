#include <algorithm>
#include <random>

#include "cli/command.h"
#include "nnapi/testing/generate.h"

namespace nn::cli {
namespace {

namespace fs = std::filesystem;

// Enough for the largest models; what is left over does no harm.
constexpr size_t kBytesPerOperation = 1024;

std::vector<uint8_t> bytesOf(uint64_t seed, size_t count) {
    std::mt19937_64 random(seed);
    std::vector<uint8_t> bytes(count);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    return bytes;
}

// The operations of --op; nothing after a complaint.
std::optional<std::vector<OperationType>> operationsOf(const Options& options) {
    std::vector<OperationType> operations;
    for (const std::string& name : options.names) {
        const auto type = operationOf(name);
        if (!type) return std::nullopt;
        operations.push_back(*type);
    }
    return operations;
}

// Does the model have one of the operations, if any are asked for?
bool holdsAny(const Model& model, const std::vector<OperationType>& operations) {
    const auto isAsked = [&](const Operation& operation) {
        return std::ranges::count(operations, operation.type) != 0;
    };
    return operations.empty() || std::ranges::any_of(model.main.operations, isAsked);
}

// One file for one model, as its extension says; a folder for several.
Exit write(const Options& options, const std::string& name, const Model& model) {
    const fs::path out = options.out;
    std::error_code ignored;
    const bool isFolder = fs::is_directory(out, ignored);
    const Status status = writeModel(isFolder ? out / (name + ".json") : out, model);
    if (status.ok()) return kGood;
    Output::complain(messageOf(status));
    return kUsageOrUnreadable;
}

}  // namespace

Exit generate(const Options& options) {
    const auto operations = operationsOf(options);
    if (!operations) return kUsageOrUnreadable;
    std::error_code ignored;
    if (!options.out.empty() && options.count > 1 && !fs::is_directory(options.out, ignored)) {
        Output::complain(fmt::format("{} is not a folder, as several models need", options.out));
        return kUsageOrUnreadable;
    }
    testing::ModelOptions wanted{.mostOperations = options.operations,
                                 .operations = *operations,
                                 .executable = true,
                                 .featureLevel = kVersionFeatureLevel8,
                                 .unknownDimensions = options.unknownDimensions};
    if (options.hal) wanted.featureLevel = toVersion(*options.hal);

    const Output output(options.json);
    for (uint64_t seed = options.seed; seed < options.seed + options.count; ++seed) {
        const std::vector<uint8_t> bytes =
                bytesOf(seed, kBytesPerOperation * (1 + options.operations));
        testing::Source source(bytes);
        const Model model = testing::validModel(source, wanted);
        if (!holdsAny(model, *operations)) {
            Output::complain("there is no model of these operations in that version");
            return kInvalidOrDiffers;
        }
        const std::string name = fmt::format("generated_{}", seed);
        Json types = Json::array();
        std::string list;
        for (const Operation& operation : model.main.operations) {
            types.push_back(toString(operation.type));
            list += (list.empty() ? "" : ", ") + toString(operation.type);
        }
        const Version needed = validate(model).value_or(kVersionFeatureLevel1);
        if (output.isJson()) {
            output.object({{"name", name},
                           {"featureLevel", featureLevel(needed)},
                           {"operations", types}});
        }
        output.text("{}: needs {}: {}\n", name, toString(needed), list);
        if (!options.out.empty()) {
            const Exit exit = write(options, name, model);
            if (exit != kGood) return exit;
        }
    }
    return kGood;
}

}  // namespace nn::cli
