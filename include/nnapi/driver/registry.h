// nnapi/driver/registry.h -- which devices there are, and how to open one by its name.
//
//   nn::DeviceRegistry registry;                                    // has the reference device
//   auto plugin = registry.registerPlugin("./libmydriver.so");      // nnapi/driver/plugin.h
//   if (!plugin.has_value()) return plugin.status();
//   for (const nn::SharedDevice& device : registry.devices()) print(device->getName());
//
//   nn::GeneralResult<nn::SharedDevice> device = registry.open("nnapi-reference@1.2");
//
// A name may be registered several times: the first device under it that opens has the name, and
// keeps it until it is unregistered. Devices are listed in the order in which their names were
// registered; the reference device is always there, and last. There is no global registry: whoever
// wants one keeps one. Thread-safe; factories run on the thread that asks, one at a time for a
// name, and no lock is held meanwhile.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/driver/adapt.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/vlog.h"
#include "nnapi/driver/wrap.h"

namespace nn {

inline constexpr char kReferenceDeviceName[] = "nnapi-reference";

// A regular expression (ECMAScript) that whole names must match; the empty one matches all. Without
// counts in braces and back references, so that no expression takes long. Thread-safe.
class NameFilter {
   public:
    NameFilter() = default;

    // INVALID_ARGUMENT for what is no such expression, or longer than 256 characters.
    static GeneralResult<NameFilter> create(std::string_view expression);

    bool matches(std::string_view name) const;
    const std::string& expression() const;

   private:
    struct Parts;
    std::shared_ptr<const Parts> mParts{};
};

struct RegistryOptions {
    // Its name is always nnapi-reference.
    ReferenceDeviceOptions reference{};

    // Devices with other names cannot be opened, and are not listed; the reference device can.
    NameFilter enabled{};

    // How long to wait for another thread that is opening a device of the same name.
    Duration openTimeout = std::chrono::seconds(30);

    // How open() opens the specs that begin with these, "unix:" for one; a HAL version at their end
    // is not part of what is handed over. Must be thread-safe.
    std::map<std::string, std::function<GeneralResult<SharedDevice>(const std::string& spec)>>
            schemes{};

    // The same for specs that one knows by their form: HOST:PORT, say. All must be thread-safe.
    struct Addresses {
        std::function<bool(std::string_view spec)> areThese{};
        std::function<GeneralResult<SharedDevice>(const std::string& spec)> open{};
        // All devices there; without it there is one.
        std::function<GeneralResult<std::vector<SharedDevice>>(const std::string& spec)> openAll{};
    };
    Addresses addresses{};

    // Told of what opens, and of what does not (MANAGER).
    SharedLog log{};
};

// True for a spec that has the path of a plug-in, ./libmydriver.so for one: a '/', and no ':'
// before it.
bool hasPluginPath(std::string_view spec);

// How to open a device as one of a HAL version.
struct OpenOptions {
    hal::adapter::AdaptOptions adapt{};
    WrapOptions wrap{};
};

// Copies are the same registry.
class DeviceRegistry {
   public:
    using Factory = std::function<GeneralResult<SharedDevice>()>;
    using Id = uint64_t;  // of a registration; never 0, never used again

    explicit DeviceRegistry(RegistryOptions options = {});

    // A device that is open, under its own name. INVALID_ARGUMENT for null, for nnapi-reference,
    // and for a name that is empty, longer than 128 characters, or has other characters than
    // visible ASCII without '/' and '@'.
    GeneralResult<Id> registerDevice(SharedDevice device);

    // One that is opened when it is first asked for, and again later where that fails. The factory
    // may throw. The device must have this name.
    GeneralResult<Id> registerDevice(std::string name, Factory factory);

    // A driver by the newest version that it has, which is unregistered when it dies.
    GeneralResult<Id> registerDriver(std::string name, hidl::sp<V1_0::IDevice> driver,
                                     WrapOptions options = {});
    GeneralResult<Id> registerDriver(std::string name, std::shared_ptr<aidl_hal::IDevice> driver,
                                     WrapOptions options = {});

    // All devices of a plug-in, opened when they are asked for, or of a support library
    // (nnapi/driver/support_library.h). INVALID_ARGUMENT with the reason for what is neither, or
    // does not fit.
    GeneralResult<std::vector<Id>> registerPlugin(const std::string& path);

    // False where it was not registered. The device lives as long as somebody uses it.
    bool unregisterDevice(Id id);

    // In their order, without opening any.
    std::vector<std::string> names() const;

    // All that open, in the same order. Those that do not are left out; `refused` tells why.
    std::vector<SharedDevice> devices(std::vector<Status>* refused = nullptr) const;

    // INVALID_ARGUMENT for a name that is not registered, with those that are; otherwise what the
    // factories fail with.
    GeneralResult<SharedDevice> getDevice(std::string_view name) const;

    // A device as command lines name it:
    //
    //   nnapi-reference         by its name
    //   ./libmydriver.so        the only device of a plug-in, or of a support library:
    //   hasPluginPath()
    //   ./libmydriver.so:npu    one of several; each call makes a new device
    //   unix:PATH, HOST:PORT    what the options know as an address, or by a scheme
    //   nnapi-reference@1.2     as HAL 1.2 carries it: offered by adapt(), used by a wrapper
    //   nnapi-reference@aidl3   the same of AIDL 3
    GeneralResult<SharedDevice> open(std::string_view spec, const OpenOptions& options = {}) const;

    // The same; of an address all devices there.
    GeneralResult<std::vector<SharedDevice>> openAll(std::string_view spec,
                                                     const OpenOptions& options = {}) const;

   private:
    class State;
    template <class Driver>
    GeneralResult<Id> registerWrapped(std::string name, Driver driver, WrapOptions options);
    std::shared_ptr<State> mState;
};

}  // namespace nn
