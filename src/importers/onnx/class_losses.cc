// Losses of classes, by their numbers.
#include <fmt/format.h>

#include "importers/common/compositions.h"
#include "importers/onnx/rows.h"
#include "nnapi/checked_math.h"

namespace nn::onnx {
namespace {

using enum OperationType;

// Scores as [batches, classes, the rest], with their labels as [batches, 1, the rest].
struct Classes {
    Dimensions dimensions{};
    uint32_t labels = 0;
    uint32_t isHit = 0;  // the place is that of the label, which is not ignored

    Dimensions reduced() const { return {dimensions[0], dimensions[2]}; }
};

// Empty after a refusal.
std::optional<Dimensions> dimensionsOfClasses(Lowering& at) {
    const Dimensions& scores = at.dims(0);
    Dimensions labels = scores;
    if (scores.size() >= 2) labels.erase(labels.begin() + 1);
    if (scores.size() < 2 || at.dims(1) != labels) {
        at.refuseDimensions(1, fmt::format("those of {} without axis 1", shapeText(scores)));
        return std::nullopt;
    }
    if (!at.isFloat(0)) at.refuseType(0, "float, float16");
    if (!isInteger(at, 1)) at.refuseType(1, "int32, int64");
    if (at.has(2) && (at.dims(2) != Dimensions{scores[1]} || at.in(2).type != at.in(0).type)) {
        at.refuseDimensions(2, "one weight for each class");
    }
    const UntrustedText reduction = at.text("reduction", "mean");
    if (reduction != "mean" && reduction != "sum" && reduction != "none") {
        at.refuse("", fmt::format("has the reduction {}", reduction.beginning()),
                  "mean, sum, none");
    }
    if (!at.ok()) return std::nullopt;
    const auto rest = checkedProduct<uint32_t>(std::span(scores).subspan(2));
    if (rest && at.fitsConstants({scores[1]})) return Dimensions{scores[0], scores[1], *rest};
    at.refuse(0, fmt::format("has the dimensions {}", shapeText(scores)),
              "less than 2^32 elements");
    return std::nullopt;
}

Classes classesOf(Lowering& at, const Dimensions& dimensions) {
    importing::GraphBuilder& builder = at.builder();
    const auto flags = [&](Dimensions of) {
        return builder.temporary(OperandType::TENSOR_BOOL8, std::move(of));
    };
    Classes classes{.dimensions = dimensions};
    const Dimensions one{dimensions[0], 1, dimensions[2]};
    classes.labels = at.reshaped(at.packedOperand(1), one);
    classes.isHit = flags(dimensions);
    const uint32_t numbers = places(at, 3, 1, dimensions[1]);
    at.emit({EQUAL, {classes.labels, numbers}, {classes.isHit}});
    if (!at.hasAttribute("ignore_index")) return classes;
    const auto ignored = checkedCast<int32_t>(at.integer("ignore_index", 0));
    if (!ignored) return classes;  // no label has it
    const uint32_t counts = flags(one), both = flags(dimensions);
    const uint32_t number = importing::integersOf(builder, {1}, {&*ignored, 1});
    at.emit({NOT_EQUAL, {classes.labels, number}, {counts}});
    at.emit({LOGICAL_AND, {classes.isHit, counts}, {both}});
    classes.isHit = both;
    return classes;
}

uint32_t sum(Lowering& at, uint32_t values, const std::vector<int32_t>& axes, Dimensions to) {
    return at.apply(REDUCE_SUM, {values, at.builder().vector(axes), at.builder().scalar(false)},
                    values, std::move(to));
}

// A real number like those of an operand, everywhere.
uint32_t filled(Lowering& at, uint32_t like, float value, const Dimensions& dimensions) {
    const Dimensions ones(dimensions.size(), 1);
    return expandedTo(at, at.reals(like, {&value, 1}, ones), dimensions);
}

// The values at the places of the labels, 0 for ignored ones: [batches, the rest].
uint32_t atLabels(Lowering& at, const Classes& classes, uint32_t values, uint32_t zeros) {
    const uint32_t hits =
            at.apply(SELECT, {classes.isHit, values, zeros}, values, classes.dimensions);
    return sum(at, hits, {1}, classes.reduced());
}

// loss = -values[label] * weights[label], and its mean by the weights of the labels
void emitLoss(Lowering& at, const Classes& classes, uint32_t values) {
    const uint32_t zeros = filled(at, values, 0, classes.dimensions);
    uint32_t weights = 0;
    if (at.has(2)) {
        weights = at.reshaped(at.operand(2), {1, classes.dimensions[1], 1});
        values = arithmetic(at, MUL, values, weights);
    }
    const uint32_t negative = atLabels(at, classes, values, zeros);
    const uint32_t loss = at.apply(NEG, {negative}, negative, classes.reduced());
    const UntrustedText reduction = at.text("reduction", "mean");
    if (reduction == "none") return at.adoptPacked(0, 0, loss, at.dims(1));
    const uint32_t total = sum(at, loss, {0, 1}, {1});
    if (reduction == "sum") return at.adopt(0, 0, total, {});
    const uint32_t each = at.has(2) ? expandedTo(at, weights, classes.dimensions)
                                    : filled(at, values, 1, classes.dimensions);
    const uint32_t weight = sum(at, atLabels(at, classes, each, zeros), {0, 1}, {1});
    at.adopt(0, 0, arithmetic(at, DIV, total, weight), {});
}

}  // namespace

void lowerNegativeLogLikelihoodLoss(Lowering& at, OperationType) {
    const auto dimensions = dimensionsOfClasses(at);
    if (!dimensions) return;
    const uint32_t values = at.reshaped(at.packedOperand(0), *dimensions);
    emitLoss(at, classesOf(at, *dimensions), values);
}

// The same of LogSoftmax(scores), which is the second output.
void lowerSoftmaxCrossEntropyLoss(Lowering& at, OperationType operation) {
    const auto dimensions = dimensionsOfClasses(at);
    if (!dimensions) return;
    const uint32_t scores = at.reshaped(at.packedOperand(0), *dimensions);
    const uint32_t values =
            at.apply(operation, {scores, at.realScalar(scores, 1), at.builder().scalar(1)}, scores,
                     *dimensions);
    emitLoss(at, classesOf(at, *dimensions), values);
    if (at.hasOutput(1)) at.adoptPacked(1, 0, values, at.dims(0));
}

}  // namespace nn::onnx
