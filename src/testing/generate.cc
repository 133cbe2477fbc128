#include "nnapi/testing/generate.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "nnapi/half.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "ops/operation.h"
#include "ops/shapes.h"
#include "validate/operation_check.h"

namespace nn::testing {

uint8_t Source::byte() { return mUsed < mBytes.size() ? mBytes[mUsed++] : 0; }

uint64_t Source::number() {
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | byte();
    return value;
}

uint64_t Source::below(uint64_t bound) {
    if (bound <= 1) return 0;
    uint64_t value = byte();
    for (uint64_t span = 256; span < bound && span != 0; span <<= 8) value = value << 8 | byte();
    return value % bound;
}

float Source::real() {
    switch (below(16)) {
        case 12:
            return std::numeric_limits<float>::quiet_NaN();
        case 13:
            return std::numeric_limits<float>::infinity();
        case 14:
            return -std::numeric_limits<float>::max();
        case 15:
            return std::numeric_limits<float>::denorm_min();
        default:
            return static_cast<float>(static_cast<int>(below(33)) - 16) / 4;
    }
}

std::span<const int64_t> interestingCodes() {
    static constexpr int64_t kCodes[] = {
            0,   1,   2,   3,   4,  5,     6,     7,     8,       9,       10,       11,
            12,  13,  14,  15,  16, 22,    25,    29,    38,      95,      96,       97,
            101, 102, 105, 106, -1, 10000, 10001, 10002, 0x10001, 0x20003, INT32_MAX};
    return kCodes;
}

namespace {

// The same memory as a mapped file.
SharedMemory asFile(const SharedMemory& memory) {
    if (memory.get() == nullptr) return nullptr;
    const auto& ashmem = std::get<Memory::Ashmem>(memory->handle);
    return createSharedMemory(ashmem.size, PROT_READ | PROT_WRITE, ashmem.fd.get(), 0)
            .value_or(nullptr);
}

Memory::NativeHandle anyNativeHandle(Source& source) {
    Memory::NativeHandle handle;
    for (size_t n = source.below(3); n != 0; --n)
        handle.fds.emplace_back(memfd_create("any", MFD_CLOEXEC));
    handle.ints = any<std::vector<int>>(source);
    return handle;
}

// Memory of every kind that is legal in a version.
SharedMemory validMemory(Source& source, HalVersion version, size_t size) {
    const size_t kinds = version >= HalVersion::V1_2 ? 5 : 2;
    switch (source.below(kinds)) {
        case 1:
            return asFile(createSharedMemory(size).value_or(nullptr));
        case 2:
            return std::make_shared<const Memory>(Memory{Memory::HardwareBuffer{
                    .handle = anyNativeHandle(source), .size = size, .isBlob = true}});
        case 3:
            return std::make_shared<const Memory>(Memory{Memory::HardwareBuffer{
                    .handle = anyNativeHandle(source), .size = 0, .isBlob = false}});
        case 4:
            return std::make_shared<const Memory>(Memory{Memory::Unknown{
                    .handle = anyNativeHandle(source), .size = size, .name = "vendor_memory"}});
        default:
            return createSharedMemory(size).value_or(nullptr);
    }
}

}  // namespace

std::string anyText(Source& source) {
    static const std::string kTexts[] = {"",
                                         "a",
                                         "com.example.extension",
                                         "com.example.other",
                                         "ashmem",
                                         "mmap_fd",
                                         "hardware_buffer",
                                         "hardware_buffer_blob",
                                         "..",
                                         "UPPER.case",
                                         "\xff\xfe",
                                         std::string(1000, 'x')};
    return source.pick<std::string>(kTexts);
}

SharedMemory anyMemory(Source& source) {
    switch (source.below(8)) {
        case 5:
            return nullptr;
        case 6:
            return std::make_shared<const Memory>(Memory{Memory::Ashmem{}});
        case 7:
            return std::make_shared<const Memory>(
                    Memory{Memory::Fd{.size = any<size_t>(source),
                                      .prot = any<int>(source),
                                      .fd = {},
                                      .offset = any<size_t>(source)}});
        default:
            return validMemory(source, HalVersion::V1_3, 1 + source.below(64));
    }
}

hidl::hidl_handle anyHidlHandle(Source& source) {
    hidl::hidl_handle handle;
    if (source.oneIn(4)) return handle;
    hidl::native_handle_t* native = hidl::native_handle_create(static_cast<int>(source.below(3)),
                                                               static_cast<int>(source.below(5)));
    for (int i = 0; i < native->numFds; ++i) native->data[i] = memfd_create("any", MFD_CLOEXEC);
    for (int i = 0; i < native->numInts; ++i) native->data[native->numFds + i] = any<int>(source);
    handle.setTo(native, /*shouldOwn=*/true);
    return handle;
}

hidl::hidl_memory anyHidlMemory(Source& source) {
    return {anyText(source), anyHidlHandle(source), any<uint64_t>(source)};
}

template <>
V1_2::Operand::ExtraParams any(Source& source) {
    V1_2::Operand::ExtraParams params;
    switch (source.below(3)) {
        case 1:
            params.channelQuant(any<V1_2::SymmPerChannelQuantParams>(source));
            break;
        case 2:
            params.extension(any<std::vector<uint8_t>>(source));
            break;
        default:
            break;
    }
    return params;
}

template <>
V1_3::Request::MemoryPool any(Source& source) {
    V1_3::Request::MemoryPool pool;
    if (source.coin()) {
        pool.token(any<uint32_t>(source));
    } else {
        pool.hidlMemory(anyHidlMemory(source));
    }
    return pool;
}

template <>
V1_3::OptionalTimePoint any(Source& source) {
    V1_3::OptionalTimePoint time;
    if (source.coin()) time.nanosecondsSinceEpoch(any<uint64_t>(source));
    return time;
}

template <>
V1_3::OptionalTimeoutDuration any(Source& source) {
    V1_3::OptionalTimeoutDuration duration;
    if (source.coin()) duration.nanoseconds(any<uint64_t>(source));
    return duration;
}

namespace {

using LifeTime = Operand::LifeTime;
using ops::Form;
using ops::OperationSpec;
using ops::Param;
using ops::Types;
using ops::TypeSpec;

constexpr uint16_t kPrefix = 1;

// Bytes for a value of an operand whose size is known: small numbers.
std::vector<uint8_t> anyValue(Source& source, const Operand& operand) {
    const auto size = static_cast<size_t>(operandSize(operand).value_or(0));
    std::vector<uint8_t> bytes(size);
    const auto fill = [&](auto make) {
        using E = decltype(make());
        for (size_t i = 0; i + sizeof(E) <= size; i += sizeof(E)) {
            const E element = make();
            std::memcpy(bytes.data() + i, &element, sizeof(E));
        }
    };
    const auto small = [&] {
        return static_cast<float>(static_cast<int>(source.below(17)) - 8) / 4;
    };
    switch (operand.type) {
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            fill(small);
            break;
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
            fill([&] { return floatToHalf(small()); });
            break;
        case OperandType::INT32:
        case OperandType::TENSOR_INT32:
            fill([&] { return static_cast<int32_t>(source.below(5)) - 1; });
            break;
        case OperandType::BOOL:
        case OperandType::TENSOR_BOOL8:
            fill([&] { return static_cast<uint8_t>(source.coin()); });
            break;
        default:
            fill([&] { return source.byte(); });
            break;
    }
    return bytes;
}

// Builds a model operation by operation; what does not turn out legal is taken back.
class ModelBuilder {
   public:
    ModelBuilder(Source& source, const ModelOptions& options) : mSource(source), mOptions(options) {
        for (const OperationTypeInfo& info : operationTypes()) {
            const OperationSpec* spec = ops::specOf(info.type);
            const bool wanted = options.operations.empty() ||
                                std::ranges::count(options.operations, info.type) != 0;
            if (spec != nullptr && wanted &&
                isCompliantVersion(info.since, toVersion(options.version))) {
                mSpecs.push_back(spec);
            }
        }
    }

