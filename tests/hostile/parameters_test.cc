// Parameters out of range that are used as divisors, counts or indexes.
#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <set>

#include "hostile/hostile_models.h"

namespace nn::hostile::parameters_test {
namespace {

constexpr double kMin = std::numeric_limits<int32_t>::min();
constexpr double kMax = std::numeric_limits<int32_t>::max();

// Parameters of every operation that has one with this name; all elements of each are set to each
// of the values.
struct Row {
    std::initializer_list<std::string_view> parameters;
    std::initializer_list<double> values;
};

const Row kRows[] = {
        {{"strideWidth",
          "strideHeight",
          "dilationWidth",
          "dilationHeight",
          "filterWidth",
          "filterHeight",
          "paddingLeft",
          "paddingRight",
          "paddingTop",
          "paddingBottom",
          "paddingScheme",
          "activation",
          "axis",
          "axes",
          "blockSize",
          "groups",
          "depthMultiplier",
          "numGroups",
          "numOutputs",
          "radius",
          "samples",
          "k",
          "begin",
          "end",
          "strides",
          "beginMask",
          "endMask",
          "shrinkAxisMask",
          "multiples",
          "paddings",
          "indices",
          "lookups",
          "keys",
          "perm",
          "shape",
          "dims",
          "size",
          "squeezeDims",
          "mode",
          "kernel",
          "type",
          "rank",
          "maxDetections",
          "maxClassesPerDetection",
          "maxDetectionsPerClass",
          "outputWidth",
          "outputHeight",
          "outputShape",
          "widthSamples",
          "heightSamples",
          "preNmsTopN",
          "postNmsTopN",
          "batchIndex",
          "seeds",
          "hiddenStateZeroPoint",
          "keepDims",
          "timeMajor"},
         {0, -1, kMin, kMax}},
        {{"beta",
          "epsilon",
          "alpha",
          "bias",
          "heightRatio",
          "widthRatio",
          "heightStride",
          "widthStride",
          "iouThreshold",
          "scoreThreshold",
          "sigma",
          "minSize",
          "scaleX",
          "scaleY",
          "scaleWidth",
          "scaleHeight",
          "cellClip",
          "projectionClip",
          "roi",
          "boxes",
          "anchors",
          "deltas",
          "imageInfo",
          "inputGateScale",
          "hiddenStateScale",
          "gamma",
          "padValue",
          "value"},
         {0, -1, NAN, INFINITY}},
        {{"axis", "axes"}, {-9, 8}},
        {{"numOutputs"}, {7}},
        {{"perm"}, {1}},
};

// The first two inputs of a DIV.
bool divide(Subject& s, double dividend, double divisor) {
    return s.operation().type == OperationType::DIV && s.fill(0, dividend) && s.fill(1, divisor);
}

// Inserts a STRIDED_SLICE with an empty result before the operation, whose outputs may have any
// size.
bool feedEmpty(Subject& s) {
    Operand* tensor = s.tensor();
    if (tensor == nullptr || tensor->dimensions.empty() || tensor->dimensions.size() > 4 ||
        s.operation().type == OperationType::IF || s.operation().type == OperationType::WHILE) {
        return false;
    }
    using enum OperandType;
    if (tensor->type != TENSOR_FLOAT32 && tensor->type != TENSOR_FLOAT16 &&
        tensor->type != TENSOR_QUANT8_ASYMM && tensor->type != TENSOR_QUANT8_ASYMM_SIGNED) {
        return false;
    }
    auto& main = s.model.main;
    const auto of = static_cast<uint32_t>(tensor - main.operands.data());
    const auto rank = static_cast<uint32_t>(tensor->dimensions.size());
    Operand empty = *tensor;
    empty.lifetime = LifeTime::TEMPORARY_VARIABLE;
    empty.dimensions.assign(rank, 0);
    for (size_t i = 0; i < s.operation().outputs.size(); ++i) s.output(i)->dimensions.clear();
    const auto add = [&](Operand operand) {
        main.operands.push_back(std::move(operand));
        return static_cast<uint32_t>(main.operands.size() - 1);
    };
    const auto constant = [&](OperandType type, std::vector<uint32_t> dimensions,
                              const std::vector<int32_t>& values) {
        return add({.type = type,
                    .dimensions = std::move(dimensions),
                    .lifetime = LifeTime::CONSTANT_COPY,
                    .location = *s.model.operandValues.append(values.data(),
                                                              values.size() * sizeof(int32_t))});
    };
    const std::vector<int32_t> zeros(rank, 0);
    const std::vector<int32_t> ones(rank, 1);
    const uint32_t begin = constant(OperandType::TENSOR_INT32, {rank}, zeros);
    const uint32_t strides = constant(OperandType::TENSOR_INT32, {rank}, ones);
    const uint32_t mask = constant(OperandType::INT32, {}, {0});
    const uint32_t output = add(std::move(empty));
    for (uint32_t& input : s.operation().inputs) {
        if (input == of) input = output;
    }
    main.operations.insert(main.operations.begin(),
                           {.type = OperationType::STRIDED_SLICE,
                            .inputs = {of, begin, begin, strides, mask, mask, mask},
                            .outputs = {output}});
    return true;
}

constexpr Case kCases[] = {
        {"LeastByMinus1", [](Subject& s) { return divide(s, kMin, -1); }},
        {"LeastBy0", [](Subject& s) { return divide(s, kMin, 0); }},
        {"EmptyTensor", feedEmpty},
};

void fillEach(Section& section, std::string_view parameter, std::initializer_list<double> values) {
    std::set<OperationType> done;
    for (const Subject& subject : subjects()) {
        const auto position = subject.position(parameter);
        if (!position || done.contains(subject.operation().type)) continue;
        for (const double value : values) {
            Subject broken = subject;
            if (!broken.fill(position, value)) break;
            done.insert(subject.operation().type);
            const std::string name = fmt::format("{} {}", parameter, value);
            SCOPED_TRACE(name + " of " + subject.name());
            section.add(name, subject, resultOf(broken));
        }
    }
}

TEST(Hostile, Parameters) {
    Section section;
    for (const Row& row : kRows) {
        for (const std::string_view parameter : row.parameters) {
            fillEach(section, parameter, row.values);
        }
    }
    section.run(kCases);
    section.expectPinned("parameters");
}

}  // namespace
}  // namespace nn::hostile::parameters_test
