#include "runtime/plan/value_sizes.h"

#include <absl/algorithm/container.h>

#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"

namespace nn::runtime {

Sizes::Sizes(const Model& model, std::span<const SharedDevice> devices) {
    for (const ExtensionNameAndPrefix& name : model.extensionNameToPrefix) {
        for (const SharedDevice& device : devices) {
            const std::vector<Extension>& all = device->getSupportedExtensions();
            const auto extension =
                    absl::c_find_if(all, [&](const Extension& e) { return e.name == name.name; });
            if (extension == all.end()) continue;
            for (const Extension::OperandTypeInformation& info : extension->operandTypes) {
                const uint32_t code = uint32_t{name.prefix} << kExtensionTypeBits | info.type;
                mExtensions.emplace(static_cast<OperandType>(code), info);
            }
            break;
        }
    }
}

std::optional<uint32_t> Sizes::bytes(OperandType type, std::span<const uint32_t> dimensions) const {
    std::optional<uint64_t> size;
    if (const auto found = mExtensions.find(type); found != mExtensions.end()) {
        const auto& info = found->second;
        const bool isUnknown = info.isTensor && dimensions.empty();
        size = isUnknown
                       ? uint64_t{0}
                       : checkedMul<uint64_t>(checkedProduct<uint64_t>(dimensions), info.byteSize);
    } else {
        size = operandSize(type, dimensions);
    }
    return size ? checkedCast<uint32_t>(*size) : std::nullopt;
}

bool Sizes::canHaveDimensions(OperandType type) const {
    if (!isExtension(type)) return isNonExtensionTensor(type);
    const auto found = mExtensions.find(type);
    return found == mExtensions.end() || found->second.isTensor;
}

}  // namespace nn::runtime
