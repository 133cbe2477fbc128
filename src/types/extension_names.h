// Finds the extension that a type belongs to.
#pragma once

#include <absl/algorithm/container.h>

#include <span>
#include <string_view>

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

// Its name, as long as the names are there; empty where there is none.
inline std::string_view extensionNameOf(std::span<const ExtensionNameAndPrefix> names,
                                        uint32_t type) {
    const ExtensionNameAndPrefix* found = findExtension(names, type);
    return found == nullptr ? std::string_view() : std::string_view(found->name);
}

}  // namespace nn
