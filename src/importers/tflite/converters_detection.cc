// TFLite_Detection_PostProcess: the detections of a single-shot detector.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "importers/tflite/constants.h"
#include "importers/tflite/conversion.h"
#include "importers/tflite/converters.h"
#include "importers/tflite/custom_options.h"
#include "nnapi/checked_math.h"

namespace nn::tflite::converters {
namespace {

using enum OperationType;

// Inputs, and outputs.
constexpr size_t kDeltas = 0, kScores = 1, kAnchors = 2;
constexpr size_t kOutBoxes = 0, kOutClasses = 1, kOutScores = 2, kOutCount = 3;

constexpr int32_t kNoLimit = std::numeric_limits<int32_t>::max();

// Reads fields, and refuses those that are missing or wrong.
class Fields {
   public:
    Fields(Conversion& op, const CustomOptions& options) : mOp(op), mOptions(options) {}

    int32_t whole(std::string_view name, int32_t most, std::optional<int32_t> missing = {}) {
        const auto allowed = [&] { return fmt::format("1 to {}", most); };
        const auto* value = find(name, missing.has_value(), allowed);
        if (value == nullptr) return missing.value_or(1);
        const auto* number = std::get_if<int64_t>(value);
        if (number == nullptr) {
            mOp.refuse(fmt::format("has {} of another type", name), allowed());
            return 1;
        }
        if (*number >= 1 && *number <= most) return static_cast<int32_t>(*number);
        mOp.refuse(fmt::format("has {} {}", name, *number), allowed());
        return 1;
    }

    // Above 0, or at least, and at most `most`.
    float real(std::string_view name, bool mayBeZero, float most) {
        const auto allowed = [&] {
            return fmt::format("a number {} 0{}", mayBeZero ? "of at least" : "above",
                               most == 1 ? " and at most 1" : "");
        };
        const auto* value = find(name, false, allowed);
        if (value == nullptr) return 1;
        const auto* whole = std::get_if<int64_t>(value);
        const auto* number = std::get_if<double>(value);
        if (whole == nullptr && number == nullptr) {
            mOp.refuse(fmt::format("has {} of another type", name), allowed());
            return 1;
        }
        const double real = whole != nullptr ? static_cast<double>(*whole) : *number;
        // Of numbers between those of 32 bits, TensorFlow Lite uses the nearest.
        const bool isInRange = std::abs(real) <= std::numeric_limits<float>::max();
        const float rounded = isInRange ? static_cast<float>(real) : -1;
        if (rounded <= most && (mayBeZero ? rounded >= 0 : rounded > 0)) return rounded;
        mOp.refuse(fmt::format("has {} {}", name, real), allowed());
        return 1;
    }

    bool flag(std::string_view name) {
        const auto allowed = [] { return std::string("a truth value"); };
        const auto* value = find(name, true, allowed);
        if (value == nullptr) return false;
        if (const auto* number = std::get_if<int64_t>(value)) return *number != 0;
        if (const auto* flag = std::get_if<bool>(value)) return *flag;
        mOp.refuse(fmt::format("has {} of another type", name), allowed());
        return false;
    }

   private:
    template <class Allowed>
    const CustomOptions::Value* find(std::string_view name, bool mayMiss, const Allowed& allowed) {
        const auto* value = mOptions.find(name);
        if (value == nullptr && !mayMiss) mOp.refuse(fmt::format("has no {}", name), allowed());
        return value;
    }

    Conversion& mOp;
    const CustomOptions& mOptions;
};

struct DetectionOptions {
    int32_t maxDetections, maxClassesPerDetection, detectionsPerClass, classes;
    bool isRegular;
    float scoreThreshold, iouThreshold;
    float yScale, xScale, heightScale, widthScale;

