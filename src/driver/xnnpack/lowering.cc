#include "driver/xnnpack/lowering.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "nnapi/checked.h"
#include "nnapi/print.h"
#include "opkit/rules/quantization.h"
#include "ops/arithmetic/signature.h"
#include "ops/cast/signature.h"
#include "ops/channel_shuffle/signature.h"
#include "ops/conv_2d/signature.h"
#include "ops/depth_to_space/signature.h"
#include "ops/depthwise_conv_2d/signature.h"
#include "ops/dequantize/signature.h"
#include "ops/elu/signature.h"
#include "ops/fully_connected/signature.h"
#include "ops/grouped_conv_2d/signature.h"
#include "ops/mean/signature.h"
#include "ops/pad/signature.h"
#include "ops/pool_2d/signature.h"
#include "ops/prelu/signature.h"
#include "ops/resize/signature.h"
#include "ops/softmax/signature.h"
#include "ops/transpose_conv_2d/signature.h"

namespace nn::xnnpack {
namespace {

using namespace ops;

// The functions of XNNPACK, by what they have in common.
template <class In, class Out = In>
using SetUpRows = xnn_status (*)(xnn_operator_t, size_t, const In*, Out*, pthreadpool_t);
template <class E>
using SetUpImages = xnn_status (*)(xnn_operator_t, size_t, size_t, size_t, const E*, E*,
                                   pthreadpool_t);
using CreateUnary = xnn_status (*)(size_t, size_t, size_t, uint32_t, xnn_operator_t*);
template <class E>
using CreateClamp = xnn_status (*)(size_t, size_t, size_t, E, E, uint32_t, xnn_operator_t*);
template <class E>
using CreateStoredUnary = xnn_status (*)(size_t, size_t, size_t, E, float, E, float, E, E, uint32_t,
                                         xnn_operator_t*);
template <class E>
using CreateStoredBinary = xnn_status (*)(E, float, E, float, E, float, E, E, uint32_t,
                                          xnn_operator_t*);
template <class E>
using SetUpBinary = xnn_status (*)(xnn_operator_t, size_t, const size_t*, size_t, const size_t*,
                                   const E*, const E*, E*, pthreadpool_t);

template <class E>
struct StoredUnary {
    CreateStoredUnary<E> create;
    SetUpRows<E> setUp;
};
template <class E>
struct StoredBinary {
    CreateStoredBinary<E> create;
    SetUpBinary<E> setUp;
};

// The 8-bit value 128 of the unsigned kind is the 0 of the signed one.
constexpr int32_t kBetween = 128;

class Lowerer {
   public:
    Lowerer(const Call& op, const OperationSink& sink, const KnownOperation& known,
            const std::vector<bool>& isStoredSigned, Lowering& lowering)
        : mOp(op),
          mSink(sink),
          mKnown(known),
          mIsStoredSigned(isStoredSigned),
          mLowering(lowering) {}

    // False after a refusal.
    bool lower() {
        const Way way = wayOf(mOp.type());
        if (way == nullptr) {
            return refuse("xnnpack.operation", "is not an operation that XNNPACK has");
        }
        mLowering.isSigned = usualSign();
        return takesOperands() && way(*this);
    }

    std::optional<Refusal> refusal{};

   private:
    // How an operation is lowered; null for those that XNNPACK does not have.
    using Way = bool (*)(Lowerer&);
    static Way wayOf(OperationType type) {
        switch (type) {
            case OperationType::ADD:
                return [](Lowerer& l) {
                    return l.arithmetic(
                            xnn_create_add_nd_f32, xnn_setup_add_nd_f32,
                            StoredBinary<int8_t>{xnn_create_add_nd_qs8, xnn_setup_add_nd_qs8},
                            StoredBinary<uint8_t>{xnn_create_add_nd_qu8, xnn_setup_add_nd_qu8});
                };
            case OperationType::SUB:
                return [](Lowerer& l) {
                    return l.arithmetic(xnn_create_subtract_nd_f32, xnn_setup_subtract_nd_f32,
                                        StoredBinary<int8_t>{xnn_create_subtract_nd_qs8,
                                                             xnn_setup_subtract_nd_qs8},
                                        StoredBinary<uint8_t>{xnn_create_subtract_nd_qu8,
                                                              xnn_setup_subtract_nd_qu8});
                };
            case OperationType::MUL:
                return [](Lowerer& l) {
                    return l.arithmetic(xnn_create_multiply_nd_f32, xnn_setup_multiply_nd_f32,
                                        StoredBinary<int8_t>{xnn_create_multiply_nd_qs8,
                                                             xnn_setup_multiply_nd_qs8},
                                        StoredBinary<uint8_t>{xnn_create_multiply_nd_qu8,
                                                              xnn_setup_multiply_nd_qu8});
                };
            case OperationType::DIV:
                return [](Lowerer& l) {
                    return l.isFloat(0) &&
                           l.realArithmetic(xnn_create_divide_nd_f32, xnn_setup_divide_nd_f32);
                };
            case OperationType::MAXIMUM:
                return [](Lowerer& l) {
                    return l.isFloat(0) &&
                           l.binary<float>(xnn_create_maximum_nd_f32, xnn_setup_maximum_nd_f32);
                };
            case OperationType::MINIMUM:
                return [](Lowerer& l) {
                    return l.isFloat(0) &&
                           l.binary<float>(xnn_create_minimum_nd_f32, xnn_setup_minimum_nd_f32);
                };
            case OperationType::ABS:
                return [](Lowerer& l) {
                    return l.unary(xnn_create_abs_nc_f32, xnn_setup_abs_nc_f32);
                };
            case OperationType::NEG:
                return [](Lowerer& l) {
                    return l.unary(xnn_create_negate_nc_f32, xnn_setup_negate_nc_f32);
                };
            case OperationType::SQRT:
                return [](Lowerer& l) {
                    return l.unary(xnn_create_square_root_nc_f32, xnn_setup_square_root_nc_f32);
                };
            case OperationType::FLOOR:
                return [](Lowerer& l) {
                    return l.unary(xnn_create_floor_nc_f32, xnn_setup_floor_nc_f32);
                };
            case OperationType::HARD_SWISH:
                return [](Lowerer& l) {
                    return l.unary(xnn_create_hardswish_nc_f32, xnn_setup_hardswish_nc_f32);
                };
            case OperationType::LOGISTIC:
                return [](Lowerer& l) {
                    return l.isQuant8()
                                   ? l.storedUnary(StoredUnary<int8_t>{xnn_create_sigmoid_nc_qs8,
                                                                       xnn_setup_sigmoid_nc_qs8},
                                                   StoredUnary<uint8_t>{xnn_create_sigmoid_nc_qu8,
                                                                        xnn_setup_sigmoid_nc_qu8})
                                   : l.unary(xnn_create_sigmoid_nc_f32, xnn_setup_sigmoid_nc_f32);
                };
            case OperationType::TANH:
                return [](Lowerer& l) {
                    return l.isQuant8(0) &&
                           l.storedUnary(StoredUnary<int8_t>{xnn_create_tanh_nc_qs8,
                                                             xnn_setup_tanh_nc_qs8},
                                         StoredUnary<uint8_t>{xnn_create_tanh_nc_qu8,
                                                              xnn_setup_tanh_nc_qu8});
                };
            case OperationType::RELU:
                return [](Lowerer& l) { return l.clamp(1); };
            case OperationType::RELU1:
                return [](Lowerer& l) { return l.clamp(2); };
            case OperationType::RELU6:
                return [](Lowerer& l) { return l.clamp(3); };
            case OperationType::ELU:
                return [](Lowerer& l) { return l.elu(); };
            case OperationType::PRELU:
                return [](Lowerer& l) { return l.prelu(); };
            case OperationType::SOFTMAX:
                return [](Lowerer& l) { return l.softmax(); };
            case OperationType::MEAN:
                return [](Lowerer& l) { return l.mean(); };
            case OperationType::CONV_2D:
                return [](Lowerer& l) {
                    return l.convolution<conv_2d::kInput>(conv_2d::kWindowRules,
                                                          conv_2d::kActivation);
                };
            case OperationType::GROUPED_CONV_2D:
                return [](Lowerer& l) {
                    return l.convolution<grouped_conv_2d::kInput>(grouped_conv_2d::kWindowRules,
                                                                  grouped_conv_2d::kActivation);
                };
            case OperationType::DEPTHWISE_CONV_2D:
                return [](Lowerer& l) {
                    return l.convolution<depthwise_conv_2d::kInput>(depthwise_conv_2d::kWindowRules,
                                                                    depthwise_conv_2d::kActivation);
                };
            case OperationType::TRANSPOSE_CONV_2D:
                return [](Lowerer& l) { return l.deconvolution(); };
            case OperationType::FULLY_CONNECTED:
                return [](Lowerer& l) { return l.fullyConnected(); };
            case OperationType::MAX_POOL_2D:
            case OperationType::AVERAGE_POOL_2D:
                return [](Lowerer& l) { return l.pool(); };
            case OperationType::RESIZE_BILINEAR:
                return [](Lowerer& l) { return l.resize(); };
            case OperationType::PAD:
            case OperationType::PAD_V2:
                return [](Lowerer& l) { return l.pad(); };
            case OperationType::CHANNEL_SHUFFLE:
                return [](Lowerer& l) { return l.shuffle(); };
            case OperationType::DEPTH_TO_SPACE:
                return [](Lowerer& l) { return l.depthToSpace(); };
            case OperationType::QUANTIZE:
                return [](Lowerer& l) { return l.quantize(); };
            case OperationType::DEQUANTIZE:
                return [](Lowerer& l) { return l.dequantize(); };
            case OperationType::CAST:
                return [](Lowerer& l) { return l.cast(); };
            case OperationType::RESHAPE:
            case OperationType::SQUEEZE:
            case OperationType::EXPAND_DIMS:
                return [](Lowerer& l) { return l.copy(); };
            default:
                return nullptr;
        }
    }

