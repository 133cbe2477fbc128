// A worker as a user writes one: the reference under the name that it is told, with the faults that
// its settings name.
#include "nnapi/driver/reference.h"
#include "nnapi/testing/device_test_runner.h"
#include "nnapi/testing/faulty_device.h"

namespace {

nn::GeneralResult<nn::SharedDevice> open(const std::string& device, const std::string& settings) {
    NNAPI_ASSIGN_OR_RETURN(faults, nn::testing::DeviceFaults::parse(settings));
    return nn::testing::faultyDevice(nn::referenceDevice({.name = device}), faults);
}

}  // namespace

int main() { return nn::testing::serveDeviceRun(open).ok() ? 0 : 2; }
