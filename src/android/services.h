// The services of this process: drivers that offer themselves under a name, as Android's service
// managers know them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/hal/aidl/interfaces.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace nn::hal::services {

using Driver = std::variant<hidl::sp<V1_0::IDevice>, std::shared_ptr<aidl_hal::IDevice>>;

struct Service {
    std::string name;
    Driver driver;
};

// Those of this process, in the order of their registration.
std::vector<Service> registered();

// Registers a driver; it replaces an earlier one of the same name. If threads have been started, it
// is served at once: a failure to serve is returned, and logged.
Status add(std::string_view name, Driver driver);

// The most calls that a server makes at one time, and whether the caller will start threads.
void configureThreads(size_t threads, bool callerWillStart);
bool callerWillStartThreads();

// Serves registered drivers, and those that will be. Until then, and in a shared object, only this
// process can find them.
void startThreads();

// The same, and never returns.
[[noreturn]] void joinThreads();

// A device of another process in the runtime folder; null if there is none.
SharedDevice find(std::string_view name);

// True for a service of this process, or a running one in the runtime folder.
bool isKnown(std::string_view name);

// The names of all services of the user: those of this process, and those in the runtime folder.
std::vector<std::string> names();

// How services reach other processes. Programs have it, by component android_service; shared
// objects do not: programs that load them may have another copy of its libraries.
struct Transport {
    // A server, which ends with the pointer. The address is "unix:PATH", or empty: that of the only
    // device in the runtime folder.
    GeneralResult<std::shared_ptr<void>> (*serve)(std::vector<SharedDevice> devices,
                                                  std::string address, size_t threads);
    SharedDevice (*find)(std::string_view name);
    bool (*isRunning)(std::string_view name);
    std::vector<std::string> (*names)();
};

}  // namespace nn::hal::services

extern "C" __attribute__((weak)) const nn::hal::services::Transport* nnapi_android_transport();
