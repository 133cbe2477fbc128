// Devices for TensorFlow Lite, which ignores nnapi-reference.
#include <random>
#include <utility>
#include <vector>

#include "nnapi/device_test/faulty_device.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/driver/plugin.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/result.h"
#include "nnapi/type_utils.h"

namespace nn {
namespace {

// An interpreter that reports this speed.
SharedDevice interpreter(const char* name, float time = 0.1f) {
    const Capabilities::PerformanceInfo speed = {.execTime = time, .powerUsage = time};
    std::vector<Capabilities::OperandPerformance> types;
    for (const OperandTypeInfo& info : operandTypes()) {
        if (info.type != OperandType::SUBGRAPH) types.push_back({.type = info.type, .info = speed});
    }
    return referenceDevice(
            {.name = name,
             .capabilities = {.relaxedFloat32toFloat16PerformanceScalar = speed,
                              .relaxedFloat32toFloat16PerformanceTensor = speed,
                              .operandPerformance = *Capabilities::OperandPerformanceTable::create(
                                      std::move(types)),
                              .ifPerformance = speed,
                              .whilePerformance = speed},
             .hasCache = false});
}

// Two such devices divide the operations of each model at random, but deterministically.
class HalfDevice final : public ForwardingDevice {
   public:
    HalfDevice(SharedDevice whole, bool isFirst)
        : ForwardingDevice(std::move(whole)), mIsFirst(isFirst) {}

    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        NNAPI_ASSIGN_OR_RETURN(supported, ForwardingDevice::getSupportedOperations(model));
        std::minstd_rand coin(static_cast<uint32_t>(supported.size()) + 1);
        for (size_t i = 0; i < supported.size(); ++i) {
            supported[i] = supported[i] && (coin() / 7 % 2 == 0) == mIsFirst;
        }
        return supported;
    }

   private:
    bool mIsFirst;
};

SharedDevice half(const char* name, bool isFirst) {
    return std::make_shared<const HalfDevice>(interpreter(name), isFirst);
}

GeneralResult<SharedDevice> dying() {
    using enum testing::DeviceFault;
    return testing::faultyDevice(interpreter("dying"), {DIES_IN_EXECUTE});
}

}  // namespace
}  // namespace nn

using nn::plugin::device;

NNAPI_EXPORT_DEVICES(device("interpreter", [] { return nn::interpreter("interpreter"); }),
                     device("slow", [] { return nn::interpreter("slow", 2); }),
                     device("half-1", [] { return nn::half("half-1", true); }),
                     device("half-2", [] { return nn::half("half-2", false); }),
                     device("dying", [] { return nn::dying(); }))
