#include "nnapi/driver/registry.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <locale>
#include <map>
#include <mutex>
#include <optional>
#include <regex>
#include <utility>

#include "base/no_throw.h"
#include "base/printable.h"
#include "base/process_mutex.h"
#include "base/spelling_suggestions.h"
#include "driver/adapt/device_names.h"
#include "driver/observe/logged_call.h"
#include "driver/registry/plugins.h"
#include "driver/threads/exclusive_use.h"
#include "nnapi/driver/callbacks.h"

namespace nn {

// ---- names

struct NameFilter::Parts {
    std::string expression{};
    std::regex regex{};
};

namespace {

// A '{' that means a count.
bool hasCount(std::string_view expression) {
    bool inClass = false;
    for (size_t i = 0; i < expression.size(); ++i) {
        const char c = expression[i];
        if (c == '\\') {
            ++i;
        } else if (inClass) {
            inClass = c != ']';
        } else if (c == '[') {
            inClass = true;
        } else if (c == '{') {
            return true;
        }
    }
    return false;
}

}  // namespace

GeneralResult<NameFilter> NameFilter::create(std::string_view expression) NNAPI_TRY {
    constexpr size_t kLongest = 256;
    const auto refuse = [&] {
        return error(ErrorStatus::INVALID_ARGUMENT) << "the expression for names of devices is "
                                                    << inQuotes(expression, kLongest) << ", but ";
    };
    if (expression.size() > kLongest) {
        return refuse() << "it has " << expression.size() << " characters, allowed " << kLongest;
    }
    if (hasCount(expression)) return refuse() << "counts in braces are not allowed";
    NameFilter filter;
    if (expression.empty()) return filter;
    auto parts = std::make_shared<Parts>();
    parts->expression = expression;
    parts->regex.imbue(std::locale::classic());
    auto syntax = std::regex_constants::ECMAScript | std::regex_constants::nosubs;
#ifdef __GLIBCXX__
    syntax |= std::regex_constants::__polynomial;  // steps in proportion to both lengths
#endif
    try {
        parts->regex.assign(parts->expression, syntax);
    } catch (const std::regex_error& wrong) {
        return refuse() << (wrong.code() == std::regex_constants::error_complexity
                                    ? "back references are not allowed"
                                    : wrong.what());
    }
    filter.mParts = std::move(parts);
    return filter;
}
NNAPI_CATCH

bool NameFilter::matches(std::string_view name) const {
    if (mParts == nullptr) return true;
    try {
        return std::regex_match(name.begin(), name.end(), mParts->regex);
    } catch (...) {  // memory has run out, or libc++ finds it too complex
        return false;
    }
}

const std::string& NameFilter::expression() const {
    static const std::string kAll;
    return mParts == nullptr ? kAll : mParts->expression;
}

// ---- registered devices

namespace {

using driver::checkName;

struct Entry {
    DeviceRegistry::Id id = 0;
    std::string name{};
    DeviceRegistry::Factory factory{};
    std::optional<hal::utils::DeathHandler> death{};
    SharedDevice device{};  // once it is open
};
using SharedEntry = std::shared_ptr<Entry>;

// Threads open devices of one name one after the other.
struct Opening {
    driver::ExclusiveUse turns{};
};

Status checkNewName(std::string_view name) {
    NNAPI_RETURN_IF_ERROR(checkName(name));
    if (name == kReferenceDeviceName) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "the name of a device is " << kReferenceDeviceName
               << ", which is that of the reference device";
    }
    return {};
}

ReferenceDeviceOptions withName(ReferenceDeviceOptions options) {
    options.name = kReferenceDeviceName;
    return options;
}

}  // namespace

using Opener = std::function<GeneralResult<SharedDevice>(const std::string& spec)>;

class DeviceRegistry::State {
   public:
    explicit State(RegistryOptions options)
        : mReference(referenceDevice(withName(std::move(options.reference)))),
          mEnabled(std::move(options.enabled)),
          mOpenTimeout(options.openTimeout),
          mSchemes(std::move(options.schemes)),
          mAddresses(std::move(options.addresses)),
          mLog(std::move(options.log)) {}

