#include "oracle/opinions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <span>
#include <string_view>

#include "nnapi/comparison.h"
#include "nnapi/interpreter.h"
#include "nnapi/type_utils.h"
#include "op_support/kernels/vector_kernels.h"
#include "oracle/compare.h"
#include "oracle/oracle.h"
#include "oracle/xnnpack.h"
#include "unwritten_outputs.h"

namespace nn::oracle {
namespace {

// Whether the accuracy criteria apply to this input. The error of sums of products in float32
// depends on their terms, so weights are at most 1, like random constants; other numbers are at
// most 64. Results of EXP, DIV, POW or LOG are unbounded.
bool isTame(OperationType operation, size_t input, OperandType type, const Tensor& tensor) {
    if (type != OperandType::TENSOR_FLOAT32 && type != OperandType::TENSOR_FLOAT16) return true;
    using enum OperationType;
    static const std::set<OperationType> kSums = {CONV_2D, DEPTHWISE_CONV_2D, GROUPED_CONV_2D,
                                                  TRANSPOSE_CONV_2D, FULLY_CONNECTED};
    const double most = input == 1 && kSums.contains(operation) ? 1 : 64;
    for (size_t i = 0; i < testing::elementCount(type, tensor); ++i) {
        if (!(std::fabs(testing::elementValue(type, tensor, i)) <= most)) return false;
    }
    return true;
}

// Whether an execution failed because of the values of a tensor. Otherwise a parameter caused it,
// which the oracle does not check.
bool isAboutTensors(const std::string& message) {
    static constexpr std::string_view kRules[] = {
            "[axis_aligned_bbox_transform.batch_index]",
            "[axis_aligned_bbox_transform.box]",
            "[box_with_nms_limit.batch_index]",
            "[box_with_nms_limit.box]",
            "[embedding_lookup.index]",
            "[gather.index]",
            "[generate_proposals.anchor]",
            "[heatmap_max_keypoint.box]",
            "[roi.batch_index]",
            "[roi.box]",
    };
    return std::ranges::any_of(kRules,
                               [&](std::string_view rule) { return message.ends_with(rule); });
}

// Compares the XNNPACK result of an operation with that of the oracle.
std::optional<std::string> checkByXnnpack(const Case& made, const Operation& operation,
                                          std::span<const Tensor> known,
                                          std::span<const Tensor> expected, Tally& tally) {
    const Model& model = made.model;
    const bool asConstants = made.seed % 2 != 0;
    const auto single = singleOperation(model, operation, known, asConstants, expected);
    if (!single) return std::nullopt;
    const auto found = evaluateByXnnpack(*single, expected);
    if (!found) return std::nullopt;
    if (!found->ok()) return "XNNPACK fails: " + std::string(found->status().message());
    ++tally.byXnnpack[operation.type];
    for (size_t i = 0; i < operation.outputs.size(); ++i) {
        const OperandType type = model.main.operands[operation.outputs[i]].type;
        const auto differs = differenceOfXnnpack(*single, i, expected[i], (**found)[i]);
        if (differs) {
            return fmt::format("by XNNPACK, output {} {}, {}", i, toString(type), *differs);
        }
    }
    return std::nullopt;
}

// Whether the oracle's own result of an LSTM changes by more than the tolerance if each float of
// its inputs changes by one unit in the last place. Layer normalization divides by deviations near
// 0, and its results are the inputs of the next step.
bool isUnstable(const Model& model, const Operation& operation, std::vector<Tensor> known,
                const Tensor& expected, size_t output, testing::Tolerance tolerance) {
    using enum OperationType;
    static const std::set<OperationType> kLstms = {LSTM, UNIDIRECTIONAL_SEQUENCE_LSTM,
                                                   BIDIRECTIONAL_SEQUENCE_LSTM};
    if (!kLstms.contains(operation.type)) return false;
    for (const uint32_t operand : operation.inputs) {
        std::vector<uint8_t>& data = known[operand].data;
        if (model.main.operands[operand].type != OperandType::TENSOR_FLOAT32) continue;
        for (size_t i = 0; i + sizeof(float) <= data.size(); i += sizeof(float)) {
            float value;
            std::memcpy(&value, &data[i], sizeof(value));
            value = std::nextafter(value, i % 8 == 0 ? HUGE_VALF : -HUGE_VALF);
            std::memcpy(&data[i], &value, sizeof(value));
        }
    }
    const Evaluation moved = evaluateOperation(model, operation, known);
    const OperandType type = model.main.operands[operation.outputs[output]].type;
    return moved.kind == Evaluation::Kind::VALUES &&
           difference(type, expected, moved.outputs[output], tolerance).has_value();
}

}  // namespace

std::optional<std::string> compareOpinions(const Case& made, Tally& tally,
                                           const OptionalTimePoint& deadline) {
    const Model& model = made.model;
    const size_t threads = made.seed % 64 == 0 ? 3 : 1;
    const auto sets = ops::allVectorKernels();
    ops::usedVectorKernels = sets[made.seed / 2 % sets.size()];  // the last bit is for XNNPACK
    const Result<PreparedModel> prepared = prepare(model, {.threads = threads});
    if (!prepared.ok()) return std::string(prepared.status().message());
    const auto outputs = prepared->run(made.inputs, {.deadline = deadline});
    if (!outputs.ok()) {
        ++tally.refused;
        if (!isAboutTensors(std::string(outputs.status().message()))) return std::nullopt;
        const Evaluation evaluation = evaluate(model, made.inputs);
        if (evaluation.kind == Evaluation::Kind::REFUSED) ++tally.refusedByBoth;
        if (evaluation.kind != Evaluation::Kind::VALUES) return std::nullopt;
        return fmt::format("fails: {}", std::string(outputs.status().message()));
    }
    if (std::string why = unwritten(*prepared, made.inputs); !why.empty()) return why;
    std::vector<Tensor> known(model.main.operands.size());
    for (size_t i = 0; i < made.inputs.size(); ++i) {
        known[model.main.inputIndexes[i]] = made.inputs[i];
    }
    for (size_t i = 0; i < outputs->size(); ++i) known[model.main.outputIndexes[i]] = (*outputs)[i];

    for (size_t o = 0; o < model.main.operations.size(); ++o) {
        const Operation& operation = model.main.operations[o];
        const auto typeOf = [&](uint32_t operand) { return model.main.operands[operand].type; };
        bool tame = true;
        for (size_t i = 0; i < operation.inputs.size(); ++i) {
            const uint32_t operand = operation.inputs[i];
            tame = tame && isTame(operation.type, i, typeOf(operand), known[operand]);
        }
        if (!tame && !isExact(operation.type)) {
            ++tally.wild;
            continue;
        }
        const Evaluation evaluation = evaluateOperation(model, operation, known);
        if (evaluation.kind == Evaluation::Kind::NOT_COVERED) continue;
        const std::string place = fmt::format("operation {} {}", o, toString(operation.type));
        if (evaluation.kind == Evaluation::Kind::REFUSED) {
            return fmt::format("{}: executes, expected a failure: {}", place, evaluation.why);
        }
        ++tally.compared[operation.type];
        for (size_t i = 0; i < operation.outputs.size(); ++i) {
            const uint32_t operand = operation.outputs[i];
            const auto differs = difference(typeOf(operand), evaluation.outputs[i], known[operand],
                                            toleranceOf(operation.type, typeOf(operand)));
            if (differs && isUnstable(model, operation, known, evaluation.outputs[i], i,
                                      toleranceOf(operation.type, typeOf(operand)))) {
                ++tally.unstable;
            } else if (differs) {
                return fmt::format("{}, output {} {}, {}", place, i, toString(typeOf(operand)),
                                   *differs);
            }
        }
        if (!tame) continue;
        if (const auto differs =
                    checkByXnnpack(made, operation, known, evaluation.outputs, tally)) {
            return fmt::format("{}, {}", place, *differs);
        }
    }
    return std::nullopt;
}

GeneratedCases::GeneratedCases() {
    for (const OperationTypeInfo& info : operationTypes()) {
        if (info.type != OperationType::OEM_OPERATION) mOperations.push_back(info.type);
    }
}

Case GeneratedCases::make(std::mt19937_64& random) const {
    std::vector<uint64_t> numbers(512);
    for (uint64_t& number : numbers) number = random();
    testing::Source source(std::span(reinterpret_cast<const uint8_t*>(numbers.data()),
                                     numbers.size() * sizeof(uint64_t)));
    return make(source);
}

Case GeneratedCases::make(testing::Source& source) const {
    const OperationType type = mOperations[source.number() % mOperations.size()];
    const std::array behindEmpty = {type, OperationType::SLICE, OperationType::BOX_WITH_NMS_LIMIT};
    const uint64_t kind = source.below(32);
    testing::ModelOptions options{.maxOperations = 2,
                                  .operations = std::span(&type, 1),
                                  .executable = true,
                                  .featureLevel = kVersionFeatureLevel8,
                                  .unknownDimensions = source.coin()};
    if (kind < 12) {
        options.maxOperations = 6;
        options.operations = {};
    } else if (kind < 16) {
        options.maxOperations = 6;
        options.operations = behindEmpty;
        options.unknownDimensions = true;
    } else if (source.below(64) == 0) {
        options.maxOperations = 1;
        options.maxElements = 1 << 16;
    }
    Case made{.name = "generated", .model = testing::validModel(source, options)};
    made.inputs = testing::anyInputs(source, made.model);
    return made;
}

}  // namespace nn::oracle
