#include "nnapi/driver/type_manager.h"

#include <absl/algorithm/container.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "base/no_throw.h"
#include "base/printable.h"
#include "base/process_mutex.h"
#include "base/spelling_suggestions.h"
#include "nnapi/checked_math.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn {
namespace {

using TypeInfo = Extension::OperandTypeInformation;

Extension sorted(Extension extension) {
    absl::c_sort(extension.operandTypes,
                 [](const TypeInfo& a, const TypeInfo& b) { return a.type < b.type; });
    return extension;
}

ErrorBuilder invalid() { return error(ErrorStatus::INVALID_ARGUMENT); }

}  // namespace

class TypeManager::State {
   public:
    void add(const Extension& described) {
        if (mDisabled.contains(described.name)) return;
        if (const auto legal = validate(described); !legal.ok()) {
            disable(described.name, std::string(legal.status().message()));
            return;
        }
        Extension extension = sorted(described);
        const auto [at, isNew] = mExtensions.try_emplace(described.name, extension);
        if (!isNew && at->second != extension) {
            disable(described.name, "devices describe it differently");
        }
    }

    std::vector<Extension> extensions() const {
        std::vector<Extension> list;
        for (const auto& [name, extension] : mExtensions) list.push_back(extension);
        return list;
    }

    std::vector<std::string> disabled() const {
        std::vector<std::string> list;
        for (const auto& [name, why] : mDisabled) {
            list.push_back(fmt::format("extension {} is disabled: {}", printable(name), why));
        }
        return list;
    }

    GeneralResult<const Extension*> find(std::string_view name) const {
        if (const auto at = mExtensions.find(name); at != mExtensions.end()) return &at->second;
        if (const auto at = mDisabled.find(name); at != mDisabled.end()) {
            return invalid() << "extension " << printable(name) << " is disabled: " << at->second;
        }
        if (mExtensions.empty()) {
            return invalid() << "no device has extension " << printable(name)
                             << ", or any extension";
        }
        std::vector<std::string_view> names;
        for (const auto& [known, extension] : mExtensions) names.push_back(known);
        return invalid() << "no device has extension " << printable(name) << didYouMean(name, names)
                         << "; there " << (names.size() == 1 ? "is " : "are ")
                         << fmt::format("{}", fmt::join(names, ", "));
    }

    GeneralResult<uint16_t> prefixOf(std::string_view name) {
        NNAPI_ASSIGN_OR_RETURN(extension, find(name));
        const std::lock_guard lock(mMutex);
        const auto known = mPrefixes.find(extension);
        if (known != mPrefixes.end()) return known->second;
        if (mByPrefix.size() >= UINT16_MAX) {
            return error(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT)
                   << "all " << UINT16_MAX << " prefixes of extensions are handed out";
        }
        mByPrefix.push_back(extension);
        const auto prefix = static_cast<uint16_t>(mByPrefix.size());
        mPrefixes.emplace(extension, prefix);
        return prefix;
    }

    GeneralResult<const Extension*> byPrefix(uint16_t prefix) const {
        const std::lock_guard lock(mMutex);
        if (prefix == 0 || prefix > mByPrefix.size()) {
            return invalid() << "prefix " << prefix << " was not handed out for an extension";
        }
        return mByPrefix[prefix - 1];
    }

   private:
    void disable(const std::string& name, std::string why) {
        mExtensions.erase(name);
        mDisabled.emplace(name, std::move(why));
    }

    // Neither changes once devices are added.
    std::map<std::string, Extension, std::less<>> mExtensions{};
    std::map<std::string, std::string, std::less<>> mDisabled{};

    mutable ProcessMutex mMutex{};
    std::vector<const Extension*> mByPrefix{};  // [prefix - 1]
    std::map<const Extension*, uint16_t> mPrefixes{};
};

TypeManager TypeManager::of(std::span<const std::vector<Extension>> devices) {
    auto state = std::make_shared<State>();
    for (const std::vector<Extension>& extensions : devices) {
        for (const Extension& extension : extensions) state->add(extension);
    }
    return TypeManager(std::move(state));
}

TypeManager::TypeManager(std::span<const SharedDevice> devices)
    : mState(std::make_shared<State>()) {
    for (const SharedDevice& device : devices) {
        if (device == nullptr) continue;
        for (const Extension& extension : device->getSupportedExtensions()) mState->add(extension);
    }
}

