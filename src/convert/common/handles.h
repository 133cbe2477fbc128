// Duplicates descriptors for all families.
#pragma once

#include <string>

#include "convert/common/context.h"

namespace nn NNAPI_BINDING::conversion {

inline Status refuseHandle(const Context& context, std::string message) {
    return context.refuse("convert.handle", std::move(message));
}

// Duplicates an open descriptor.
inline Status copyFd(int fd, UniqueFd& copy, const Context& context) {
    copy = duplicate(fd);
    if (copy.ok()) return {};
    return refuseHandle(context, fmt::format("file descriptor {} cannot be duplicated", fd));
}

}  // namespace NNAPI_BINDING::conversion