    Id add(SharedEntry entry) {
        const std::lock_guard lock(mMutex);
        entry->id = ++mLastId;
        auto& opening = mOpening[entry->name];
        if (opening == nullptr) opening = std::make_shared<Opening>();
        mEntries.push_back(std::move(entry));
        return mLastId;
    }

    bool remove(Id id) {
        SharedEntry removed;  // gone after the lock
        const std::lock_guard lock(mMutex);
        const auto at =
                absl::c_find_if(mEntries, [&](const auto& entry) { return entry->id == id; });
        if (at == mEntries.end()) return false;
        removed = std::move(*at);
        mEntries.erase(at);
        if (absl::c_none_of(mEntries, [&](const auto& e) { return e->name == removed->name; })) {
            mOpening.erase(removed->name);
        }
        return true;
    }

    std::vector<std::string> names() const {
        std::vector<std::string> names;
        {
            const std::lock_guard lock(mMutex);
            for (const SharedEntry& entry : mEntries) {
                if (!absl::c_linear_search(names, entry->name)) names.push_back(entry->name);
            }
        }
        std::erase_if(names, [&](const std::string& name) { return !mEnabled.matches(name); });
        names.emplace_back(kReferenceDeviceName);
        return names;
    }

    // As getDevice().
    GeneralResult<SharedDevice> open(const std::string& name) {
        if (name == kReferenceDeviceName) return mReference;
        NNAPI_RETURN_IF_ERROR(checkEnabled(name));
        std::shared_ptr<Opening> opening;
        {
            const std::lock_guard lock(mMutex);
            if (const auto at = mOpening.find(name); at != mOpening.end()) opening = at->second;
            if (const SharedDevice device = openedUnderLock(name)) return device;
        }
        if (opening == nullptr) return unknown(name);
        const auto turn = opening->turns.take({}, mOpenTimeout);
        if (!turn.isTaken()) {
            return error() << "device " << printable(name)
                           << " is still being opened by another call";
        }
        std::vector<SharedEntry> entries;
        {
            const std::lock_guard lock(mMutex);
            if (const SharedDevice device = openedUnderLock(name)) return device;
            absl::c_copy_if(mEntries, std::back_inserter(entries),
                            [&](const SharedEntry& entry) { return entry->name == name; });
        }
        Status first;
        std::string others;
        for (const SharedEntry& entry : entries) {
            GeneralResult<SharedDevice> device =
                    driver::logged(mLog, VlogTag::MANAGER, name, "opens",
                                   [&] { return driver::openAs(name, entry->factory); });
            if (device.has_value()) {
                const std::lock_guard lock(mMutex);
                if (!absl::c_linear_search(mEntries, entry)) continue;  // unregistered meanwhile
                entry->device = *device;
                return device;
            }
            if (first.ok()) {
                first = device.status();
            } else {
                others += "; " + device.error().message;
            }
        }
        if (first.ok()) return unknown(name);  // all were unregistered meanwhile
        return makeError(errorStatus(first), std::string(first.message()) + others);
    }

    const RegistryOptions::Addresses& addresses() const { return mAddresses; }

    // Null for a spec that begins with no scheme, and is not an address.
    const Opener* openerOf(std::string_view spec) const {
        for (const auto& [scheme, opener] : mSchemes) {
            if (spec.starts_with(scheme)) return &opener;
        }
        if (mAddresses.areThese && mAddresses.areThese(spec)) return &mAddresses.open;
        return nullptr;
    }

    const SharedLog& log() const { return mLog; }

    Status checkEnabled(std::string_view name) const {
        if (name == kReferenceDeviceName || mEnabled.matches(name)) return {};
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "device " << printable(name) << " is not among the enabled ones, "
               << inQuotes(mEnabled.expression());
    }

   private:
    SharedDevice openedUnderLock(std::string_view name) const {
        for (const SharedEntry& entry : mEntries) {
            if (entry->name == name && entry->device != nullptr) return entry->device;
        }
        return nullptr;
    }

