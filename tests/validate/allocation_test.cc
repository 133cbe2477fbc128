// Validating a legal model does not allocate for each operand or operation, and does not read
// constants.
#include "heap.h"
#include "validate/models.h"

namespace nn::allocation_test {
namespace {

size_t allocationsToValidate(const Model& model) {
    const size_t before = heap::allocations;
    const bool accepted = validate(model).ok();
    const size_t count = heap::allocations - before;
    EXPECT_TRUE(accepted);
    return count;
}

TEST(Validate, AllocatesNothingPerOperation) {
    Model model = softmaxModel();
    EXPECT_EQ(allocationsToValidate(model), 0u);
    const auto grow = [&](uint32_t operations) {  // with a chain after the output
        for (uint32_t i = 0; i < operations; ++i) {
            model.main.operands.push_back(operandOf(OperandType::TENSOR_FLOAT32, {2, 3}));
            const uint32_t last = static_cast<uint32_t>(model.main.operands.size()) - 1;
            model.main.operations.push_back({.type = OperationType::SOFTMAX,
                                             .inputs = {last == 3 ? 2 : last - 1, 1},
                                             .outputs = {last}});
        }
    };
    grow(100);
    const size_t few = allocationsToValidate(model);
    grow(1000);
    EXPECT_EQ(allocationsToValidate(model), few);
}

TEST(Validate, AllocatesNothingForARequest) {
    const Model model = softmaxModel();
    float data[6] = {};
    const Request::Argument argument{
            .lifetime = Request::Argument::LifeTime::POINTER,
            .location = {.pointer = static_cast<void*>(data), .length = sizeof(data)}};
    Request request{.inputs = {argument}, .outputs = {argument}};
    for (const std::vector<uint32_t>& dimensions : {std::vector<uint32_t>{}, {2, 3}}) {
        request.inputs[0].dimensions = dimensions;
        const size_t before = heap::allocations;
        const bool accepted = validateRequestForModel(request, model).ok();
        EXPECT_EQ(heap::allocations, before);
        EXPECT_TRUE(accepted);
    }
}

}  // namespace
}  // namespace nn::allocation_test
