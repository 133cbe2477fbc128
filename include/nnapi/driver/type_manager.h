// nnapi/driver/type_manager.h -- extensions of devices: their prefixes in models, and their types.
//
//   nn::TypeManager types(registry.devices());
//   nn::GeneralResult<nn::OperandType> complex =
//           types.getExtensionOperandType("com.example.complex", 0);         // prefix << 16 | 0
//   nn::GeneralResult<uint64_t> bytes = types.getSizeOfData(*complex, {4});  // as its device says
//
// A device describes its extensions by their names; a model names them by prefixes. Whoever builds
// models takes the prefixes from here, so that they are the same in all of its models. An extension
// that two devices describe differently can be used with neither, since a model would mean two
// things; the order of types is no difference. docs/extensions.md explains extensions. Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn {

class TypeManager {
   public:
    // The extensions of all devices; none is null.
    explicit TypeManager(std::span<const SharedDevice> devices = {});
    // The same by what each device answers to getSupportedExtensions().
    static TypeManager of(std::span<const std::vector<Extension>> devices);

    // Those that can be used, by their names. Their types are sorted.
    std::vector<Extension> getExtensions() const;
    // Why an extension cannot be used that a device has, one sentence for each.
    std::vector<std::string> getDisabled() const;

    // Handed out from 1 in the order in which extensions are first asked for; an extension keeps
    // its own. INVALID_ARGUMENT for an extension that no device has or that is disabled,
    // RESOURCE_EXHAUSTED_PERSISTENT once all 65535 are handed out.
    GeneralResult<uint16_t> getExtensionPrefix(std::string_view name);

    // INVALID_ARGUMENT also for a type that the extension does not have; operations are not listed.
    GeneralResult<OperandType> getExtensionOperandType(std::string_view name,
                                                       uint16_t typeWithinExtension);
    GeneralResult<OperationType> getExtensionOperationType(std::string_view name,
                                                           uint16_t typeWithinExtension);

    // By a prefix that was handed out; INVALID_ARGUMENT for others.
    GeneralResult<Extension> getExtensionInfo(uint16_t prefix) const;
    GeneralResult<Extension::OperandTypeInformation> getExtensionOperandTypeInfo(
            OperandType type) const;

    // Of listed types too; INVALID_ARGUMENT for a type that is neither.
    GeneralResult<bool> isTensorType(OperandType type) const;

    // Bytes; 0 while a dimension or the rank of a tensor is unknown. INVALID_ARGUMENT for a type
    // without a known size, and where the number does not fit 64 bits.
    GeneralResult<uint64_t> getSizeOfData(OperandType type,
                                          std::span<const uint32_t> dimensions) const;
    GeneralResult<uint64_t> getSizeOfData(const Operand& operand) const;

    // The names of the prefixes that a model uses, for its extensionNameToPrefix, in their order.
    GeneralResult<std::vector<ExtensionNameAndPrefix>> getNamesOfPrefixes(const Model& model) const;

   private:
    class State;
    explicit TypeManager(std::shared_ptr<State> state) : mState(std::move(state)) {}
    std::shared_ptr<State> mState;
};

// Whether the device lists it.
bool supportsExtension(const IDevice& device, std::string_view name);

// ---- who may use extensions, on a platform that asks

// Whoever wants to: a program by its path, or an application by its name and its place.
struct ExtensionClient {
    std::string binaryPath{};   // of a program
    std::string packageName{};  // of an application; empty for a program
    bool isSystemApp = false;
    bool isOnVendorImage = false;
    bool isOnProductImage = false;
};

struct ExtensionPolicy {
    // /product counts as a place of the vendor.
    bool useOnProductImageEnabled = true;
    // What an allowlist has; see parseExtensionAllowlist().
    std::vector<std::string> allowlist{};
    // Of the platform. Since 31 those that are not part of the system need no entry in the list.
    int apiLevel = 31;
};

// On a host everybody may use extensions. This is what Android decides: programs below /vendor,
// /odm, /data and /product, and applications that are not part of the system, or lie on the image
// of the vendor or of the product. A path that is relative or has ".." in it lies nowhere.
bool isExtensionsUseAllowed(const ExtensionClient& client, const ExtensionPolicy& policy);

// The lines of an allowlist: paths that begin with '/', and names with a '.'. Blanks around a line
// and empty lines are nothing; other lines go to `skipped`.
std::vector<std::string> parseExtensionAllowlist(std::string_view text,
                                                 std::vector<std::string>* skipped = nullptr);

// The same of a file; empty where there is none, GENERAL_FAILURE for one that cannot be read or has
// more than a mebibyte.
GeneralResult<std::vector<std::string>> readExtensionAllowlist(
        const std::string& path, std::vector<std::string>* skipped = nullptr);

}  // namespace nn