std::vector<Extension> TypeManager::getExtensions() const { return mState->extensions(); }
std::vector<std::string> TypeManager::getDisabled() const { return mState->disabled(); }

GeneralResult<uint16_t> TypeManager::getExtensionPrefix(std::string_view name) NNAPI_TRY {
    return mState->prefixOf(name);
}
NNAPI_CATCH

namespace {

uint32_t typeOf(uint16_t prefix, uint16_t typeWithinExtension) {
    return uint32_t{prefix} << kExtensionTypeBits | typeWithinExtension;
}

GeneralResult<TypeInfo> typeInfoOf(const Extension& extension, uint16_t typeWithinExtension) {
    for (const TypeInfo& info : extension.operandTypes) {
        if (info.type == typeWithinExtension) return info;
    }
    return invalid() << "extension " << extension.name << " has no type " << typeWithinExtension;
}

}  // namespace

GeneralResult<OperandType> TypeManager::getExtensionOperandType(
        std::string_view name, uint16_t typeWithinExtension) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(extension, mState->find(name));
    NNAPI_RETURN_IF_ERROR(typeInfoOf(*extension, typeWithinExtension).status());
    NNAPI_ASSIGN_OR_RETURN(prefix, mState->prefixOf(name));
    return static_cast<OperandType>(typeOf(prefix, typeWithinExtension));
}
NNAPI_CATCH

GeneralResult<OperationType> TypeManager::getExtensionOperationType(
        std::string_view name, uint16_t typeWithinExtension) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(prefix, mState->prefixOf(name));
    return static_cast<OperationType>(typeOf(prefix, typeWithinExtension));
}
NNAPI_CATCH

GeneralResult<Extension> TypeManager::getExtensionInfo(uint16_t prefix) const NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(extension, mState->byPrefix(prefix));
    return Extension(*extension);
}
NNAPI_CATCH

GeneralResult<TypeInfo> TypeManager::getExtensionOperandTypeInfo(OperandType type) const NNAPI_TRY {
    const auto code = static_cast<uint32_t>(type);
    NNAPI_ASSIGN_OR_RETURN(extension, mState->byPrefix(nn::getExtensionPrefix(code)));
    return typeInfoOf(*extension, getTypeWithinExtension(code));
}
NNAPI_CATCH

GeneralResult<bool> TypeManager::isTensorType(OperandType type) const NNAPI_TRY {
    if (isExtension(type)) {
        NNAPI_ASSIGN_OR_RETURN(info, getExtensionOperandTypeInfo(type));
        return info.isTensor;
    }
    if (const OperandTypeInfo* info = operandTypeInfo(type)) return info->isTensor;
    return invalid() << "there is no operand type " << static_cast<uint32_t>(type);
}
NNAPI_CATCH

GeneralResult<uint64_t> TypeManager::getSizeOfData(
        OperandType type, std::span<const uint32_t> dimensions) const NNAPI_TRY {
    bool isTensor = false;
    uint64_t size = 0;
    if (isExtension(type)) {
        NNAPI_ASSIGN_OR_RETURN(info, getExtensionOperandTypeInfo(type));
        isTensor = info.isTensor;
        size = info.byteSize;
    } else {
        NNAPI_ASSIGN_OR_RETURN(tensor, isTensorType(type));
        isTensor = tensor;
        size = elementSize(type);
        if (size == 0) return invalid() << "the size of " << toString(type) << " is not defined";
    }
    if (!isTensor) return size;
    if (dimensions.empty() || absl::c_linear_search(dimensions, 0u)) return uint64_t{0};
    for (const uint32_t dimension : dimensions) {
        const std::optional<uint64_t> product = checkedMul<uint64_t>(size, dimension);
        if (!product) {
            return invalid() << "the size of " << toString(type) << " does not fit 64 bits";
        }
        size = *product;
    }
    return size;
}
NNAPI_CATCH

GeneralResult<uint64_t> TypeManager::getSizeOfData(const Operand& operand) const {
    return getSizeOfData(operand.type, operand.dimensions);
}

