// android-base/parsebool.h -- a truth value from text.
#pragma once

#include <string_view>

namespace android::base {

enum class ParseBoolResult { kError, kFalse, kTrue };

// 1, y, yes, on, true; 0, n, no, off, false.
ParseBoolResult ParseBool(std::string_view text);

}  // namespace android::base
