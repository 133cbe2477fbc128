// RELU, RELU1 and RELU6 by XNNPACK.
#include "op_support/xnnpack/lowering.h"
#include "ops/relu/signature.h"

namespace nn::ops::relu {

constexpr xnnpack::LoweringRow kLowerings[] = {
        {OperationType::RELU, xnnpack::Clamp{.activation = 1}},
        {OperationType::RELU1, xnnpack::Clamp{.activation = 2}},
        {OperationType::RELU6, xnnpack::Clamp{.activation = 3}},
};

}  // namespace nn::ops::relu

namespace nn::xnnpack::folders {
extern constexpr LoweringRows relu = ops::relu::kLowerings;
}
