#include "nnapi/testing/device_test.h"

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
    return 0;
}
