#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/list_text.h"
#include "base/printable.h"
#include "base/status_message.h"
#include "model_io/inputs.h"
#include "nnapi/comparison.h"
#include "nnapi/generate/generate.h"
#include "nnapi/passes.h"
#include "nnapi/type_utils.h"
#include "tools/nnapi/command.h"
#include "tools/nnapi/command_table.h"
#include "tools/nnapi/output_files.h"
#include "tools/nnapi/output_parts.h"
#include "tools/nnapi/preparation.h"
#include "tools/nnapi/random_inputs.h"

namespace nn::cli {
namespace {

// Enough for the largest models; unused bytes do no harm.
constexpr size_t kBytesPerOperation = 1024;

// The operations of --op; empty after a complaint.
std::optional<std::vector<OperationType>> operationsOf(const Options& options) {
    std::vector<OperationType> operations;
    for (const std::string& name : options.names) {
        const auto type = operationOf(name);
        if (!type) return std::nullopt;
        operations.push_back(*type);
    }
    return operations;
}

// True if the model has one of the requested operations, or none were requested.
bool holdsAny(const Model& model, const std::vector<OperationType>& operations) {
    const auto isAsked = [&](const Operation& operation) {
        return std::ranges::count(operations, operation.type) != 0;
    };
    return operations.empty() || std::ranges::any_of(model.main.operations, isAsked);
}

// A test case with random inputs and the results of the reference, or the reason why it failed.
struct GeneratedCase {
    std::optional<TestCase> testCase{};
    std::string why{};
};

GeneratedCase testCaseOf(const std::string& name, const Model& model, uint64_t seed,
                         const Options& options) {
    Result<ExecutionInputs> inputs = randomInputs(model, seed, options.limits);
    if (!inputs.ok()) return {.why = messageOf(inputs.status())};
    TestCase testCase{.name = name, .spec = "generated", .model = model};
    testCase.inputs = std::move(inputs->values);

    // The version in files of test cases is that of the model without trailing defaults.
    const Result<Version> needed = validate(minimize(model).model);
    if (needed.ok()) testCase.minSupportedVersion = *needed;

    const Result<PreparedModel> prepared = prepareFor(options, model);
    const Result<std::vector<Tensor>> outputs =
            prepared.ok() ? prepared->run(testCase.inputs)
                          : Result<std::vector<Tensor>>(prepared.status());
    if (!outputs.ok()) {
        // An expected failure of a model that begins with a WHILE must come from a deadline.
        const bool isWhile = !model.main.operations.empty() &&
                             model.main.operations[0].type == OperationType::WHILE;
        if (!options.failing || isWhile) return {.why = messageOf(outputs.status())};
        testCase.expectFailure = true;
        return {.testCase = std::move(testCase)};
    }
    for (size_t i = 0; i < outputs->size(); ++i) {
        const OperandType type = model.main.operands[model.main.outputIndexes[i]].type;
        const Tensor& output = (*outputs)[i];
        for (size_t k = 0; !options.nan && k < testing::elementCount(type, output); ++k) {
            if (std::isnan(testing::elementValue(type, output, k))) {
                return {.why = fmt::format("output {}, element {} is NaN", i, k)};
            }
        }
        testCase.outputs.push_back({.value = output});
    }
    return {.testCase = std::move(testCase)};
}

// The destination of models: none, one file each, or one file of test cases.
class Destination {
   public:
    static Result<Destination> open(const Options& options) {
        Destination destination(options);
        if (schema::isTestCaseFile(options.out)) {
            NNAPI_ASSIGN_OR_RETURN(writer, TestCaseWriter::create(options.out));
            destination.mCases = std::move(writer);
            return destination;
        }
        NNAPI_ASSIGN_OR_RETURN(files, ModelFiles::open(options.out, options.format));
        if (files.isStandardOutput() && options.json) {
            return makeError(ErrorStatus::INVALID_ARGUMENT,
                             "--json and -o - both go to standard output, allowed one");
        }
        if (files.isOneFile() && options.count > 1) {
            return makeError(ErrorStatus::INVALID_ARGUMENT,
                             fmt::format("{} is one file, and there are several models: name a "
                                         "folder, it ends in '/', or a file of test cases",
                                         printable(options.out)));
        }
        destination.mModels = std::move(files);
        return destination;
    }

