#include "android/services.h"

#include <absl/algorithm/container.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

#include "android-base/logging.h"
#include "nnapi/driver/wrap.h"

namespace nn::hal::services {
namespace {

const Transport* transport() {
    return nnapi_android_transport == nullptr ? nullptr : nnapi_android_transport();
}

// "unix:PATH", for all devices of this process; empty: each is in the runtime folder.
std::string addressOfEnvironment() {
    const char* const address = std::getenv("NNAPI_SERVICE");
    return address == nullptr ? "" : address;
}

// The services, and their servers.
class Services {
   public:
    static Services& ofThisProcess() {
        static Services all;
        return all;
    }

    std::vector<Service> registered() const {
        const std::lock_guard lock(mMutex);
        return mServices;
    }

    Status add(Service service) {
        {
            const std::lock_guard lock(mMutex);
            std::erase_if(mServices,
                          [&](const Service& each) { return each.name == service.name; });
            mServices.push_back(service);
        }
        const std::lock_guard lock(mServing);
        return mIsServing ? serve(service) : Status();
    }

    void configureThreads(size_t threads, bool callerWillStart) {
        const std::lock_guard lock(mServing);
        mThreads = std::max<size_t>(threads, 1);
        mCallerWillStart = callerWillStart;
    }

    bool callerWillStart() {
        const std::lock_guard lock(mServing);
        return mCallerWillStart;
    }

    void startThreads() {
        const std::lock_guard lock(mServing);
        if (transport() == nullptr || std::exchange(mIsServing, true)) return;
        for (const Service& service : registered()) {
            (void)serve(service);
            if (!addressOfEnvironment().empty()) return;  // it has all of them
        }
    }

   private:
    Status serve(const Service& service) {
        const std::string address = addressOfEnvironment();
        Status served = address.empty() ? serve(service.name, address, {service})
                                        : serve(address, address, registered());
        if (!served.ok()) {
            LOG(ERROR) << "service " << service.name << ": " << generalError(served).message;
        }
        return served;
    }

    Status serve(const std::string& key, const std::string& address,
                 const std::vector<Service>& services) {
        std::vector<SharedDevice> devices;
        for (const auto& [name, driver] : services) {
            const auto wrapped = [&name = name](const auto& held) { return wrap(name, held); };
            NNAPI_ASSIGN_OR_RETURN(device, std::visit(wrapped, driver));
            devices.push_back(std::move(device));
        }
        mServers.erase(key);  // the one before holds the address
        NNAPI_ASSIGN_OR_RETURN(server, transport()->serve(std::move(devices), address, mThreads));
        mServers[key] = std::move(server);
        return {};
    }

    mutable std::mutex mMutex;
    std::vector<Service> mServices{};

    // Of the members below. It is held while drivers are queried about themselves, which may
    // request the services.
    std::mutex mServing;
    size_t mThreads = 4;
    bool mCallerWillStart = false;
    bool mIsServing = false;
    std::map<std::string, std::shared_ptr<void>> mServers{};
};

}  // namespace

std::vector<Service> registered() { return Services::ofThisProcess().registered(); }

Status add(std::string_view name, Driver driver) {
    if (std::visit([](const auto& held) { return held == nullptr; }, driver)) {
        return error(ErrorStatus::INVALID_ARGUMENT) << "the driver is null";
    }
    return Services::ofThisProcess().add({std::string(name), std::move(driver)});
}

void configureThreads(size_t threads, bool callerWillStart) {
    Services::ofThisProcess().configureThreads(threads, callerWillStart);
}

bool callerWillStartThreads() { return Services::ofThisProcess().callerWillStart(); }

void startThreads() { Services::ofThisProcess().startThreads(); }

void joinThreads() {
    startThreads();
    while (true) pause();
}

SharedDevice find(std::string_view name) {
    return transport() == nullptr ? nullptr : transport()->find(name);
}

bool isKnown(std::string_view name) {
    const auto isOfThisName = [&](const Service& service) { return service.name == name; };
    return absl::c_any_of(registered(), isOfThisName) ||
           (transport() != nullptr && transport()->isRunning(name));
}

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const Service& service : registered()) all.push_back(service.name);
    if (transport() == nullptr) return all;
    for (std::string& name : transport()->names()) {
        if (absl::c_find(all, name) == all.end()) all.push_back(std::move(name));
    }
    return all;
}

}  // namespace nn::hal::services