    // ---- what is refused

    template <class... Args>
    bool refuse(std::string_view rule, fmt::format_string<const Args&...> format,
                const Args&... args) {
        refusal = Refusal{.rule = std::string(rule),
                          .message = fmt::format(format, args...),
                          .code = ErrorStatus::INVALID_ARGUMENT};
        return false;
    }

    // Of all operations: what they are made from is known before any execution.
    bool takesOperands() {
        for (size_t i = 0; i < mOp.inputCount(); ++i) {
            const Value& input = mOp.input(i);
            if (input.omitted) {
                if (mOp.type() == OperationType::SQUEEZE) continue;
                return refuse("xnnpack.constant", "{} has no value", mOp.in(i));
            }
            if (isParameter(input.type) && input.data == nullptr) {
                return refuse("xnnpack.constant", "{} is not a constant", mOp.in(i));
            }
            if (!isSized(input)) return hasNoSize(input, mOp.in(i));
        }
        for (size_t i = 0; i < mOp.outputCount(); ++i) {
            if (!isSized(mOp.output(i))) return hasNoSize(mOp.output(i), mOp.out(i));
        }
        return mKnown.isSettled || infersShapes();
    }

    // Preparing a graph does so without long lists, as biases may be. Afterwards parameters are
    // what shape inference allows.
    bool infersShapes() {
        std::vector<Shape> shapes(mOp.outputCount());
        if (!outputShapes(mKnown, nullptr, Limits(), mOp, shapes)) {
            refusal = Refusal{.rule = std::string(mSink.rule()),
                              .message = mSink.message(),
                              .code = ErrorStatus::INVALID_ARGUMENT};
            return false;
        }
        for (size_t i = 0; i < shapes.size(); ++i) {
            const auto isThere = [](Dim dim, uint32_t there) { return dim == there; };
            if (shapes[i] && absl::c_equal(*shapes[i], mOp.output(i).dimensions, isThere)) continue;
            return refuse("xnnpack.dimensions", "only an execution tells the shape of {}",
                          mOp.out(i));
        }
        return true;
    }

    static bool isSized(const Value& value) {
        if (isNonExtensionScalar(value.type)) return true;
        return !value.dimensions.empty() &&
               absl::c_find(value.dimensions, 0u) == value.dimensions.end();
    }
    bool hasNoSize(const Value& value, Call::Name name) {
        return refuse("xnnpack.dimensions", "{} has dimensions {}, allowed only known ones above 0",
                      name, print(Dimensions(value.dimensions.begin(), value.dimensions.end())));
    }

    bool isConstant(size_t i) {
        return mOp.input(i).data != nullptr ||
               refuse("xnnpack.constant",
                      "{} is not a constant, which XNNPACK needs to pack it beforehand", mOp.in(i));
    }

    bool isQuant8() const { return isQuant8Asymm(mOp.input(0).type); }
    bool isFloat(size_t i) {
        return mOp.input(i).type == TENSOR_FLOAT32 || hasType(i, "TENSOR_FLOAT32");
    }
    bool isQuant8(size_t i) {
        return isQuant8Asymm(mOp.input(i).type) ||
               hasType(i, "TENSOR_QUANT8_ASYMM and TENSOR_QUANT8_ASYMM_SIGNED");
    }
    bool isFloatOrQuant8(size_t i) {
        return mOp.input(i).type == TENSOR_FLOAT32 || isQuant8Asymm(mOp.input(i).type) ||
               hasType(i, "TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM and TENSOR_QUANT8_ASYMM_SIGNED");
    }
    bool hasType(size_t i, std::string_view allowed) {
        return refuse("xnnpack.type", "{} is {}, allowed {}", mOp.in(i), mOp.input(i).type,
                      allowed);
    }
    bool isNhwc(size_t i) {
        return !*mOp.booleanOr(i, false) ||
               refuse("xnnpack.layout", "{} is true, allowed false: the channels come last",
                      mOp.in(i));
    }

    // ---- kinds of 8-bit values

