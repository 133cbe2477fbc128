#include "nnapi/testing/device_test.h"

#include "nnapi/driver/reference.h"
#include "nnapi/testing/faulty_device.h"
#include "nnapi/testing/faulty_driver.h"
#include "nnapi/testing/reproducer.h"
#include "nnapi/testing/shrink.h"

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
