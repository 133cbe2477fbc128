// libnnapi_support.so: this library's devices as a support library. Unlike libneuralnetworks.so it
// does not read the environment, and has neither other drivers nor the reference, so that a runtime
// which loads it finds a driver and not itself.
#include "nnapi/driver/export_support_library.h"
#include "nnapi/driver/sample.h"
#include "runtime/devices/host_device.h"

namespace nn::runtime {
namespace {

constexpr size_t kFencedThreads = 2;
constexpr char kSampleName[] = "nnapi-sample_sl";

GeneralResult<SharedDevice> sampleDevice() {
    for (ReferenceDeviceOptions& sample : sampleDevices()) {
        if (sample.name != kSampleName) continue;
        sample.fencedThreads = kFencedThreads;
        return referenceDevice(std::move(sample));
    }
    return error() << "there is no sample of this name";
}

}  // namespace
}  // namespace nn::runtime

NNAPI_EXPORT_SUPPORT_LIBRARY_DEVICES(nn::plugin::device(nn::runtime::kHostDeviceName,
                                                        [] { return nn::runtime::hostDevice(); }),
                                     nn::plugin::device(nn::runtime::kSampleName,
                                                        [] { return nn::runtime::sampleDevice(); }))
