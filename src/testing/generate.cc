#include "nnapi/testing/generate.h"

#include <sys/mman.h>
#include <unistd.h>

#include <absl/algorithm/container.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "nnapi/half.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "opkit/rules/call.h"
#include "opkit/rules/shapes.h"
#include "testing/recipes.h"
#include "validate/control_flow.h"
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
constexpr float kBoxScale = 0.125f;  // of coordinates in 16 bits

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

// Quantisation that asymmetric operands of one operation share more often than not.
struct Quantization {
    float scale = 1.0f;
    int32_t zeroPoint = 0;
};

Quantization anyQuantization(Source& source) {
    static constexpr float kScales[] = {0.5f, 1.0f, 0.25f, 4.0f, 1.0f / 128, 1.0f / 256};
    static constexpr int32_t kZeroPoints[] = {0, 128, -128, 3};
    return {source.pick<float>(kScales), source.pick<int32_t>(kZeroPoints)};
}

// The width of the elements of a list of parameters.
void append(std::vector<uint8_t>& bytes, OperandType type, float value) {
    const auto add = [&bytes](auto element) {
        const auto* first = reinterpret_cast<const uint8_t*>(&element);
        bytes.insert(bytes.end(), first, first + sizeof(element));
    };
    switch (type) {
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            return add(value);
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
            return add(floatToHalf(value));
        case OperandType::INT32:
        case OperandType::TENSOR_INT32:
            return add(static_cast<int32_t>(value));
        case OperandType::TENSOR_QUANT16_ASYMM:
        case OperandType::TENSOR_QUANT16_SYMM:
            return add(static_cast<int16_t>(value / kBoxScale));
        default:
            return add(static_cast<uint8_t>(value));
    }
}

bool isReal(OperandType type) {
    return type != OperandType::INT32 && type != OperandType::TENSOR_INT32 &&
           type != OperandType::BOOL;
}

// Builds a model operation by operation; what does not turn out legal is taken back.
class ModelBuilder {
   public:
    ModelBuilder(Source& source, const ModelOptions& options)
        : mSource(source),
          mOptions(options),
          mTarget(options.featureLevel.value_or(toVersion(options.version))) {
        for (const OperationTypeInfo& info : operationTypes()) {
            const OperationSpec* spec = ops::specOf(info.type);
            const bool isMadeHere = spec != nullptr && !isControlFlow(info.type);
            if (isMadeHere && isWanted(info.type) && isCompliantVersion(info.since, mTarget)) {
                mSpecs.push_back(spec);
            }
        }
    }

    Model build() {
        const size_t wanted = 1 + mSource.below(std::max<size_t>(mOptions.mostOperations, 1));
        for (size_t attempt = 0; mGraph.operations.size() < wanted && attempt < 20 * wanted;
             ++attempt) {
            const Mark mark{mGraph.operands.size(), mValues.size(), mPool.size()};
            if (!addOperation()) takeBack(mark);
        }
        addControlFlow();
        if (mGraph.operations.empty()) addSoftmax();
        finish();
        return std::move(mModel);
    }

   private:
    struct Mark {
        size_t operands;
        size_t values;
        size_t pool;
    };

    void takeBack(const Mark& mark) {
        mGraph.operands.resize(mark.operands);
        mValues.resize(mark.values);
        mPool.resize(mark.pool);
    }

    bool isWanted(OperationType type) const {
        return mOptions.operations.empty() || absl::c_count(mOptions.operations, type) != 0;
    }

    bool isAvailable(OperandType type) const {
        const OperandTypeInfo* info = operandTypeInfo(type);
        return info != nullptr && isCompliantVersion(info->since, mTarget);
    }

    bool mayHaveUnknownRank() const { return isCompliantVersion(kVersionFeatureLevel3, mTarget); }

    // ---- operands

    std::vector<uint32_t> anyDimensions(bool mayBeUnknown) {
        if (mayBeUnknown && mayHaveUnknownRank() && mSource.oneIn(8)) return {};
        std::vector<uint32_t> dimensions(mSource.oneIn(3) ? 1 + mSource.below(4)
                                                          : 4 - 2 * mSource.below(2));
        for (uint32_t& dimension : dimensions) {
            dimension = static_cast<uint32_t>(1 + mSource.below(3));
            if (mayBeUnknown && mSource.oneIn(12)) dimension = 0;
        }
        return dimensions;
    }

