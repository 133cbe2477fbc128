// nnapi/driver/registry.h -- Registers devices and opens them by name.
//
//   nn::DeviceRegistry registry;                                    // has the reference device
//   auto plugin = registry.registerPlugin("./libmydriver.so");      // nnapi/driver/plugin.h
//   if (!plugin.has_value()) return plugin.status();
//   for (const nn::SharedDevice& device : registry.devices()) print(device->getName());
//
//   nn::GeneralResult<nn::SharedDevice> device = registry.open("nnapi-reference@1.2");
//
// A name may be registered several times: the first device under it that opens gets the name and
// keeps it until it is unregistered. Devices are listed in the order of registration; the reference
// device is always there, last. There is no global registry. Thread-safe; factories run on the
// calling thread, one at a time for each name, and without a lock.
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

// Name of the interpreter's device.
inline constexpr char kReferenceDeviceName[] = "nnapi-reference";

// A regular expression (ECMAScript) that must match whole names; empty matches all. Counts in
// braces and back references are not supported, so that matching is fast. Thread-safe.
class NameFilter {
   public:
    NameFilter() = default;

    // INVALID_ARGUMENT for an invalid expression and for more than 256 characters.
    static GeneralResult<NameFilter> create(std::string_view expression);

    // True if the expression matches the whole name, or is empty.
    bool matches(std::string_view name) const;
    // The argument of create(); empty for a filter that matches all.
    const std::string& expression() const;

   private:
    struct Parts;
    std::shared_ptr<const Parts> mParts{};
};

// Options of a registry.
struct RegistryOptions {
    // Options of the reference device. Its name is always nnapi-reference.
    ReferenceDeviceOptions reference{};

    // Devices with other names cannot be opened and are not listed; the reference device always
    // can.
    NameFilter enabled{};

    // How long to wait for another thread that opens a device of the same name.
    Duration openTimeout = std::chrono::seconds(30);

    // Handlers for specs with a prefix, for example "unix:". A HAL version at the end of a spec is
    // removed first. Must be thread-safe.
    std::map<std::string, std::function<GeneralResult<SharedDevice>(const std::string& spec)>>
            schemes{};

    // Handlers for specs that are recognized by their form, for example HOST:PORT. Must be
    // thread-safe.
    struct Addresses {
        // True for specs that `open` handles.
        std::function<bool(std::string_view spec)> areThese{};
        // Opens the device of such a spec, or the only one.
        std::function<GeneralResult<SharedDevice>(const std::string& spec)> open{};
        // Opens all devices; if empty, there is one.
        std::function<GeneralResult<std::vector<SharedDevice>>(const std::string& spec)> openAll{};
    };

    // Handles specs that no scheme accepts.
    Addresses addresses{};

    // Logs opened devices and failures (MANAGER).
    SharedLog log{};
};

// True if a spec starts with the path of a shared object (./libmydriver.so): it has a '/' and no
// ':' before it.
bool hasPluginPath(std::string_view spec);

// Options for specs with a HAL version.
struct OpenOptions {
    hal::adapter::AdaptOptions adapt{};  // towards that version
    WrapOptions wrap{};                  // back from it
};

// A list of devices. Copies share it.
class DeviceRegistry {
   public:
    // Makes a device; called on the thread that opens it. Null counts as a failure.
    using Factory = std::function<GeneralResult<SharedDevice>()>;
    using Id = uint64_t;  // of a registration; never 0, never reused

    // A registry with the reference device.
    explicit DeviceRegistry(RegistryOptions options = {});

    // Registers an open device under its own name. INVALID_ARGUMENT for null, for nnapi-reference,
    // and for a name that is empty, longer than 128 characters, or has characters other than
    // visible ASCII without '/' and '@'.
    GeneralResult<Id> registerDevice(SharedDevice device);

    // Registers a factory, called on first use and again after a failure. It may throw. Its device
    // must have this name.
    GeneralResult<Id> registerDevice(std::string name, Factory factory);

    // Registers a driver by its newest version; it is unregistered when it dies.
    GeneralResult<Id> registerDriver(std::string name, hidl::sp<V1_0::IDevice> driver,
                                     WrapOptions options = {});
    GeneralResult<Id> registerDriver(std::string name, std::shared_ptr<aidl_hal::IDevice> driver,
                                     WrapOptions options = {});

    // Registers all devices of a plug-in or a support library (nnapi/driver/support_library.h),
    // opened on first use. INVALID_ARGUMENT with the reason if the file is neither, or
    // incompatible.
    GeneralResult<std::vector<Id>> registerPlugin(const std::string& path);

    // False if the id is not registered. The device lives on while it is in use.
    bool unregisterDevice(Id id);

    // All names in order; opens nothing.
    std::vector<std::string> names() const;

    // All devices that open, in order; `refused` receives the errors of the others.
    std::vector<SharedDevice> devices(std::vector<Status>* refused = nullptr) const;

    // Opens a device by name. INVALID_ARGUMENT for an unregistered name, listing the registered
    // ones; otherwise the failure of its factories.
    GeneralResult<SharedDevice> getDevice(std::string_view name) const;

    // Opens a device by its command-line spelling:
    //
    //   nnapi-reference         by name
    //   ./libmydriver.so        the only device of a plug-in or support library
    //   ./libmydriver.so:npu    one of several; each call makes a new device
    //   unix:PATH, HOST:PORT    by a scheme or an address of the options
    //   nnapi-reference@1.2     through HAL 1.2: adapt() and a wrapper
    //   nnapi-reference@aidl3   the same for AIDL 3
    GeneralResult<SharedDevice> open(std::string_view spec, const OpenOptions& options = {}) const;

    // The same; for an address without a name, all devices of the server.
    GeneralResult<std::vector<SharedDevice>> openAll(std::string_view spec,
                                                     const OpenOptions& options = {}) const;

   private:
    class State;
    template <class Driver>
    GeneralResult<Id> registerWrapped(std::string name, Driver driver, WrapOptions options);
    std::shared_ptr<State> mState;
};

}  // namespace nn
