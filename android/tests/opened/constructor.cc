// A HIDL device that registers itself when the shared object is loaded.
#include "device.h"

namespace {

const bool kIsRegistered = [] {
    const android::sp<sample::npu::Device> device = new sample::npu::Device("vendor-constructor");
    return device->registerAsService("vendor-constructor") == android::OK;
}();

}  // namespace
