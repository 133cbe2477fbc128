#include "nnapi/device_test/device_test.h"

#include "nnapi/device_test/faulty_device.h"
#include "nnapi/device_test/faulty_driver.h"
#include "nnapi/device_test/reproducer.h"
#include "nnapi/device_test/shrink.h"
#include "nnapi/driver/reference.h"

using namespace nn;

int main() {
    for (const testing::DeviceCase& test : testing::listCases({.randomModels = 1})) {
        if (test.kind != "basics" && test.kind != "random") continue;
        if (testing::runCase(referenceDevice(), test).result ==
            testing::DeviceOutcome::Result::FAILED) {
            return 1;
        }
    }
    const testing::DeviceFaults faults{testing::DeviceFault::CANNOT_WAIT};
    return testing::faultyDevice(referenceDevice(), faults).value()->wait().has_value() ? 1 : 0;
}