    // A name without a folder is not the name of a file.
    static std::string fileHint(std::string_view name) {
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(name, ignored)) return "";
        return fmt::format("; the file of that name is ./{}", printable(name));
    }

    Status unknown(std::string_view name) const {
        const std::vector<std::string> known = names();
        const std::vector<std::string_view> views(known.begin(), known.end());
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "there is no device " << printable(name) << didYouMean(name, views)
               << (known.size() == 1 ? "; there is " : "; there are ")
               << fmt::format("{}", fmt::join(known, ", ")) << fileHint(name);
    }

    const SharedDevice mReference;
    const NameFilter mEnabled;
    const Duration mOpenTimeout;
    const std::map<std::string, Opener> mSchemes;
    const RegistryOptions::Addresses mAddresses;
    const SharedLog mLog;
    mutable ProcessMutex mMutex{};
    std::vector<SharedEntry> mEntries{};
    std::map<std::string, std::shared_ptr<Opening>, std::less<>> mOpening{};
    Id mLastId = 0;
};

DeviceRegistry::DeviceRegistry(RegistryOptions options)
    : mState(std::make_shared<State>(std::move(options))) {}

GeneralResult<DeviceRegistry::Id> DeviceRegistry::registerDevice(SharedDevice device) NNAPI_TRY {
    if (device == nullptr) return error(ErrorStatus::INVALID_ARGUMENT) << "the device is null";
    auto entry = std::make_shared<Entry>();
    entry->name = device->getName();
    NNAPI_RETURN_IF_ERROR(checkNewName(entry->name));
    entry->factory = [device = std::move(device)] { return device; };
    return mState->add(std::move(entry));
}
NNAPI_CATCH

GeneralResult<DeviceRegistry::Id> DeviceRegistry::registerDevice(std::string name,
                                                                 Factory factory) NNAPI_TRY {
    NNAPI_RETURN_IF_ERROR(checkNewName(name));
    if (!factory) return error(ErrorStatus::INVALID_ARGUMENT) << "the factory is empty";
    auto entry = std::make_shared<Entry>();
    entry->name = std::move(name);
    entry->factory = std::move(factory);
    return mState->add(std::move(entry));
}
NNAPI_CATCH

template <class Driver>
GeneralResult<DeviceRegistry::Id> DeviceRegistry::registerWrapped(std::string name, Driver driver,
                                                                  WrapOptions options) NNAPI_TRY {
    // Not for as long as the registry lives: it does not, while it unregisters the driver.
    class Farewell final : public hal::utils::IProtectedCallback {
       public:
        explicit Farewell(std::weak_ptr<State> state) : mState(std::move(state)) {}
        void setId(Id id) {
            mId = id;
            if (mIsDead) leave();
        }
        void notifyAsDeadObject() override {
            mIsDead = true;
            leave();
        }

       private:
        void leave() {
            const Id id = mId;
            if (id == 0) return;
            if (const auto state = mState.lock()) state->remove(id);
        }
        std::weak_ptr<State> mState;
        std::atomic<Id> mId{0};
        std::atomic<bool> mIsDead{false};
    };

    NNAPI_RETURN_IF_ERROR(checkNewName(name));
    NNAPI_ASSIGN_OR_RETURN(death, hal::utils::DeathHandler::create(driver));
    const auto farewell = std::make_shared<Farewell>(mState);
    death.protectCallbackForLifetimeOfDeathHandler(farewell);
    auto entry = std::make_shared<Entry>();
    entry->name = name;
    entry->factory = [name = std::move(name), driver = std::move(driver),
                      options = std::move(options)] { return wrap(name, driver, options); };
    entry->death = std::move(death);
    const Id id = mState->add(std::move(entry));
    farewell->setId(id);
    return id;
}
NNAPI_CATCH

GeneralResult<DeviceRegistry::Id> DeviceRegistry::registerDriver(std::string name,
                                                                 hidl::sp<V1_0::IDevice> driver,
                                                                 WrapOptions options) {
    return registerWrapped(std::move(name), std::move(driver), std::move(options));
}