    Model build() {
        const size_t wanted = 1 + mSource.below(std::max<size_t>(mOptions.mostOperations, 1));
        for (size_t attempt = 0; graph().operations.size() < wanted && attempt < 20 * wanted;
             ++attempt) {
            const Mark mark{graph().operands.size(), mValues.size(), mPool.size()};
            if (!addOperation()) takeBack(mark);
        }
        if (graph().operations.empty()) addSoftmax(graph());
        if (mOptions.version == HalVersion::V1_3 && mSource.oneIn(4)) addIf();
        finish();
        return std::move(mModel);
    }

   private:
    struct Mark {
        size_t operands;
        size_t values;
        size_t pool;
    };

    Model::Subgraph& graph() { return mModel.main; }

    void takeBack(const Mark& mark) {
        graph().operands.resize(mark.operands);
        mValues.resize(mark.values);
        mPool.resize(mark.pool);
    }

    bool isAvailable(OperandType type) const {
        const OperandTypeInfo* info = operandTypeInfo(type);
        return info != nullptr && info->since <= mOptions.version;
    }

    // ---- operands

    std::vector<uint32_t> anyDimensions(bool mayBeUnknown) {
        if (mayBeUnknown && mOptions.version >= HalVersion::V1_2 && mSource.oneIn(8)) return {};
        std::vector<uint32_t> dimensions(mSource.oneIn(3) ? 1 + mSource.below(4)
                                                          : 4 - 2 * mSource.below(2));
        for (uint32_t& dimension : dimensions) {
            dimension = static_cast<uint32_t>(1 + mSource.below(3));
            if (mayBeUnknown && mSource.oneIn(12)) dimension = 0;
        }
        return dimensions;
    }

