#include "android/services.h"

#include <absl/algorithm/container.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <span>

#include "android-base/logging.h"
#include "nnapi/driver/wrap.h"
#ifdef NNAPI_HAS_SERVICE
#include "nnapi/service/client.h"
#include "nnapi/service/runtime_folder.h"
#include "nnapi/service/server.h"
#endif

namespace nn::hal::services {
namespace {

#ifdef NNAPI_HAS_SERVICE
using Server = service::Server;
#else
struct Server {};
#endif

// Whether code is part of the program itself, which is the first of the objects.
bool isInProgram(uintptr_t code) {
    const auto look = [](dl_phdr_info* object, size_t, void* given) {
        const uintptr_t address = *static_cast<const uintptr_t*>(given);
        const std::span segments(object->dlpi_phdr, object->dlpi_phnum);
        return 1 + static_cast<int>(absl::c_any_of(segments, [&](const auto& segment) {
                   return segment.p_type == PT_LOAD &&
                          address - (object->dlpi_addr + segment.p_vaddr) < segment.p_memsz;
               }));
    };
    return dl_iterate_phdr(look, &code) == 2;
}

GeneralResult<SharedDevice> wrapped(const Service& service) {
    return std::visit([&](const auto& driver) { return wrap(service.name, driver); },
                      service.driver);
}

// The services, and their servers: one for each service in the runtime folder, or one for all at
// the address of the environment.
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
        if (std::exchange(mIsServing, true)) return;
        for (const Service& service : registered()) {
            (void)serve(service);
            if (addressOfEnvironment() != nullptr) return;  // it has all of them
        }
    }

   private:
    static const char* addressOfEnvironment() {
        const char* const address = std::getenv("NNAPI_SERVICE");
        return address == nullptr || *address == '\0' ? nullptr : address;
    }

    Status serve(const Service& service) {
        const Status served = tryToServe(service);
        if (!served.ok()) {
            LOG(ERROR) << "service " << service.name << ": " << generalError(served).message;
        }
        return served;
    }

#ifdef NNAPI_HAS_SERVICE
    Status tryToServe(const Service& service) {
        if (const char* const address = addressOfEnvironment()) {
            std::vector<SharedDevice> devices;
            for (const Service& each : registered()) {
                NNAPI_ASSIGN_OR_RETURN(device, wrapped(each));
                devices.push_back(std::move(device));
            }
            return serveAt(address, std::move(devices));
        }
        NNAPI_ASSIGN_OR_RETURN(device, wrapped(service));
        NNAPI_ASSIGN_OR_RETURN(address, service::addressInRuntimeFolder(service.name));
        return serveAt(address, {std::move(device)});
    }

    Status serveAt(const std::string& address, std::vector<SharedDevice> devices) {
        // The one before holds the address.
        mServers.erase(address);
        NNAPI_ASSIGN_OR_RETURN(server,
                               service::serve(std::move(devices), address, {.threads = mThreads}));
        LOG(INFO) << "devices are served at " << server->address();
        mServers[address] = std::move(server);
        return {};
    }
#else
    Status tryToServe(const Service&) {
        return error() << "nnapi was built without services (NNAPI_WITH_SERVICE)";
    }
#endif

    mutable std::mutex mMutex;
    std::vector<Service> mServices{};

    // Of what follows. It is held while drivers are asked about themselves, who may ask for the
    // services.
    std::mutex mServing;
    size_t mThreads = 4;
    bool mCallerWillStart = false;
    bool mIsServing = false;
    std::map<std::string, std::unique_ptr<Server>> mServers{};
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

bool startsThreadsItself() {
    return isInProgram(reinterpret_cast<uintptr_t>(&startsThreadsItself)) &&
           !Services::ofThisProcess().callerWillStart();
}

void startThreads() { Services::ofThisProcess().startThreads(); }

#ifdef NNAPI_HAS_SERVICE

SharedDevice find(std::string_view name) {
    const auto address = service::addressInRuntimeFolder(name);
    if (!address.has_value()) return nullptr;
    const auto device = service::connect(*address);
    return device.has_value() ? *device : nullptr;
}

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const Service& service : registered()) all.push_back(service.name);
    for (const std::string& address : service::runningServices()) {
        std::string name = address.substr(address.rfind('/') + 1);
        if (absl::c_find(all, name) == all.end()) all.push_back(std::move(name));
    }
    return all;
}

#else

SharedDevice find(std::string_view) { return nullptr; }

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const Service& service : registered()) all.push_back(service.name);
    return all;
}

#endif

}  // namespace nn::hal::services