GeneralResult<DeviceRegistry::Id> DeviceRegistry::registerDriver(
        std::string name, std::shared_ptr<aidl_hal::IDevice> driver, WrapOptions options) {
    return registerWrapped(std::move(name), std::move(driver), std::move(options));
}

GeneralResult<std::vector<DeviceRegistry::Id>> DeviceRegistry::registerPlugin(
        const std::string& path) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(devices, driver::loadPlugin(path, {.log = mState->log()}));
    for (const driver::PluginDevice& device : devices) {
        if (const Status wrong = checkNewName(device.name); !wrong.ok()) {
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << "plug-in " << printable(path)
                   << " is not registered: " << std::string(wrong.message());
        }
    }
    std::vector<Id> ids;
    for (driver::PluginDevice& device : devices) {
        NNAPI_ASSIGN_OR_RETURN(id,
                               registerDevice(std::move(device.name), std::move(device.create)));
        ids.push_back(id);
    }
    return ids;
}
NNAPI_CATCH

bool DeviceRegistry::unregisterDevice(Id id) { return mState->remove(id); }

std::vector<std::string> DeviceRegistry::names() const { return mState->names(); }

std::vector<SharedDevice> DeviceRegistry::devices(std::vector<Status>* refused) const {
    std::vector<SharedDevice> devices;
    for (const std::string& name : names()) {
        GeneralResult<SharedDevice> device = mState->open(name);
        if (device.has_value()) {
            devices.push_back(*std::move(device));
        } else if (refused != nullptr) {
            refused->push_back(device.status());
        }
    }
    return devices;
}

GeneralResult<SharedDevice> DeviceRegistry::getDevice(std::string_view name) const NNAPI_TRY {
    return mState->open(std::string(name));
}
NNAPI_CATCH

// ---- as command lines name them

bool hasPluginPath(std::string_view spec) {
    const size_t slash = spec.find('/');
    return slash != std::string_view::npos && spec.find(':') > slash;
}

namespace {

struct Spec {
    std::string text{};  // without the version
    std::string path{};  // of a plug-in; empty for a registered device
    std::string name{};  // empty for the only device of a plug-in
    std::optional<HalVersion> hal{};
};

GeneralResult<Spec> parse(std::string_view text) {
    Spec spec;
    const size_t slash = text.rfind('/');
    const size_t at = text.rfind('@');
    if (at != std::string_view::npos && (slash == std::string_view::npos || slash < at)) {
        const std::string_view version = text.substr(at + 1);
        spec.hal = parseHalVersion(version);
        // The name of a file may have one that means nothing.
        const auto isFile = [](std::string_view path) {
            std::error_code ignored;
            return std::filesystem::is_regular_file(path, ignored);
        };
        if (!spec.hal &&
            (slash == std::string_view::npos || (isFile(text.substr(0, at)) && !isFile(text)))) {
            std::string allowed;
            for (const HalVersionInfo& each : kHalVersionInfos) {
                allowed.append(allowed.empty() ? "" : ", ").append(each.text);
            }
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << "device " << printable(text) << " is asked for as HAL " << printable(version)
                   << ", allowed " << allowed;
        }
        if (spec.hal) text = text.substr(0, at);
    }
    spec.text = text;
    if (!hasPluginPath(text)) {
        spec.name = text;
        return spec;
    }
    const size_t colon = text.rfind(':');
    const bool hasName = colon != std::string_view::npos && slash < colon;
    spec.path = text.substr(0, colon == std::string_view::npos || !hasName ? text.size() : colon);
    if (hasName) spec.name = text.substr(colon + 1);
    return spec;
}

GeneralResult<SharedDevice> openPlugin(const Spec& spec, const SharedLog& log,
                                       const std::function<Status(std::string_view)>& isEnabled) {
    NNAPI_ASSIGN_OR_RETURN(devices, driver::loadPlugin(spec.path, {.log = log}));
    std::vector<std::string_view> names;
    for (const driver::PluginDevice& device : devices) names.push_back(device.name);
    const auto at = spec.name.empty() ? names.begin() : absl::c_find(names, spec.name);
    if (at == names.end()) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "plug-in " << printable(spec.path) << " has no device " << printable(spec.name)
               << didYouMean(spec.name, names) << "; it has "
               << fmt::format("{}", fmt::join(names, ", "));
    }
    if (spec.name.empty() && names.size() > 1) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "plug-in " << printable(spec.path)
               << " has several devices, say which: " << printable(spec.path) << ":" << names[0]
               << "; it has " << fmt::format("{}", fmt::join(names, ", "));
    }
    const driver::PluginDevice& device = devices[static_cast<size_t>(at - names.begin())];
    NNAPI_RETURN_IF_ERROR(isEnabled(device.name));
    return driver::openAs(device.name, device.create);
}

