#include "device_test/cases/models.h"

#include <utility>

#include "nnapi/memory.h"
#include "types/constants.h"

namespace nn::testing {

Result<std::vector<uint8_t>> constantOf(const Model& model, const Operand& operand) {
    const DataLocation& location = operand.location;
    if (operand.lifetime != Operand::LifeTime::CONSTANT_REFERENCE) {
        ConstantReader reader(model);
        const std::span<const uint8_t> bytes = reader.bytesOf(operand);
        return std::vector<uint8_t>(bytes.begin(), bytes.end());
    }
    if (location.poolIndex >= model.pools.size()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "a constant lies in no pool");
    }
    std::vector<uint8_t> bytes(location.length);
    NNAPI_RETURN_IF_ERROR(readMemory(model.pools[location.poolIndex], location.offset, bytes));
    return bytes;
}

Model addition(uint32_t size) {
    Model model;
    SubgraphBuilder main(model);
    const auto x = main.input(floatTensor({size}));
    const auto y = main.input(floatTensor({size}));
    main.add(OperationType::ADD, {x, y, main.scalar(0)}, {main.output(floatTensor({size}))});
    model.main = std::move(main.graph);
    return model;
}

Model chain(size_t length, uint32_t size) {
    Model model;
    SubgraphBuilder main(model);
    auto x = main.input(floatTensor({size}));
    const auto one = main.constant<float>(floatTensor({1}), {1});
    const auto none = main.scalar(0);
    for (size_t i = 1; i <= length; ++i) {
        const auto sum =
                i < length ? main.temporary(floatTensor({size})) : main.output(floatTensor({size}));
        main.add(OperationType::ADD, {x, one, none}, {sum});
        x = sum;
    }
    model.main = std::move(main.graph);
    return model;
}

Model endlessLoop() {
    Model model;
    SubgraphBuilder condition(model);
    const auto in = condition.input(floatTensor({1}));
    condition.add(OperationType::EQUAL, {in, in},
                  {condition.output({.type = OperandType::TENSOR_BOOL8, .dimensions = {1}})});
    SubgraphBuilder body(model);
    const auto value = body.input(floatTensor({1}));
    body.add(OperationType::ADD, {value, value, body.scalar(0)}, {body.output(floatTensor({1}))});
    SubgraphBuilder main(model);
    const auto x = main.input(floatTensor({1}));
    main.add(OperationType::WHILE, {main.subgraph(0), main.subgraph(1), x},
             {main.output(floatTensor({1}))});
    model.main = std::move(main.graph);
    model.referenced = {std::move(condition.graph), std::move(body.graph)};
    return model;
}

std::vector<float> ramp(size_t count, float from, float step) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = from + step * static_cast<float>(i);
    return values;
}

Job sumJob(uint32_t size, float scale) {
    const std::vector<float> x = ramp(size, 0, scale);
    const std::vector<float> y = ramp(size, 10, 10);
    const std::vector<float> sum = ramp(size, 10, 10 + scale);
    return {.model = addition(size),
            .inputs = {tensorOf({size}, x), tensorOf({size}, y)},
            .outputs = {tensorOf({size}, sum)}};
}

Job chainJob(size_t length, uint32_t size) {
    return {.model = chain(length, size),
            .inputs = {tensorOf({size}, ramp(size, 0, 1))},
            .outputs = {tensorOf({size}, ramp(size, static_cast<float>(length), 1))}};
}

Job endlessJob() {
    return {.model = endlessLoop(),
            .inputs = {tensorOf<float>({1}, {1})},
            .outputs = {tensorOf<float>({1}, {0})}};
}

}  // namespace nn::testing
