// The notation for the XNNPACK operator that computes an operation, and its arguments.
//
//   {OperationType::RELU, Clamp{.activation = 1}},
//   {OperationType::CAST, lowerings::CAST},  // a function in src/ops/cast/lowering.cc
//
// src/backends/xnnpack/lowering.cc has the rows. An operation without a row is not supported, nor
// is one whose types have no function in its row.
//
// XNNPACK has signed and unsigned 8-bit values, and some of its operators support only one kind.
// The kinds differ in the highest bit of each byte and in the zero point by 128, so that every
// value of the model can be stored as either, regardless of its type. An operator reads and writes
// the kind that it supports; if it supports both, that of its first input.
#pragma once

#include <absl/container/inlined_vector.h>
#include <xnnpack.h>

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "op_support/rules/op_view.h"
#include "op_support/rules/quantization.h"
#include "op_support/rules/window_2d.h"
#include "op_support/xnnpack/interface.h"

namespace nn::xnnpack {

// ---- kinds of 8-bit values

// True for types whose values can be stored in both ways.
constexpr bool isQuant8(OperandType type) {
    return ops::isQuant8Asymm(type) || type == OperandType::TENSOR_QUANT8_SYMM;
}

// The difference between signed and unsigned values of 8 bits.
inline constexpr uint8_t kUppermostBit = 0x80;

// True if the model stores values of a type as signed.
constexpr bool isSigned(OperandType type) {
    return type != OperandType::TENSOR_QUANT8_ASYMM && isQuant8(type);
}

// The zero point of a value as an operator on elements of type E has it.
template <class E>
E zeroPoint(const ops::Value& value) {
    constexpr int32_t kBetween = 128;  // the unsigned value of a signed 0
    const bool isSigned = xnnpack::isSigned(value.type);
    const int32_t shift = std::is_signed_v<E> == isSigned ? 0 : isSigned ? kBetween : -kBetween;
    return static_cast<E>(value.zeroPoint + shift);
}

// The values that an activation leaves of an output, as the operator has them.
template <class E>
struct Range {
    E least, most;
};
template <class E>
Range<E> range(int32_t activation, const ops::Value& output) {
    if constexpr (std::is_same_v<E, float>) {
        const ops::RealRange range = ops::activationRange(activation);
        return {range.least, range.most};
    } else {
        const ops::StoredRange range =
                ops::activationRange<E>(activation, output.scale, zeroPoint<E>(output));
        return {static_cast<E>(range.least), static_cast<E>(range.most)};
    }
}

// ---- arguments of the functions of XNNPACK

inline size_t count(const ops::Value& value) {
    return static_cast<size_t>(value.elementCount().value_or(0));
}
inline size_t lastOf(const ops::Value& value) { return value.dimensions.back(); }

// Addresses of elements of any type.
struct InputAddress {
    const uint8_t* at;
    template <class E>
    operator const E*() const {
        return reinterpret_cast<const E*>(at);
    }
};
struct OutputAddress {
    uint8_t* at;
    template <class E>
    operator E*() const {
        return reinterpret_cast<E*>(at);
    }
};

// The elements of a constant, with their memory if that is not the model's.
struct Elements {
    InputAddress address{};
    std::shared_ptr<const void> memory{};

    explicit Elements(const ops::Value& constant) : address{constant.data.get()} {}
    template <class E>
    explicit Elements(std::vector<E> copy) {
        const auto kept = std::make_shared<const std::vector<E>>(std::move(copy));
        address = {reinterpret_cast<const uint8_t*>(kept->data())};
        memory = kept;
    }
    template <class E>
    operator const E*() const {
        return address;
    }
};

// The elements of a constant as an operator on elements of type E has them.
Elements withOtherSign(const ops::Value& constant);
template <class E>
Elements elements(const ops::Value& constant) {
    if (std::is_same_v<E, float> || std::is_signed_v<E> == isSigned(constant.type)) {
        return Elements(constant);
    }
    return withOtherSign(constant);
}

struct Sizes {
    std::vector<size_t> all;
    operator const size_t*() const { return all.data(); }
    size_t count() const { return all.size(); }
};

// A function, or the same for each type of elements that it has.
template <class Real, class WithSign, class Without>
struct PerElement {
    Real real;
    WithSign withSign;
    Without without;

