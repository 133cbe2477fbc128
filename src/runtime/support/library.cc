// libnnapi_support.so: this library's devices as a support library. Unlike libneuralnetworks.so it
// does not read the environment, and has neither other drivers nor the reference, so that a runtime
// which loads it finds a driver and not itself.
#include "nnapi/driver/sample.h"
#include "runtime/c_api/support_table.h"
#include "runtime/devices/host_device.h"
#include "runtime/objects/runtime.h"

namespace nn::runtime {
namespace {

constexpr size_t kFencedThreads = 2;
constexpr std::string_view kSampleName = "nnapi-sample_sl";

}  // namespace

std::unique_ptr<const Runtime> makeRuntime() {
    std::vector<PlanDevice> devices{{hostDevice(), false, true}};
    for (ReferenceDeviceOptions& sample : sampleDevices()) {
        if (sample.name != kSampleName) continue;
        sample.fencedThreads = kFencedThreads;
        devices.push_back({referenceDevice(std::move(sample)), false, true});
    }
    return std::make_unique<const Runtime>(
            std::move(devices),
            Runtime::Options{.partitioning = PlanOptions::Partitioning::WITHOUT_FALLBACK});
}

}  // namespace nn::runtime

// Never written; the interface lacks the const.
extern "C" NnApiSLDriverImpl* ANeuralNetworks_getSLDriverImpl() {
    return const_cast<NnApiSLDriverImpl*>(&nn::runtime::supportLibraryTable().base.base);
}
