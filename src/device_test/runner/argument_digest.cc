#include "device_test/runner/argument_digest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>

#include "base/plurals.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"

namespace nn::testing {
namespace {

constexpr size_t kDigestedBytes = 65536;
constexpr size_t kShownArguments = 4;

unsigned long checksumOf(const uint8_t* bytes, size_t size) {
    return crc32_z(0, bytes, std::min(size, kDigestedBytes));
}

// Empty where the input cannot be read.
std::string checksumOf(const Request& request, const Request::Argument& argument) {
    const DataLocation& location = argument.location;
    if (argument.lifetime != Request::Argument::LifeTime::POOL ||
        location.poolIndex >= request.pools.size()) {
        return {};
    }
    const auto* memory = std::get_if<SharedMemory>(&request.pools[location.poolIndex]);
    if (memory == nullptr || *memory == nullptr) return {};
    std::vector<uint8_t> bytes(std::min<size_t>(location.length, kDigestedBytes));
    if (!readMemory(*memory, location.offset, bytes).ok()) return {};
    return fmt::format(" ({:08x})", checksumOf(bytes.data(), bytes.size()));
}

std::string digestOf(const Request::Argument& argument, const Operand* operand) {
    if (argument.lifetime == Request::Argument::LifeTime::NO_VALUE) return "no value";
    const std::string type = operand == nullptr ? "unknown" : nn::toString(operand->type);
    const bool hasOwn = !argument.dimensions.empty() || operand == nullptr;
    return fmt::format("{} {} {}", type,
                       DimensionList{hasOwn ? argument.dimensions : operand->dimensions},
                       Plural{argument.location.length, "bytes"});
}

std::vector<Operand> operandsOf(const Model& model, const std::vector<uint32_t>& indexes) {
    std::vector<Operand> operands;
    for (const uint32_t i : indexes) {
        if (i >= model.main.operands.size()) break;  // the model is illegal
        operands.push_back({.type = model.main.operands[i].type,
                            .dimensions = model.main.operands[i].dimensions});
    }
    return operands;
}

}  // namespace

std::string digestOf(const Model& model) {
    std::vector<std::string> names;
    for (const Operation& operation : model.main.operations) {
        if (names.size() == kShownArguments) {
            names.emplace_back("...");
            break;
        }
        names.push_back(nn::toString(operation.type));
    }
    std::string text =
            fmt::format("{} ({}), {}", Plural{model.main.operations.size(), "operations"},
                        fmt::join(names, ", "), Plural{model.main.operands.size(), "operands"});
    if (const size_t size = model.operandValues.size(); size != 0) {
        text += fmt::format(", {} of constants ({:08x})", Plural{size, "bytes"},
                            checksumOf(model.operandValues.data(), size));
    }
    return text;
}

ArgumentTypes argumentTypesOf(const Model& model) {
    return {.inputs = operandsOf(model, model.main.inputIndexes),
            .outputs = operandsOf(model, model.main.outputIndexes)};
}

std::string digestOf(const Request& request, const ArgumentTypes& types) {
    const auto listOf = [](const std::vector<Request::Argument>& arguments,
                           const std::vector<Operand>& operands, auto&& suffix) {
        std::vector<std::string> texts;
        for (size_t i = 0; i < arguments.size() && i < kShownArguments; ++i) {
            const Operand* operand = i < operands.size() ? &operands[i] : nullptr;
            texts.push_back(digestOf(arguments[i], operand) + suffix(arguments[i]));
        }
        if (arguments.size() > kShownArguments) {
            texts.push_back(fmt::format("{} in all", arguments.size()));
        }
        return fmt::format("{}", fmt::join(texts, ", "));
    };
    return fmt::format(
            "inputs: {}; outputs: {}",
            listOf(request.inputs, types.inputs,
                   [&](const auto& input) { return checksumOf(request, input); }),
            listOf(request.outputs, types.outputs, [](const auto&) { return std::string(); }));
}

}  // namespace nn::testing