    template <class E>
    constexpr auto of() const {
        if constexpr (std::is_same_v<E, float>) {
            return real;
        } else if constexpr (std::is_signed_v<E>) {
            return withSign;
        } else {
            return without;
        }
    }
};
template <class Real, class WithSign, class Without>
PerElement(Real, WithSign, Without) -> PerElement<Real, WithSign, Without>;

// ---- lowering

// A computation without XNNPACK: rows of the output, or parts of them, each independently.
struct Rows {
    size_t count = 0;
    std::function<void(const uint8_t* input, uint8_t* output, size_t row)> compute{};
    std::string_view name{};  // for logs
};

// An operator as executions run it.
struct Operator {
    OwnedOperator main{};
    OwnedOperator clamp{};      // limits the output of `main` in place, where `main` cannot
    AlignedMemory workspace{};  // of `main`, while it runs

    explicit operator bool() const { return main != nullptr; }
};

xnn_status run(const Operator& op, pthreadpool_t threads);

// One operation as one operator, or as rows.
struct Lowering {
    // Creates the operator; weights are packed here, and not read afterwards. An operator keeps the
    // addresses that it was set up with, so that each of several executions at one time has its
    // own. Null if the bytes of the input are those of the output.
    std::function<xnn_status(Operator&)> create{};

    // Gives an operator the addresses of its inputs and its output.
    std::function<xnn_status(Operator&, std::span<const uint8_t* const> inputs, uint8_t* output,
                             pthreadpool_t)>
            setUp{};

    // Makes the rows that replace an operator and read one input; all executions share them.
    std::function<Rows()> makeRows{};

    // The inputs that it reads while it runs, by position among the inputs of the operation.
    absl::InlinedVector<uint32_t, 2> inputs{};

    // How 8-bit inputs and outputs are stored.
    bool isSigned = false;

    std::string_view name{};  // XNNPACK's name of the operator, for logs
};

// Finds the operator of one operation whose operands all have known shapes and whose parameters are
// constants. Functions that return a bool return false after a refusal.
class Lowerer {
   public:
    // `lowering.isSigned` is how the first 8-bit input is stored, else how the output should be.
    Lowerer(const ops::OpView& operation, Lowering& lowering) : op(operation), lowering(lowering) {}

    const ops::OpView& op;
    Lowering& lowering;

    // ---- unsupported operations

    template <class... Args>
    bool refuse(std::string_view rule, fmt::format_string<const Args&...> format,
                const Args&... args) const {
        return op.require(false, rule, format, args...);
    }

    bool isQuant8() const { return ops::isQuant8Asymm(op.input(0).type); }
    bool requireConstant(size_t input) const;
    bool requireFloat(size_t input) const;
    bool requireQuant8(size_t input) const;
    bool requireFloatOrQuant8(size_t input) const;
    bool requireNhwc(size_t isNchw) const;
    bool requireFewDimensions(size_t input) const;
    bool requireLastAxis(size_t axisInput, int32_t axis) const;
    bool refuseType(size_t input, std::string_view allowed) const {
        return refuse("xnnpack.type", "{} is {}, allowed {}", op.in(input), op.input(input).type,
                      allowed);
    }
    // XNNPACK sums in 32 bits, which must hold the largest sum of bytes; that of so many floats is
    // still exact enough.
    bool requireShortSum(uint64_t addends) const;
    template <class E>
    bool requireValues(const Range<E>& range) const {
        return range.least < range.most || refuseValues(static_cast<int>(range.least));
    }