    Operand newOperand(OperandType type, std::vector<uint32_t> dimensions,
                       const Quantization& quantization) {
        Operand operand{.type = type};
        const OperandTypeInfo* info = operandTypeInfo(type);
        if (info == nullptr) return operand;
        if (info->isTensor) operand.dimensions = std::move(dimensions);
        if (info->scale == ScaleRule::POSITIVE) {
            operand.scale = quantization.scale;
            operand.zeroPoint =
                    std::clamp(quantization.zeroPoint, info->zeroPointMin, info->zeroPointMax);
        }
        if (type == OperandType::TENSOR_QUANT16_ASYMM || type == OperandType::TENSOR_QUANT16_SYMM) {
            operand.scale = kBoxScale;
            operand.zeroPoint = 0;
        }
        return operand;
    }

    static void setQuantization(Operand& operand, const Recipe& recipe) {
        if (recipe.scale == 0) return;
        operand.scale = recipe.scale;
        operand.zeroPoint = recipe.zeroPoint;
    }

    // A tensor with a scale for each index of a dimension, which must be known.
    void setChannelScales(Operand& operand, size_t dimension) {
        if (operand.type != OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) return;
        operand.extraParams = Operand::SymmPerChannelQuantParams{
                .scales = std::vector<float>(operand.dimensions[dimension], 0.5f),
                .channelDim = static_cast<uint32_t>(dimension)};
    }

    // An operand of which no operation says what it should be.
    Operand anyOperand(OperandType type, bool mayBeUnknown) {
        const bool isPerChannel = type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
        Operand operand = newOperand(type, anyDimensions(mayBeUnknown && !isPerChannel),
                                     anyQuantization(mSource));
        setChannelScales(operand,
                         mSource.coin() || !isPerChannel ? 0 : operand.dimensions.size() - 1);
        return operand;
    }

    uint32_t add(Operand operand) {
        mGraph.operands.push_back(std::move(operand));
        return static_cast<uint32_t>(mGraph.operands.size() - 1);
    }

    uint32_t addConstant(Operand operand, std::span<const uint8_t> value) {
        std::vector<uint8_t>& storage = mSource.coin() ? mPool : mValues;
        operand.lifetime =
                &storage == &mPool ? LifeTime::CONSTANT_REFERENCE : LifeTime::CONSTANT_COPY;
        storage.resize((storage.size() + 3) / 4 * 4);
        operand.location = {.offset = static_cast<uint32_t>(storage.size()),
                            .length = static_cast<uint32_t>(value.size())};
        storage.insert(storage.end(), value.begin(), value.end());
        return add(std::move(operand));
    }
    uint32_t addConstant(Operand operand) {
        const std::vector<uint8_t> value = anyValue(mSource, operand);
        return addConstant(std::move(operand), value);
    }
    uint32_t addInteger(OperandType type, std::vector<uint32_t> dimensions, int32_t value) {
        std::vector<uint8_t> bytes;
        append(bytes, type, static_cast<float>(value));
        return addConstant(newOperand(type, std::move(dimensions), {}), bytes);
    }

    bool hasOperand(LifeTime lifetime) const {
        return absl::c_any_of(mGraph.operands,
                              [&](const Operand& operand) { return operand.lifetime == lifetime; });
    }

    // What executes has an input at least.
    bool needsInput() const { return mOptions.executable && !hasOperand(LifeTime::SUBGRAPH_INPUT); }

    // A new operand that can be read: an input of the graph or a constant.
    uint32_t addReadable(Operand operand) {
        const bool isParameter =
                isNonExtensionScalar(operand.type) || operand.type == OperandType::TENSOR_INT32;
        const bool hasSize = operandSize(operand).value_or(0) != 0;
        if (hasSize && !needsInput() && (isParameter ? mSource.below(8) != 0 : mSource.coin())) {
            return addConstant(std::move(operand));
        }
        operand.lifetime = LifeTime::SUBGRAPH_INPUT;
        return add(std::move(operand));
    }

