// TensorFlow Lite and models for it. It and some of the models are fetched by name; where that is
// impossible, the tests that need them are skipped and say why.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "fetched_packages.h"

namespace nn {

inline constexpr char kPackages[] = NNAPI_TFLITE_PACKAGES;
inline constexpr char kLiteLibrary[] =
        NNAPI_TFLITE_PACKAGES "/tfjs-tflite-node-0.0.2/cc_deps/linux_amd64/libtensorflowlite_c.so";

struct LiteModel {
    const char* name;
    const char* package;  // empty for those of this repository
    const char* file;
    size_t operations;  // in the NNAPI, which takes the whole of it
};

inline constexpr LiteModel kModels[] = {
        {"ad01_float", "", "ad01_float.tflite", 10},
        {"kws_int8", "", "kws_int8.tflite", 13},
        {"resnet_int8", "", "resnet_int8.tflite", 16},
        {"vww_96_int8", "", "vww_96_int8.tflite", 31},
        {"face_full", "mediapipe-face_detection-0.4.1657300184", "face_detection_full_range.tflite",
         176},
        {"face_full_sparse", "mediapipe-face_detection-0.4.1657300184",
         "face_detection_full_range_sparse.tflite", 160},
        {"face_short", "mediapipe-face_detection-0.4.1657300184",
         "face_detection_short_range.tflite", 90},
        {"hand_lite", "mediapipe-hands-0.4.1675469240", "hand_landmark_lite.tflite", 65},
        {"hand_full", "mediapipe-hands-0.4.1675469240", "hand_landmark_full.tflite", 63},
};

inline std::string pathOf(const LiteModel& model) {
    return std::string(*model.package == '\0' ? NNAPI_SOURCE_DIR "/tests/tflite/models"
                                              : std::string(kPackages) + "/" + model.package) +
           "/" + model.file;
}

class TensorFlowLite : public ::testing::Test {
   protected:
    void SetUp() override {
        static const FetchedPackages packages(NNAPI_SOURCE_DIR "/tests/tflite/fetch", kPackages);
        packages.require();
    }
};

}  // namespace nn