    // ---- the operator

    // Calls function(E()) with the type of the elements as the operator has them.
    template <class Function>
    bool withStored(Function function) const {
        return lowering.isSigned ? function(int8_t()) : function(uint8_t());
    }
    template <class Function>
    bool withElements(Function function) const {
        return isQuant8() ? withStored(function) : function(float());
    }

    // Creates the operator, with the arguments between those that all functions have; see
    // only2022 and only2024.
    template <class F, class... Args>
    bool create(const F& functions, Args... args) const {
        lowering.name = functions.name;
        lowering.create = [functions, all = spliced(std::move(args)...)](Operator& made) {
            return std::apply(
                    [&](const auto&... each) {
                        return xnnpack::create(functions, made.main, each...);
                    },
                    all);
        };
        return true;
    }

    // Sets it up with these sizes, the address of input 0 and that of the output.
    template <class F, class... Sizes>
    bool setUp(const F& functions, Sizes... sizes) const {
        lowering.inputs = {0};
        lowering.setUp = [functions, all = spliced(std::move(sizes)...)](
                                 Operator& made, std::span<const uint8_t* const> in, uint8_t* out,
                                 pthreadpool_t threads) {
            return xnnpack::setUp(functions, made.main.get(), made.workspace, threads, all,
                                  InputAddress{in[0]}, OutputAddress{out});
        };
        return true;
    }
    template <class... Each, class... Sizes>
    bool setUp(const PerElement<Each...>& functions, Sizes... sizes) const {
        return withElements(
                [&]<class E>(E) { return setUp(functions.template of<E>(), sizes...); });
    }
    // The sizes are batches, height and width of input 0, and further ones.
    template <class F, class... Sizes>
    bool setUpImages(const F& functions, Sizes... sizes) const {
        const ops::Value& x = op.input(0);
        return setUp(functions, size_t{x[0]}, size_t{x[1]}, size_t{x[2]}, sizes...);
    }

    // ---- operators of several operation folders, or with very different functions

    // The bytes of input 0 are those of the output.
    bool copy() const;

    // The values of input 0, limited to those that the activation leaves.
    bool clamp(int32_t activation) const;

    // The average over `width` rows of `channels` each.
    bool average(size_t batch, size_t width, size_t channels, int32_t activation) const;

    // The values of input 0 in the type of the output: from float32 to float16 or 8-bit values, or
    // the reverse.
    bool convert() const;

    bool elu(float alpha) const;

    // With one slope for each channel.
    bool prelu(std::vector<float> slopes) const;

   private:
    bool refuseValues(int only) const;
};

// ---- rows

// The bytes of input 0 are those of the output.
struct Copy {};

// RELU and its kind.
struct Clamp {
    int32_t activation;
};

// The functions of one operator for one type of elements; false if XNNPACK has no such operator.
template <class Create, class SetUp>
struct Elementwise2022 {
    Create create = nullptr;
    SetUp setUp = nullptr;
    std::string_view name{};

    explicit constexpr operator bool() const { return create != nullptr; }
};
template <class Kind>
struct Elementwise2024 {
    Kind kind{};
    std::string_view name{};