    Operand newOperand(OperandType type, bool mayBeUnknown) {
        Operand operand{.type = type};
        const OperandTypeInfo* info = operandTypeInfo(type);
        if (info == nullptr) return operand;
        const bool isPerChannel = type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
        if (info->isTensor) {
            operand.dimensions =
                    anyDimensions(mayBeUnknown && !isPerChannel && !mOptions.executable);
        }
        if (info->scale == ScaleRule::POSITIVE) {
            static constexpr float kScales[] = {0.5f, 1.0f, 0.25f, 4.0f, 1.0f / 128, 1.0f / 256};
            operand.scale = mSource.pick<float>(kScales);
            static constexpr int32_t kZeroPoints[] = {0, 128, -128, 3};
            operand.zeroPoint = std::clamp(mSource.pick<int32_t>(kZeroPoints), info->zeroPointMin,
                                           info->zeroPointMax);
        }
        if (isPerChannel) {
            const auto dim =
                    static_cast<uint32_t>(mSource.coin() ? 0 : operand.dimensions.size() - 1);
            operand.extraParams = Operand::SymmPerChannelQuantParams{
                    .scales = std::vector<float>(operand.dimensions[dim], 0.5f), .channelDim = dim};
        }
        return operand;
    }

    uint32_t add(Operand operand) {
        graph().operands.push_back(std::move(operand));
        return static_cast<uint32_t>(graph().operands.size() - 1);
    }

    uint32_t addConstant(Operand operand) {
        const std::vector<uint8_t> value = anyValue(mSource, operand);
        std::vector<uint8_t>& storage = mSource.coin() ? mPool : mValues;
        operand.lifetime =
                &storage == &mPool ? LifeTime::CONSTANT_REFERENCE : LifeTime::CONSTANT_COPY;
        storage.resize((storage.size() + 3) / 4 * 4);
        operand.location = {.offset = static_cast<uint32_t>(storage.size()),
                            .length = static_cast<uint32_t>(value.size())};
        storage.insert(storage.end(), value.begin(), value.end());
        return add(std::move(operand));
    }

    // An operand of the type that can be read: one that is there, an input, or a constant.
    uint32_t addInput(OperandType type) {
        std::vector<uint32_t> candidates;
        for (uint32_t i = 0; i < graph().operands.size(); ++i) {
            const Operand& operand = graph().operands[i];
            if (operand.type == type && operand.lifetime != LifeTime::NO_VALUE)
                candidates.push_back(i);
        }
        if (!candidates.empty() && mSource.below(4) != 0) return mSource.pick<uint32_t>(candidates);
        const bool isParameter = isNonExtensionScalar(type) || type == OperandType::TENSOR_INT32;
        const bool hasSize = elementSize(type) != 0;
        if (hasSize && (isParameter ? mSource.below(8) != 0 : mSource.coin())) {
            return addConstant(newOperand(type, false));
        }
        Operand operand = newOperand(type, true);
        operand.lifetime = LifeTime::SUBGRAPH_INPUT;
        return add(std::move(operand));
    }

