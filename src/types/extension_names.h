// Which extension a type belongs to.
#pragma once

#include <absl/algorithm/container.h>

#include <span>

#include "nnapi/type_utils.h"

namespace nn {

// Of a type, or of a token of hints; null where no name has its prefix. Prefix 0 is of no
// extension.
inline const ExtensionNameAndPrefix* findExtension(std::span<const ExtensionNameAndPrefix> names,
                                                   uint32_t type) {
    const uint16_t prefix = getExtensionPrefix(type);
    const auto found = absl::c_find_if(
            names, [&](const ExtensionNameAndPrefix& each) { return each.prefix == prefix; });
    return prefix == 0 || found == names.end() ? nullptr : &*found;
}

}  // namespace nn
