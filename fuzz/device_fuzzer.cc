// Device profiles: rejected, or they report the support of every operation of a model.
#include "fuzz/input.h"
#include "nnapi/device_profile.h"

namespace nn::fuzz {

NNAPI_FUZZ_TARGET(device, DEVICE) {
    const Result<DeviceProfile> device = parseDevice(textOf(bytes), Format::TEXT);
    if (!device.ok()) return expect(!textOf(device.status()).empty(), "refused silently");
    testing::Source source(bytes);
    const Model model = testing::validModel(source);
    const auto support = supportedOperations(model, *device);
    expect(support.ok() == validate(*device).ok(), textOf(support.status()));
    if (support.ok()) {
        expect(support->operations.size() == model.main.operations.size(),
               "the result for an operation is missing");
    }
}

}  // namespace nn::fuzz
