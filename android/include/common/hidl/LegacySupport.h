// hidl/LegacySupport.h -- a program that serves the one object of its interface in this process.
//
//   return android::hardware::defaultPassthroughServiceImplementation<IDevice>("npu");
#pragma once

#include <cstddef>
#include <string>

#include "hidl/HidlTransportSupport.h"
#include "hidl/Status.h"
#include "log/log.h"

namespace android::hardware {

// NAME_NOT_FOUND if this process has no such object. Nothing is loaded to find one.
template <class Interface>
status_t registerPassthroughServiceImplementation(const std::string& name = "default") {
    const sp<Interface> service = Interface::getService(name, /*getStub=*/true);
    return service == nullptr ? NAME_NOT_FOUND : service->registerAsService(name);
}

// Returns only if that fails.
template <class Interface>
status_t defaultPassthroughServiceImplementation(const std::string& name, size_t maxThreads = 1) {
    configureRpcThreadpool(maxThreads, /*callerWillJoin=*/true);
    const status_t registered = registerPassthroughServiceImplementation<Interface>(name);
    if (registered != OK) return registered;
    joinRpcThreadpool();
}
template <class Interface>
status_t defaultPassthroughServiceImplementation(size_t maxThreads = 1) {
    return defaultPassthroughServiceImplementation<Interface>("default", maxThreads);
}

}  // namespace android::hardware