    bool usualSign() const {
        for (size_t i = 0; i < mOp.inputCount(); ++i) {
            const Value& input = mOp.input(i);
            if (!input.omitted && xnnpack::isQuant8(input.type)) {
                return mIsStoredSigned[input.operand];
            }
        }
        return xnnpack::isSigned(mOp.output(0).type);
    }

    // Calls function(E()) with the type of the elements as the operator has them.
    template <class Function>
    bool withStored(Function function) {
        return mLowering.isSigned ? function(int8_t()) : function(uint8_t());
    }
    template <class Function>
    bool withElements(Function function) {
        return isQuant8() ? withStored(function) : function(float());
    }

    // The zero point of a value as the operator has it.
    template <class E>
    static E zeroPoint(const Value& value) {
        const bool isSigned = xnnpack::isSigned(value.type);
        const int32_t shift = std::is_signed_v<E> == isSigned ? 0 : isSigned ? kBetween : -kBetween;
        return static_cast<E>(value.zeroPoint + shift);
    }

    template <class E>
    struct Range {
        E least, most;
    };
    template <class E>
    static Range<E> range(int32_t activation, const Value& output) {
        if constexpr (std::is_same_v<E, float>) {
            const RealRange range = activationRange(activation);
            return {range.least, range.most};
        } else {
            const StoredRange range =
                    activationRange<E>(activation, output.scale, zeroPoint<E>(output));
            return {static_cast<E>(range.least), static_cast<E>(range.most)};
        }
    }
    template <class E>
    bool isRange(const Range<E>& range) {
        return range.least < range.most ||
               refuse("xnnpack.quantization",
                      "{} stores all that the activation allows as {}, allowed are different "
                      "values",
                      mOp.out(0), static_cast<int>(range.least));
    }

    // The elements of a constant as the operator has them, for as long as `kept` lives.
    template <class E>
    static const E* elements(const Value& value, std::shared_ptr<std::vector<uint8_t>>& kept) {
        if (std::is_same_v<E, float> || std::is_signed_v<E> == xnnpack::isSigned(value.type)) {
            return reinterpret_cast<const E*>(value.data.get());
        }
        const auto stored = value.as<uint8_t>();
        kept = std::make_shared<std::vector<uint8_t>>(stored.begin(), stored.end());
        for (uint8_t& byte : *kept) byte ^= kUppermostBit;
        return reinterpret_cast<const E*>(kept->data());
    }

    // ---- sizes

    static size_t count(const Value& value) {
        return static_cast<size_t>(value.elementCount().value_or(0));
    }
    static size_t lastOf(const Value& value) { return value.dimensions.back(); }

    // ---- how operators are set up

    template <class In, class Out>
    void rows(size_t batch, SetUpRows<In, Out> setUp) {
        mLowering.inputs = {0};
        mLowering.setUp = [=](xnn_operator_t op, std::span<const uint8_t* const> in, uint8_t* out,
                              pthreadpool_t pool) {
            return setUp(op, batch, reinterpret_cast<const In*>(in[0]), reinterpret_cast<Out*>(out),
                         pool);
        };
    }

    template <class E>
    void images(SetUpImages<E> setUp) {
        const Value& input = mOp.input(0);
        const size_t batch = input[0], height = input[1], width = input[2];
        mLowering.inputs = {0};
        mLowering.setUp = [=](xnn_operator_t op, std::span<const uint8_t* const> in, uint8_t* out,
                              pthreadpool_t pool) {
            return setUp(op, batch, height, width, reinterpret_cast<const E*>(in[0]),
                         reinterpret_cast<E*>(out), pool);
        };
    }

    // ---- element by element

    bool copy() {
        mLowering.inputs = {0};
        return true;
    }

    bool unary(CreateUnary create, SetUpRows<float> setUp) {
        if (!isFloat(0)) return false;
        const size_t n = count(mOp.output(0));
        mLowering.create = [=](xnn_operator_t* op) { return create(n, n, n, 0, op); };
        rows(1, setUp);
        return true;
    }

    template <class E>
    bool storedUnary(const StoredUnary<E>& functions) {
        const Value &x = mOp.input(0), &y = mOp.output(0);
        const size_t n = count(y);
        const E xZero = zeroPoint<E>(x), yZero = zeroPoint<E>(y);
        const float xScale = x.scale, yScale = y.scale;
        const Range<E> all = range<E>(0, y);
        const auto create = functions.create;
        mLowering.create = [=](xnn_operator_t* op) {
            return create(n, n, n, xZero, xScale, yZero, yScale, all.least, all.most, 0, op);
        };
        rows(1, functions.setUp);
        return true;
    }
    bool storedUnary(const StoredUnary<int8_t>& withSign, const StoredUnary<uint8_t>& without) {
        return mLowering.isSigned ? storedUnary<int8_t>(withSign) : storedUnary<uint8_t>(without);
    }

    bool clamp(int32_t activation) {
        if (!isFloatOrQuant8(0)) return false;
        if (!isQuant8()) {
            return clamp<float>(activation, xnn_create_clamp_nc_f32, xnn_setup_clamp_nc_f32);
        }
        return mLowering.isSigned
                       ? clamp<int8_t>(activation, xnn_create_clamp_nc_s8, xnn_setup_clamp_nc_s8)
                       : clamp<uint8_t>(activation, xnn_create_clamp_nc_u8, xnn_setup_clamp_nc_u8);
    }
    template <class E>
    bool clamp(int32_t activation, CreateClamp<E> create, SetUpRows<E> setUp) {
        const Range<E> y = range<E>(activation, mOp.output(0));
        if (!isRange(y)) return false;
        const size_t n = count(mOp.output(0));
        mLowering.create = [=](xnn_operator_t* op) {
            return create(n, n, n, y.least, y.most, 0, op);
        };
        rows(1, setUp);
        return true;
    }

    bool elu() {
        const auto alpha = mOp.real(elu::kAlpha);
        if (!isFloat(0)) return false;
        if (!(*alpha > 0)) {  // XNNPACK goes by the sign of x
            return refuse("xnnpack.value", "{} is {}, allowed above 0", mOp.in(elu::kAlpha),
                          *alpha);
        }
        const size_t n = count(mOp.output(0));
        mLowering.create = [=](xnn_operator_t* op) {
            return xnn_create_elu_nc_f32(n, n, n, *alpha, 0, op);
        };
        rows(1, xnn_setup_elu_nc_f32);
        return true;
    }

    bool quantize() {
        if (!isFloat(0)) return false;
        const Value& y = mOp.output(0);
        const size_t n = count(y);
        return withStored([&]<class E>(E) {
            const float scale = y.scale;
            const E zero = zeroPoint<E>(y);
            const Range<E> all = range<E>(0, y);
            if constexpr (std::is_signed_v<E>) {
                mLowering.create = [=](xnn_operator_t* op) {
                    return xnn_create_convert_nc_f32_qs8(n, n, n, scale, zero, all.least, all.most,
                                                         0, op);
                };
                rows(1, xnn_setup_convert_nc_f32_qs8);
            } else {
                mLowering.create = [=](xnn_operator_t* op) {
                    return xnn_create_convert_nc_f32_qu8(n, n, n, scale, zero, all.least, all.most,
                                                         0, op);
                };
                rows(1, xnn_setup_convert_nc_f32_qu8);
            }
            return true;
        });
    }

