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

// A parameter of every operation that has one with this name; all its elements are set to each of
// the values.
struct Row {
    std::string_view parameter;
    std::initializer_list<double> values;
    std::string_view expected;
};

constexpr Row kRows[] = {
        {"strideWidth", {0, -1, kMin}, "prepare:$.filter prepare:$.stride"},
        {"strideWidth", {kMax}, "prepare:operation.output_shape"},
        {"strideHeight", {0, -1, kMin}, "prepare:$.filter prepare:$.stride"},
        {"strideHeight", {kMax}, "prepare:operation.output_shape"},
        {"dilationWidth", {0, -1, kMin}, "prepare:$.dilation"},
        {"dilationWidth", {kMax}, "prepare:$.output"},
        {"dilationHeight", {0, -1, kMin}, "prepare:$.dilation"},
        {"dilationHeight", {kMax}, "prepare:$.output"},
        {"filterWidth", {0, -1, kMin}, "prepare:$.filter"},
        {"filterWidth", {kMax}, "prepare:operation.output_shape"},
        {"filterHeight", {0, -1, kMin}, "prepare:$.filter"},
        {"filterHeight", {kMax}, "prepare:operation.output_shape"},
        {"paddingLeft", {0}, "ok"},
        {"paddingLeft", {-1, kMin, kMax}, "prepare:$.padding"},
        {"paddingRight", {0}, "ok"},
        {"paddingRight", {-1, kMin, kMax}, "prepare:$.padding"},
        {"paddingTop", {0}, "ok"},
        {"paddingTop", {-1, kMin, kMax}, "prepare:$.padding"},
        {"paddingBottom", {0}, "ok"},
        {"paddingBottom", {-1, kMin, kMax}, "prepare:$.padding"},
        {"paddingScheme", {0, -1, kMin, kMax}, "ok"},
        {"activation", {0}, "ok"},
        {"activation", {-1, kMin, kMax}, "prepare:$.activation run:$.activation"},
        {"axis", {0}, "prepare:operation.output_shape ok"},
        {"axis", {-1}, "prepare:$.axis prepare:operation.output_shape ok"},
        {"axis", {kMin, kMax}, "prepare:$.axes prepare:$.axis"},
        {"axes", {0}, "prepare:operation.output_shape ok"},
        {"axes", {-1}, "ok"},
        {"axes", {kMin, kMax}, "prepare:$.axes"},
        {"blockSize", {0, -1, kMin}, "prepare:$.block"},
        {"blockSize", {kMax}, "prepare:$.batches prepare:$.depth prepare:$.divides prepare:$.size"},
        {"groups", {0, -1, kMin, kMax}, "prepare:$.groups"},
        {"depthMultiplier", {0, -1, kMin}, "prepare:$.multiplier"},
        {"depthMultiplier", {kMax}, "prepare:$.depth"},
        {"numGroups", {0, -1, kMin}, "prepare:$.groups"},
        {"numGroups", {kMax}, "prepare:$.divides"},
        {"numOutputs", {0, -1, kMin, kMax}, "prepare:$.count"},
        {"radius", {0, kMax}, "ok"},
        {"radius", {-1, kMin}, "prepare:$.radius"},
        {"samples", {0, kMax}, "prepare:operation.output_shape"},
        {"samples", {-1, kMin}, "prepare:$.samples"},
        {"k", {0, -1, kMin, kMax}, "prepare:$.k"},
        {"begin", {0}, "ok"},
        {"begin", {-1, kMax}, "prepare:operation.output_shape run:$.begin"},
        {"begin", {kMin}, "run:$.begin ok"},
        {"end", {0, -1, kMin}, "prepare:operation.output_shape"},
        {"end", {kMax}, "ok"},
        {"strides", {0}, "prepare:$.strides"},
        {"strides", {-1, kMin, kMax}, "prepare:operation.output_shape"},
        {"beginMask", {0, -1, kMin, kMax}, "ok"},
        {"endMask", {0, -1, kMin, kMax}, "ok"},
        {"shrinkAxisMask", {0, kMin}, "ok"},
        {"shrinkAxisMask", {-1, kMax}, "prepare:$.shrink"},
        {"multiples", {0, -1, kMin}, "run:$.multiples"},
        {"multiples", {kMax}, "run:$.size"},
        {"paddings", {0}, "prepare:operation.output_shape ok"},
        {"paddings", {-1, kMin}, "prepare:$.paddings"},
        {"paddings", {kMax}, "prepare:$.paddings prepare:operation.output_shape"},
        {"indices", {0}, "ok"},
        {"indices", {-1, kMin, kMax}, "run:$.index"},
        {"lookups", {0}, "ok"},
        {"lookups", {-1, kMin, kMax}, "run:$.index ok"},
        {"keys", {0, -1, kMin, kMax}, "ok"},
        {"perm", {0, -1, kMin, kMax}, "prepare:$.perm"},
        {"shape", {0, kMax}, "prepare:$.elements"},
        {"shape", {-1}, "ok"},
        {"shape", {kMin}, "prepare:$.size"},
        {"dims", {0, kMax}, "run:operation.output_shape"},
        {"dims", {-1, kMin}, "run:$.dims"},
        {"size", {0, -1}, "run:operation.output_shape"},
        {"size", {kMin, kMax}, "run:$.size"},
        {"squeezeDims", {0, -1}, "prepare:$.one"},
        {"squeezeDims", {kMin, kMax}, "prepare:$.dims"},
        {"mode", {0}, "ok"},
        {"mode", {-1, kMin, kMax}, "prepare:$.mode"},
        {"kernel", {0}, "run:operation.output_shape"},
        {"kernel", {-1, kMin, kMax}, "prepare:$.kernel"},
        {"type", {0, -1, kMin, kMax}, "run:$.type"},
        {"rank", {0, -1, kMin, kMax}, "run:$.rank"},
        {"maxDetections", {0}, "prepare:$.count run:operation.output_shape"},
        {"maxDetections", {-1, kMin}, "prepare:$.count ok"},
        {"maxDetections", {kMax}, "prepare:operation.output_shape ok"},
        {"maxClassesPerDetection", {0, -1, kMin, kMax}, "ok"},
        {"maxDetectionsPerClass", {0, -1, kMin}, "prepare:$.count"},
        {"maxDetectionsPerClass", {kMax}, "ok"},
        {"outputWidth", {0, -1, kMin}, "prepare:$.size"},
        {"outputWidth", {kMax}, "prepare:operation.output_shape"},
        {"outputHeight", {0, -1, kMin}, "prepare:$.size"},
        {"outputHeight", {kMax}, "prepare:operation.output_shape"},
        {"outputShape", {0, -1, kMin, kMax}, "ok"},
        {"widthSamples", {0}, "ok"},
        {"widthSamples", {-1, kMin, kMax}, "prepare:$.samples"},
        {"heightSamples", {0}, "ok"},
        {"heightSamples", {-1, kMin, kMax}, "prepare:$.samples"},
        {"preNmsTopN", {0, -1, kMin, kMax}, "ok"},
        {"postNmsTopN", {0}, "run:operation.output_shape"},
        {"postNmsTopN", {-1, kMin, kMax}, "ok"},
        {"batchIndex", {0}, "run:operation.output_shape ok"},
        {"batchIndex", {-1, kMin}, "run:$.batch_index"},
        {"batchIndex", {kMax}, "run:$.batch_index run:operation.output_shape"},
        {"seeds", {0, -1, kMin, kMax}, "ok"},
        {"hiddenStateZeroPoint", {0, -1, kMin, kMax}, "ok"},
        {"keepDims", {0, -1, kMin}, "ok"},
        {"keepDims", {kMax}, "prepare:operation.output_shape"},
        {"timeMajor", {0}, "ok"},
        {"timeMajor", {-1, kMin, kMax}, "prepare:$.time_major"},
        {"beta", {0, -1, NAN}, "prepare:$.beta ok"},
        {"beta", {INFINITY}, "ok"},
        {"epsilon", {0, -1, NAN, INFINITY}, "ok"},
        {"alpha", {0, -1, NAN, INFINITY}, "ok"},
        {"bias", {0, -1, NAN, INFINITY}, "ok"},
        {"heightRatio", {0, -1, NAN}, "prepare:$.ratio"},
        {"heightRatio", {INFINITY}, "ok"},
        {"widthRatio", {0, -1, NAN}, "prepare:$.ratio"},
        {"widthRatio", {INFINITY}, "ok"},
        {"heightStride", {0, -1, NAN, INFINITY}, "run:operation.output_shape"},
        {"widthStride", {0, -1}, "ok"},
        {"widthStride", {NAN, INFINITY}, "run:operation.output_shape"},
        {"iouThreshold", {0, INFINITY}, "run:operation.output_shape ok"},
        {"iouThreshold", {-1, NAN}, "prepare:$.threshold run:operation.output_shape ok"},
        {"scoreThreshold", {0}, "ok"},
        {"scoreThreshold", {-1}, "prepare:$.threshold ok"},
        {"scoreThreshold", {NAN}, "prepare:$.threshold run:operation.output_shape"},
        {"scoreThreshold", {INFINITY}, "run:operation.output_shape ok"},
        {"sigma", {0, -1, NAN, INFINITY}, "run:operation.output_shape"},
        {"minSize", {0, -1}, "ok"},
        {"minSize", {NAN, INFINITY}, "run:operation.output_shape"},
        {"scaleX", {0, -1, NAN}, "prepare:$.scale"},
        {"scaleX", {INFINITY}, "ok"},
        {"scaleY", {0, -1, NAN}, "prepare:$.scale"},
        {"scaleY", {INFINITY}, "ok"},
        {"scaleWidth", {0, -1, NAN}, "prepare:$.scale"},
        {"scaleWidth", {INFINITY}, "ok"},
        {"scaleHeight", {0, -1, NAN}, "prepare:$.scale"},
        {"scaleHeight", {INFINITY}, "ok"},
        {"cellClip", {0, INFINITY}, "ok"},
        {"cellClip", {-1, NAN}, "run:$.clip ok"},
        {"projectionClip", {0, INFINITY}, "ok"},
        {"projectionClip", {-1, NAN}, "run:$.clip ok"},
        {"roi", {0}, "run:operation.output_shape ok"},
        {"roi", {-1, INFINITY}, "run:$.box run:operation.output_shape ok"},
        {"roi", {NAN}, "run:$.box"},
        {"boxes", {0, -1, INFINITY}, "ok"},
        {"boxes", {NAN}, "run:$.box"},
        {"anchors", {0, -1, INFINITY}, "run:operation.output_shape ok"},
        {"anchors", {NAN}, "run:$.anchor ok"},
        {"deltas", {0}, "ok"},
        {"deltas", {-1, NAN, INFINITY}, "run:operation.output_shape ok"},
        {"imageInfo", {0, -1, NAN}, "run:operation.output_shape ok"},
        {"imageInfo", {INFINITY}, "ok"},
        {"inputGateScale", {0, -1, NAN, INFINITY}, "ok"},
        {"hiddenStateScale", {0, -1, NAN}, "run:$.scale"},
        {"hiddenStateScale", {INFINITY}, "ok"},
        {"gamma", {0, -1, NAN, INFINITY}, "ok"},
        {"padValue", {0, -1, NAN, INFINITY}, "ok"},
        {"value", {0, -1, NAN, INFINITY}, "ok"},

        {"axis", {-9, 8}, "prepare:$.axis prepare:$.axes"},
        {"axes", {-9, 8}, "prepare:$.axes"},
        {"numOutputs", {7}, "prepare:$.size prepare:$.count"},
        {"perm", {1}, "prepare:$.perm"},
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
        {"LeastByMinus1", [](Subject& s) { return divide(s, kMin, -1); }, "ok"},
        {"LeastBy0", [](Subject& s) { return divide(s, kMin, 0); }, "ok"},
        {"EmptyTensor", feedEmpty, "ok run:interpreter.zero_size run:$.* prepare:$.*"},
};

void runParameters(Section& section) {
    for (const Row& row : kRows) {
        std::set<OperationType> done;
        for (const Subject& subject : subjects()) {
            const auto position = subject.position(row.parameter);
            if (!position || done.contains(subject.operation().type)) continue;
            for (const double value : row.values) {
                Subject broken = subject;
                if (!broken.fill(position, value)) break;
                done.insert(subject.operation().type);
                const std::string name = fmt::format("{} {}", row.parameter, value);
                SCOPED_TRACE(name + " of " + subject.name());
                section.add(name, subject, resultOf(broken), row.expected);
            }
        }
    }
}

TEST(Hostile, Parameters) {
    Section section;
    runParameters(section);
    section.run(kCases);
    section.expectPinned("parameters", kParameters);
}

}  // namespace
}  // namespace nn::hostile::parameters_test
