// Offers the device as a driver of HAL 1.0 to 1.3, and adds two tensors with each version.
#include <cstdio>
#include <cstring>

#include "add_device.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/wrap.h"

using namespace nn;

// z = x + y, of four numbers each.
static Model addition() {
    const Operand tensor = {.type = OperandType::TENSOR_FLOAT32, .dimensions = {4}};
    Model model;
    model.main.operands = {tensor, tensor, {.type = OperandType::INT32}, tensor};
    model.main.operands[0].lifetime = Operand::LifeTime::SUBGRAPH_INPUT;
    model.main.operands[1].lifetime = Operand::LifeTime::SUBGRAPH_INPUT;
    model.main.operands[2].lifetime = Operand::LifeTime::CONSTANT_COPY;
    model.main.operands[2].location = *model.operandValues.append("\0\0\0", 4);  // no activation
    model.main.operands[3].lifetime = Operand::LifeTime::SUBGRAPH_OUTPUT;
    model.main.operations = {{.type = OperationType::ADD, .inputs = {0, 1, 2}, .outputs = {3}}};
    model.main.inputIndexes = {0, 1};
    model.main.outputIndexes = {3};
    return model;
}

static Request::Argument pointerTo(float* values) {
    return {.lifetime = Request::Argument::LifeTime::POINTER,
            .location = {.pointer = static_cast<void*>(values), .length = 4 * sizeof(float)}};
}

static Status run(const SharedDevice& device) {
    const auto prepared = device->prepareModel(addition(), ExecutionPreference::DEFAULT,
                                               Priority::DEFAULT, {}, {}, {}, {}, {}, {});
    if (!prepared.has_value()) return prepared;
    float x[] = {1, 2, 3, 4}, y[] = {10, 20, 30, 40}, z[4];
    const auto executed = (*prepared)->execute(
            {.inputs = {pointerTo(x), pointerTo(y)}, .outputs = {pointerTo(z)}}, MeasureTiming::NO,
            {}, {}, {}, {});
    if (!executed.has_value()) return executed;
    std::printf("%s: %g %g %g %g\n", device->getName().c_str(), z[0], z[1], z[2], z[3]);
    return {};
}

int main() {
    const auto driver = hal::adapter::adapt(std::make_shared<const example::AddDevice>());
    const GeneralResult<SharedDevice> devices[] = {
            V1_0::utils::Device::create("HAL 1.0", *driver),
            V1_1::utils::Device::create("HAL 1.1", *driver),
            V1_2::utils::Device::create("HAL 1.2", *driver),
            V1_3::utils::Device::create("HAL 1.3", *driver),
    };
    for (const auto& device : devices) {
        const Status status = device.has_value() ? run(*device) : device.status();
        if (status.ok()) continue;
        std::printf("%s\n", std::string(status.message()).c_str());
        return 1;
    }
    return 0;
}
