// Conversion of operands, operations and graphs for AIDL, whose numbers are signed: all are
// checked. Structs that both families share are in common/structs.h, all others in calls.h.
#pragma once

#include "convert/aidl/memory.h"
#include "convert/common/structs.h"

namespace nn NNAPI_BINDING::conversion {

// ---------------------------------------------------------------------------------------------
// Operands, operations, graphs

Status translate(const DataLocation& location, aidl_hal::DataLocation& hal, const Context& context);
Status translate(const aidl_hal::DataLocation& hal, DataLocation& location, const Context& context);

using AidlExtraParams = std::optional<aidl_hal::OperandExtraParams>;
Status translate(const Operand::ExtraParams& params, AidlExtraParams& hal, const Context& context);
Status translate(const AidlExtraParams& hal, Operand::ExtraParams& params, const Context& context);

// The fields that may fail or are rare.
NNAPI_COLD Status translateRare(const Operand& operand, aidl_hal::Operand& hal,
                                const Context& context);
NNAPI_COLD Status translateRare(const aidl_hal::Operand& hal, Operand& operand,
                                const Context& context);
NNAPI_COLD Status translateRare(const Operation& operation, aidl_hal::Operation& hal,
                                const Context& context);
NNAPI_COLD Status translateRare(const aidl_hal::Operation& hal, Operation& operation,
                                const Context& context);

NNAPI_INLINE aidl_hal::Operand construct(As<aidl_hal::Operand>, const Operand& operand) {
    return {
            .type = static_cast<aidl_hal::OperandType>(operand.type),
            .dimensions = carried<std::vector<int32_t>>(operand.dimensions),
            .scale = operand.scale,
            .zeroPoint = operand.zeroPoint,
            .lifetime = static_cast<aidl_hal::OperandLifeTime>(operand.lifetime),
            .location = {.poolIndex = static_cast<int32_t>(operand.location.poolIndex),
                         .offset = operand.location.offset,
                         .length = operand.location.length,
                         .padding = operand.location.padding},
    };
}

NNAPI_INLINE Status translateRareFields(const Operand& operand, aidl_hal::Operand& hal,
                                        const Context& context) {
    const bool isPlain = aidlHas(operand.type) && haveClearSignBits(operand.dimensions) &&
                         has<HalVersion::AIDL4>(operand.lifetime) &&
                         std::in_range<int32_t>(operand.location.poolIndex) &&
                         operand.extraParams.index() == 0 && context.losses == nullptr;
    if (isPlain) [[likely]]
        return {};
    return translateRare(operand, hal, context);
}

NNAPI_INLINE Operand construct(As<Operand>, const aidl_hal::Operand& hal) {
    return {
            .type = static_cast<OperandType>(hal.type),
            .dimensions = carried<std::vector<uint32_t>>(hal.dimensions),
            .scale = hal.scale,
            .zeroPoint = hal.zeroPoint,
            .lifetime = static_cast<Operand::LifeTime>(hal.lifetime),
            .location = {.pointer = {},
                         .poolIndex = static_cast<uint32_t>(hal.location.poolIndex),
                         .offset = static_cast<uint32_t>(hal.location.offset),
                         .length = static_cast<uint32_t>(hal.location.length),
                         .padding = static_cast<uint32_t>(hal.location.padding)},
    };
}

NNAPI_INLINE Status translateRareFields(const aidl_hal::Operand& hal, Operand& operand,
                                        const Context& context) {
    const aidl_hal::DataLocation& location = hal.location;
    const int64_t numbers = location.offset | location.length | location.padding;
    const bool isPlain = aidlHas(operand.type) && haveClearSignBits(operand.dimensions) &&
                         has<HalVersion::AIDL4>(operand.lifetime) && location.poolIndex >= 0 &&
                         std::in_range<uint32_t>(numbers) && !hal.extraParams;
    if (isPlain) [[likely]]
        return {};
    return translateRare(hal, operand, context);
}

NNAPI_INLINE aidl_hal::Operation construct(As<aidl_hal::Operation>, const Operation& operation) {
    return {
            .type = static_cast<aidl_hal::OperationType>(operation.type),
            .inputs = carried<std::vector<int32_t>>(operation.inputs),
            .outputs = carried<std::vector<int32_t>>(operation.outputs),
    };
}

NNAPI_INLINE Operation construct(As<Operation>, const aidl_hal::Operation& hal) {
    return {
            .type = static_cast<OperationType>(hal.type),
            .inputs = carried<std::vector<uint32_t>>(hal.inputs),
            .outputs = carried<std::vector<uint32_t>>(hal.outputs),
    };
}

// Both ways.
template <class From, class To>
requires(Is<From, Operation>&& Is<To, aidl_hal::Operation>) ||
        (Is<From, aidl_hal::Operation> && Is<To, Operation>)NNAPI_INLINE Status
        translateRareFields(const From& from, To& to, const Context& context) {
    const bool isPlain = aidlHas(static_cast<OperationType>(from.type)) &&
                         haveClearSignBits(from.inputs) && haveClearSignBits(from.outputs);
    if (isPlain) [[likely]]
        return {};
    return translateRare(from, to, context);
}

// Both ways.
template <class From, class To>
requires(Is<From, Model::Subgraph>&& Is<To, aidl_hal::Subgraph>) ||
        (Is<From, aidl_hal::Subgraph> && Is<To, Model::Subgraph>)Status
        translate(From&& from, To& to, const Context& context) {
    NNAPI_RETURN_IF_ERROR(
            translateEach(NNAPI_FIELD(from, operands), to.operands, context, "operands"));
    NNAPI_RETURN_IF_ERROR(
            translateEach(NNAPI_FIELD(from, operations), to.operations, context, "operations"));
    NNAPI_RETURN_IF_ERROR(
            carryNumbers(from.inputIndexes, to.inputIndexes, "inputIndexes", context));
    return carryNumbers(from.outputIndexes, to.outputIndexes, "outputIndexes", context);
}

// ---------------------------------------------------------------------------------------------
// Arguments of requests

inline Status translate(const Request::Argument& argument, aidl_hal::RequestArgument& hal,
                        const Context& context) {
    if (!hasLifeTime(argument)) return refuseLifeTime(argument.lifetime, context);
    hal.hasNoValue = argument.lifetime == Request::Argument::LifeTime::NO_VALUE;
    NNAPI_RETURN_IF_ERROR(carryNumbers(argument.dimensions, hal.dimensions, "dimensions", context));
    return translate(argument.location, hal.location, context.at("location"));
}

inline Status translate(const aidl_hal::RequestArgument& hal, Request::Argument& argument,
                        const Context& context) {
    argument.lifetime = lifeTimeOf(hal);
    NNAPI_RETURN_IF_ERROR(carryNumbers(hal.dimensions, argument.dimensions, "dimensions", context));
    return translate(hal.location, argument.location, context.at("location"));
}

}  // namespace NNAPI_BINDING::conversion
