// Custom operators.
#include "custom_options.h"
#include "operator_file_list.h"

namespace nn::tflite {
namespace {

using enum OperationType;

const std::vector<int32_t> kScoresShape = {1, 9, 3}, kDeltasShape = {1, 9, 4};

// Three groups of three boxes that overlap, so that at least three are detected.
std::vector<float> anchors() {
    std::vector<float> values;
    for (int i = 0; i < 9; ++i) {
        const int quotient = i / 3;
        const auto group = static_cast<float>(quotient), member = static_cast<float>(i % 3);
        values.insert(values.end(), {100 * group, 2 * member, 8, 8 + member});
    }
    return values;
}

// Scores above 0 without equal ones, whatever the input.
int32_t scoresOf(LiteGraph& g, int32_t classes) {
    const std::vector<int32_t> shape = {1, 9, classes};
    std::vector<float> offsets;
    for (int i = 0; i < 9 * classes; ++i)
        offsets.push_back(5 + static_cast<float>(i * 7 % 32) / 512);
    const int32_t x = g.input(kFloat, shape), scores = g.tensor(kFloat, shape);
    g.op(Op::ADD, 1, {x, g.constant(kFloat, shape, offsets)}, {scores}, AddOptionsT());
    return scores;
}

void addDetection(LiteGraph& g, std::vector<int32_t> inputs, const OptionFields& fields) {
    const auto number = [&](const char* name) {
        return static_cast<int32_t>(std::get<int64_t>(fields.at(name)));
    };
    const int32_t rows = number("max_detections") * number("max_classes_per_detection");
    const int32_t boxes = g.output(kFloat, {1, rows, 4}), classes = g.output(kFloat, {1, rows});
    const int32_t scores = g.output(kFloat, {1, rows}), count = g.output(kFloat, {1});
    g.custom("TFLite_Detection_PostProcess", std::move(inputs), {boxes, classes, scores, count},
             flexOptions(fields));
}

}  // namespace

void addCustomForms(Files& files) {
    files.addRead("TFLite_Detection_PostProcess_fast", {kFloat},
                  {ADD, DETECTION_POSTPROCESSING, CAST, CAST, DIV}, [](LiteGraph& g, Type t) {
                      OptionFields fields = detectionFields();
                      fields["max_classes_per_detection"] = int64_t{2};
                      const int32_t deltas = g.input(t, kDeltasShape), scores = scoresOf(g, 3);
                      addDetection(g, {deltas, scores, g.constant(t, {9, 4}, anchors())}, fields);
                  });
    files.addRead("TFLite_Detection_PostProcess_regular_without_background", {kFloat},
                  {ADD, PAD, DETECTION_POSTPROCESSING, CAST, CAST}, [](LiteGraph& g, Type t) {
                      OptionFields fields = detectionFields();
                      fields["use_regular_nms"] = true;
                      const int32_t deltas = g.input(t, {1, 9, 6}), scores = scoresOf(g, 2);
                      addDetection(g, {deltas, scores, g.constant(t, {9, 4}, anchors())}, fields);
                  });
    files.addRead("TFLite_Detection_PostProcess_quantized", {kUint8},
                  {DEQUANTIZE, DEQUANTIZE, DEQUANTIZE, DETECTION_POSTPROCESSING, CAST, CAST},
                  [](LiteGraph& g, Type t) {
                      std::vector<uint8_t> scores, corners;
                      for (int i = 0; i < 27; ++i)
                          scores.push_back(static_cast<uint8_t>(i * 7 % 32 + 1));
                      for (const float value : anchors())
                          corners.push_back(static_cast<uint8_t>(value));
                      const int32_t deltas = g.input(t, kDeltasShape, {0.125f, 128});
                      const int32_t found = g.constant(t, kScoresShape, scores, {1 / 256.0f, 0});
                      addDetection(g, {deltas, found, g.constant(t, {9, 4}, corners, {1.0f, 0})},
                                   detectionFields());
                  });
    // Of unknown sizes in the file; a score of 0 is enough.
    files.addRead("TFLite_Detection_PostProcess_open", {kFloat},
                  {ADD, DETECTION_POSTPROCESSING, CAST, CAST}, [](LiteGraph& g, Type t) {
                      OptionFields fields = detectionFields();
                      fields.erase("detections_per_class");
                      fields.erase("use_regular_nms");
                      fields["nms_score_threshold"] = 0.0;
                      std::vector<float> scores(27, -1);
                      scores[4] = 0.5f;
                      scores[13] = 0.25f;
                      scores[23] = 0;
                      const int32_t deltas = g.input(t, kDeltasShape);
                      const int32_t found = g.constant(t, kScoresShape, scores);
                      addDetection(g, {deltas, found, g.constant(t, {9, 4}, anchors())}, fields);
                      for (const int32_t output : g.graph().outputs) g.at(output).shape.clear();
                  });
    // Padding 1 is SAME, with steps of 2.
    files.addRead(
            "Convolution2DTransposeBias", {kFloat}, {TRANSPOSE_CONV_2D}, [](LiteGraph& g, Type t) {
                const int32_t x = g.input(t, {1, 3, 4, 2}), filter = g.numbers(t, {3, 3, 2, 2});
                g.custom("Convolution2DTransposeBias", {x, filter, g.numbers(t, {3})},
                         {g.output(t, {1, 5, 8, 3})}, structOptions({1, 2, 2}));
            });
}

}  // namespace nn::tflite
