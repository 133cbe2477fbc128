// Error codes of calls.
#pragma once

#include <cerrno>
#include <cstdint>

namespace android {

using status_t = int32_t;
enum : status_t {
    OK = 0,
    NO_ERROR = OK,
    UNKNOWN_ERROR = INT32_MIN,
    FAILED_TRANSACTION = INT32_MIN + 2,
    BAD_VALUE = -EINVAL,
    DEAD_OBJECT = -EPIPE,
    INVALID_OPERATION = -ENOSYS,
    NO_MEMORY = -ENOMEM,
    TIMED_OUT = -ETIMEDOUT,
};

}  // namespace android