    explicit constexpr operator bool() const { return !name.empty(); }
};

#if NNAPI_XNNPACK_RESHAPES
template <class E>
using UnaryOperator = Elementwise2024<xnn_unary_operator>;
template <class E>
using BinaryOperator = Elementwise2024<xnn_binary_operator>;
template <class E>
using ArithmeticOperator = BinaryOperator<E>;

// Of float32 (f32), signed (qs8) or unsigned (qu8) elements.
#define NNAPI_XNN_UNARY(name, type) \
    { xnn_unary_##name, #name "_nc_" #type }
#define NNAPI_XNN_UNARY_2024(name, type) NNAPI_XNN_UNARY(name, type)
#define NNAPI_XNN_BINARY(name, type) \
    { xnn_binary_##name, #name "_nd_" #type }
#else
template <class E>
using SetUpUnary = xnn_status (*)(xnn_operator_t, size_t, const E*, E*, pthreadpool_t);
template <class E>
using SetUpBinary = xnn_status (*)(xnn_operator_t, size_t, const size_t*, size_t, const size_t*,
                                   const E*, const E*, E*, pthreadpool_t);
template <class E>
using UnaryOperator = std::conditional_t<
        std::is_same_v<E, float>,
        Elementwise2022<xnn_status (*)(size_t, size_t, size_t, uint32_t, xnn_operator_t*),
                        SetUpUnary<E>>,
        Elementwise2022<xnn_status (*)(size_t, size_t, size_t, E, float, E, float, E, E, uint32_t,
                                       xnn_operator_t*),
                        SetUpUnary<E>>>;
template <class E>
using BinaryOperator = Elementwise2022<xnn_status (*)(uint32_t, xnn_operator_t*), SetUpBinary<E>>;
template <class E>
using ArithmeticOperator = std::conditional_t<
        std::is_same_v<E, float>,
        Elementwise2022<xnn_status (*)(float, float, uint32_t, xnn_operator_t*), SetUpBinary<E>>,
        Elementwise2022<xnn_status (*)(E, float, E, float, E, float, E, E, uint32_t,
                                       xnn_operator_t*),
                        SetUpBinary<E>>>;

#define NNAPI_XNN_UNARY(name, type) \
    { xnn_create_##name##_nc_##type, xnn_setup_##name##_nc_##type, #name "_nc_" #type }
#define NNAPI_XNN_UNARY_2024(name, type) \
    {}
#define NNAPI_XNN_BINARY(name, type) \
    { xnn_create_##name##_nd_##type, xnn_setup_##name##_nd_##type, #name "_nd_" #type }
#endif

// One output element of one input element.
struct Unary {
    UnaryOperator<float> real{};
    UnaryOperator<int8_t> qs8{};
    UnaryOperator<uint8_t> qu8{};
};

// One output element of an element of each of two inputs, which are broadcast.
struct Binary {
    BinaryOperator<float> real;
};

// The same, with an activation.
struct Arithmetic {
    size_t activation;  // the input
    ArithmeticOperator<float> real;
    ArithmeticOperator<int8_t> qs8{};
    ArithmeticOperator<uint8_t> qu8{};
};

// CONV_2D, and its kinds with groups: each channel of the input is one where `isDepthwise`, else a
// group has as many as the filter. The image, the filter and the bias are inputs 0, 1 and 2.
struct Convolution {
    ops::WindowRules windows;
    ops::PerForm<size_t> activation;  // the input
    bool isDepthwise = false;
};

// A function, for lowerings that no other row can express.
using CustomLowering = bool (*)(const Lowerer&);

struct LoweringRow {
    OperationType type;
    std::variant<Copy, Clamp, Unary, Binary, Arithmetic, Convolution, CustomLowering> how;
};

// False if not supported.
bool lower(const LoweringRow& row, const Lowerer& lowerer);

// The parts of `lower` that differ between the interfaces: operators_2022.cc, operators_2024.cc.
bool lowerAs(const Unary& row, const Lowerer& l);
bool lowerAs(const Binary& row, const Lowerer& l);
bool lowerAs(const Arithmetic& row, const Lowerer& l);

// Defined in convolution.cc.
bool lowerAs(const Convolution& row, const Lowerer& l);

// The shape of a value, as functions take it.
Sizes shapeOf(const ops::Value& value);

}  // namespace nn::xnnpack

// Defined in src/ops/<stem>/lowering.cc for the operations that need a function.
namespace nn::ops::lowerings {
#define NNAPI_OPERATION(name, ...) bool name(const xnnpack::Lowerer& l);
#include "nnapi/operations.def"
}  // namespace nn::ops::lowerings
