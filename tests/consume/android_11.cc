#include "HalInterfaces.h"
#include "Utils.h"

int main() {
    using android::nn::hal::OperandType;
    const uint32_t bytes =
            android::nn::nonExtensionOperandSizeOfData(OperandType::TENSOR_FLOAT32, {2, 3});
    return bytes == 24 ? 0 : 1;
}
