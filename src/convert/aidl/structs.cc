#include "convert/aidl/structs.h"

namespace nn NNAPI_BINDING::conversion {

Status translate(const DataLocation& location, aidl_hal::DataLocation& hal,
                 const Context& context) {
    NNAPI_RETURN_IF_ERROR(carryNumber(location.poolIndex, hal.poolIndex, "poolIndex", context));
    hal.offset = location.offset;
    hal.length = location.length;
    hal.padding = location.padding;
    context.recordLoss("pointer", location.pointer, {}, "has no pointers");
    return {};
}

Status translate(const aidl_hal::DataLocation& hal, DataLocation& location,
                 const Context& context) {
    location.pointer = {};
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.poolIndex, location.poolIndex, "poolIndex", context));
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.offset, location.offset, "offset", context));
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.length, location.length, "length", context));
    return carryNumber(hal.padding, location.padding, "padding", context);
}

Status translate(const Operand::ExtraParams& params, AidlExtraParams& hal, const Context& context) {
    using Tag = aidl_hal::OperandExtraParams::Tag;
    if (const auto* quant = std::get_if<Operand::SymmPerChannelQuantParams>(&params)) {
        hal.emplace().set<Tag::channelQuant>();  // held from here on, and filled in place
        return translate(*quant, hal->get<Tag::channelQuant>(), context);
    } else if (const auto* extension = std::get_if<Operand::ExtensionParams>(&params)) {
        NNAPI_RETURN_IF_ERROR(expectRangeSize(extension->size(), context));
        hal.emplace().set<Tag::extension>(*extension);
    } else {
        hal.reset();
    }
    return {};
}

Status translate(const AidlExtraParams& hal, Operand::ExtraParams& params, const Context& context) {
    using Tag = aidl_hal::OperandExtraParams::Tag;
    params = Operand::NoParams{};
    if (!hal) return {};
    switch (hal->getTag()) {
        case Tag::channelQuant:
            return translate(hal->get<Tag::channelQuant>(),
                             params.emplace<Operand::SymmPerChannelQuantParams>(), context);
        case Tag::extension:
            params = hal->get<Tag::extension>();
            return {};
    }
    return refuseUnion(context);
}

Status translateRare(const Operand& operand, aidl_hal::Operand& hal, const Context& context) {
    NNAPI_RETURN_IF_ERROR(translate(operand.type, hal.type, context.at("type")));
    NNAPI_RETURN_IF_ERROR(carryNumbers(operand.dimensions, hal.dimensions, "dimensions", context));
    if (!has(context.version, operand.lifetime)) return refuseLifeTime(operand.lifetime, context);
    NNAPI_RETURN_IF_ERROR(translate(operand.location, hal.location, context.at("location")));
    return translate(operand.extraParams, hal.extraParams, context.at("extraParams"));
}

Status translateRare(const aidl_hal::Operand& hal, Operand& operand, const Context& context) {
    NNAPI_RETURN_IF_ERROR(translate(hal.type, operand.type, context.at("type")));
    NNAPI_RETURN_IF_ERROR(carryNumbers(hal.dimensions, operand.dimensions, "dimensions", context));
    NNAPI_RETURN_IF_ERROR(translate(hal.lifetime, operand.lifetime, context.at("lifetime")));
    NNAPI_RETURN_IF_ERROR(translate(hal.location, operand.location, context.at("location")));
    return translate(hal.extraParams, operand.extraParams, context.at("extraParams"));
}

Status translateRare(const Operation& operation, aidl_hal::Operation& hal, const Context& context) {
    NNAPI_RETURN_IF_ERROR(translate(operation.type, hal.type, context.at("type")));
    NNAPI_RETURN_IF_ERROR(carryNumbers(operation.inputs, hal.inputs, "inputs", context));
    return carryNumbers(operation.outputs, hal.outputs, "outputs", context);
}

Status translateRare(const aidl_hal::Operation& hal, Operation& operation, const Context& context) {
    NNAPI_RETURN_IF_ERROR(translate(hal.type, operation.type, context.at("type")));
    NNAPI_RETURN_IF_ERROR(carryNumbers(hal.inputs, operation.inputs, "inputs", context));
    return carryNumbers(hal.outputs, operation.outputs, "outputs", context);
}

}  // namespace NNAPI_BINDING::conversion
