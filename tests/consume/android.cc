#include <android-base/logging.h>
#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <nnapi/TypeUtils.h>
#include <nnapi/hal/1.3/Conversions.h>

int main() {
    const android::nn::Operand operand{.type = android::nn::OperandType::TENSOR_FLOAT32,
                                       .dimensions = {2, 3}};
    const android::hardware::hidl_vec<uint32_t> dimensions = operand.dimensions;
    LOG(INFO) << "an unread message";
    const android::sp<android::hardware::neuralnetworks::V1_3::IDevice> none = nullptr;
    return dimensions.size() == 2 && none == nullptr ? 0 : 1;
}
