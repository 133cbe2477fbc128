// Descriptors, which every family duplicates.
#pragma once

#include <string>

#include "convert/common/context.h"

namespace nn::conversion {

inline Status refuseHandle(const Where& where, std::string message) {
    return where.refuse("convert.handle", std::move(message));
}

// A copy of an open descriptor.
inline Status copyFd(int fd, UniqueFd& copy, const Where& where) {
    copy = duplicate(fd);
    if (copy.ok()) return {};
    return refuseHandle(where, fmt::format("file descriptor {} cannot be duplicated", fd));
}

}  // namespace nn::conversion
