// android-base/parsedouble.h -- floating-point numbers from text.
//
// The whole text must be a number within the bounds; otherwise false, errno says why, and nothing
// is written.
#pragma once

#include <limits>
#include <string>

namespace android::base {

bool ParseDouble(const char* text, double* out, double min = std::numeric_limits<double>::lowest(),
                 double max = std::numeric_limits<double>::max());
inline bool ParseDouble(const std::string& text, double* out,
                        double min = std::numeric_limits<double>::lowest(),
                        double max = std::numeric_limits<double>::max()) {
    return ParseDouble(text.c_str(), out, min, max);
}

bool ParseFloat(const char* text, float* out, float min = std::numeric_limits<float>::lowest(),
                float max = std::numeric_limits<float>::max());
inline bool ParseFloat(const std::string& text, float* out,
                       float min = std::numeric_limits<float>::lowest(),
                       float max = std::numeric_limits<float>::max()) {
    return ParseFloat(text.c_str(), out, min, max);
}

}  // namespace android::base