    int32_t rows() const { return maxDetections * maxClassesPerDetection; }
};

// Empty after a refusal.
std::optional<DetectionOptions> readOptions(Conversion& op) {
    auto read = CustomOptions::read(op.customOptions());
    if (std::string* why = std::get_if<std::string>(&read)) {
        op.refuse(std::move(*why));
        return std::nullopt;
    }
    constexpr float kAny = std::numeric_limits<float>::max();
    constexpr int32_t kDetectionsPerClass = 100;
    Fields fields(op, std::get<CustomOptions>(read));
    const DetectionOptions options{
            .maxDetections = fields.whole("max_detections", kNoLimit),
            .maxClassesPerDetection = fields.whole("max_classes_per_detection", kNoLimit),
            .detectionsPerClass =
                    fields.whole("detections_per_class", kNoLimit, kDetectionsPerClass),
            .classes = fields.whole("num_classes", kNoLimit),
            .isRegular = fields.flag("use_regular_nms"),
            .scoreThreshold = fields.real("nms_score_threshold", true, kAny),
            .iouThreshold = fields.real("nms_iou_threshold", false, 1),
            .yScale = fields.real("y_scale", false, kAny),
            .xScale = fields.real("x_scale", false, kAny),
            .heightScale = fields.real("h_scale", false, kAny),
            .widthScale = fields.real("w_scale", false, kAny)};
    if (op.isRefused()) return std::nullopt;
    // TensorFlow Lite does not write the other rows.
    const int32_t most = options.isRegular ? 1 : options.classes;
    if (options.maxClassesPerDetection > most) {
        op.refuse(fmt::format("has max_classes_per_detection {}", options.maxClassesPerDetection),
                  options.isRegular ? "1 with use_regular_nms"
                                    : fmt::format("num_classes, {}", most));
    } else if (!checkedMul<int32_t>(options.maxDetections, options.maxClassesPerDetection)) {
        op.refuse(fmt::format("has max_detections {} and max_classes_per_detection {}",
                              options.maxDetections, options.maxClassesPerDetection),
                  "a product below 2^31");
    }
    return op.isRefused() ? std::nullopt : std::optional(options);
}

bool checkTensors(Conversion& op, const DetectionOptions& options) {
    constexpr size_t kRanks[] = {3, 3, 2};
    for (const size_t i : {kDeltas, kScores, kAnchors}) {
        const FileTensor& tensor = op.input(i);
        const bool isQuantized = tensor.type == TensorType::UINT8 && tensor.scale != 0;
        if (tensor.type != TensorType::FLOAT32 && !isQuantized) {
            op.refuseInput(i, fmt::format("is {}", nameOf(tensor.type)),
                           "FLOAT32, UINT8 with a scale");
        } else if (tensor.dimensions.size() != kRanks[i]) {
            op.refuseInput(i, fmt::format("has rank {}", tensor.dimensions.size()),
                           fmt::format("{}", kRanks[i]));
        } else if (i != kAnchors && tensor.dimensions[0] != 1) {
            op.refuseInput(i, fmt::format("has {} images", tensor.dimensions[0]), "1");
        }
    }
    for (size_t i = 0; i < op.outputCount(); ++i) {
        if (op.output(i).type == TensorType::FLOAT32) continue;
        op.refuseOutput(i, "is " + nameOf(op.output(i).type), "FLOAT32");
    }
    if (op.isRefused()) return false;
    if (op.input(kAnchors).type != op.input(kDeltas).type) {
        op.refuseInput(kAnchors, "is " + nameOf(op.input(kAnchors).type),
                       nameOf(op.input(kDeltas).type));
    }
    const uint32_t scores = op.input(kScores).dimensions[2];
    const auto classes = static_cast<uint32_t>(options.classes);
    if (scores < classes || scores - classes > 1) {
        op.refuseInput(kScores, fmt::format("has {} scores for each box", scores),
                       fmt::format("num_classes, {}, or one more", options.classes));
    }
    return !op.isRefused();
}

// TensorFlow Lite fails if a box has a size below 0.
bool checkAnchors(Conversion& op) {
    const auto bytes = op.data(kAnchors);
    if (!bytes) {
        if (!op.isRefused()) op.refuseInput(kAnchors, "is computed", "a constant");
        return false;
    }
    const FileTensor& tensor = op.input(kAnchors);
    if (!op.mayMake(bytes->size() / sizeOf(tensor.type) * sizeof(float))) return false;
    const auto values = floatsOf(tensor, *bytes);
    for (size_t i = 0; values && i < values->size(); ++i) {
        const float value = (*values)[i];
        const bool isSize = i % 4 >= 2;
        if (std::isfinite(value) && (!isSize || value >= 0)) continue;
        op.refuseInput(kAnchors, fmt::format("has element {} {}", i, value),
                       isSize ? "a finite size of at least 0" : "finite");
        return false;
    }
    return values.has_value();
}

uint32_t realInput(Conversion& op, size_t i) {
    const uint32_t in = op.operand(i);
    if (op.input(i).type == TensorType::FLOAT32) return in;
    const uint32_t reals = op.floatLike(in);
    op.emit({DEQUANTIZE, {in}, {reals}});
    return reals;
}

// Class 0 of the operation is the background. Scores above the threshold compete, in TensorFlow
// Lite those that are equal as well: the threshold becomes the next lower number; where it is 0,
// scores become greater by the least normal number.
uint32_t scoresOf(Conversion& op, const DetectionOptions& options, const Dimensions& given) {
    uint32_t scores = realInput(op, kScores);
    if (options.scoreThreshold == 0) {
        const uint32_t raised = op.like(scores);
        op.emit({ADD,
                 {scores, op.realTensor(std::numeric_limits<float>::min(), kDeltas),
                  op.scalarOf(0)},
                 {raised}});
        scores = raised;
    }
    if (given[2] != static_cast<uint32_t>(options.classes)) return scores;
    const uint32_t padded = op.like(scores, {given[0], given[1], given[2] + 1});
    op.emit({PAD, {scores, op.builder().matrix(std::vector{0, 0, 0, 0, 1, 0}, 2)}, {padded}});
    return padded;
}

}  // namespace

// A box is dropped from the threshold of the overlap on, in TensorFlow Lite above it: the threshold
// becomes the next higher number.
void detectionPostprocess(Conversion& op) {
    if (op.inputCount() != 3 || op.outputCount() != 4) {
        return op.refuse(
                fmt::format("has {} inputs and {} outputs", op.inputCount(), op.outputCount()),
                "3 and 4");
    }
    const auto options = readOptions(op);
    if (!options || !checkTensors(op, *options) || !checkAnchors(op)) return;
    // Before outputs get theirs: a hostile file has one tensor for both.
    const Dimensions given = op.input(kScores).dimensions;
    const auto rows = static_cast<uint32_t>(options->rows());
    op.setDimensions(kOutBoxes, {1, rows, 4});
    op.setDimensions(kOutClasses, {1, rows});
    op.setDimensions(kOutScores, {1, rows});
    op.setDimensions(kOutCount, {1});
    auto& builder = op.builder();
    const float scoreThreshold = std::nextafter(options->scoreThreshold, 0.0f);
    const float iouThreshold = std::nextafter(options->iouThreshold, 2.0f);
    const uint32_t scores = scoresOf(op, *options, given), deltas = realInput(op, kDeltas);
    const uint32_t anchors = realInput(op, kAnchors);
    const uint32_t classes = builder.temporary(OperandType::TENSOR_INT32, {1, rows});
    const uint32_t count = builder.temporary(OperandType::TENSOR_INT32, {1});
    op.emit({DETECTION_POSTPROCESSING,
             {scores, deltas, anchors, builder.scalar(options->yScale),
              builder.scalar(options->xScale), builder.scalar(options->heightScale),
              builder.scalar(options->widthScale), op.scalarOf(options->isRegular),
              op.scalarOf(options->maxDetections), op.scalarOf(options->maxClassesPerDetection),
              op.scalarOf(options->detectionsPerClass), builder.scalar(scoreThreshold),
              builder.scalar(iouThreshold), op.scalarOf(false)},
             {op.result(kOutScores), op.result(kOutBoxes), classes, count}});
    op.emit({CAST, {classes}, {op.result(kOutClasses)}});
    if (options->maxClassesPerDetection == 1) {
        return op.emit({CAST, {count}, {op.result(kOutCount)}});
    }
    // The operation counts rows, TensorFlow Lite boxes.
    const uint32_t counted = builder.temporary(OperandType::TENSOR_FLOAT32, {1});
    const auto ofEach = static_cast<float>(options->maxClassesPerDetection);
    op.emit({CAST, {count}, {counted}});
    op.emit({DIV,
             {counted, op.realTensor(ofEach, kDeltas), op.scalarOf(0)},
             {op.result(kOutCount)}});
}

}  // namespace nn::tflite::converters
