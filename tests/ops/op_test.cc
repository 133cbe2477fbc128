#include "ops/op_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nnapi/half.h"
#include "nnapi/print.h"
#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/vector_kernels.h"
#include "unwritten_outputs.h"
#include "validate/operation_check.h"

namespace nn::ops {
namespace {

template <class E>
Arg tensor(OperandType type, std::vector<uint32_t> dimensions, const std::vector<E>& values) {
    return {.type = type, .dimensions = std::move(dimensions), .data = bytesOf(values)};
}

template <class E>
Arg scalar(OperandType type, E value) {
    return tensor<E>(type, {}, {value});
}

std::vector<uint16_t> halves(const std::vector<float>& values) {
    std::vector<uint16_t> bits(values.size());
    std::ranges::transform(values, bits.begin(), floatToHalf);
    return bits;
}

Value valueOf(const Arg& arg, size_t index, bool zeroIsSize) {
    return {.type = arg.type,
            .dimensions = arg.dimensions,
            .scale = arg.scale,
            .zeroPoint = arg.zeroPoint,
            .extraParams = &arg.extraParams,
            .data = Bytes::entrusted(arg.data.empty() ? nullptr : arg.data.data()),
            .operand = static_cast<uint32_t>(index),
            .omitted = arg.omitted,
            .zeroIsSize = zeroIsSize};
}

std::vector<Value> valuesOf(const std::vector<Arg>& args, size_t firstIndex, bool zeroIsSize) {
    std::vector<Value> values;
    for (const Arg& arg : args)
        values.push_back(valueOf(arg, firstIndex + values.size(), zeroIsSize));
    return values;
}

class ErrorSink : public Sink {
   public:
    explicit ErrorSink(OperationType type) : mType(type) {}
    void requireVersion(Version, std::string_view) override {}
    void fail(std::string_view rule, std::string message) override {
        if (error.empty()) error = fmt::format("{}: {} [{}]", toString(mType), message, rule);
    }
    std::string error;

   private:
    OperationType mType;
};

// The declared dimensions completed with the inferred ones.
std::vector<uint32_t> merged(const Arg& declared, const Shape& inferred) {
    if (!inferred) return declared.dimensions;
    std::vector<uint32_t> dims;
    for (const Dim& dim : *inferred) dims.push_back(dim.value_or(0));
    return dims;
}

class HeapAllocator : public OutputAllocator {
   public:
    HeapAllocator(std::vector<Arg>& outputs, uint8_t seed)
        : mOutputs(outputs), mSeed(seed), mMemory(outputs.size()) {}
    MutableBytes allocate(size_t output, std::span<const uint32_t> dimensions) override {
        Arg& arg = mOutputs[output];
        arg.dimensions.assign(dimensions.begin(), dimensions.end());
        arg.data.assign(operandSize(arg.type, dimensions).value_or(0), 0);
        mMemory[output] = AlignedMemory(arg.data.size());
        poison(mMemory[output].at(0), arg.data.size(), mSeed);
        return mMemory[output].at(0);
    }

    // Copies the written bytes to the outputs.
    void give() {
        for (size_t i = 0; i < mOutputs.size(); ++i) {
            if (mMemory[i])
                std::copy_n(mMemory[i].at(0).get(), mOutputs[i].data.size(),
                            mOutputs[i].data.begin());
        }
    }

