// Duplicates descriptors for all families.
#pragma once

#include <string>

#include "convert/common/context.h"

namespace nn::conversion {

inline Status refuseHandle(const Context& context, std::string message) {
    return context.refuse("convert.handle", std::move(message));
}

// A copy of an open descriptor.
inline Status copyFd(int fd, UniqueFd& copy, const Context& context) {
    copy = duplicate(fd);
    if (copy.ok()) return {};
    return refuseHandle(context, fmt::format("file descriptor {} cannot be duplicated", fd));
}

}  // namespace nn::conversion
