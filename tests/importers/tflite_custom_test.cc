// Custom operators of .tflite files: fields that are missing or wrong, and damaged options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/status_message.h"
#include "custom_options.h"
#include "importers/lite_file.h"
#include "importers/tflite/custom_options.h"
#include "nnapi/import/tflite.h"
#include "nnapi/interpreter.h"

namespace nn::tflite::custom_test {
namespace {

using ::testing::HasSubstr;
constexpr TensorType kReal = TensorType::FLOAT32;

// Of two boxes with two classes and a background.
struct Detection {
    std::vector<uint8_t> options = flexOptions(detectionFields());
    std::string name = "TFLite_Detection_PostProcess";
    int32_t columns = 3;
    int32_t images = 1;
    TensorType type = kReal;  // of the deltas
    std::vector<float> anchors = {5, 5, 4, 4, 9, 9, 2, 2};
    bool hasConstantAnchors = true;
    size_t outputs = 4;
    bool hasSharedScores = false;  // one tensor is read and written
};

std::vector<uint8_t> bytesOf(const Detection& detection) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t deltas = g.input(detection.type, {1, 2, 4});
    const int32_t scores = g.input(kReal, {detection.images, 2, detection.columns});
    const int32_t anchors = detection.hasConstantAnchors
                                    ? g.constant(kReal, {2, 4}, detection.anchors)
                                    : g.input(kReal, {2, 4});
    std::vector<int32_t> outputs = {g.output(kReal, {1, 3, 4}), g.output(kReal, {1, 3}),
                                    g.output(kReal, {1, 3}), g.output(kReal, {1})};
    outputs.resize(detection.outputs);
    if (detection.hasSharedScores) outputs[2] = scores;
    g.graph().outputs.resize(detection.outputs);
    g.custom(detection.name, {deltas, scores, anchors}, outputs, detection.options);
    return file.bytes();
}

std::string messageFor(const std::vector<uint8_t>& file) {
    const auto import = importTflite(file);
    return messageOf(import.ok() ? preparationErrors(*import) : import.status());
}

// The reason behind the name of the operator; empty if it is imported.
std::string refusalOf(const Detection& detection) {
    const std::string message = messageFor(bytesOf(detection));
    const std::string start =
            "operator 0 \"CUSTOM " + detection.name + "\" (version 1, \"out0\"): ";
    const size_t at = message.find(start);
    return at == std::string::npos ? message : message.substr(at + start.size());
}

std::string refusalWith(const std::string& field, OptionFields::mapped_type value) {
    OptionFields fields = detectionFields();
    fields[field] = std::move(value);
    return refusalOf({.options = flexOptions(fields)});
}

std::string refusalWithout(const std::string& field) {
    OptionFields fields = detectionFields();
    fields.erase(field);
    return refusalOf({.options = flexOptions(fields)});
}

TEST(TfliteDetection, RequiresFields) {
    EXPECT_EQ(refusalOf({}), "");
    EXPECT_EQ(refusalWithout("max_detections"), "has no max_detections, allowed 1 to 2147483647");
    EXPECT_EQ(refusalWithout("y_scale"), "has no y_scale, allowed a number above 0");
    for (const auto& [name, value] : detectionFields()) {
        const bool mayMiss = name == "detections_per_class" || name == "use_regular_nms";
        EXPECT_THAT(refusalWithout(name), HasSubstr(mayMiss ? "" : "has no " + name + ","));
        EXPECT_THAT(refusalWith(name, "text"),
                    HasSubstr("has " + name + " of another type, allowed "));
    }
}

TEST(TfliteDetection, RejectsFieldsOutOfRange) {
    EXPECT_EQ(refusalWith("max_detections", int64_t{0}),
              "has max_detections 0, allowed 1 to 2147483647");
    EXPECT_EQ(refusalWith("max_detections", int64_t{1} << 31),
              "has max_detections 2147483648, allowed 1 to 2147483647");
    EXPECT_EQ(refusalWith("max_detections", 3.0),
              "has max_detections of another type, allowed 1 to 2147483647");
    EXPECT_EQ(refusalWith("nms_iou_threshold", 1.5),
              "has nms_iou_threshold 1.5, allowed a number above 0 and at most 1");
    EXPECT_EQ(refusalWith("nms_iou_threshold", int64_t{1}), "");
    EXPECT_EQ(refusalWith("nms_score_threshold", -1.0),
              "has nms_score_threshold -1, allowed a number of at least 0");
    EXPECT_EQ(refusalWith("nms_score_threshold", -std::numeric_limits<double>::infinity()),
              "has nms_score_threshold -inf, allowed a number of at least 0");
    for (const double value : {0.0, -2.0, 1e300, double{std::numeric_limits<float>::infinity()},
                               std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THAT(refusalWith("h_scale", value), HasSubstr("has h_scale ")) << value;
    }
    EXPECT_EQ(refusalWith("max_classes_per_detection", int64_t{3}),
              "has max_classes_per_detection 3, allowed num_classes, 2");
    OptionFields regular = detectionFields();
    regular["use_regular_nms"] = int64_t{1};
    regular["max_classes_per_detection"] = int64_t{2};
    EXPECT_EQ(refusalOf({.options = flexOptions(regular)}),
              "has max_classes_per_detection 2, allowed 1 with use_regular_nms");
    OptionFields large = detectionFields();
    large["max_detections"] = int64_t{1} << 30;
    large["max_classes_per_detection"] = int64_t{2};
    EXPECT_EQ(refusalOf({.options = flexOptions(large)}),
              "has max_detections 1073741824 and max_classes_per_detection 2, allowed a product "
              "below 2^31");
}

TEST(TfliteDetection, RejectsTensorsThatDoNotFit) {
    EXPECT_EQ(refusalOf({.columns = 2}), "");
    EXPECT_EQ(refusalOf({.columns = 4}),
              "tensor \"in1\" has 4 scores for each box, allowed num_classes, 2, or one more");
    EXPECT_EQ(refusalOf({.images = 2}), "tensor \"in1\" has 2 images, allowed 1");
    EXPECT_EQ(refusalOf({.type = TensorType::INT8}),
              "tensor \"in0\" is INT8, allowed FLOAT32, UINT8 with a scale");
    EXPECT_EQ(refusalOf({.hasConstantAnchors = false}),
              "tensor \"in2\" is computed, allowed a constant");
    EXPECT_EQ(refusalOf({.anchors = {5, 5, 4, 4, 9, 9, -2, 2}}),
              "tensor \"t2\" has element 6 -2, allowed a finite size of at least 0");
    EXPECT_EQ(refusalOf({.anchors = {5, NAN, 4, 4, 9, 9, 2, 2}}),
              "tensor \"t2\" has element 1 nan, allowed finite");
    EXPECT_EQ(refusalOf({.outputs = 3}), "has 3 outputs, or one without a tensor, allowed 4");
}

// A custom operator of another name.
TEST(TfliteDetection, RejectsScoresThatItReadsAndWrites) {
    EXPECT_THAT(refusalOf({.hasSharedScores = true}), HasSubstr("\"out2\""));
}

TEST(TfliteCustom, RejectsOtherNames) {
    EXPECT_EQ(refusalOf({.name = "TFLite_Detection_PostProcess2"}),
              "is an operator of its own, which NNAPI does not have");
    EXPECT_THAT(refusalOf({.name = ""}), HasSubstr("is an operator of its own"));
}

// ---- options

bool isRead(std::span<const uint8_t> bytes) {
    return std::holds_alternative<CustomOptions>(CustomOptions::read(bytes));
}

TEST(TfliteCustomOptions, AreReadWithEachWidth) {
    for (const int64_t value : {int64_t{1}, int64_t{-300}, int64_t{70000}, int64_t{1} << 40}) {
        const auto bytes = flexOptions({{"a", value}, {"b", 0.5}, {"c", true}, {"d", "text"}});
        const auto read = CustomOptions::read(bytes);
        const auto* options = std::get_if<CustomOptions>(&read);
        ASSERT_NE(options, nullptr);
        EXPECT_EQ(*options->find("a"), CustomOptions::Value(value));
        EXPECT_EQ(*options->find("b"), CustomOptions::Value(0.5));
        EXPECT_EQ(*options->find("c"), CustomOptions::Value(true));
        EXPECT_EQ(*options->find("d"), CustomOptions::Value());
        EXPECT_EQ(options->find("e"), nullptr);
    }
    flexbuffers::Builder builder;
    builder.Map([&] {
        builder.IndirectInt("a", -5);
        builder.IndirectUInt("b", UINT64_MAX);
        builder.IndirectDouble("c", 0.1);
        builder.Null("d");
    });
    builder.Finish();
    const auto read = CustomOptions::read(builder.GetBuffer());
    const auto* options = std::get_if<CustomOptions>(&read);
    ASSERT_NE(options, nullptr);
    EXPECT_EQ(*options->find("a"), CustomOptions::Value(int64_t{-5}));
    EXPECT_EQ(*options->find("b"), CustomOptions::Value(INT64_MAX));
    EXPECT_EQ(*options->find("c"), CustomOptions::Value(0.1));
    EXPECT_EQ(options->find("d"), nullptr);
}

// Under sanitizers, no byte outside of the options is read.
TEST(TfliteCustomOptions, MayBeAnyBytes) {
    EXPECT_FALSE(isRead({}));
    EXPECT_EQ(refusalOf({.options = {}}), "has damaged options");
    EXPECT_EQ(refusalOf({.options = {3, 4, 1}}), "has options without names");
    const std::vector<uint8_t> whole = flexOptions(detectionFields());
    for (size_t size = 0; size < whole.size(); ++size) {
        EXPECT_FALSE(
                isRead(std::vector(whole.end() - static_cast<std::ptrdiff_t>(size), whole.end())))
                << size;
        isRead(std::vector(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    }
    for (size_t at = 0; at < whole.size(); ++at) {
        for (int value = 0; value < 256; ++value) {
            std::vector<uint8_t> changed = whole;
            changed[at] = static_cast<uint8_t>(value);
            isRead(changed);
        }
    }
}

TEST(TfliteCustomOptions, AreFewAndInOrder) {
    OptionFields fields;
    for (int i = 0; i < 64; ++i) fields["field" + std::to_string(i)] = int64_t{i};
    EXPECT_TRUE(isRead(flexOptions(fields)));
    fields["one more"] = int64_t{64};
    EXPECT_EQ(refusalOf({.options = flexOptions(fields)}), "has 65 options, allowed 64");
    EXPECT_TRUE(isRead(flexOptions({{std::string(63, 'n'), int64_t{1}}})));
    EXPECT_FALSE(isRead(flexOptions({{std::string(64, 'n'), int64_t{1}}})));
    std::vector<uint8_t> unsorted = flexOptions({{"a", int64_t{1}}, {"b", int64_t{2}}});
    const auto a = std::find(unsorted.begin(), unsorted.end(), uint8_t{'a'});
    ASSERT_NE(a, unsorted.end());
    *a = 'c';
    EXPECT_FALSE(isRead(unsorted));
}

// ---- Convolution2DTransposeBias

std::string refusalOfTransposed(const std::vector<uint8_t>& options,
                                std::vector<int32_t> shape = {1, 6, 6, 3},
                                TensorType type = kReal) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(type, {1, 3, 3, 2}), filter = g.numbers(kReal, {3, 2, 2, 2});
    g.custom("Convolution2DTransposeBias", {x, filter, g.numbers(kReal, {3})},
             {g.output(kReal, std::move(shape))}, options);
    const std::string message = messageFor(file.bytes());
    const std::string start =
            "operator 0 \"CUSTOM Convolution2DTransposeBias\" (version 1, \"out0\"): ";
    const size_t at = message.find(start);
    return at == std::string::npos ? message : message.substr(at + start.size());
}

TEST(TfliteBiasedTransposeConvolution, RejectsOptionsThatAreNone) {
    EXPECT_EQ(refusalOfTransposed(structOptions({2, 2, 2})), "");
    EXPECT_EQ(refusalOfTransposed({}), "has options of 0 bytes, allowed 12");
    EXPECT_EQ(refusalOfTransposed(structOptions({1, 2, 2, 0})),
              "has options of 16 bytes, allowed 12");
    EXPECT_EQ(refusalOfTransposed(structOptions({0, 2, 2})),
              "has padding 0, allowed 1 (SAME), 2 (VALID)");
    EXPECT_EQ(refusalOfTransposed(structOptions({2, 0, 2})),
              "has stride_width 0, allowed 1 or more");
    EXPECT_EQ(refusalOfTransposed(structOptions({2, 2, INT32_MIN})),
              "has stride_height -2147483648, allowed 1 or more");
    EXPECT_EQ(refusalOfTransposed(structOptions({2, 2, INT32_MAX})),
              "computes images of 4294967296 x 6, allowed less than 2^31");
}

TEST(TfliteBiasedTransposeConvolution, RejectsTensorsThatDoNotFit) {
    EXPECT_EQ(refusalOfTransposed(structOptions({2, 2, 2}), {1, 6, 7, 3}),
              "tensor \"out0\" has the dimensions [1, 6, 7, 3], allowed [1, 6, 6, 3]");
    EXPECT_EQ(refusalOfTransposed(structOptions({2, 2, 2}), {}), "");
    EXPECT_EQ(refusalOfTransposed(structOptions({2, 2, 2}), {1, 6, 6, 3}, TensorType::INT32),
              "tensor \"in0\" is INT32, allowed FLOAT32");
}

}  // namespace
}  // namespace nn::tflite::custom_test
