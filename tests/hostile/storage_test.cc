// Storage: lifetimes that contradict the location of a value, locations out of range, memory that
// differs from its description.
#include <algorithm>

#include "hostile/hostile_models.h"
#include "nnapi/memory.h"

namespace nn::hostile::storage_test {
namespace {

// Gives every operation a constant: if it has none, its first tensor becomes one.
Operand* constant(Subject& s) {
    if (Operand* operand = s.constant()) return operand;
    Operand* operand = s.tensor();
    if (operand == nullptr) return nullptr;
    const auto index = static_cast<uint32_t>(operand - s.model.main.operands.data());
    auto& indexes = s.model.main.inputIndexes;
    const auto at = std::find(indexes.begin(), indexes.end(), index);
    const auto input = s.inputs.begin() + (at - indexes.begin());
    operand->lifetime = LifeTime::CONSTANT_COPY;
    operand->dimensions = input->dimensions;
    operand->location = *s.model.operandValues.append(input->data.data(), input->data.size());
    s.inputs.erase(input);
    indexes.erase(at);
    return operand;
}

// Moves the constant to a pool of its own, which the function creates.
bool inPool(Subject& s, SharedMemory (*make)(size_t size)) {
    Operand* operand = constant(s);
    if (operand == nullptr) return false;
    operand->lifetime = LifeTime::CONSTANT_REFERENCE;
    operand->location.poolIndex = static_cast<uint32_t>(s.model.pools.size());
    operand->location.offset = 0;
    s.model.pools.push_back(make(operand->location.length));
    return true;
}

SharedMemory memoryOf(auto kind) { return std::make_shared<const Memory>(Memory{std::move(kind)}); }

// Moves the value to another location in operandValues.
bool moved(Subject& s, size_t padding, size_t alignment) {
    Operand* operand = constant(s);
    if (operand == nullptr || operand->lifetime != LifeTime::CONSTANT_COPY) return false;
    const uint8_t* data = s.model.operandValues.data();
    const std::vector<uint8_t> value(data + operand->location.offset,
                                     data + operand->location.offset + operand->location.length);
    std::vector<uint8_t> all(data, data + s.model.operandValues.size());
    all.resize((all.size() + alignment - 1) / alignment * alignment + padding);
    operand->location.offset = static_cast<uint32_t>(all.size());
    all.insert(all.end(), value.begin(), value.end());
    s.model.operandValues = Model::OperandValues(std::move(all));
    return true;
}

#define NNAPI_CONSTANT(what) \
    [](Subject& s) { return s.change(constant(s), [](Operand& o) { what; }); }
#define NNAPI_INPUT(what) [](Subject& s) { return s.change(s.tensor(), [](Operand& o) { what; }); }
#define NNAPI_POOL(memory)                                 \
    [](Subject& s) {                                       \
        return inPool(s, [](size_t size) -> SharedMemory { \
            (void)size;                                    \
            return memory;                                 \
        });                                                \
    }

constexpr Case kCases[] = {
        {"InputAsTemporary", NNAPI_INPUT(o.lifetime = LifeTime::TEMPORARY_VARIABLE)},
        {"InputAsOutput", NNAPI_INPUT(o.lifetime = LifeTime::SUBGRAPH_OUTPUT)},
        {"InputAsCopy", NNAPI_INPUT(o.lifetime = LifeTime::CONSTANT_COPY)},
        {"InputAsReference", NNAPI_INPUT(o.lifetime = LifeTime::CONSTANT_REFERENCE)},
        {"InputAsSubgraph", NNAPI_INPUT(o.lifetime = LifeTime::SUBGRAPH)},
        {"InputAsPointer", NNAPI_INPUT(o.lifetime = LifeTime::POINTER)},
        {"InputAsUnknown", NNAPI_INPUT(o.lifetime = static_cast<LifeTime>(8))},
        {"InputAsNegative", NNAPI_INPUT(o.lifetime = static_cast<LifeTime>(-1))},
        {"InputWithLocation", NNAPI_INPUT(o.location.length = 4)},
        {"ConstantAsInput", NNAPI_CONSTANT(o.lifetime = LifeTime::SUBGRAPH_INPUT)},
        {"ConstantAsOutput", NNAPI_CONSTANT(o.lifetime = LifeTime::SUBGRAPH_OUTPUT)},
        {"CopyAsReference",
         NNAPI_CONSTANT((o.lifetime = LifeTime::CONSTANT_REFERENCE, o.location.poolIndex = 1000))},
        {"CopyAsNullPointer", NNAPI_CONSTANT((o.lifetime = LifeTime::POINTER, o.location.offset = 0,
                                              o.location.poolIndex = 0))},
        {"CopyOffsetAndLengthWrap",
         NNAPI_CONSTANT((o.lifetime = LifeTime::CONSTANT_COPY, o.location.poolIndex = 0,
                         o.location.offset = UINT32_MAX - o.location.length + 1))},
        {"CopyOffsetIsTheLargest",
         NNAPI_CONSTANT((o.lifetime = LifeTime::CONSTANT_COPY, o.location.poolIndex = 0,
                         o.location.offset = UINT32_MAX))},
        {"LengthIsTheLargest", NNAPI_CONSTANT(o.location.length = UINT32_MAX)},
        {"Length0", NNAPI_CONSTANT(o.location.length = 0)},
        {"LengthOneTooShort", NNAPI_CONSTANT(--o.location.length)},
        {"Padding", NNAPI_CONSTANT(o.location.padding = UINT32_MAX)},
        {"UnknownDimensions", NNAPI_CONSTANT(o.dimensions = {0})},
        {"Misaligned", [](Subject& s) { return moved(s, 1, 4); }},
        {"PointerBesideCopy", NNAPI_CONSTANT(o.location.pointer = static_cast<const void*>(&o))},
        {"NullPool", NNAPI_POOL(nullptr)},
        {"PoolOfSize0", NNAPI_POOL(memoryOf(Memory::Ashmem{}))},
        {"PoolWithoutFile", NNAPI_POOL(memoryOf(Memory::Ashmem{.fd = {}, .size = size}))},
        {"PoolWithAClosedFile",
         NNAPI_POOL(memoryOf(
                 Memory::Fd{.size = size, .prot = 1, .fd = UniqueFd(1000000), .offset = 0}))},
        {"PoolOffsetBehindTheFile",
         NNAPI_POOL(createSharedMemory(
                            size, 1,
                            std::get<Memory::Ashmem>((*createSharedMemory(size))->handle).fd.get(),
                            size_t{1} << 40)
                            .value())},
        {"PoolOffsetMisaligned",
         NNAPI_POOL(
                 createSharedMemory(
                         size, 1,
                         std::get<Memory::Ashmem>((*createSharedMemory(size + 1))->handle).fd.get(),
                         1)
                         .value())},
        {"PoolNotReadable",
         NNAPI_POOL(createSharedMemory(
                            size, 0,
                            std::get<Memory::Ashmem>((*createSharedMemory(size))->handle).fd.get(),
                            0)
                            .value())},
        {"PoolLargerThanItsFile",
         NNAPI_POOL(createSharedMemory(
                            size + 4096, 1,
                            std::get<Memory::Ashmem>((*createSharedMemory(size))->handle).fd.get(),
                            0)
                            .value())},
        {"PoolOfTheLargestSize",
         NNAPI_POOL(createSharedMemory(
                            SIZE_MAX, 1,
                            std::get<Memory::Ashmem>((*createSharedMemory(size))->handle).fd.get(),
                            0)
                            .value())},
        {"PoolOfAnUnknownKind",
         NNAPI_POOL(memoryOf(Memory::Unknown{.handle = {}, .size = size, .name = "vendor"}))},
        {"PoolWithANameOf10MiB",
         [](Subject& s) {  // only one subject, because printing takes long
             return s.operation().type == OperationType::CONV_2D && inPool(s, [](size_t size) {
                        return memoryOf(Memory::Unknown{
                                .handle = {}, .size = size, .name = std::string(10 << 20, 'x')});
                    });
         }},
};

TEST(Hostile, Storage) { runSection("storage", kCases); }

#undef NNAPI_CONSTANT
#undef NNAPI_INPUT
#undef NNAPI_POOL

}  // namespace
}  // namespace nn::hostile::storage_test
