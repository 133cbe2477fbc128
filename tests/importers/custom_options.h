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