    bool dequantize() {
        const Value& x = mOp.input(0);
        if (!xnnpack::isQuant8(x.type)) {
            return hasType(0,
                           "TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM_SIGNED and "
                           "TENSOR_QUANT8_SYMM");
        }
        if (mOp.output(0).type != TENSOR_FLOAT32) {
            return refuse("xnnpack.type", "{} is {}, allowed TENSOR_FLOAT32", mOp.out(0),
                          mOp.output(0).type);
        }
        const size_t n = count(x);
        const float scale = x.scale;
        return withStored([&]<class E>(E) {
            const E zero = zeroPoint<E>(x);
            if constexpr (std::is_signed_v<E>) {
                mLowering.create = [=](xnn_operator_t* op) {
                    return xnn_create_convert_nc_qs8_f32(n, n, n, scale, zero, 0, op);
                };
                rows(1, xnn_setup_convert_nc_qs8_f32);
            } else {
                mLowering.create = [=](xnn_operator_t* op) {
                    return xnn_create_convert_nc_qu8_f32(n, n, n, scale, zero, 0, op);
                };
                rows(1, xnn_setup_convert_nc_qu8_f32);
            }
            return true;
        });
    }

    bool cast() {
        const OperandType from = mOp.input(0).type, to = mOp.output(0).type;
        if (from == to) return copy();
        const size_t n = count(mOp.output(0));
        if (from == TENSOR_FLOAT16 && to == TENSOR_FLOAT32) {
            mLowering.create = [=](xnn_operator_t* op) {
                return xnn_create_convert_nc_f16_f32(n, n, n, 0, op);
            };
            rows(1, xnn_setup_convert_nc_f16_f32);
            return true;
        }
        if (from == TENSOR_FLOAT32 && to == TENSOR_FLOAT16) {
            mLowering.create = [=](xnn_operator_t* op) {
                return xnn_create_convert_nc_f32_f16(n, n, n, 0, op);
            };
            rows(1, xnn_setup_convert_nc_f32_f16);
            return true;
        }
        return refuse("xnnpack.type",
                      "{} is {} and {} {}, allowed TENSOR_FLOAT16 and TENSOR_FLOAT32, or one type",
                      mOp.in(0), from, mOp.out(0), to);
    }

    // ---- two tensors

    template <class E>
    bool setUpBinary(SetUpBinary<E> setUp) {
        const auto shapeOf = [](const Value& value) {
            return std::vector<size_t>(value.dimensions.begin(), value.dimensions.end());
        };
        for (const size_t i : {0, 1}) {
            if (mOp.input(i).dimensions.size() > XNN_MAX_TENSOR_DIMS) {
                return refuse("xnnpack.dimensions", "{} has rank {}, allowed {}", mOp.in(i),
                              mOp.input(i).dimensions.size(), XNN_MAX_TENSOR_DIMS);
            }
        }
        mLowering.inputs = {0, 1};
        mLowering.setUp = [setUp, x = shapeOf(mOp.input(0)), y = shapeOf(mOp.input(1))](
                                  xnn_operator_t op, std::span<const uint8_t* const> in,
                                  uint8_t* out, pthreadpool_t pool) {
            return setUp(op, x.size(), x.data(), y.size(), y.data(),
                         reinterpret_cast<const E*>(in[0]), reinterpret_cast<const E*>(in[1]),
                         reinterpret_cast<E*>(out), pool);
        };
        return true;
    }

    template <class E>
    bool binary(xnn_status (*create)(uint32_t, xnn_operator_t*), SetUpBinary<E> setUp) {
        mLowering.create = [=](xnn_operator_t* op) { return create(0, op); };
        return setUpBinary(setUp);
    }

    bool realArithmetic(xnn_status (*create)(float, float, uint32_t, xnn_operator_t*),
                        SetUpBinary<float> setUp) {
        const Range<float> y = range<float>(*mOp.int32(arithmetic::kActivation), mOp.output(0));
        mLowering.create = [=](xnn_operator_t* op) { return create(y.least, y.most, 0, op); };
        return setUpBinary(setUp);
    }

    template <class E>
    bool storedArithmetic(const StoredBinary<E>& functions) {
        const Value &a = mOp.input(0), &b = mOp.input(1), &y = mOp.output(0);
        const Range<E> most = range<E>(*mOp.int32(arithmetic::kActivation), y);
        if (!isRange(most)) return false;
        const std::array zeros = {zeroPoint<E>(a), zeroPoint<E>(b), zeroPoint<E>(y)};
        const std::array scales = {a.scale, b.scale, y.scale};
        mLowering.create = [=, create = functions.create](xnn_operator_t* op) {
            return create(zeros[0], scales[0], zeros[1], scales[1], zeros[2], scales[2], most.least,
                          most.most, 0, op);
        };
        return setUpBinary(functions.setUp);
    }

    bool arithmetic(xnn_status (*createReal)(float, float, uint32_t, xnn_operator_t*),
                    SetUpBinary<float> setUpReal, const StoredBinary<int8_t>& withSign,
                    const StoredBinary<uint8_t>& without) {
        if (!isFloatOrQuant8(0)) return false;
        if (!isQuant8()) return realArithmetic(createReal, setUpReal);
        return mLowering.isSigned ? storedArithmetic(withSign) : storedArithmetic(without);
    }

    bool prelu() {
        using namespace ops::prelu;
        if (!isFloat(kInput) || !isConstant(kAlpha)) return false;
        const Value &x = mOp.input(kInput), &alpha = mOp.input(kAlpha);
        const size_t channels = lastOf(x), slopes = count(alpha);
        const bool isPerChannel = slopes == channels && lastOf(alpha) == channels;
        if ((slopes != 1 && !isPerChannel) || count(mOp.output(0)) != count(x)) {
            return refuse("xnnpack.dimensions",
                          "{} has {} elements in {} dimensions, allowed one, or one for each of "
                          "the {} channels of {}",
                          mOp.in(kAlpha), slopes, alpha.dimensions.size(), channels,
                          mOp.in(kInput));
        }
        std::vector<float> all(channels);
        for (size_t c = 0; c < channels; ++c) all[c] = alpha.as<float>()[slopes == 1 ? 0 : c];
        mLowering.create = [=, all = std::move(all)](xnn_operator_t* op) {
            return xnn_create_prelu_nc_f32(channels, channels, channels, all.data(), 0, op);
        };
        rows(count(x) / channels, xnn_setup_prelu_nc_f32);
        return true;
    }

    // ---- along some axes