    std::optional<OperandType> resolve(const TypeSpec& spec, const Types* row) {
        if (spec.kind == TypeSpec::Kind::FIXED) return spec.fixed;
        if (spec.kind == TypeSpec::Kind::COLUMN) {
            return row == nullptr ? std::nullopt : std::optional(row->columns[spec.column]);
        }
        static constexpr OperandType kTensors[] = {OperandType::TENSOR_FLOAT32,
                                                   OperandType::TENSOR_INT32,
                                                   OperandType::TENSOR_QUANT8_ASYMM};
        return mSource.pick<OperandType>(kTensors);
    }

    size_t anyCount(std::span<const Param> params) {
        const ops::Counts counts = ops::countsOf(params);
        const size_t most = std::min(counts.most, counts.least + 12);
        for (int attempt = 0; attempt < 8; ++attempt) {
            const size_t count =
                    counts.least + (mSource.coin() ? 0 : mSource.below(most - counts.least + 1));
            if (takes(params, count)) return count;
        }
        return counts.least;
    }

    // ---- operations

    bool addOperation() {
        if (mOptions.version >= HalVersion::V1_2 && !mOptions.executable && mSource.oneIn(16))
            return addExtension();
        if (mSpecs.empty()) return false;
        const OperationSpec& spec = *mSource.pick<const OperationSpec*>(mSpecs);
        const Form& form = mSource.pick<const Form>(spec.forms);
        const Types* row = spec.types.empty() ? nullptr : &mSource.pick<const Types>(spec.types);

        Operation operation{.type = spec.type};
        const size_t inputs = anyCount(form.inputs);
        for (size_t i = 0; i < inputs; ++i) {
            const Param& param = *paramAt(form.inputs, i, inputs);
            const auto type = resolve(param.type, row);
            if (!type || !isAvailable(*type)) return false;
            if (param.presence == Param::Presence::OMITTED && mSource.coin()) {
                Operand operand = newOperand(*type, false);
                operand.lifetime = LifeTime::NO_VALUE;
                operation.inputs.push_back(add(std::move(operand)));
            } else {
                operation.inputs.push_back(addInput(*type));
            }
        }
        const size_t outputs = anyCount(form.outputs);
        for (size_t i = 0; i < outputs; ++i) {
            const auto type = resolve(paramAt(form.outputs, i, outputs)->type, row);
            if (!type || !isAvailable(*type)) return false;
            Operand operand = newOperand(*type, true);
            const Operand& first = graph().operands[operation.inputs.front()];
            if (first.type == *type &&
                mSource.below(4) != 0) {  // most results are like their input
                operand.scale = first.scale;
                operand.zeroPoint = first.zeroPoint;
            }
            operation.outputs.push_back(addOutput(std::move(operand)));
        }
        return accept(std::move(operation));
    }

    uint32_t addOutput(Operand operand) {
        operand.lifetime =
                mSource.coin() ? LifeTime::TEMPORARY_VARIABLE : LifeTime::SUBGRAPH_OUTPUT;
        return add(std::move(operand));
    }

    ops::Value valueOf(uint32_t index) const {
        const Operand& operand = mModel.main.operands[index];
        const bool isKnown = isConstant(operand.lifetime);
        const std::vector<uint8_t>& storage =
                operand.lifetime == LifeTime::CONSTANT_REFERENCE ? mPool : mValues;
        return {.type = operand.type,
                .dimensions = operand.dimensions,
                .scale = operand.scale,
                .zeroPoint = operand.zeroPoint,
                .extraParams = &operand.extraParams,
                .data = isKnown ? storage.data() + operand.location.offset : nullptr,
                .operand = index,
                .omitted = operand.lifetime == LifeTime::NO_VALUE};
    }

    // Adds an operation that is legal in the version and, if asked, can be prepared.
    bool accept(Operation operation) {
        std::vector<ops::Value> inputs, outputs;
        for (const uint32_t i : operation.inputs) inputs.push_back(valueOf(i));
        for (const uint32_t i : operation.outputs) outputs.push_back(valueOf(i));
        Report report({.target = toVersion(mOptions.version)});
        const Form* form = checkOperation(operation.type, inputs, outputs, Place{}, report);
        if (!report.ok()) return false;
        if (mOptions.executable && !inferOutputs(operation, inputs, outputs, form)) return false;
        graph().operations.push_back(std::move(operation));
        return true;
    }

