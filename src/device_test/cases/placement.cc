// Cases of where arguments and constants lie: offsets that only their type aligns, memory that is
// read-only, files that begin before it.
#include <array>

#include "device_test/cases/cases.h"
#include "device_test/cases/execution_paths.h"
#include "device_test/cases/prepared_case.h"

namespace nn::testing {
namespace {

// x + y, or x + constant, of five elements of a type.
struct PlacedType {
    const char* name;
    OperandType type;
    uint32_t size;  // of an element
};
constexpr PlacedType kPlacedTypes[] = {
        {"float32", OperandType::TENSOR_FLOAT32, 4},
        {"quant8", OperandType::TENSOR_QUANT8_ASYMM, 1},
        {"float16", OperandType::TENSOR_FLOAT16, 2},
};
constexpr uint32_t kElements = 5;

// The numbers from `from` on, as the type stores them.
Tensor numbersFrom(const PlacedType& type, uint8_t from) {
    // 1 to 8 in 16 bits.
    constexpr std::array<uint16_t, 9> kHalves = {0,      0x3C00, 0x4000, 0x4200, 0x4400,
                                                 0x4500, 0x4600, 0x4700, 0x4800};
    std::vector<uint8_t> bytes(kElements);
    std::vector<uint16_t> halves(kElements);
    for (uint8_t i = 0; i < kElements; ++i) {
        bytes[i] = from + i;
        halves[i] = kHalves[(from + i) % kHalves.size()];
    }
    if (type.size == 1) return tensorOf<uint8_t>({kElements}, bytes);
    if (type.size == 2) return tensorOf<uint16_t>({kElements}, halves);
    return tensorOf<float>({kElements}, ramp(kElements, from, 1));
}

Operand operandOf(const PlacedType& type) {
    const float scale = type.size == 1 ? 1 : 0;
    return {.type = type.type, .dimensions = {kElements}, .scale = scale};
}

// x + 0, whose result has no rounding in any type.
Job placedJob(const PlacedType& type) {
    Job job;
    SubgraphBuilder main(job.model);
    const auto x = main.input(operandOf(type)), y = main.input(operandOf(type));
    main.add(OperationType::ADD, {x, y, main.scalar(0)}, {main.output(operandOf(type))});
    job.model.main = std::move(main.graph);
    Tensor zeros = numbersFrom(type, 1);
    std::ranges::fill(zeros.data, uint8_t{0});
    job.inputs = {numbersFrom(type, 3), zeros};
    job.outputs = {numbersFrom(type, 3)};
    return job;
}

Failure executesPlaced(const SharedDevice& device, const Job& job, const Placement& placement) {
    const JobCase placed(job);
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, placed.model(), &prepared)) return failure;
    std::vector<Arguments::Output> outputs;
    for (const TestCase::Output& output : placed.testCase().outputs) {
        outputs.push_back({.length = static_cast<uint32_t>(output.value.data.size()),
                           .dimensions = output.value.dimensions});
    }
    Result<Arguments> made =
            Arguments::create(placed.testCase().inputs, std::move(outputs), placement);
    if (!made.ok()) return failedCall("memory of the case", made.status());
    for (const ExecutionPath path : kExecutionPaths) {
        made->clearOutputs();
        const auto executed = executeBy(path, *prepared, made->request());
        if (lackOfFences(*device, executed.status(), path)) continue;
        if (Failure failure =
                    checkExecuted(fmt::format("execute ({}) with arguments at offset {} of a pool",
                                              nameOf(path), placement.first),
                                  executed, MeasureTiming::NO, placed.wanted(), *made)) {
            return failure;
        }
    }
    return std::nullopt;
}

// Rules execution.result and execution.inputs: each multiple of the size of an element is an
// offset.
Failure atOffsets(const SharedDevice& device, const PlacedType& type) {
    for (const uint32_t multiple : {1u, 3u, 5u, 7u}) {
        if (Failure failure =
                    executesPlaced(device, placedJob(type),
                                   {.alignment = type.size, .first = multiple * type.size})) {
            return failure;
        }
    }
    return std::nullopt;
}

// ---- constants

struct ConstantPlacement {
    const char* name;
    bool isReadOnly;
    uint32_t pagesBefore;
    uint32_t first;  // offset in the pool
};
constexpr ConstantPlacement kConstantPlacements[] = {
        {"read_only", true, 0, 0},
        {"file_at_offset", false, 1, 0},
        {"read_only_file_at_offset", true, 3, 64},
        {"offset_of_elements", false, 0, 4},
        {"offset_behind_vector", false, 0, 20},
};

// Rules prepare.arguments and execution.result: x + a constant in a pool of the model.
Failure withConstant(const SharedDevice& device, const ConstantPlacement& row) {
    const PlacedType& type = kPlacedTypes[0];
    const Tensor constant = numbersFrom(type, 1);
    const auto length = static_cast<uint32_t>(constant.data.size());
    const Result<PlacedMemory> pool =
            PlacedMemory::create(row.first + length, row.isReadOnly, row.pagesBefore);
    if (!pool.ok()) return failedCall("memory of the case", pool.status());
    const Status written = writeMemory(pool->own, row.first, constant.data);
    if (!written.ok()) return failedCall("memory of the case", written);
    Job job;
    SubgraphBuilder main(job.model);
    const auto x = main.input(operandOf(type)), y = main.temporary(operandOf(type));
    Operand& operand = main.graph.operands[y];
    operand.lifetime = Operand::LifeTime::CONSTANT_REFERENCE;
    operand.location = {.poolIndex = 0, .offset = row.first, .length = length};
    main.add(OperationType::ADD, {x, y, main.scalar(0)}, {main.output(operandOf(type))});
    job.model.main = std::move(main.graph);
    job.model.pools = {pool->given};
    job.inputs = {numbersFrom(type, 2)};
    job.outputs = {tensorOf({kElements}, ramp(kElements, 3, 2))};
    return executesPlaced(device, job, {});
}

// Rule prepare.arguments: a constant less x. Drawn models read an input of the model first.
Failure constantFirst(const SharedDevice& device) {
    const PlacedType& type = kPlacedTypes[0];
    Job job;
    SubgraphBuilder main(job.model);
    const auto constant = main.constant<float>(operandOf(type), ramp(kElements, 10, 3));
    const auto x = main.input(operandOf(type));
    main.add(OperationType::SUB, {constant, x, main.scalar(0)}, {main.output(operandOf(type))});
    job.model.main = std::move(main.graph);
    job.inputs = {numbersFrom(type, 2)};
    job.outputs = {tensorOf({kElements}, ramp(kElements, 8, 2))};
    return executesPlaced(device, job, {});
}

}  // namespace

void addPlacement(Cases& cases, const DeviceTestOptions&) {
    addRows(cases, "execution/offsets", kPlacedTypes, atOffsets);
    const auto add = [&](const char* name, Placement placement) {
        cases.push_back(deviceCase(
                fmt::format("execution/pools/{}", name), [placement](const SharedDevice& device) {
                    return executesPlaced(device, placedJob(kPlacedTypes[0]), placement);
                }));
    };
    add("read_only", {.hasReadOnlyInputs = true});
    add("file_at_offset", {.pagesBefore = 1});
    add("read_only_file_at_offset", {.hasReadOnlyInputs = true, .pagesBefore = 3});
    cases.push_back(deviceCase("execution/constants/first_input", constantFirst));
    addRows(cases, "execution/constants", kConstantPlacements, withConstant);
}

}  // namespace nn::testing
