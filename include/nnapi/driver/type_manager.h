// nnapi/driver/type_manager.h -- Assigns prefixes to the extensions of devices and finds their
// types.
//
//   nn::TypeManager types(registry.devices());
//   nn::GeneralResult<nn::OperandType> complex =
//           types.getExtensionOperandType("com.example.complex", 0);         // prefix << 16 | 0
//   nn::GeneralResult<uint64_t> bytes = types.getSizeOfData(*complex, std::array{4u});
//
// Devices describe extensions by name; models refer to them by prefix. A program that builds models
// uses the prefixes of one manager, so that all of its models agree. An extension that two devices
// describe differently is disabled, since a model would be ambiguous; the order of types is
// irrelevant. docs/extensions.md explains extensions. Thread-safe.
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

// The extensions of a set of devices.
class TypeManager {
   public:
    // Collects the extensions of all devices, which must not be null.
    explicit TypeManager(std::span<const SharedDevice> devices = {});
    // The same, from the results of getSupportedExtensions().
    static TypeManager of(std::span<const std::vector<Extension>> devices);

    // Usable extensions, ordered by name, with sorted types.
    std::vector<Extension> getExtensions() const;
    // Why disabled extensions are disabled, one sentence each.
    std::vector<std::string> getDisabled() const;

    // The prefix of an extension. Prefixes are assigned from 1 in the order of first use and never
    // change. INVALID_ARGUMENT for an unknown or disabled extension, RESOURCE_EXHAUSTED_PERSISTENT
    // once all 65535 are assigned.
    GeneralResult<uint16_t> getExtensionPrefix(std::string_view name);

    // The value of a type or operation in models. INVALID_ARGUMENT also for a type that the
    // extension does not have; operations are not checked.
    GeneralResult<OperandType> getExtensionOperandType(std::string_view name,
                                                       uint16_t typeWithinExtension);
    GeneralResult<OperationType> getExtensionOperationType(std::string_view name,
                                                           uint16_t typeWithinExtension);

    // Descriptions by assigned prefix; INVALID_ARGUMENT for other prefixes.
    GeneralResult<Extension> getExtensionInfo(uint16_t prefix) const;
    GeneralResult<Extension::OperandTypeInformation> getExtensionOperandTypeInfo(
            OperandType type) const;

    // True for a tensor type. Also for types of the HAL; INVALID_ARGUMENT for unknown types.
    GeneralResult<bool> isTensorType(OperandType type) const;

    // Size of a value in bytes; 0 if a dimension or the rank of a tensor is unknown.
    // INVALID_ARGUMENT for a type without a known size, and if the size exceeds 64 bits.
    GeneralResult<uint64_t> getSizeOfData(OperandType type,
                                          std::span<const uint32_t> dimensions) const;
    GeneralResult<uint64_t> getSizeOfData(const Operand& operand) const;

    // Names of the prefixes that a model uses, ordered, for its extensionNameToPrefix.
    GeneralResult<std::vector<ExtensionNameAndPrefix>> getNamesOfPrefixes(const Model& model) const;

   private:
    class State;
    explicit TypeManager(std::shared_ptr<State> state) : mState(std::move(state)) {}
    std::shared_ptr<State> mState;
};

// True if the device lists the extension.
bool supportsExtension(const IDevice& device, std::string_view name);

// ---- permission to use extensions, on platforms with restrictions

// A program (by path) or an application (by name and location) that requests the use of extensions.
struct ExtensionClient {
    std::string binaryPath{};       // of a program; empty for an application
    std::string packageName{};      // of an application; empty for a program
    bool isSystemApp = false;       // part of the system
    bool isOnVendorImage = false;   // installed on the vendor's partition
    bool isOnProductImage = false;  // installed on the product's partition
};

// Settings of the platform.
struct ExtensionPolicy {
    // Treats /product as a vendor location.
    bool useOnProductImageEnabled = true;
    // Entries of an allowlist; see parseExtensionAllowlist().
    std::vector<std::string> allowlist{};
    // API level of the platform. Since 31, clients that are not part of the system need no entry in
    // the list.
    int apiLevel = 31;
};

// Android's decision; on a host every client may use extensions. Allowed are programs below
// /vendor, /odm, /data and /product, and applications that are not part of the system or are on the
// vendor or product image. A path that is relative or contains ".." has no location.
bool isExtensionsUseAllowed(const ExtensionClient& client, const ExtensionPolicy& policy);

// Parses an allowlist: paths that begin with '/', and names with a '.'. Surrounding blanks and
// empty lines are ignored; other lines go to `skipped`.
std::vector<std::string> parseExtensionAllowlist(std::string_view text,
                                                 std::vector<std::string>* skipped = nullptr);

// The same for a file; empty if it does not exist, GENERAL_FAILURE if it cannot be read or is
// larger than 1 MiB.
GeneralResult<std::vector<std::string>> readExtensionAllowlist(
        const std::string& path, std::vector<std::string>* skipped = nullptr);

}  // namespace nn