    bool inferOutputs(const Operation& operation, std::span<const ops::Value> inputs,
                      std::span<const ops::Value> outputs, const Form* form) {
        Report report({});
        std::vector<ops::Shape> shapes(outputs.size());
        if (!inferShapes(operation.type, inputs, outputs, form, Place{}, report, shapes))
            return false;
        for (size_t i = 0; i < shapes.size(); ++i) {
            const auto count = ops::elementCount(shapes[i]);
            if (!count || *count == 0 || *count > 4096) return false;
            std::vector<uint32_t>& dimensions = graph().operands[operation.outputs[i]].dimensions;
            dimensions.clear();
            for (const ops::Dim& dim : *shapes[i]) dimensions.push_back(*dim);
        }
        return true;
    }

    bool addExtension() {
        mHasExtension = true;
        Operand parameter{.type = OperandType{kPrefix << kExtensionTypeBits | 7},
                          .lifetime = LifeTime::SUBGRAPH_INPUT};
        if (mSource.coin()) parameter.extraParams = any<std::vector<uint8_t>>(mSource);
        Operation operation{.type = OperationType{kPrefix << kExtensionTypeBits | 3}};
        operation.inputs = {add(std::move(parameter)), addInput(OperandType::TENSOR_FLOAT32)};
        operation.outputs = {addOutput(newOperand(OperandType::TENSOR_FLOAT32, true))};
        return accept(std::move(operation));
    }

    // The least graph: one SOFTMAX of an input to an output, [2, 2] in float32.
    void addSoftmax(Model::Subgraph& target) {
        const auto base = static_cast<uint32_t>(target.operands.size());
        const float beta = 1.0f;
        mValues.resize((mValues.size() + 3) / 4 * 4);
        const auto* bytes = reinterpret_cast<const uint8_t*>(&beta);
        target.operands.push_back({.type = OperandType::TENSOR_FLOAT32,
                                   .dimensions = {2, 2},
                                   .lifetime = LifeTime::SUBGRAPH_INPUT});
        target.operands.push_back({.type = OperandType::FLOAT32,
                                   .lifetime = LifeTime::CONSTANT_COPY,
                                   .location = {.offset = static_cast<uint32_t>(mValues.size()),
                                                .length = sizeof(beta)}});
        mValues.insert(mValues.end(), bytes, bytes + sizeof(beta));
        target.operands.push_back({.type = OperandType::TENSOR_FLOAT32,
                                   .dimensions = {2, 2},
                                   .lifetime = LifeTime::SUBGRAPH_OUTPUT});
        target.operations.push_back({.type = OperationType::SOFTMAX,
                                     .inputs = {base, base + 1},
                                     .outputs = {base + 2}});
    }

    // IF over two graphs of one SOFTMAX each.
    void addIf() {
        Operation operation{.type = OperationType::IF};
        operation.inputs.push_back(add({.type = OperandType::TENSOR_BOOL8,
                                        .dimensions = {1},
                                        .lifetime = LifeTime::SUBGRAPH_INPUT}));
        for (int branch = 0; branch < 2; ++branch) {
            Model::Subgraph& body = mModel.referenced.emplace_back();
            addSoftmax(body);
            body.inputIndexes = {0};
            body.outputIndexes = {2};
            operation.inputs.push_back(add(
                    {.type = OperandType::SUBGRAPH,
                     .lifetime = LifeTime::SUBGRAPH,
                     .location = {.offset = static_cast<uint32_t>(mModel.referenced.size() - 1)}}));
        }
        operation.inputs.push_back(add({.type = OperandType::TENSOR_FLOAT32,
                                        .dimensions = {2, 2},
                                        .lifetime = LifeTime::SUBGRAPH_INPUT}));
        operation.outputs.push_back(add({.type = OperandType::TENSOR_FLOAT32,
                                         .dimensions = {2, 2},
                                         .lifetime = LifeTime::SUBGRAPH_OUTPUT}));
        graph().operations.push_back(std::move(operation));
    }