    bool softmax() {
        using namespace ops::softmax;
        if (!isFloatOrQuant8(kInput)) return false;
        const Value &x = mOp.input(kInput), &y = mOp.output(0);
        const auto rank = static_cast<int32_t>(x.dimensions.size());
        const int32_t axis = *mOp.int32Or(kAxis, -1);
        if (axis != -1 && axis != rank - 1) {
            return refuse("xnnpack.axis", "{} is {}, allowed -1 and {}, the last axis",
                          mOp.in(kAxis), axis, rank - 1);
        }
        const float beta = *mOp.real(kBeta);
        const size_t channels = lastOf(x);
        if (!isQuant8()) {
            if (beta != 1.0f) {
                return refuse("xnnpack.value", "{} is {}, allowed 1", mOp.in(kBeta), beta);
            }
            mLowering.create = [=](xnn_operator_t* op) {
                return xnn_create_softmax_nc_f32(channels, channels, channels, 0, op);
            };
            rows(count(x) / channels, xnn_setup_softmax_nc_f32);
            return true;
        }
        // Only differences of the input count, so that its zero point does not.
        mLowering.isSigned = false;
        const float scale = x.scale * beta, outputScale = y.scale;
        const uint8_t zero = zeroPoint<uint8_t>(y);
        mLowering.create = [=](xnn_operator_t* op) {
            return xnn_create_softmax_nc_qu8(channels, channels, channels, scale, zero, outputScale,
                                             0, op);
        };
        rows(count(x) / channels, xnn_setup_softmax_nc_qu8);
        return true;
    }

    // The average over `width` rows of `channels` each.
    bool average(size_t batch, size_t width, size_t channels, int32_t activation) {
        const Value &x = mOp.input(0), &y = mOp.output(0);
        return withElements([&]<class E>(E) {
            const Range<E> most = range<E>(activation, y);
            if (!isRange(most)) return false;
            const auto setUp = [=, this](auto function) {
                mLowering.inputs = {0};
                mLowering.setUp = [=](xnn_operator_t op, std::span<const uint8_t* const> in,
                                      uint8_t* out, pthreadpool_t pool) {
                    return function(op, batch, width, reinterpret_cast<const E*>(in[0]),
                                    reinterpret_cast<E*>(out), pool);
                };
            };
            if constexpr (std::is_same_v<E, float>) {
                mLowering.create = [=](xnn_operator_t* op) {
                    return xnn_create_global_average_pooling_nwc_f32(channels, channels, channels,
                                                                     most.least, most.most, 0, op);
                };
                setUp(xnn_setup_global_average_pooling_nwc_f32);
            } else {
                const E xZero = zeroPoint<E>(x), yZero = zeroPoint<E>(y);
                const float xScale = x.scale, yScale = y.scale;
                const auto createBy = [=, this](auto function) {
                    mLowering.create = [=](xnn_operator_t* op) {
                        return function(channels, channels, channels, xZero, xScale, yZero, yScale,
                                        most.least, most.most, 0, op);
                    };
                };
                if constexpr (std::is_signed_v<E>) {
                    createBy(xnn_create_global_average_pooling_nwc_qs8);
                    setUp(xnn_setup_global_average_pooling_nwc_qs8);
                } else {
                    createBy(xnn_create_global_average_pooling_nwc_qu8);
                    setUp(xnn_setup_global_average_pooling_nwc_qu8);
                }
            }
            return true;
        });
    }