GeneralResult<SharedDevice> accept(SharedDevice device, const std::string& spec,
                                   const std::function<Status(std::string_view)>& isEnabled) {
    if (device == nullptr) return error() << "device " << printable(spec) << " is null";
    NNAPI_RETURN_IF_ERROR(isEnabled(device->getName()));
    return device;
}

template <class Wrapper>
GeneralResult<SharedDevice> asHidl(const SharedDevice& device, const OpenOptions& options) {
    NNAPI_ASSIGN_OR_RETURN(driver, hal::adapter::adapt(device, options.adapt));
    return Wrapper::create(device->getName(), std::move(driver), options.wrap);
}

GeneralResult<SharedDevice> asVersion(HalVersion version, const SharedDevice& device,
                                      const OpenOptions& options) {
    switch (version) {
        case HalVersion::V1_0:
            return asHidl<V1_0::utils::Device>(device, options);
        case HalVersion::V1_1:
            return asHidl<V1_1::utils::Device>(device, options);
        case HalVersion::V1_2:
            return asHidl<V1_2::utils::Device>(device, options);
        case HalVersion::V1_3:
            return asHidl<V1_3::utils::Device>(device, options);
        case HalVersion::AIDL1:
        case HalVersion::AIDL2:
        case HalVersion::AIDL3:
        case HalVersion::AIDL4:
            break;
    }
    NNAPI_ASSIGN_OR_RETURN(driver, hal::adapter::adaptAidl(device, version, options.adapt));
    return wrap(device->getName(), driver, options.wrap);
}

}  // namespace

GeneralResult<SharedDevice> DeviceRegistry::open(std::string_view text,
                                                 const OpenOptions& options) const NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(spec, parse(text));
    const auto isEnabled = [&](auto name) { return mState->checkEnabled(name); };
    const auto open = [&]() -> GeneralResult<SharedDevice> {
        if (const auto* opener = mState->openerOf(spec.text)) {
            NNAPI_ASSIGN_OR_RETURN(device, (*opener)(spec.text));
            return accept(std::move(device), spec.text, isEnabled);
        }
        if (spec.path.empty()) return getDevice(spec.name);
        return openPlugin(spec, mState->log(), isEnabled);
    };
    GeneralResult<SharedDevice> device = open();
    if (!device.has_value() || !spec.hal) return device;
    return asVersion(*spec.hal, *device, options);
}
NNAPI_CATCH

GeneralResult<std::vector<SharedDevice>> DeviceRegistry::openAll(
        std::string_view text, const OpenOptions& options) const NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(spec, parse(text));
    const RegistryOptions::Addresses& addresses = mState->addresses();
    if (!addresses.openAll || mState->openerOf(spec.text) != &addresses.open) {
        NNAPI_ASSIGN_OR_RETURN(device, open(text, options));
        return std::vector<SharedDevice>{std::move(device)};
    }
    NNAPI_ASSIGN_OR_RETURN(devices, addresses.openAll(spec.text));
    for (SharedDevice& device : devices) {
        NNAPI_ASSIGN_OR_RETURN(accepted, accept(std::move(device), spec.text, [&](auto name) {
                                   return mState->checkEnabled(name);
                               }));
        device = std::move(accepted);
        if (!spec.hal) continue;
        NNAPI_ASSIGN_OR_RETURN(versioned, asVersion(*spec.hal, device, options));
        device = std::move(versioned);
    }
    return devices;
}
NNAPI_CATCH

}  // namespace nn