GeneralResult<std::vector<ExtensionNameAndPrefix>> TypeManager::getNamesOfPrefixes(
        const Model& model) const NNAPI_TRY {
    std::set<uint16_t> prefixes;
    const auto collect = [&](const Model::Subgraph& graph) {
        for (const Operand& operand : graph.operands) {
            prefixes.insert(nn::getExtensionPrefix(static_cast<uint32_t>(operand.type)));
        }
        for (const Operation& operation : graph.operations) {
            prefixes.insert(nn::getExtensionPrefix(static_cast<uint32_t>(operation.type)));
        }
    };
    collect(model.main);
    absl::c_for_each(model.referenced, collect);
    std::vector<ExtensionNameAndPrefix> names;
    for (const uint16_t prefix : prefixes) {
        if (prefix == 0) continue;
        NNAPI_ASSIGN_OR_RETURN(extension, mState->byPrefix(prefix));
        names.push_back({.name = extension->name, .prefix = prefix});
    }
    return names;
}
NNAPI_CATCH

bool supportsExtension(const IDevice& device, std::string_view name) {
    return absl::c_any_of(device.getSupportedExtensions(),
                          [&](const Extension& extension) { return extension.name == name; });
}

// ---- permission to use extensions

namespace {

bool liesBelow(std::string_view path, std::string_view folder) {
    return path.size() > folder.size() && path.substr(0, folder.size()) == folder;
}

// Absolute, and nothing leads up again.
bool isPlain(std::string_view path) {
    if (path.empty() || path[0] != '/' || path.find('\0') != std::string_view::npos) return false;
    while (!path.empty()) {
        path.remove_prefix(1);
        const size_t end = std::min(path.find('/'), path.size());
        if (path.substr(0, end) == "..") return false;
        path.remove_prefix(end);
    }
    return true;
}

}  // namespace

bool isExtensionsUseAllowed(const ExtensionClient& client, const ExtensionPolicy& policy) {
    constexpr int kWithoutEntries = 31;
    const auto isListed = [&](const std::string& entry) {
        return absl::c_linear_search(policy.allowlist, entry);
    };
    if (client.packageName.empty()) {
        const std::string_view path = client.binaryPath;
        const bool isOfTheVendor =
                isPlain(path) &&
                (liesBelow(path, "/vendor/") || liesBelow(path, "/odm/") ||
                 liesBelow(path, "/data/") ||
                 (policy.useOnProductImageEnabled && liesBelow(path, "/product/")));
        return isOfTheVendor && (policy.apiLevel >= kWithoutEntries || isListed(client.binaryPath));
    }
    const bool isAllowed = !client.isSystemApp || client.isOnVendorImage ||
                           (policy.useOnProductImageEnabled && client.isOnProductImage);
    const bool needsNoEntry = !client.isSystemApp && policy.apiLevel >= kWithoutEntries;
    return isAllowed && (needsNoEntry || isListed(client.packageName));
}

std::vector<std::string> parseExtensionAllowlist(std::string_view text,
                                                 std::vector<std::string>* skipped) {
    constexpr std::string_view kBlanks = " \t\r\v\f";
    std::vector<std::string> entries;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
        line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
        if (line.empty()) continue;
        if (line[0] == '/' || line.find('.') != std::string_view::npos) {
            entries.emplace_back(line);
        } else if (skipped != nullptr) {
            skipped->emplace_back(line);
        }
    }
    return entries;
}

GeneralResult<std::vector<std::string>> readExtensionAllowlist(
        const std::string& path, std::vector<std::string>* skipped) NNAPI_TRY {
    constexpr size_t kMaxBytes = size_t{1} << 20;
    const auto failed = [&](int code) {
        return error() << "allowlist " << printable(path)
                       << " cannot be read: " << std::generic_category().message(code);
    };
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.ok()) {
        if (errno == ENOENT) return std::vector<std::string>();
        return failed(errno);
    }
    std::string text(kMaxBytes + 1, '\0');
    size_t size = 0;
    while (size < text.size()) {
        const ssize_t count = read(file.get(), text.data() + size, text.size() - size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failed(errno);
        if (count == 0) break;
        size += static_cast<size_t>(count);
    }
    if (size > kMaxBytes) {
        return error() << "allowlist " << printable(path) << " is longer than " << kMaxBytes
                       << " bytes";
    }
    return parseExtensionAllowlist(std::string_view(text).substr(0, size), skipped);
}
NNAPI_CATCH

}  // namespace nn