   private:
    std::vector<Arg>& mOutputs;
    uint8_t mSeed;
    std::vector<AlignedMemory> mMemory;
};

}  // namespace

Arg f32(std::vector<uint32_t> dimensions, std::vector<float> values) {
    return tensor(TENSOR_FLOAT32, std::move(dimensions), values);
}
Arg f16(std::vector<uint32_t> dimensions, std::vector<float> values) {
    return tensor(TENSOR_FLOAT16, std::move(dimensions), halves(values));
}
Arg i32(std::vector<uint32_t> dimensions, std::vector<int32_t> values) {
    return tensor(TENSOR_INT32, std::move(dimensions), values);
}
Arg b8(std::vector<uint32_t> dimensions, std::vector<uint8_t> values) {
    return tensor(TENSOR_BOOL8, std::move(dimensions), values);
}
Arg q8(std::vector<uint32_t> dimensions, std::vector<uint8_t> values, float scale,
       int32_t zeroPoint) {
    Arg arg = tensor(TENSOR_QUANT8_ASYMM, std::move(dimensions), values);
    arg.scale = scale;
    arg.zeroPoint = zeroPoint;
    return arg;
}
Arg qs8(std::vector<uint32_t> dimensions, std::vector<int8_t> values, float scale,
        int32_t zeroPoint) {
    Arg arg = tensor(TENSOR_QUANT8_ASYMM_SIGNED, std::move(dimensions), values);
    arg.scale = scale;
    arg.zeroPoint = zeroPoint;
    return arg;
}
Arg q16s(std::vector<uint32_t> dimensions, std::vector<int16_t> values, float scale) {
    Arg arg = tensor(TENSOR_QUANT16_SYMM, std::move(dimensions), values);
    arg.scale = scale;
    return arg;
}
Arg q16a(std::vector<uint32_t> dimensions, std::vector<uint16_t> values, float scale,
         int32_t zeroPoint) {
    Arg arg = tensor(TENSOR_QUANT16_ASYMM, std::move(dimensions), values);
    arg.scale = scale;
    arg.zeroPoint = zeroPoint;
    return arg;
}
Arg perChannel(std::vector<uint32_t> dimensions, std::vector<int8_t> values,
               std::vector<float> scales, uint32_t channelDim) {
    Arg arg = tensor(TENSOR_QUANT8_SYMM_PER_CHANNEL, std::move(dimensions), values);
    arg.extraParams = Operand::SymmPerChannelQuantParams{.scales = std::move(scales),
                                                         .channelDim = channelDim};
    return arg;
}

Arg integer(int32_t value) { return scalar(INT32, value); }
Arg real(float value) { return scalar(FLOAT32, value); }
Arg real16(float value) { return scalar(FLOAT16, floatToHalf(value)); }
Arg boolean(bool value) { return scalar<uint8_t>(BOOL, value ? 1 : 0); }
Arg omitted(OperandType type) { return {.type = type, .omitted = true}; }

Arg as(OperandType type, Arg arg) {
    arg.type = type;
    return arg;
}

Arg scaled(float scale, Arg arg) {
    arg.scale = scale;
    return arg;
}

Outcome check(OperationType type, const std::vector<Arg>& inputs, const std::vector<Arg>& outputs) {
    const std::vector<Value> in = valuesOf(inputs, 0, false);
    const std::vector<Value> out = valuesOf(outputs, inputs.size(), false);
    const std::string name = toString(type);
    const Place place{.operation = name};
    Report report;
    checkOperation(type, in, out, place, report);
    const Result<Version> result = report.result();
    return {.error = result.ok() ? "" : std::string(result.status().message()),
            .version = report.version(),
            .outputs = outputs};
}

Outcome infer(OperationType type, const std::vector<Arg>& inputs, const std::vector<Arg>& outputs) {
    Outcome outcome = check(type, inputs, outputs);
    if (!outcome.error.empty()) return outcome;
    const std::vector<Value> in = valuesOf(inputs, 0, false);
    const std::vector<Value> out = valuesOf(outputs, inputs.size(), false);
    const std::string name = toString(type);
    const Place place{.operation = name};
    Report report({.collectAll = true});
    std::vector<Shape> shapes(outputs.size());
    const Form* form = checkOperation(type, in, out, place, report);
    const bool ok = inferOutputShapes(type, in, out, form, place, report, shapes);
    const Findings findings = std::move(report).takeFindings();
    EXPECT_EQ(ok, findings.warnings.empty());
    if (!ok) outcome.error = toString(findings.warnings.front());
    for (size_t i = 0; i < outputs.size(); ++i) {
        outcome.outputs[i].dimensions = merged(outputs[i], shapes[i]);
    }
    return outcome;
}

namespace {

class NeverSatisfied : public Watch {
    Status poll() const override { return makeError(ErrorStatus::GENERAL_FAILURE, "stopped"); }
};

// Runs with seeded bytes in outputs and working memory.
Outcome runAt(const Interruption& start, OperationType type, const std::vector<Arg>& inputs,
              const std::vector<Arg>& outputs, uint64_t* left = nullptr,
              uint8_t seed = kPoisons[0]) {
    Outcome outcome = check(type, inputs, outputs);
    if (!outcome.error.empty()) return outcome;
    const OperationSpec* spec = specOf(type);
    const std::string name = toString(type);
    const Place place{.operation = name};
    Report report;
    ErrorSink sink(type);

    std::vector<Value> in = valuesOf(inputs, 0, true);
    static const uint64_t kNothing = 0;  // zero-sized inputs have no bytes but are known
    for (Value& value : in) {
        if (!value.omitted && value.data == nullptr)
            value.data = Bytes::entrusted(reinterpret_cast<const uint8_t*>(&kNothing));
    }
    std::vector<Value> out = valuesOf(outcome.outputs, inputs.size(), true);
    const Form* form = checkOperation(type, in, out, place, report);
    const OpView op(type, in, out, form, sink);
    std::vector<Shape> shapes(out.size());
    if (!spec->inferShapes(op, shapes)) {
        outcome.error = sink.error;
        return outcome;
    }

    HeapAllocator allocator(outcome.outputs, seed);
    for (size_t i = 0; i < out.size(); ++i) {
        const std::vector<uint32_t> dims = merged(outputs[i], shapes[i]);
        out[i].mutableData = allocator.allocate(i, dims);
        out[i].dimensions = outcome.outputs[i].dimensions;
    }
    Scratch scratch;
    scratch.poisonWith(seed);
    Workers workers;
    Interruption interruption = start;
    KernelCall execution(OpView(type, in, out, form, sink), out, scratch, workers,
                         {&interruption, 1}, &allocator);
    try {
        if (!kernelOf(type)(execution))
            outcome.error = sink.error.empty() ? "failed without a report" : sink.error;
    } catch (const Interrupted& interrupted) {
        outcome.error = std::string(interrupted.status.message());
    }
    if (left != nullptr) *left = interruption.left();
    allocator.give();
    return outcome;
}

}  // namespace

Outcome run(OperationType type, const std::vector<Arg>& inputs, const std::vector<Arg>& outputs) {
    const NeverSatisfied watch;
    const Interruption endless(watch, UINT64_MAX);
    Outcome outcome = runAt(endless, type, inputs, outputs, nullptr, kPoisons[0]);
    // Repeats the run with every instruction set of the processor.
    for (const VectorKernels* set : allVectorKernels()) {
        if (!outcome.error.empty()) break;
        usedVectorKernels = set;
        const Outcome again = runAt(endless, type, inputs, outputs, nullptr, kPoisons[1]);
        for (size_t i = 0; i < outcome.outputs.size() && outcome.error.empty(); ++i) {
            const std::string byte = unwrittenByte(outcome.outputs[i].data, again.outputs[i].data);
            if (!byte.empty()) outcome.error = byte + ", with " + set->instructionSet;
        }
    }
    usedVectorKernels = allVectorKernels().front();
    return outcome;
}

uint64_t stepsOf(OperationType type, const std::vector<Arg>& inputs,
                 const std::vector<Arg>& outputs) {
    const NeverSatisfied watch;
    EXPECT_THAT(runAt(Interruption(watch, 1), type, inputs, outputs), Fails("stopped"));
    uint64_t left = 0;
    EXPECT_THAT(runAt(Interruption(watch, UINT64_MAX), type, inputs, outputs, &left), Fails(""));
    return UINT64_MAX - left;
}

bool gives(const Outcome& outcome, size_t output, const Arg& expected, std::string* why) {
    if (!outcome.error.empty()) {
        *why = outcome.error;
        return false;
    }
    if (output >= outcome.outputs.size()) {
        *why = "there is no such output";
        return false;
    }
    const Arg& actual = outcome.outputs[output];
    if (actual.dimensions != expected.dimensions) {
        *why = "dimensions are " + print(actual.dimensions);
        return false;
    }
    Arg wanted = expected;
    const auto realsOf = [](const Arg& arg) {
        std::vector<float> reals;
        const Value value = valueOf(arg, 0, true);
        if (arg.type == TENSOR_FLOAT16) {
            for (const uint16_t bits : value.as<uint16_t>()) reals.push_back(halfToFloat(bits));
        } else if (elementSize(arg.type) == 4 && arg.type != TENSOR_INT32) {
            for (const float real : value.as<float>()) reals.push_back(real);
        }
        return reals;
    };
    const std::vector<float> a = realsOf(actual);
    const std::vector<float> b = realsOf(expected);
    if (b.empty()) {
        const bool same = actual.data == expected.data;
        if (!same) *why = "bytes are " + print(actual.data) + ", expected " + print(expected.data);
        return same;
    }
    const float tolerance = expected.type == TENSOR_FLOAT16 ? 5e-3f : 1e-5f;
    for (size_t i = 0; i < b.size(); ++i) {
        const float allowed = std::isfinite(b[i]) ? tolerance * (1 + std::fabs(b[i])) : 0;
        if (i < a.size() && (a[i] == b[i] || std::fabs(a[i] - b[i]) <= allowed)) continue;
        *why = "values are " + print(a) + ", expected " + print(b);
        return false;
    }
    return true;
}

TEST(Gives, TakesInfinityForNothingElse) {
    const float infinity = std::numeric_limits<float>::infinity();
    const Outcome finite{.error = "", .outputs = {f32({1}, {1})}};
    const Outcome infinite{.error = "", .outputs = {f32({1}, {infinity})}};
    EXPECT_THAT(infinite, Gives(f32({1}, {infinity})));
    EXPECT_THAT(infinite, ::testing::Not(Gives(f32({1}, {-infinity}))));
    EXPECT_THAT(infinite, ::testing::Not(Gives(f32({1}, {1}))));
    EXPECT_THAT(finite, ::testing::Not(Gives(f32({1}, {infinity}))));
}

}  // namespace nn::ops
