// Conversion of structs that all versions of both families spell alike, or nearly. One template
// serves all: the version that introduced a type decides which fields it lacks, and the types of
// its fields decide which numbers it holds.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

#include "convert/common/capabilities.h"
#include "convert/common/elements.h"
#include "convert/common/enums.h"
#include "convert/common/numbers.h"

namespace nn::conversion {

// ---------------------------------------------------------------------------------------------
// Parts of operands

Status translate(Is<Operand::SymmPerChannelQuantParams> auto&& params,
                 Represents<Operand::SymmPerChannelQuantParams> auto& hal, const Context& context) {
    carry(NNAPI_FIELD(params, scales), hal.scales);
    return carryNumber(params.channelDim, hal.channelDim, "channelDim", context);
}

Status translate(Represents<Operand::SymmPerChannelQuantParams> auto&& hal,
                 Operand::SymmPerChannelQuantParams& params, const Context& context) {
    carry(NNAPI_FIELD(hal, scales), params.scales);
    return carryNumber(hal.channelDim, params.channelDim, "channelDim", context);
}

inline Status refuseLifeTime(Operand::LifeTime lifetime, const Context& context) {
    if (lifetime != Operand::LifeTime::POINTER) {
        return refuseEnumerator(lifetime, context.at("lifetime"));
    }
    return context.refuse("convert.pointer",
                          "the value lies in caller-owned memory, call "
                          "flushDataFromPointerToShared before converting");
}

// ---------------------------------------------------------------------------------------------
// Models

template <class Range>
concept Bytes = Is<Range, hidl::hidl_vec<uint8_t>> || Is<Range, std::vector<uint8_t>>;

Status translate(Is<Model::OperandValues> auto&& values, Bytes auto& hal, const Context&) {
    carry(std::forward<decltype(values)>(values).bytes(), hal);
    return {};
}

Status translate(Bytes auto&& hal, Model::OperandValues& values, const Context&) {
    std::vector<uint8_t> bytes;
    carry(std::forward<decltype(hal)>(hal), bytes);
    values = Model::OperandValues(std::move(bytes));
    return {};
}

// AIDL codes of extensions are not negative, so a prefix has 15 bits.
template <class Hal>
Status expectPrefix(uint16_t prefix, const Context& context) {
    if constexpr (Aidl<Hal, ExtensionNameAndPrefix>) {
        if (prefix > 0x7FFF) {
            return context.refuse("convert.range",
                                  fmt::format("prefix is {}, allowed 0 to 32767", prefix));
        }
    }
    return {};
}

template <Represents<ExtensionNameAndPrefix> Hal>
Status translate(const ExtensionNameAndPrefix& entry, Hal& hal, const Context& context) {
    hal = {
            .name = entry.name,
            .prefix = entry.prefix,
    };
    return expectPrefix<Hal>(entry.prefix, context);
}

template <Represents<ExtensionNameAndPrefix> Hal>
Status translate(const Hal& hal, ExtensionNameAndPrefix& entry, const Context& context) {
    entry = {
            .name = hal.name,
            .prefix = static_cast<uint16_t>(hal.prefix),
    };
    return expectPrefix<Hal>(entry.prefix, context);
}

// A HAL model that is its own main graph, up to HAL 1.2.
template <class Hal>
concept FlatModel = Represents<Hal, Model> && !kSince<Hal, HalVersion::V1_3>;

template <Represents<Model> Hal>
Status translate(Is<Model> auto&& model, Hal& hal, const Context& context) {
    if constexpr (!FlatModel<Hal>) {
        NNAPI_RETURN_IF_ERROR(translate(NNAPI_FIELD(model, main), hal.main, context.at("main")));
        NNAPI_RETURN_IF_ERROR(translateEach(NNAPI_FIELD(model, referenced), hal.referenced, context,
                                            "referenced"));
    } else {
        NNAPI_RETURN_IF_ERROR(translate(NNAPI_FIELD(model, main), hal, context.at("main")));
        context.at("referenced").recordLoss(model.referenced, {}, "has no referenced subgraphs");
    }
    NNAPI_RETURN_IF_ERROR(translate(NNAPI_FIELD(model, operandValues), hal.operandValues, context));
    NNAPI_RETURN_IF_ERROR(translateEach(model.pools, hal.pools, context, "pools"));
    if constexpr (kSince<Hal, HalVersion::V1_1>) {
        hal.relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16;
    } else {
        context.at("relaxComputationFloat32toFloat16")
                .recordLoss(model.relaxComputationFloat32toFloat16, false,
                            "has no relaxed computation");
    }
    if constexpr (kSince<Hal, HalVersion::V1_2>) {
        NNAPI_RETURN_IF_ERROR(translateEach(model.extensionNameToPrefix, hal.extensionNameToPrefix,
                                            context, "extensionNameToPrefix"));
    } else {
        context.at("extensionNameToPrefix")
                .recordLoss(model.extensionNameToPrefix, {}, "has no extensions");
    }
    return {};
}

template <Represents<Model> Hal>
Status translate(Hal&& hal, Model& model, const Context& context) {
    if constexpr (!FlatModel<Hal>) {
        NNAPI_RETURN_IF_ERROR(translate(NNAPI_FIELD(hal, main), model.main, context.at("main")));
        NNAPI_RETURN_IF_ERROR(translateEach(NNAPI_FIELD(hal, referenced), model.referenced, context,
                                            "referenced"));
    } else {
        // moves only the graph's fields, so the others are still valid below
        NNAPI_RETURN_IF_ERROR(translate(std::forward<Hal>(hal), model.main, context));
    }
    NNAPI_RETURN_IF_ERROR(translate(NNAPI_FIELD(hal, operandValues), model.operandValues, context));
    NNAPI_RETURN_IF_ERROR(translateEach(std::as_const(hal.pools), model.pools, context, "pools"));
    if constexpr (kSince<Hal, HalVersion::V1_1>) {
        model.relaxComputationFloat32toFloat16 = hal.relaxComputationFloat32toFloat16;
    }
    if constexpr (kSince<Hal, HalVersion::V1_2>) {
        NNAPI_RETURN_IF_ERROR(translateEach(std::as_const(hal.extensionNameToPrefix),
                                            model.extensionNameToPrefix, context,
                                            "extensionNameToPrefix"));
    }
    return {};
}

// ---------------------------------------------------------------------------------------------
// Requests

template <Represents<Request::Argument> Hal>
Status translate(const Request::Argument& argument, Hal& hal, const Context& context) {
    switch (argument.lifetime) {
        case Request::Argument::LifeTime::POOL:
        case Request::Argument::LifeTime::NO_VALUE:
            break;
        case Request::Argument::LifeTime::POINTER:
            return context.refuse("convert.pointer",
                                  "the value lies in caller-owned memory, call "
                                  "convertRequestFromPointerToShared before converting");
        default:
            return context.refuse(
                    "convert.enumerator",
                    toString(argument.lifetime) + " does not exist in any HAL version");
    }
    hal.hasNoValue = argument.lifetime == Request::Argument::LifeTime::NO_VALUE;
    NNAPI_RETURN_IF_ERROR(carryNumbers(argument.dimensions, hal.dimensions, "dimensions", context));
    return translate(argument.location, hal.location, context.at("location"));
}

template <Represents<Request::Argument> Hal>
Status translate(const Hal& hal, Request::Argument& argument, const Context& context) {
    argument.lifetime = hal.hasNoValue ? Request::Argument::LifeTime::NO_VALUE
                                       : Request::Argument::LifeTime::POOL;
    NNAPI_RETURN_IF_ERROR(carryNumbers(hal.dimensions, argument.dimensions, "dimensions", context));
    return translate(hal.location, argument.location, context.at("location"));
}

inline Status refusePool(const Request::MemoryPool& pool, const Context& context) {
    const bool isBuffer = std::holds_alternative<SharedBuffer>(pool);
    const bool hasTokens = context.version >= HalVersion::V1_3;
    return context.refuse(
            "convert.pool",
            fmt::format("a {} cannot be sent in {}, allowed {}", isBuffer ? "buffer" : "token",
                        titleOf(context.version), hasTokens ? "memory or a token" : "memory"),
            ErrorStatus::GENERAL_FAILURE);
}

template <Represents<Request> Hal>
Status translate(const Request& request, Hal& hal, const Context& context) {
    NNAPI_RETURN_IF_ERROR(translateEach(request.inputs, hal.inputs, context, "inputs"));
    NNAPI_RETURN_IF_ERROR(translateEach(request.outputs, hal.outputs, context, "outputs"));
    return translateEach(request.pools, hal.pools, context, "pools");
}

template <Represents<Request> Hal>
Status translate(const Hal& hal, Request& request, const Context& context) {
    NNAPI_RETURN_IF_ERROR(translateEach(hal.inputs, request.inputs, context, "inputs"));
    NNAPI_RETURN_IF_ERROR(translateEach(hal.outputs, request.outputs, context, "outputs"));
    return translateEach(hal.pools, request.pools, context, "pools");
}

// ---------------------------------------------------------------------------------------------
// What devices and executions report, and memory domains

template <Represents<OutputShape> Hal>
Status translate(const OutputShape& shape, Hal& hal, const Context& context) {
    hal.isSufficient = shape.isSufficient;
    return carryNumbers(shape.dimensions, hal.dimensions, "dimensions", context);
}

template <Represents<OutputShape> Hal>
Status translate(const Hal& hal, OutputShape& shape, const Context& context) {
    shape.isSufficient = hal.isSufficient;
    return carryNumbers(hal.dimensions, shape.dimensions, "dimensions", context);
}

template <Represents<Extension::OperandTypeInformation> Hal>
Status translate(const Extension::OperandTypeInformation& information, Hal& hal,
                 const Context& context) {
    hal.type = information.type;
    hal.isTensor = information.isTensor;
    return carryNumber(information.byteSize, hal.byteSize, "byteSize", context);
}

template <Represents<Extension::OperandTypeInformation> Hal>
Status translate(const Hal& hal, Extension::OperandTypeInformation& information,
                 const Context& context) {
    information.type = static_cast<uint16_t>(hal.type);
    information.isTensor = hal.isTensor;
    return carryNumber(hal.byteSize, information.byteSize, "byteSize", context);
}

template <Represents<Extension> Hal>
Status translate(const Extension& extension, Hal& hal, const Context& context) {
    hal.name = extension.name;
    return translateEach(extension.operandTypes, hal.operandTypes, context, "operandTypes");
}

template <Represents<Extension> Hal>
Status translate(const Hal& hal, Extension& extension, const Context& context) {
    extension.name = hal.name;
    return translateEach(hal.operandTypes, extension.operandTypes, context, "operandTypes");
}

template <Represents<BufferDesc> Hal>
Status translate(const BufferDesc& desc, Hal& hal, const Context& context) {
    return carryNumbers(desc.dimensions, hal.dimensions, "dimensions", context);
}

template <Represents<BufferDesc> Hal>
Status translate(const Hal& hal, BufferDesc& desc, const Context& context) {
    return carryNumbers(hal.dimensions, desc.dimensions, "dimensions", context);
}

// HIDL's frequency is AIDL's probability.
auto& probabilityIn(Represents<BufferRole> auto& hal) {
    if constexpr (requires { hal.frequency; }) {
        return hal.frequency;
    } else {
        return hal.probability;
    }
}

template <Represents<BufferRole> Hal>
Status translate(const BufferRole& role, Hal& hal, const Context& context) {
    NNAPI_RETURN_IF_ERROR(carryNumber(role.modelIndex, hal.modelIndex, "modelIndex", context));
    NNAPI_RETURN_IF_ERROR(carryNumber(role.ioIndex, hal.ioIndex, "ioIndex", context));
    probabilityIn(hal) = role.probability;
    return {};
}

template <Represents<BufferRole> Hal>
Status translate(const Hal& hal, BufferRole& role, const Context& context) {
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.modelIndex, role.modelIndex, "modelIndex", context));
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.ioIndex, role.ioIndex, "ioIndex", context));
    role.probability = probabilityIn(hal);
    return {};
}

}  // namespace nn::conversion
