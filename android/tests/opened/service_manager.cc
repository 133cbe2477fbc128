// An AIDL device that registers itself when the shared object is loaded.
#include <android/binder_manager.h>

#include "Driver.h"

namespace {

const bool kIsAdded = [] {
    static const auto device = ndk::SharedRefBase::make<vendor::lanes::Device>("vendor-added");
    const std::string name = std::string(vendor::lanes::Device::descriptor) + "/vendor-added";
    return AServiceManager_addService(device->asBinder().get(), name.c_str()) == STATUS_OK;
}();

}  // namespace