    // Writes a model. Returns why it was skipped; empty if it was written.
    Result<std::string> write(const std::string& name, const Model& model, uint64_t seed) {
        if (mCases) {
            const GeneratedCase attempt = testCaseOf(name, model, seed, mOptions);
            if (!attempt.testCase) return attempt.why;
            NNAPI_RETURN_IF_ERROR(mCases->write(*attempt.testCase));
        } else {
            NNAPI_RETURN_IF_ERROR(mModels->write({name}, model).status());
        }
        ++mWritten;
        return "";
    }

    Status commit() {
        if (!mCases) return {};
        if (mWritten != 0) return mCases->commit();
        return makeError(ErrorStatus::GENERAL_FAILURE, "no model gives a test case");
    }

    bool isForTestCases() const { return mCases.has_value(); }
    bool isStandardOutput() const { return mModels && mModels->isStandardOutput(); }
    size_t written() const { return mWritten; }

   private:
    explicit Destination(const Options& options) : mOptions(options) {}

    const Options& mOptions;
    std::optional<TestCaseWriter> mCases{};
    std::optional<ModelFiles> mModels{};  // unless test cases are written
    size_t mWritten = 0;
};

}  // namespace

Exit generate(const Options& options) {
    const auto operations = operationsOf(options);
    if (!operations) return kUsageOrUnreadable;
    const Version version = options.hal ? toVersion(*options.hal) : kNewestVersion;
    for (const OperationType type : *operations) {
        const Version since = operationTypeInfo(type)->since;
        if (isCompliantVersion(since, version)) continue;
        return Output::complain(fmt::format("{} needs {}", toString(type), toString(since)),
                                kInvalidOrDiffers);
    }
    const testing::ModelOptions wanted{.maxOperations = options.operations,
                                       .operations = *operations,
                                       .executable = true,
                                       .featureLevel = version,
                                       .unknownDimensions = options.unknownDimensions};

    Result<Destination> destination = Destination::open(options);
    if (!destination.ok()) return Output::complain(destination.status());
    const Output output(options.json, destination->isStandardOutput() ? stderr : stdout);
    for (uint64_t i = 0; i < options.count; ++i) {
        const uint64_t seed = options.seed + i;  // 0 follows on the last one
        const std::vector<uint8_t> bytes =
                randomBytes(seed, kBytesPerOperation * (1 + options.operations));
        testing::Source source(bytes);
        const Model model = testing::validModel(source, wanted);
        if (!holdsAny(model, *operations)) {
            return Output::complain("there is no model of these operations in that version",
                                    kInvalidOrDiffers);
        }
        const std::string name = fmt::format("generated_{}", seed);
        Json types = Json::array();
        for (const Operation& operation : model.main.operations)
            types.push_back(toString(operation.type));
        const Version needed = validate(model).value_or(kVersionFeatureLevel1);
        const Result<std::string> passedOver = destination->write(name, model, seed);
        if (!passedOver.ok()) return Output::complain(passedOver.status());
        if (output.isJson()) {
            Json object = {
                    {"name", name}, {"featureLevel", featureLevel(needed)}, {"operations", types}};
            if (destination->isForTestCases()) object["passedOver"] = *passedOver;
            output.object(object);
        }
        output.text("{}: needs {}: {}\n", name, toString(needed),
                    listedEntries(model.main.operations, [](const Operation& operation) {
                        return toString(operation.type);
                    }));
        if (!passedOver->empty()) output.text("  passed over: {}\n", *passedOver);
    }
    if (const Status status = destination->commit(); !status.ok()) {
        Output::complain(status);
        return destination->written() == 0 ? kInvalidOrDiffers : kUsageOrUnreadable;
    }
    if (destination->isForTestCases()) {
        output.text("{} written, {} passed over\n",
                    counted(destination->written(), "test case", "test cases"),
                    options.count - destination->written());
    }
    return kGood;
}

}  // namespace nn::cli