    bool mean() {
        using namespace ops::mean;
        if (!isFloatOrQuant8(kInput)) return false;
        const Value& x = mOp.input(kInput);
        const auto rank = static_cast<int32_t>(x.dimensions.size());
        std::vector<bool> isReduced(x.dimensions.size(), false);
        const std::span<const int32_t> axes = *mOp.ints(kAxes);
        for (const int32_t axis : axes) {
            isReduced[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = true;
        }
        const auto first = absl::c_find(isReduced, true);
        const auto end = std::find(first, isReduced.end(), false);
        if (first == isReduced.end() || std::find(end, isReduced.end(), true) != isReduced.end()) {
            return refuse("xnnpack.axis", "{} are not neighbours, as are height and width",
                          mOp.in(kAxes));
        }
        const auto product = [&](auto from, auto to) {
            size_t size = 1;
            for (auto at = from; at != to; ++at)
                size *= x[static_cast<size_t>(at - isReduced.begin())];
            return size;
        };
        return average(product(isReduced.begin(), first), product(first, end),
                       product(end, isReduced.end()), 0);
    }

    // ---- windows over images

    struct Padding {
        uint32_t top, right, bottom, left;
        bool any() const { return (top | right | bottom | left) != 0; }
    };

    // What is missing after the last window is padding, whatever the model says: more is not read.
    static uint32_t tailOf(const WindowAxis& axis) {
        const int64_t end = (axis.output - 1) * axis.stride + (axis.filter - 1) * axis.dilation + 1;
        return static_cast<uint32_t>(std::max<int64_t>(end - axis.input - axis.head, 0));
    }
    static Padding paddingOf(const WindowAxis& height, const WindowAxis& width) {
        return {.top = static_cast<uint32_t>(height.head),
                .right = tailOf(width),
                .bottom = tailOf(height),
                .left = static_cast<uint32_t>(width.head)};
    }

    // XNNPACK keeps an address for each element of each window, of one image, and counts them in 32
    // bits.
    bool areFew(uint64_t windows, uint64_t elements) {
        constexpr uint64_t kMost = uint64_t{1} << 27;
        if (elements <= kMost && windows <= kMost / std::max<uint64_t>(elements, 1)) return true;
        return refuse("xnnpack.value", "has {} windows of {} elements, allowed {} elements in all",
                      windows, elements, kMost);
    }
    bool areFew(const WindowAxis& height, const WindowAxis& width) {
        const auto product = [](int64_t a, int64_t b) {
            return checkedMul<uint64_t>(static_cast<uint64_t>(a), static_cast<uint64_t>(b))
                    .value_or(UINT64_MAX);
        };
        return areFew(product(height.output, width.output), product(height.filter, width.filter));
    }

    // Weights, bias and activation of a convolution or a matrix product.
    struct Weights {
        const Value* filter;
        const Value* bias;
        int32_t activation;
        bool isPerChannel;
    };

    // Also chooses the kind of 8-bit values.
    bool weights(int32_t activation, Weights& weights) {
        constexpr size_t kFilter = 1, kBias = 2;
        if (!isFloatOrQuant8(0) || !isConstant(kFilter) || !isConstant(kBias)) return false;
        const Value& filter = mOp.input(kFilter);
        weights = {.filter = &filter,
                   .bias = &mOp.input(kBias),
                   .activation = activation,
                   .isPerChannel = filter.channelQuant() != nullptr};
        if (isQuant8()) {
            mLowering.isSigned = weights.isPerChannel ||
                                 (xnnpack::isSigned(filter.type) && filter.zeroPoint == 0);
        }
        return true;
    }

    template <size_t kInput>
    bool convolution(const WindowRules& rules, const PerForm<size_t>& activations) {
        static_assert(kInput == 0);
        const WindowInputs& inputs = rules.inputs[mOp.form()];
        Weights w{};
        if (!isNhwc(inputs.isNchw) || !weights(*mOp.int32(activations[mOp.form()]), w)) {
            return false;
        }
        const Value &x = mOp.input(0), &y = mOp.output(0);
        const auto windows = slidingWindows(mOp, rules, w.filter->dim(1), w.filter->dim(2));
        if (!windows) return refuse("xnnpack.value", "has no windows");
        const WindowAxis height = *windows->height, width = *windows->width;
        if (!areFew(height, width)) return false;
        const Padding padding = paddingOf(height, width);
        const bool isDepthwise = mOp.type() == OperationType::DEPTHWISE_CONV_2D;
        const auto size = [](int64_t extent) { return static_cast<uint32_t>(extent); };
        const size_t in = lastOf(x), out = lastOf(y);
        const size_t groups = isDepthwise ? in : in / lastOf(*w.filter);
        const auto create = [=, this](auto function, auto... rest) {
            mLowering.create = [=](xnn_operator_t* op) {
                return function(padding.top, padding.right, padding.bottom, padding.left,
                                size(height.filter), size(width.filter), size(height.stride),
                                size(width.stride), size(height.dilation), size(width.dilation),
                                size(static_cast<int64_t>(groups)), in / groups, out / groups, in,
                                out, rest..., isDepthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0, op);
            };
        };
        if (w.isPerChannel) {
            return perChannel(w, x, y, create);
        }
        return product(w, x, y, create, xnn_create_convolution2d_nhwc_f32,
                       xnn_create_convolution2d_nhwc_qs8, xnn_create_convolution2d_nhwc_qu8) &&
               setUpImages(xnn_setup_convolution2d_nhwc_f32, xnn_setup_convolution2d_nhwc_qs8,
                           xnn_setup_convolution2d_nhwc_qu8);
    }

    bool setUpImages(SetUpImages<float> real, SetUpImages<int8_t> withSign,
                     SetUpImages<uint8_t> without) {
        if (!isQuant8()) {
            images(real);
        } else if (mLowering.isSigned) {
            images(withSign);
        } else {
            images(without);
        }
        return true;
    }

    // `create` gets a function of XNNPACK, and its arguments that are about values.
    template <class Create, class Real, class WithSign, class Without>
    bool product(const Weights& w, const Value& x, const Value& y, const Create& create, Real real,
                 WithSign withSign, Without without) {
        return withElements([&]<class E>(E) {
            const Range<E> most = range<E>(w.activation, y);
            if (!isRange(most)) return false;
            if constexpr (std::is_same_v<E, float>) {
                create(real, w.filter->template as<float>().data(),
                       w.bias->template as<float>().data(), most.least, most.most);
            } else {
                std::shared_ptr<std::vector<uint8_t>> kept;
                const E* filter = elements<E>(*w.filter, kept);
                const int32_t* bias = w.bias->template as<int32_t>().data();
                if constexpr (std::is_signed_v<E>) {
                    create(withSign, zeroPoint<E>(x), x.scale, w.filter->scale, filter, bias,
                           zeroPoint<E>(y), y.scale, most.least, most.most);
                } else {
                    create(without, zeroPoint<E>(x), x.scale, zeroPoint<E>(*w.filter),
                           w.filter->scale, filter, bias, zeroPoint<E>(y), y.scale, most.least,
                           most.most);
                }
                keep(kept);
            }
            return true;
        });
    }

    // Copies of constants live as long as what makes operators of them.
    void keep(const std::shared_ptr<std::vector<uint8_t>>& kept) {
        if (kept == nullptr) return;
        mLowering.create = [kept, create = std::move(mLowering.create)](xnn_operator_t* op) {
            return create(op);
        };
    }

    template <class Create>
    bool perChannel(const Weights& w, const Value& x, const Value& y, const Create& create) {
        const Range<int8_t> most = range<int8_t>(w.activation, y);
        if (!isRange(most)) return false;
        create(xnn_create_convolution2d_nhwc_qc8, zeroPoint<int8_t>(x), x.scale,
               w.filter->channelQuant()->scales.data(), w.filter->as<int8_t>().data(),
               w.bias->as<int32_t>().data(), zeroPoint<int8_t>(y), y.scale, most.least, most.most);
        images(xnn_setup_convolution2d_nhwc_qc8);
        return true;
    }

    bool deconvolution() {
        using namespace transpose_conv_2d;
        const WindowInputs& inputs = kWindowInputs[mOp.form()];
        Weights w{};
        if (!isNhwc(inputs.isNchw) || !weights(*mOp.int32(kActivation[mOp.form()]), w)) {
            return false;
        }
        if (w.isPerChannel) {
            return hasType(kFilter, "one with a single scale");
        }
        const auto windows = backwardWindows(mOp);
        if (!windows) return refuse("xnnpack.value", "has no windows");
        const Value &x = mOp.input(kInput), &y = mOp.output(0);
        if (!areFew(uint64_t{y[1]} * y[2], uint64_t{(*w.filter)[1]} * (*w.filter)[2])) return false;
        // The axes lead from the output back to the input. Less than the windows cover is cut off
        // behind, more is added.
        struct Axis {
            uint32_t filter, stride, head, tail, more;
        };
        const auto axisOf = [](const WindowAxis& axis) {
            const int64_t tail =
                    (axis.output - 1) * axis.stride + axis.filter - axis.input - axis.head;
            return Axis{.filter = static_cast<uint32_t>(axis.filter),
                        .stride = static_cast<uint32_t>(axis.stride),
                        .head = static_cast<uint32_t>(axis.head),
                        .tail = static_cast<uint32_t>(std::max<int64_t>(tail, 0)),
                        .more = static_cast<uint32_t>(std::max<int64_t>(-tail, 0))};
        };
        const Axis height = axisOf(*windows->height), width = axisOf(*windows->width);
        if (height.more >= height.stride || width.more >= width.stride) {
            return refuse("xnnpack.value",
                          "{} has {} rows and {} columns that no element of {} reaches, allowed "
                          "less than the strides, {} and {}",
                          mOp.out(0), height.more, width.more, mOp.in(kInput), height.stride,
                          width.stride);
        }
        const size_t in = lastOf(x), out = lastOf(y);
        const auto create = [=, this](auto function, auto... rest) {
            mLowering.create = [=](xnn_operator_t* op) {
                return function(height.head, width.tail, height.tail, width.head, height.filter,
                                width.filter, height.stride, width.stride, 1, 1, 1, in, out, in,
                                out, rest..., 0, op);
            };
        };
        if (!product(w, x, y, create, xnn_create_deconvolution2d_nhwc_f32,
                     xnn_create_deconvolution2d_nhwc_qs8, xnn_create_deconvolution2d_nhwc_qu8)) {
            return false;
        }
        return withElements([&]<class E>(E) {
            const size_t batch = x[0], rows = x[1], columns = x[2];
            const auto setUp = [=, this](auto function) {
                mLowering.inputs = {0};
                mLowering.setUp = [=](xnn_operator_t op, std::span<const uint8_t* const> from,
                                      uint8_t* to, pthreadpool_t pool) {
                    return function(op, batch, rows, columns, height.more, width.more,
                                    reinterpret_cast<const E*>(from[0]), reinterpret_cast<E*>(to),
                                    pool);
                };
            };
            if constexpr (std::is_same_v<E, float>) {
                setUp(xnn_setup_deconvolution2d_nhwc_f32);
            } else if constexpr (std::is_signed_v<E>) {
                setUp(xnn_setup_deconvolution2d_nhwc_qs8);
            } else {
                setUp(xnn_setup_deconvolution2d_nhwc_qu8);
            }
            return true;
        });
    }

    bool fullyConnected() {
        using namespace fully_connected;
        Weights w{};
        if (!weights(*mOp.int32(kActivation), w)) return false;
        const Value &x = mOp.input(kInput), &y = mOp.output(0);
        const size_t in = lastOf(*w.filter), out = (*w.filter)[0];
        const auto create = [=, this](auto function, auto... rest) {
            mLowering.create = [=](xnn_operator_t* op) {
                return function(in, out, in, out, rest..., 0, op);
            };
        };
        if (!product(w, x, y, create, xnn_create_fully_connected_nc_f32,
                     xnn_create_fully_connected_nc_qs8, xnn_create_fully_connected_nc_qu8)) {
            return false;
        }
        const size_t batch = count(x) / in;
        if (!isQuant8()) {
            rows(batch, xnn_setup_fully_connected_nc_f32);
        } else if (mLowering.isSigned) {
            rows(batch, xnn_setup_fully_connected_nc_qs8);
        } else {
            rows(batch, xnn_setup_fully_connected_nc_qu8);
        }
        return true;
    }

    bool pool() {
        using namespace pool_2d;
        const WindowInputs& inputs = kWindowRules.inputs[mOp.form()];
        if (!isFloatOrQuant8(kInput) || !isNhwc(inputs.isNchw)) return false;
        const auto extent = [&](const PerForm<size_t>& input) {
            return Dim(static_cast<uint32_t>(*mOp.int32(input[mOp.form()])));
        };
        const auto windows =
                slidingWindows(mOp, kWindowRules, extent(kFilterHeight), extent(kFilterWidth));
        if (!windows) return refuse("xnnpack.value", "has no windows");
        const WindowAxis height = *windows->height, width = *windows->width;
        const int32_t activation = *mOp.int32(kActivation[mOp.form()]);
        if (!areFew(height, width)) return false;
        if (height.filter * width.filter == 1) return pickPixels(height, width, activation);
        const Padding padding = paddingOf(height, width);
        if (mOp.type() == OperationType::MAX_POOL_2D) {
            return maxPool(height, width, padding, activation);
        }
        return averagePool(height, width, padding, activation);
    }

    // Windows of one element.
    bool pickPixels(const WindowAxis& height, const WindowAxis& width, int32_t activation) {
        if (height.stride != 1 || width.stride != 1) {
            return refuse("xnnpack.value",
                          "has windows of 1 x 1 with strides {} x {}, allowed 1 x 1 for them",
                          height.stride, width.stride);
        }
        return activation == 0 ? copy() : clamp(activation);
    }

    bool maxPool(const WindowAxis& height, const WindowAxis& width, const Padding& padding,
                 int32_t activation) {
        const size_t channels = lastOf(mOp.input(0));
        const auto size = [](int64_t value) { return static_cast<uint32_t>(value); };
        const auto create = [=, this]<class E>(auto function, Range<E> most) {
            mLowering.create = [=](xnn_operator_t* op) {
                return function(padding.top, padding.right, padding.bottom, padding.left,
                                size(height.filter), size(width.filter), size(height.stride),
                                size(width.stride), 1, 1, channels, channels, channels, most.least,
                                most.most, 0, op);
            };
        };
        return withElements([&]<class E>(E) {
                   const Range<E> most = range<E>(activation, mOp.output(0));
                   if (!isRange(most)) return false;
                   if constexpr (std::is_same_v<E, float>) {
                       create(xnn_create_max_pooling2d_nhwc_f32, most);
                   } else if constexpr (std::is_signed_v<E>) {
                       create(xnn_create_max_pooling2d_nhwc_s8, most);
                   } else {
                       create(xnn_create_max_pooling2d_nhwc_u8, most);
                   }
                   return true;
               }) &&
               setUpImages(xnn_setup_max_pooling2d_nhwc_f32, xnn_setup_max_pooling2d_nhwc_s8,
                           xnn_setup_max_pooling2d_nhwc_u8);
    }

    bool averagePool(const WindowAxis& height, const WindowAxis& width, const Padding& padding,
                     int32_t activation) {
        const Value &x = mOp.input(0), &y = mOp.output(0);
        const size_t channels = lastOf(x);
        const bool isGlobal = !padding.any() && height.output == 1 && width.output == 1 &&
                              height.filter == height.input && width.filter == width.input;
        if (isGlobal) return average(x[0], size_t{x[1]} * x[2], channels, activation);
        const auto size = [](int64_t value) { return static_cast<uint32_t>(value); };
        const auto create = [=, this](auto function, auto... rest) {
            mLowering.create = [=](xnn_operator_t* op) {
                return function(padding.top, padding.right, padding.bottom, padding.left,
                                size(height.filter), size(width.filter), size(height.stride),
                                size(width.stride), channels, channels, channels, rest..., 0, op);
            };
        };
        if (!isQuant8()) {
            const Range<float> most = range<float>(activation, y);
            create(xnn_create_average_pooling2d_nhwc_f32, most.least, most.most);
            images(xnn_setup_average_pooling2d_nhwc_f32);
            return true;
        }
        if (padding.any()) {
            return refuse("xnnpack.value",
                          "has windows that reach beyond the image, allowed only of "
                          "TENSOR_FLOAT32: XNNPACK counts the padding");
        }
        mLowering.isSigned = false;
        const Range<uint8_t> most = range<uint8_t>(activation, y);
        if (!isRange(most)) return false;
        create(xnn_create_average_pooling2d_nhwc_qu8, zeroPoint<uint8_t>(x), x.scale,
               zeroPoint<uint8_t>(y), y.scale, most.least, most.most);
        images(xnn_setup_average_pooling2d_nhwc_qu8);
        return true;
    }

    // ---- moving elements

    bool resize() {
        using namespace ops::resize;
        if (!isFloatOrQuant8(kInput) || !isNhwc(kNchw)) return false;
        const uint32_t flags = *mOp.booleanOr(kAlignCorners, false) ? XNN_FLAG_ALIGN_CORNERS
                               : *mOp.booleanOr(kHalfPixelCenters, false)
                                       ? 0
                                       : XNN_FLAG_TENSORFLOW_LEGACY_MODE;
        const Value &x = mOp.input(kInput), &y = mOp.output(0);
        constexpr uint64_t kNeighbours = 4;
        if (!areFew(uint64_t{y[1]} * y[2], kNeighbours)) return false;
        const size_t channels = lastOf(x);
        const std::array<size_t, 5> sizes = {x[0], x[1], x[2], y[1], y[2]};
        return withElements([&]<class E>(E) {
            const auto make = [=, this](auto create, auto setUp) {
                mLowering.create = [=](xnn_operator_t* op) {
                    return create(channels, channels, channels, flags, op);
                };
                mLowering.inputs = {0};
                mLowering.setUp = [=](xnn_operator_t op, std::span<const uint8_t* const> in,
                                      uint8_t* out, pthreadpool_t pool) {
                    return setUp(op, sizes[0], sizes[1], sizes[2], sizes[3], sizes[4],
                                 reinterpret_cast<const E*>(in[0]), reinterpret_cast<E*>(out),
                                 pool);
                };
            };
            if constexpr (std::is_same_v<E, float>) {
                make(xnn_create_resize_bilinear2d_nhwc_f32, xnn_setup_resize_bilinear2d_nhwc_f32);
            } else if constexpr (std::is_signed_v<E>) {
                make(xnn_create_resize_bilinear2d_nhwc_s8, xnn_setup_resize_bilinear2d_nhwc_s8);
            } else {
                make(xnn_create_resize_bilinear2d_nhwc_u8, xnn_setup_resize_bilinear2d_nhwc_u8);
            }
            return true;
        });
    }

    bool pad() {
        using namespace ops::pad;
        if (!isFloatOrQuant8(kInput)) return false;
        const Value& x = mOp.input(kInput);
        const size_t rank = x.dimensions.size();
        if (rank > XNN_MAX_TENSOR_DIMS) {
            return refuse("xnnpack.dimensions", "{} has rank {}, allowed {}", mOp.in(kInput), rank,
                          XNN_MAX_TENSOR_DIMS);
        }
        std::vector<size_t> shape(x.dimensions.begin(), x.dimensions.end()), head, tail;
        const auto paddings = *mOp.ints(kPaddings);
        for (size_t i = 0; i < rank; ++i) {
            head.push_back(static_cast<size_t>(paddings[2 * i]));
            tail.push_back(static_cast<size_t>(paddings[2 * i + 1]));
        }
        const bool hasValue = mOp.type() == OperationType::PAD_V2;
        const auto setUpBy = [=, this](auto function) {
            mLowering.inputs = {0};
            mLowering.setUp = [=](xnn_operator_t op, std::span<const uint8_t* const> in,
                                  uint8_t* out, pthreadpool_t pool) {
                return function(op, shape.size(), shape.data(), head.data(), tail.data(), in[0],
                                out, pool);
            };
        };
        if (!isQuant8()) {
            const float value = hasValue ? *mOp.real(kPadValue) : 0.0f;
            mLowering.create = [=](xnn_operator_t* op) {
                return xnn_create_constant_pad_nd_x32(&value, 0, op);
            };
            setUpBy(xnn_setup_constant_pad_nd_x32);
            return true;
        }
        // In the way in which the model stores it; its lowest byte counts.
        auto value = static_cast<uint8_t>(hasValue ? *mOp.int32(kPadValue) : x.zeroPoint);
        if (mLowering.isSigned != xnnpack::isSigned(x.type)) value ^= kUppermostBit;
        mLowering.create = [=](xnn_operator_t* op) {
            return xnn_create_constant_pad_nd_x8(&value, 0, op);
        };
        setUpBy(xnn_setup_constant_pad_nd_x8);
        return true;
    }

    bool shuffle() {
        using namespace channel_shuffle;
        if (!isFloatOrQuant8(kInput)) return false;
        const Value& x = mOp.input(kInput);
        const auto rank = static_cast<int32_t>(x.dimensions.size());
        const int32_t axis = *mOp.int32(kAxis);
        if (axis != -1 && axis != rank - 1) {
            return refuse("xnnpack.axis", "{} is {}, allowed -1 and {}, the last axis",
                          mOp.in(kAxis), axis, rank - 1);
        }
        const size_t channels = lastOf(x), groups = static_cast<size_t>(*mOp.int32(kGroups));
        if (groups == 1 || groups == channels) return copy();
        const auto create =
                isQuant8() ? xnn_create_channel_shuffle_nc_x8 : xnn_create_channel_shuffle_nc_x32;
        mLowering.create = [=](xnn_operator_t* op) {
            return create(groups, channels / groups, channels, channels, 0, op);
        };
        const size_t batch = count(x) / channels;
        rows<void, void>(batch, isQuant8() ? xnn_setup_channel_shuffle_nc_x8
                                           : xnn_setup_channel_shuffle_nc_x32);
        return true;
    }

    bool depthToSpace() {
        using namespace depth_to_space;
        if (!isFloat(kInput) || !isNhwc(kIsNchw)) return false;
        const auto block = static_cast<uint32_t>(*mOp.int32(kBlock));
        if (block == 1) return copy();
        const size_t in = lastOf(mOp.input(kInput)), out = lastOf(mOp.output(0));
        mLowering.create = [=](xnn_operator_t* op) {
            return xnn_create_depth_to_space_nhwc_x32(out, in, out, block, 0, op);
        };
        images<void>(xnn_setup_depth_to_space_nhwc_x32);
        return true;
    }

    const Call& mOp;
    const OperationSink& mSink;
    const KnownOperation& mKnown;
    const std::vector<bool>& mIsStoredSigned;
    Lowering& mLowering;
};

}  // namespace

std::optional<Refusal> lower(const ops::Call& op, const OperationSink& sink,
                             const KnownOperation& known, const std::vector<bool>& isStoredSigned,
                             Lowering& lowering) {
    Lowerer lowerer(op, sink, known, isStoredSigned, lowering);
    lowerer.lower();
    return std::move(lowerer.refusal);
}

Refusal refusalOf(xnn_status status, std::string_view what) {
    const auto refusal = [&](std::string_view rule, ErrorStatus code, std::string_view why) {
        return Refusal{.rule = std::string(rule),
                       .message = fmt::format("{}: {}", what, why),
                       .code = code};
    };
    switch (status) {
        case xnn_status_out_of_memory:
            return refusal("xnnpack.memory", ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                           "XNNPACK has no memory for it");
        case xnn_status_unsupported_hardware:
            return refusal("xnnpack.hardware", ErrorStatus::INVALID_ARGUMENT,
                           "XNNPACK has no code for it on this processor");
        case xnn_status_invalid_parameter:
        case xnn_status_unsupported_parameter:
            return refusal("xnnpack.value", ErrorStatus::INVALID_ARGUMENT,
                           "XNNPACK does not take these sizes, scales or values");
        default:
            return refusal("xnnpack.failure", ErrorStatus::GENERAL_FAILURE,
                           fmt::format("XNNPACK fails with {}", static_cast<int>(status)));
    }
}

}  // namespace nn::xnnpack
