// android-base/errors.h -- the text of an error of the system.
#pragma once

#include <string>

namespace android::base {

std::string SystemErrorCodeToString(int error_code);

}  // namespace android::base