    void finish() {
        std::vector<Operand>& operands = graph().operands;
        if (std::ranges::count(operands, LifeTime::SUBGRAPH_OUTPUT, &Operand::lifetime) == 0) {
            operands[graph().operations.back().outputs.front()].lifetime =
                    LifeTime::SUBGRAPH_OUTPUT;
        }
        for (uint32_t i = 0; i < operands.size(); ++i) {
            if (operands[i].lifetime == LifeTime::SUBGRAPH_INPUT) graph().inputIndexes.push_back(i);
            if (operands[i].lifetime == LifeTime::SUBGRAPH_OUTPUT)
                graph().outputIndexes.push_back(i);
        }
        if (mSource.coin()) std::ranges::reverse(graph().inputIndexes);
        mModel.operandValues = Model::OperandValues(std::move(mValues));
        if (!mPool.empty()) {
            mModel.pools.push_back(mSource.coin() ? memoryOf(mPool) : asFile(memoryOf(mPool)));
        }
        if (!mOptions.executable && mSource.oneIn(4)) {  // a pool that nothing refers to
            mModel.pools.push_back(validMemory(mSource, mOptions.version, 1 + mSource.below(64)));
        }
        mModel.relaxComputationFloat32toFloat16 = mSource.oneIn(4);
        if (mHasExtension)
            mModel.extensionNameToPrefix = {{.name = "com.example.extension", .prefix = kPrefix}};
    }

    Source& mSource;
    ModelOptions mOptions;
    std::vector<const OperationSpec*> mSpecs;
    Model mModel;
    std::vector<uint8_t> mValues;  // of CONSTANT_COPY
    std::vector<uint8_t> mPool;    // of CONSTANT_REFERENCE
    bool mHasExtension = false;
};

}  // namespace

SharedMemory memoryOf(const std::vector<uint8_t>& bytes) {
    SharedMemory memory = createSharedMemory(bytes.size()).value_or(nullptr);
    if (const Result<Mapping> mapping = map(memory); mapping.ok()) {
        std::ranges::copy(bytes, mapping->mutableData());
    }
    return memory;
}

Model validModel(Source& source, const ModelOptions& options) {
    return ModelBuilder(source, options).build();
}

std::vector<Tensor> anyInputs(Source& source, const Model& model) {
    std::vector<Tensor> inputs;
    for (const uint32_t index : model.main.inputIndexes) {
        const Operand& operand = model.main.operands[index];
        inputs.push_back({.dimensions = operand.dimensions, .data = anyValue(source, operand)});
    }
    return inputs;
}

Request validRequest(Source& source, const Model& model) {
    Request request;
    const auto addArguments = [&](std::span<const uint32_t> indexes,
                                  std::vector<Request::Argument>& arguments) {
        uint32_t end = 0;
        for (const uint32_t index : indexes) {
            const Operand& operand = model.main.operands[index];
            const auto length = static_cast<uint32_t>(operandSize(operand).value_or(0));
            arguments.push_back(
                    {.location = {.poolIndex = static_cast<uint32_t>(request.pools.size()),
                                  .offset = end,
                                  .length = length,
                                  .padding = source.oneIn(4) ? 4u : 0u}});
            if (source.coin()) arguments.back().dimensions = operand.dimensions;
            end += (length + arguments.back().location.padding + 63) / 64 * 64;
        }
        request.pools.emplace_back(createSharedMemory(std::max(end, 64u)).value_or(nullptr));
    };
    addArguments(model.main.inputIndexes, request.inputs);
    addArguments(model.main.outputIndexes, request.outputs);
    return request;
}

Capabilities validCapabilities(Source& source, HalVersion version) {
    const auto info = [&] {
        return Capabilities::PerformanceInfo{
                .execTime = static_cast<float>(1 + source.below(4)) / 2,
                .powerUsage = static_cast<float>(1 + source.below(4)) / 2};
    };
    Capabilities capabilities{.relaxedFloat32toFloat16PerformanceScalar = info(),
                              .relaxedFloat32toFloat16PerformanceTensor = info(),
                              .ifPerformance = info(),
                              .whilePerformance = info()};
    for (const OperandTypeInfo& row : operandTypes()) {
        if (row.since <= version && row.type != OperandType::SUBGRAPH && source.coin()) {
            capabilities.operandPerformance.update(row.type, info());
        }
    }
    return capabilities;
}

std::vector<Extension> validExtensions(Source& source) {
    std::vector<Extension> extensions(source.below(3));
    for (size_t i = 0; i < extensions.size(); ++i) {
        extensions[i].name = "com.example.extension_" + std::to_string(i);
        for (uint16_t type = 0; type < source.below(4); ++type) {
            extensions[i].operandTypes.push_back(
                    {.type = type,
                     .isTensor = source.coin(),
                     .byteSize = static_cast<uint32_t>(1 + source.below(8))});
        }
    }
    return extensions;
}

}  // namespace nn::testing
