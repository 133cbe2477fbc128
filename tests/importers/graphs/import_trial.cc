#include "importers/graphs/import_trial.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "nnapi/import/onnx.h"
#include "nnapi/import/tflite.h"
#include "nnapi/interpreter.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::graphs {
namespace {

constexpr uint64_t kMaxBytesOfValues = 1 << 18;

// Values for all inputs; empty where one of them has no size, or a large one.
std::optional<std::vector<Tensor>> anyInputs(const Model& model, testing::Source& source) {
    std::vector<Tensor> inputs;
    for (const uint32_t index : model.main.inputIndexes) {
        const Operand& operand = model.main.operands[index];
        const auto size = operandSize(operand);
        if (!size || *size > kMaxBytesOfValues) return std::nullopt;
        Tensor tensor{.dimensions = operand.dimensions};
        tensor.data.resize(*size);
        for (uint8_t& byte : tensor.data) {
            if (source.exhausted()) break;
            byte = source.byte();
        }
        inputs.push_back(std::move(tensor));
    }
    return inputs;
}

bool isComputed(const Model& model, testing::Source& source) {
    const auto inputs = anyInputs(model, source);
    if (!inputs) return false;
    const Result<PreparedModel> prepared =
            prepare(model, {.limits = {.peakBytes = 4 * kMaxBytesOfValues, .loopFuel = 500}});
    if (!prepared.ok()) return false;
    const ExecuteOptions options{.loopTimeout = Duration(std::chrono::milliseconds(50))};
    return prepared->run(*inputs, options).ok();
}

}  // namespace

Result<Import> importAny(FileFormat format, std::span<const uint8_t> bytes, testing::Source& source,
                         const Limits& limits) {
    ImportOptions options{.limits = limits};
    if (source.coin()) options.target = kVersionFeatureLevel3;
    options.partial = source.coin();
    if (format == FileFormat::TFLITE) return importTflite(bytes, options);
    return importOnnx(bytes, {.common = options});
}

std::optional<std::string> violationOf(FileFormat format, const Import& imported) {
    if (!preparationErrors(imported).ok() && imported.operators.empty()) {
        return "a refusal without an operator";
    }
    for (const ImportedPart& part : imported.parts) {
        if (const auto valid = nn::validate(part.model); !valid.ok()) {
            return "an imported model is illegal: " + std::string(valid.status().message());
        }
        if (const auto prepared = prepare(part.model);
            !prepared.ok() && errorStatus(prepared.status()) == ErrorStatus::GENERAL_FAILURE) {
            return "an imported model cannot be prepared: " +
                   std::string(prepared.status().message());
        }
        if (part.operandNames.size() != part.model.main.operands.size()) {
            return "operands and their names differ in number";
        }
        if (format != FileFormat::TFLITE) continue;
        const Result<std::vector<uint8_t>> written = exportTflite(part.model);
        if (!written.ok()) continue;
        if (const auto again = importTflite(*written); !again.ok()) {
            return "a file that was written cannot be read: " +
                   std::string(again.status().message());
        }
    }
    return std::nullopt;
}

Trial tryImport(FileFormat format, const Result<Import>& imported, testing::Source& source) {
    Trial trial;
    if (!imported.ok()) {
        if (imported.status().message().empty()) trial.wrong = "a rejection without a message";
        return trial;
    }
    for (const ImportedOperator& op : imported->operators) {
        if (op.refusals.empty()) trial.imported.insert(op.type);
    }
    trial.wrong = violationOf(format, *imported);
    trial.isWhole = preparationErrors(*imported).ok();
    if (trial.wrong || !trial.isWhole || imported->parts.empty()) return trial;
    trial.isExecuted = std::ranges::all_of(imported->parts, [&](const ImportedPart& part) {
        return isComputed(part.model, source);
    });
    return trial;
}

}  // namespace nn::graphs