    // One of the operands that are there, of that type, that fits.
    template <class Predicate>
    std::optional<uint32_t> findReadable(OperandType type, Predicate fits) {
        std::vector<uint32_t> candidates;
        for (uint32_t i = 0; i < mGraph.operands.size(); ++i) {
            const Operand& operand = mGraph.operands[i];
            if (operand.type == type && operand.lifetime != LifeTime::NO_VALUE)
                candidates.push_back(i);
        }
        if (candidates.empty() || needsInput() || mSource.below(4) == 0) return std::nullopt;
        const size_t first = mSource.below(candidates.size());
        std::rotate(candidates.begin(), candidates.begin() + static_cast<ptrdiff_t>(first),
                    candidates.end());
        const auto found =
                absl::c_find_if(candidates, [&](uint32_t i) { return fits(mGraph.operands[i]); });
        return found == candidates.end() ? std::nullopt : std::optional(*found);
    }

    uint32_t addAnyInput(OperandType type) {
        const auto found = findReadable(type, [](const auto&) { return true; });
        return found ? *found : addReadable(anyOperand(type, /*mayBeUnknown=*/true));
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

    // The types of all operands, before there are any.
    struct Call {
        const OperationSpec& spec;
        const Form& form;
        std::vector<OperandType> inputs{};
        std::vector<OperandType> outputs{};

        const Param& input(size_t i) const { return *paramAt(form.inputs, i, inputs.size()); }
        const Param& output(size_t i) const { return *paramAt(form.outputs, i, outputs.size()); }
        const OperationTypeInfo& info() const { return *operationTypeInfo(spec.type); }
    };

    bool addOperation() {
        if (mayHaveUnknownRank() && !mOptions.executable && mOptions.operations.empty() &&
            mSource.oneIn(16)) {
            return addExtension();
        }
        if (mSpecs.empty()) return false;
        const OperationSpec& spec = *mSource.pick<const OperationSpec*>(mSpecs);
        const Types* row = spec.types.empty() ? nullptr : &mSource.pick<const Types>(spec.types);
        Call call{.spec = spec, .form = mSource.pick<const Form>(spec.forms)};
        const auto resolveAll = [&](std::span<const Param> params,
                                    std::vector<OperandType>& types) {
            const size_t count = anyCount(params);
            for (size_t i = 0; i < count; ++i) {
                const auto type = resolve(paramAt(params, i, count)->type, row);
                if (!type || !isAvailable(*type)) return false;
                types.push_back(*type);
            }
            return true;
        };
        if (!resolveAll(call.form.inputs, call.inputs) ||
            !resolveAll(call.form.outputs, call.outputs)) {
            return false;
        }
        return mOptions.executable || mSource.coin() ? addFitting(call) : addAny(call);
    }

    // An operation of which only the types are right.
    bool addAny(const Call& call) {
        Operation operation{.type = call.spec.type};
        for (size_t i = 0; i < call.inputs.size(); ++i) {
            if (call.input(i).presence == Param::Presence::OMITTED && mSource.coin()) {
                operation.inputs.push_back(addOmitted(anyOperand(call.inputs[i], false)));
            } else {
                operation.inputs.push_back(addAnyInput(call.inputs[i]));
            }
        }
        for (const OperandType type : call.outputs) {
            Operand operand = anyOperand(type, /*mayBeUnknown=*/true);
            const Operand& first = mGraph.operands[operation.inputs.front()];
            if (first.type == type && mSource.below(4) != 0) {  // most results are like their input
                operand.scale = first.scale;
                operand.zeroPoint = first.zeroPoint;
            }
            operation.outputs.push_back(addOutput(std::move(operand)));
        }
        return accept(std::move(operation), /*mustFit=*/false);
    }

    // What the operands of one operation have in common.
    struct Choices {
        Quantization quantization;
        bool hasOtherLayout;
        Shapes shapes;
        Parts parts;

        // Whether the operand is one of the backward cell, whose sizes come next.
        bool turnTo(std::string_view operand) {
            shapes.setDirection(isBackward(operand));
            return isBackward(operand);
        }
    };

    // Where a matrix is left away that then stands for the identity, its sizes are the same.
    static void squareIdentities(const Call& call, Choices& choices) {
        for (size_t i = 0; i < call.inputs.size(); ++i) {
            const std::string_view name = call.input(i).name;
            const Recipe* recipe = recipeOf(call.info(), name);
            if (recipe == nullptr || recipe->values != Recipe::Values::IDENTITY) continue;
            if (!choices.parts.has(recipe->parts, choices.turnTo(name)))
                choices.shapes.makeSquare(recipe->dimensions);
        }
    }

    // An operation that can be prepared.
    bool addFitting(const Call& call) {
        bool hasLayout = false;
        for (size_t i = 0; i < call.inputs.size(); ++i) {
            hasLayout = hasLayout || isLayout(call.input(i).name);
        }
        const bool hasOtherLayout = hasLayout && mSource.oneIn(3);
        Choices choices{.quantization = anyQuantization(mSource),
                        .hasOtherLayout = hasOtherLayout,
                        .shapes = Shapes(mSource, hasOtherLayout),
                        .parts = Parts(mSource)};
        squareIdentities(call, choices);
        Operation operation{.type = call.spec.type};
        for (size_t i = 0; i < call.inputs.size(); ++i) {
            operation.inputs.push_back(addFittingInput(call, i, operation.inputs, choices));
        }
        for (size_t i = 0; i < call.outputs.size(); ++i) {
            const Recipe* recipe = recipeOf(call.info(), call.output(i).name);
            Operand operand = newOperand(call.outputs[i], {}, choices.quantization);
            if (recipe != nullptr) setQuantization(operand, *recipe);
            operation.outputs.push_back(addOutput(std::move(operand)));
        }
        // What the output must be, the operation knows: like its inputs, or one of these.
        static constexpr Quantization kFixed[] = {
                {1.0f / 256, 0}, {1.0f / 256, -128}, {1.0f / 128, 128}, {1.0f / 128, 0}, {1, 0}};
        if (accept(operation, /*mustFit=*/true)) return true;
        for (const Quantization& fixed : kFixed) {
            const Operand& last = mGraph.operands[operation.outputs.back()];
            if (operandTypeInfo(last.type)->scale != ScaleRule::POSITIVE) return false;
            for (const uint32_t i : operation.outputs) {
                Operand operand = newOperand(mGraph.operands[i].type, {}, fixed);
                operand.lifetime = mGraph.operands[i].lifetime;
                if (operand.type != last.type) continue;
                mGraph.operands[i] = std::move(operand);
            }
            if (accept(operation, /*mustFit=*/true)) return true;
        }
        return false;
    }

    static bool isLayout(std::string_view name) {
        return name == "isNchw" || name == "nchw" || name == "timeMajor";
    }

    uint32_t addOmitted(Operand operand) {
        operand.lifetime = LifeTime::NO_VALUE;
        return add(std::move(operand));
    }

    uint32_t addFittingInput(const Call& call, size_t i, std::span<const uint32_t> before,
                             Choices& choices) {
        const Param& param = call.input(i);
        const OperandType type = call.inputs[i];
        if (isLayout(param.name)) return addInteger(type, {}, choices.hasOtherLayout ? 1 : 0);

        static constexpr Recipe kAnyTensor{};
        const Recipe* found = recipeOf(call.info(), param.name);
        const Recipe& recipe = found == nullptr ? kAnyTensor : *found;
        const bool isBackward = choices.turnTo(param.name);
        const bool isTensor = isNonExtensionTensor(type);
        const bool isOmitted =
                param.presence == Param::Presence::OMITTED &&
                (recipe.parts.empty() ? mSource.coin()
                                      : !choices.parts.has(recipe.parts, isBackward));
        const bool isFree =
                recipe.values == Recipe::Values::ANY || recipe.values == Recipe::Values::IDENTITY;
        if (isTensor && isFree && !isOmitted && !isBias(param, type)) {
            const auto fits = [&](const Operand& operand) {
                const bool isQuantized =
                        recipe.scale == 0 ||
                        (operand.scale == recipe.scale && operand.zeroPoint == recipe.zeroPoint);
                return isQuantized && choices.shapes.fits(recipe.dimensions, operand.dimensions);
            };
            if (const auto there = findReadable(type, fits)) return *there;
        }

        std::vector<uint32_t> dimensions;
        if (isTensor) dimensions = choices.shapes.make(recipe.dimensions);
        Operand operand = newOperand(type, std::move(dimensions), choices.quantization);
        setQuantization(operand, recipe);
        setChannelScales(operand, call.info().stem == "depthwise_conv_2d" ? 3 : 0);
        if (isBias(param, type)) operand.scale = biasScale(before);
        if (isOmitted) return addOmitted(std::move(operand));
        if (isFree) return addReadable(std::move(operand));
        const std::vector<uint8_t> value = valueOf(recipe, operand, call, choices.shapes);
        return addConstant(std::move(operand), value);
    }

    // Biases of quantised sums have the scale of the products.
    static bool isBias(const Param& param, OperandType type) {
        return (param.name == "bias" || param.name.ends_with("Bias")) &&
               type == OperandType::TENSOR_INT32;
    }
    float biasScale(std::span<const uint32_t> before) const {
        return before.size() < 2
                       ? 0
                       : mGraph.operands[before[0]].scale * mGraph.operands[before[1]].scale;
    }

    std::vector<uint8_t> valueOf(const Recipe& recipe, const Operand& operand, const Call& call,
                                 Shapes& shapes) {
        const uint32_t width = std::max(elementSize(operand.type), 1u);
        const auto count = static_cast<size_t>(operandSize(operand).value_or(0) / width);
        std::vector<float> values(count);
        switch (recipe.values) {
            case Recipe::Values::ANY:
            case Recipe::Values::IDENTITY:
                break;
            case Recipe::Values::RANGE:
                for (float& value : values) {
                    const float steps = isReal(operand.type) ? 8 : recipe.most - recipe.least;
                    const auto step =
                            static_cast<float>(mSource.below(static_cast<uint64_t>(steps) + 1));
                    value = recipe.least +
                            (steps == 0 ? 0 : (recipe.most - recipe.least) * step / steps);
                }
                break;
            case Recipe::Values::AXIS:
            case Recipe::Values::INDEX: {
                const size_t rank = shapes.whole().size();
                for (float& value : values) {
                    value = static_cast<float>(mSource.below(rank));
                    if (recipe.values == Recipe::Values::AXIS && mSource.oneIn(3))
                        value -= static_cast<float>(rank);
                }
                break;
            }
            case Recipe::Values::PERMUTATION:
                for (size_t i = 0; i < count; ++i) {
                    values[i] = static_cast<float>(i);
                    std::swap(values[i], values[mSource.below(i + 1)]);
                }
                break;
            case Recipe::Values::ASCENDING:
                for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
                break;
            case Recipe::Values::BOXES:
                for (size_t i = 0; i < count; ++i) values[i] = i % 4 < 2 ? 0 : 2;
                break;
            case Recipe::Values::DIMENSIONS: {
                const std::vector<uint32_t> dimensions = shapes.make(recipe.text);
                for (size_t i = 0; i < std::min(count, dimensions.size()); ++i)
                    values[i] = static_cast<float>(dimensions[i]);
                std::rotate(values.begin(),
                            values.begin() + static_cast<ptrdiff_t>(
                                                     recipe.text == "*" ? mSource.below(count) : 0),
                            values.end());
                break;
            }
            case Recipe::Values::OUTPUTS:
                absl::c_fill(values, static_cast<float>(call.outputs.size()));
                break;
            case Recipe::Values::ODD_OUTPUTS:
                absl::c_fill(values, static_cast<float>(call.outputs.size() % 2));
                break;
        }
        std::vector<uint8_t> bytes;
        for (const float value : values) append(bytes, operand.type, value);
        bytes.resize(static_cast<size_t>(operandSize(operand).value_or(0)));
        return bytes;
    }

    uint32_t addOutput(Operand operand) {
        operand.lifetime =
                mSource.coin() ? LifeTime::TEMPORARY_VARIABLE : LifeTime::SUBGRAPH_OUTPUT;
        return add(std::move(operand));
    }

    ops::Value valueOf(uint32_t index) const {
        const Operand& operand = mGraph.operands[index];
        ops::Value value = declaredValue(operand, index);
        const std::vector<uint8_t>& storage =
                operand.lifetime == LifeTime::CONSTANT_REFERENCE ? mPool : mValues;
        if (isConstant(operand.lifetime))
            value.data = ops::Bytes::entrusted(storage.data() + operand.location.offset);
        return value;
    }

    // Adds an operation that is legal in the version and, if asked, can be prepared.
    bool accept(Operation operation, bool mustFit) {
        std::vector<ops::Value> inputs, outputs;
        for (const uint32_t i : operation.inputs) inputs.push_back(valueOf(i));
        for (const uint32_t i : operation.outputs) outputs.push_back(valueOf(i));
        Report report({.target = mTarget});
        const Form* form = checkOperation(operation.type, inputs, outputs, Place{}, report);
        if (!report.ok()) return false;
        if (mustFit && !inferOutputs(operation, inputs, outputs, form)) return false;
        mGraph.operations.push_back(std::move(operation));
        return true;
    }

    bool inferOutputs(const Operation& operation, std::span<const ops::Value> inputs,
                      std::span<const ops::Value> outputs, const Form* form) {
        Report report({});
        std::vector<ops::Shape> shapes(outputs.size());
        std::vector<ops::Value> unknown(outputs.begin(), outputs.end());
        for (ops::Value& output : unknown) output.dimensions = {};
        if (!inferOutputShapes(operation.type, inputs, unknown, form, Place{}, report, shapes))
            return false;
        for (size_t i = 0; i < shapes.size(); ++i) {
            std::vector<uint32_t> dimensions;
            const bool mayBeUnknown = !mOptions.executable || mOptions.unknownDimensions;
            if (!shapes[i] && !(mayBeUnknown && mayHaveUnknownRank())) return false;
            if (shapes[i]) {
                const auto count = ops::elementCount(shapes[i]);
                if (count ? *count == 0 || *count > 4096 : !mayBeUnknown) return false;
                for (const ops::Dim& dim : *shapes[i]) dimensions.push_back(dim.value_or(0));
            }
            if (isNonExtensionTensor(outputs[i].type) && shapes[i] && dimensions.empty())
                return false;
            mGraph.operands[operation.outputs[i]].dimensions = std::move(dimensions);
        }
        return true;
    }

    bool addExtension() {
        mHasExtension = true;
        Operand parameter{.type = OperandType{kPrefix << kExtensionTypeBits | 7},
                          .lifetime = LifeTime::SUBGRAPH_INPUT};
        if (mSource.coin()) parameter.extraParams = any<std::vector<uint8_t>>(mSource);
        Operation operation{.type = OperationType{kPrefix << kExtensionTypeBits | 3}};
        operation.inputs = {add(std::move(parameter)), addAnyInput(OperandType::TENSOR_FLOAT32)};
        operation.outputs = {addOutput(anyOperand(OperandType::TENSOR_FLOAT32, true))};
        return accept(std::move(operation), /*mustFit=*/false);
    }

    // The least graph: one SOFTMAX of an input to an output, [2, 2] in float32.
    void addSoftmax() {
        const uint32_t x = addFloats(LifeTime::SUBGRAPH_INPUT);
        const uint32_t beta = addInteger(OperandType::FLOAT32, {}, 1);
        const uint32_t y = addFloats(LifeTime::SUBGRAPH_OUTPUT);
        mGraph.operations.push_back(
                {.type = OperationType::SOFTMAX, .inputs = {x, beta}, .outputs = {y}});
    }

    // ---- control flow

    uint32_t addTensor(OperandType type, std::vector<uint32_t> dimensions, LifeTime lifetime) {
        return add({.type = type, .dimensions = std::move(dimensions), .lifetime = lifetime});
    }
    uint32_t addFloats(LifeTime lifetime) {
        return addTensor(OperandType::TENSOR_FLOAT32, {2, 2}, lifetime);
    }

    // An operand that stands for a new graph, which `fill` builds.
    template <class Fill>
    uint32_t addGraph(Fill fill) {
        Model::Subgraph outer = std::exchange(mGraph, {});
        fill();
        listInputsAndOutputs();
        mModel.referenced.push_back(std::exchange(mGraph, std::move(outer)));
        return add({.type = OperandType::SUBGRAPH,
                    .lifetime = LifeTime::SUBGRAPH,
                    .location = {.offset = static_cast<uint32_t>(mModel.referenced.size() - 1)}});
    }

    void addControlFlow() {
        if (!isCompliantVersion(kVersionFeatureLevel4, mTarget)) return;
        const auto isChosen = [&](OperationType type) {
            return isWanted(type) && (!mOptions.operations.empty() || mSource.oneIn(4));
        };
        constexpr size_t kMostNesting = 3;
        if (isChosen(OperationType::IF)) {
            const uint32_t condition =
                    addTensor(OperandType::TENSOR_BOOL8, {1}, LifeTime::SUBGRAPH_INPUT);
            addIf(condition, addFloats(LifeTime::SUBGRAPH_INPUT),
                  addFloats(LifeTime::SUBGRAPH_OUTPUT), kMostNesting);
        }
        if (isChosen(OperationType::WHILE)) addWhile();
    }

    // Both branches take the condition and x, and give y: by another IF, or by a few functions.
    void addIf(uint32_t condition, uint32_t x, uint32_t y, size_t nesting) {
        const auto branch = [&] {
            const uint32_t innerCondition =
                    addTensor(OperandType::TENSOR_BOOL8, {1}, LifeTime::SUBGRAPH_INPUT);
            const uint32_t from = addFloats(LifeTime::SUBGRAPH_INPUT);
            const uint32_t to = addFloats(LifeTime::SUBGRAPH_OUTPUT);
            if (nesting > 1 && mSource.oneIn(3)) {
                addIf(innerCondition, from, to, nesting - 1);
            } else {
                addFunctions(from, to);
            }
        };
        const uint32_t thenGraph = addGraph(branch);
        const uint32_t elseGraph = addGraph(branch);
        mGraph.operations.push_back({.type = OperationType::IF,
                                     .inputs = {condition, thenGraph, elseGraph, condition, x},
                                     .outputs = {y}});
    }

    void addFunctions(uint32_t from, uint32_t to) {
        static constexpr OperationType kFunctions[] = {
                OperationType::RELU, OperationType::TANH, OperationType::FLOOR,
                OperationType::LOGISTIC, OperationType::RELU6};
        for (size_t more = mSource.below(3);; --more) {
            const uint32_t result = more == 0 ? to : addFloats(LifeTime::TEMPORARY_VARIABLE);
            mGraph.operations.push_back({.type = mSource.pick<OperationType>(kFunctions),
                                         .inputs = {from},
                                         .outputs = {result}});
            if (more == 0) return;
            from = result;
        }
    }

    // Applies functions to x a few times: counts from an input up to a constant.
    void addWhile() {
        const auto most = static_cast<int32_t>(mSource.below(4));
        const auto addCounter = [&](LifeTime lifetime) {
            return addTensor(OperandType::TENSOR_INT32, {1}, lifetime);
        };
        const uint32_t condition = addGraph([&] {
            const uint32_t counter = addCounter(LifeTime::SUBGRAPH_INPUT);
            addFloats(LifeTime::SUBGRAPH_INPUT);
            const uint32_t bound = addInteger(OperandType::TENSOR_INT32, {1}, most);
            const uint32_t goesOn =
                    addTensor(OperandType::TENSOR_BOOL8, {1}, LifeTime::SUBGRAPH_OUTPUT);
            mGraph.operations.push_back(
                    {.type = OperationType::LESS, .inputs = {counter, bound}, .outputs = {goesOn}});
        });
        const uint32_t body = addGraph([&] {
            const uint32_t counter = addCounter(LifeTime::SUBGRAPH_INPUT);
            const uint32_t x = addFloats(LifeTime::SUBGRAPH_INPUT);
            const uint32_t one = addInteger(OperandType::TENSOR_INT32, {1}, 1);
            const uint32_t none = addInteger(OperandType::INT32, {}, 0);
            const uint32_t next = addCounter(LifeTime::SUBGRAPH_OUTPUT);
            mGraph.operations.push_back({.type = OperationType::ADD,
                                         .inputs = {counter, one, none},
                                         .outputs = {next}});
            addFunctions(x, addFloats(LifeTime::SUBGRAPH_OUTPUT));
        });
        Operation operation{.type = OperationType::WHILE};
        operation.inputs = {condition, body, addInteger(OperandType::TENSOR_INT32, {1}, 0),
                            addFloats(LifeTime::SUBGRAPH_INPUT)};
        operation.outputs = {addCounter(LifeTime::SUBGRAPH_OUTPUT),
                             addFloats(LifeTime::SUBGRAPH_OUTPUT)};
        mGraph.operations.push_back(std::move(operation));
    }

    // ---- the whole

    void listInputsAndOutputs() {
        for (uint32_t i = 0; i < mGraph.operands.size(); ++i) {
            const LifeTime lifetime = mGraph.operands[i].lifetime;
            if (lifetime == LifeTime::SUBGRAPH_INPUT) mGraph.inputIndexes.push_back(i);
            if (lifetime == LifeTime::SUBGRAPH_OUTPUT) mGraph.outputIndexes.push_back(i);
        }
    }

    void finish() {
        std::vector<Operand>& operands = mGraph.operands;
        if (!hasOperand(LifeTime::SUBGRAPH_OUTPUT)) {
            operands[mGraph.operations.back().outputs.front()].lifetime = LifeTime::SUBGRAPH_OUTPUT;
        }
        listInputsAndOutputs();
        if (mSource.coin()) absl::c_reverse(mGraph.inputIndexes);
        mModel.main = std::move(mGraph);
        mModel.operandValues = Model::OperandValues(std::move(mValues));
        if (!mPool.empty()) {
            mModel.pools.push_back(mSource.coin() ? memoryOf(mPool) : asFile(memoryOf(mPool)));
        }
        if (!mOptions.executable && mSource.oneIn(4)) {  // a pool that nothing refers to
            const HalVersion version = mayHaveUnknownRank() ? HalVersion::V1_3 : HalVersion::V1_0;
            mModel.pools.push_back(validMemory(mSource, version, 1 + mSource.below(64)));
        }
        mModel.relaxComputationFloat32toFloat16 = mSource.oneIn(4);
        if (mHasExtension)
            mModel.extensionNameToPrefix = {{.name = "com.example.extension", .prefix = kPrefix}};
        if (mOptions.unknownDimensions) forgetDimensions();
    }

    // Leaves open some of what preparing the model finds out again, where it stays legal so.
    void forgetDimensions() {
        for (Operand& operand : mModel.main.operands) {
            const bool isWritten = operand.lifetime == LifeTime::TEMPORARY_VARIABLE ||
                                   operand.lifetime == LifeTime::SUBGRAPH_OUTPUT;
            if (!isWritten || operand.dimensions.empty() || !mSource.oneIn(3)) continue;
            uint32_t& dimension = operand.dimensions[mSource.below(operand.dimensions.size())];
            const uint32_t known = std::exchange(dimension, 0);
            if (!validateFor(mModel, mTarget).ok()) dimension = known;
        }
    }

    Source& mSource;
    ModelOptions mOptions;
    Version mTarget;
    std::vector<const OperationSpec*> mSpecs;
    Model mModel;
    Model::Subgraph mGraph;        // that operations are added to
    std::vector<uint8_t> mValues;  // of CONSTANT_COPY
    std::vector<uint8_t> mPool;    // of CONSTANT_REFERENCE
    bool mHasExtension = false;
};

}  // namespace

SharedMemory memoryOf(const std::vector<uint8_t>& bytes) {
    SharedMemory memory = createSharedMemory(bytes.size()).value_or(nullptr);
    if (const Result<Mapping> mapping = map(memory); mapping.ok()) {
        absl::c_copy(bytes, mapping->mutableData());
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
        if (isCompliantVersion(row.since, toVersion(version)) &&
            row.type != OperandType::SUBGRAPH && source.coin()) {
            capabilities.operandPerformance.update(row.type, info());
        }
    }
    return capabilities;
}

std::vector<Extension> validExtensions(Source& source) {
    std::vector<Extension> extensions(source.below(3));
    for (size_t i = 0; i < extensions.size(); ++i) {
        extensions[i].name = "com.example.extension_" + std::to_string(i);
        const uint64_t types = source.below(4);
        for (uint64_t type = 0; type < types; ++type) {
            extensions[i].operandTypes.push_back(
                    {.type = static_cast<uint16_t>(type),
                     .isTensor = source.coin(),
                     .byteSize = static_cast<uint32_t>(1 + source.below(8))});
        }
    }
    return extensions;
}

}  // namespace nn::testing
