// Options of custom operators, for tests.
#pragma once

#include <flatbuffers/flexbuffers.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace nn::tflite {

using OptionFields = std::map<std::string, std::variant<int64_t, double, bool, std::string>>;

inline std::vector<uint8_t> flexOptions(const OptionFields& fields) {
    flexbuffers::Builder builder;
    builder.Map([&] {
        for (const auto& [name, value] : fields) {
            builder.Key(name);
            std::visit([&](const auto& held) { builder.Add(held); }, value);
        }
    });
    builder.Finish();
    return builder.GetBuffer();
}

// Options that are a C struct of numbers of 32 bits, as little-endian machines have it.
inline std::vector<uint8_t> structOptions(const std::vector<int32_t>& numbers) {
    std::vector<uint8_t> bytes;
    for (const int32_t number : numbers) {
        for (int shift = 0; shift < 32; shift += 8) {
            bytes.push_back(static_cast<uint8_t>(static_cast<uint32_t>(number) >> shift));
        }
    }
    return bytes;
}

// Those of TFLite_Detection_PostProcess, of one image with two classes.
inline OptionFields detectionFields() {
    return {{"max_detections", int64_t{3}},
            {"max_classes_per_detection", int64_t{1}},
            {"detections_per_class", int64_t{2}},
            {"num_classes", int64_t{2}},
            {"use_regular_nms", false},
            {"nms_score_threshold", 1e-8},
            {"nms_iou_threshold", 0.5},
            {"y_scale", 10.0},
            {"x_scale", 10.0},
            {"h_scale", 5.0},
            {"w_scale", 5.0}};
}

}  // namespace nn::tflite
