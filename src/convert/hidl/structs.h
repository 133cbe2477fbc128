// The structs that all versions spell alike, and the parts of a model. One template for all HIDL
// versions: what a version lacks is told by the version that its struct came with.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "convert/hidl/capabilities.h"
#include "convert/hidl/enums.h"
#include "convert/hidl/memory.h"
#include "convert/hidl/time.h"
#include "nnapi/type_utils.h"

namespace nn::conversion {

// A const reference to a T, or an rvalue whose vectors may be taken.
template <class Object, class T>
concept Is = std::same_as<std::remove_cvref_t<Object>, T>;

// Member of an object, as an rvalue where the object is one.
#define NNAPI_FIELD(object, field) (std::forward<decltype(object)>(object).field)

// A range of plain numbers: moved or copied where both sides have one type (hidl_vec is a
// std::vector here), otherwise copied one by one.
template <class From, class To>
void carry(From&& from, To& to) {
    if constexpr (std::is_assignable_v<To&, From&&>) {
        to = std::forward<From>(from);
    } else {
        to.resize(from.size());
        for (size_t i = 0; i < from.size(); ++i) to[i] = from[i];
    }
}

// Element by element. `field` names the range in its object; empty at the top.
template <class From, class To>
Status translateEach(From&& from, To& to, const Where& where, std::string_view field) {
    to.resize(from.size());
    for (size_t i = 0; i < from.size(); ++i) {
        const Where element = where.at(field, static_cast<int64_t>(i));
        if constexpr (std::is_lvalue_reference_v<From>) {
            NNAPI_RETURN_IF_ERROR(translate(from[i], to[i], element));
        } else {
            NNAPI_RETURN_IF_ERROR(translate(std::move(from[i]), to[i], element));
        }
    }
    return {};
}

// ---------------------------------------------------------------------------------------------
// Operands

inline Status translate(const DataLocation& location, V1_0::DataLocation& hal, const Where& where) {
    hal = {
            .poolIndex = location.poolIndex,
            .offset = location.offset,
            .length = location.length,
    };
    // dropped: a pointer means nothing to another process, and no HIDL version has padding
    where.at("pointer").keeps(location.pointer, {}, "has no pointers");
    where.at("padding").keeps(location.padding, 0u, "has no padding");
    return {};
}

inline Status translate(const V1_0::DataLocation& hal, DataLocation& location, const Where&) {
    location = {
            .pointer = {},
            .poolIndex = hal.poolIndex,
            .offset = hal.offset,
            .length = hal.length,
            .padding = 0,
    };
    return {};
}

Status translate(Is<Operand::SymmPerChannelQuantParams> auto&& params,
                 V1_2::SymmPerChannelQuantParams& hal, const Where&) {
    carry(NNAPI_FIELD(params, scales), hal.scales);
    hal.channelDim = params.channelDim;
    return {};
}

Status translate(Is<V1_2::SymmPerChannelQuantParams> auto&& hal,
                 Operand::SymmPerChannelQuantParams& params, const Where&) {
    carry(NNAPI_FIELD(hal, scales), params.scales);
    params.channelDim = hal.channelDim;
    return {};
}

inline Status translate(const Operand::ExtraParams& params, V1_2::Operand::ExtraParams& hal,
                        const Where& where) {
    if (const auto* quant = std::get_if<Operand::SymmPerChannelQuantParams>(&params)) {
        V1_2::SymmPerChannelQuantParams channelQuant;
        NNAPI_RETURN_IF_ERROR(translate(*quant, channelQuant, where));
        hal.channelQuant(std::move(channelQuant));
    } else if (const auto* extension = std::get_if<Operand::ExtensionParams>(&params)) {
        hal.extension(*extension);
    }
    return {};
}

inline Status translate(const V1_2::Operand::ExtraParams& hal, Operand::ExtraParams& params,
                        const Where& where) {
    using Discriminator = V1_2::Operand::ExtraParams::hidl_discriminator;
    switch (hal.getDiscriminator()) {
        case Discriminator::none:
            params = Operand::NoParams{};
            return {};
        case Discriminator::channelQuant:
            return translate(hal.channelQuant(),
                             params.emplace<Operand::SymmPerChannelQuantParams>(), where);
        case Discriminator::extension:
            carry(hal.extension(), params.emplace<Operand::ExtensionParams>());
            return {};
    }
    return where.refuse("convert.union", "union holds none of its members");
}

template <Hidl<Operand> Hal>
Status translate(Is<Operand> auto&& operand, Hal& hal, const Where& where) {
    if (operand.lifetime == Operand::LifeTime::POINTER) {
        return where.refuse("convert.pointer",
                            "the value lies in caller-owned memory, call "
                            "flushDataFromPointerToShared before converting");
    }
    NNAPI_RETURN_IF_ERROR(translate(operand.type, hal.type, where));
    carry(NNAPI_FIELD(operand, dimensions), hal.dimensions);
    hal.numberOfConsumers = 0;  // counted where the whole graph is known
    hal.scale = operand.scale;
    hal.zeroPoint = operand.zeroPoint;
    NNAPI_RETURN_IF_ERROR(translate(operand.lifetime, hal.lifetime, where.at("lifetime")));
    NNAPI_RETURN_IF_ERROR(translate(operand.location, hal.location, where.at("location")));
    if constexpr (kSince<Hal, HalVersion::V1_2>) {
        return translate(operand.extraParams, hal.extraParams, where.at("extraParams"));
    } else {
        where.at("extraParams").keeps(operand.extraParams, {}, "has no extra parameters");
        return {};
    }
}

template <Hidl<Operand> Hal>
Status translate(Hal&& hal, Operand& operand, const Where& where) {
    NNAPI_RETURN_IF_ERROR(translate(hal.type, operand.type, where));
    carry(NNAPI_FIELD(hal, dimensions), operand.dimensions);
    // numberOfConsumers is checked where the whole graph is known
    operand.scale = hal.scale;
    operand.zeroPoint = hal.zeroPoint;
    NNAPI_RETURN_IF_ERROR(translate(hal.lifetime, operand.lifetime, where.at("lifetime")));
    NNAPI_RETURN_IF_ERROR(translate(hal.location, operand.location, where.at("location")));
    if constexpr (kSince<Hal, HalVersion::V1_2>) {
        return translate(hal.extraParams, operand.extraParams, where.at("extraParams"));
    }
    return {};
}

// ---------------------------------------------------------------------------------------------
// Operations and graphs

template <Hidl<Operation> Hal>
Status translate(Is<Operation> auto&& operation, Hal& hal, const Where& where) {
    NNAPI_RETURN_IF_ERROR(translate(operation.type, hal.type, where));
    carry(NNAPI_FIELD(operation, inputs), hal.inputs);
    carry(NNAPI_FIELD(operation, outputs), hal.outputs);
    return {};
}

template <Hidl<Operation> Hal>
Status translate(Hal&& hal, Operation& operation, const Where& where) {
    NNAPI_RETURN_IF_ERROR(translate(hal.type, operation.type, where));
    carry(NNAPI_FIELD(hal, inputs), operation.inputs);
    carry(NNAPI_FIELD(hal, outputs), operation.outputs);
    return {};
}

// A HAL model that is its own main graph (until HAL 1.2), or a HAL subgraph.
template <class Hal>
concept HidlGraph = Hidl<Hal, Model::Subgraph> ||
        (Hidl<Hal, Model> && !kSince<Hal, HalVersion::V1_3>);

template <HidlGraph Hal>
Status translate(Is<Model::Subgraph> auto&& graph, Hal& hal, const Where& where) {
    const std::vector<uint32_t> consumers = countNumberOfConsumers(graph);
    NNAPI_RETURN_IF_ERROR(
            translateEach(NNAPI_FIELD(graph, operands), hal.operands, where, "operands"));
    for (size_t i = 0; i < consumers.size(); ++i) hal.operands[i].numberOfConsumers = consumers[i];
    NNAPI_RETURN_IF_ERROR(
            translateEach(NNAPI_FIELD(graph, operations), hal.operations, where, "operations"));
    carry(NNAPI_FIELD(graph, inputIndexes), hal.inputIndexes);
    carry(NNAPI_FIELD(graph, outputIndexes), hal.outputIndexes);
    return {};
}

// The canonical operand has no numberOfConsumers, so a count that the operations contradict could
// not be sent back and is refused.
template <HidlGraph Hal>
Status translate(Hal&& hal, Model::Subgraph& graph, const Where& where) {
    NNAPI_RETURN_IF_ERROR(
            translateEach(NNAPI_FIELD(hal, operands), graph.operands, where, "operands"));
    NNAPI_RETURN_IF_ERROR(
            translateEach(NNAPI_FIELD(hal, operations), graph.operations, where, "operations"));
    carry(NNAPI_FIELD(hal, inputIndexes), graph.inputIndexes);
    carry(NNAPI_FIELD(hal, outputIndexes), graph.outputIndexes);

    const std::vector<uint32_t> consumers = countNumberOfConsumers(graph);
    for (size_t i = 0; i < consumers.size(); ++i) {
        const uint32_t claimed = hal.operands[i].numberOfConsumers;
        if (claimed == consumers[i]) continue;
        Status refusal =
                where.at("operands", static_cast<int64_t>(i))
                        .refuse("convert.consumers",
                                fmt::format("numberOfConsumers is {}, allowed {}, as often as the "
                                            "operand stands in the inputs of operations",
                                            claimed, consumers[i]));
        if (where.consumers == nullptr) return refusal;
        if (where.consumers->ok()) *where.consumers = std::move(refusal);
        break;
    }
    return {};
}

// ---------------------------------------------------------------------------------------------
// Models

Status translate(Is<Model::OperandValues> auto&& values, hidl::hidl_vec<uint8_t>& hal,
                 const Where&) {
    carry(std::forward<decltype(values)>(values).bytes(), hal);
    return {};
}

Status translate(Is<hidl::hidl_vec<uint8_t>> auto&& hal, Model::OperandValues& values,
                 const Where&) {
    std::vector<uint8_t> bytes;
    carry(std::forward<decltype(hal)>(hal), bytes);
    values = Model::OperandValues(std::move(bytes));
    return {};
}

inline Status translate(const ExtensionNameAndPrefix& entry,
                        V1_2::Model::ExtensionNameAndPrefix& hal, const Where&) {
    hal = {
            .name = entry.name,
            .prefix = entry.prefix,
    };
    return {};
}

inline Status translate(const V1_2::Model::ExtensionNameAndPrefix& hal,
                        ExtensionNameAndPrefix& entry, const Where&) {
    entry = {
            .name = hal.name,
            .prefix = hal.prefix,
    };
    return {};
}

template <Hidl<Model> Hal>
Status translate(Is<Model> auto&& model, Hal& hal, const Where& where) {
    if constexpr (!HidlGraph<Hal>) {
        NNAPI_RETURN_IF_ERROR(translate(NNAPI_FIELD(model, main), hal.main, where.at("main")));
        NNAPI_RETURN_IF_ERROR(
                translateEach(NNAPI_FIELD(model, referenced), hal.referenced, where, "referenced"));
    } else {
        NNAPI_RETURN_IF_ERROR(translate(NNAPI_FIELD(model, main), hal, where.at("main")));
        where.at("referenced").keeps(model.referenced, {}, "has no referenced subgraphs");
    }
    NNAPI_RETURN_IF_ERROR(translate(NNAPI_FIELD(model, operandValues), hal.operandValues, where));
    NNAPI_RETURN_IF_ERROR(translateEach(model.pools, hal.pools, where, "pools"));
    if constexpr (kSince<Hal, HalVersion::V1_1>) {
        hal.relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16;
    } else {
        where.at("relaxComputationFloat32toFloat16")
                .keeps(model.relaxComputationFloat32toFloat16, false, "has no relaxed computation");
    }
    if constexpr (kSince<Hal, HalVersion::V1_2>) {
        NNAPI_RETURN_IF_ERROR(translateEach(model.extensionNameToPrefix, hal.extensionNameToPrefix,
                                            where, "extensionNameToPrefix"));
    } else {
        where.at("extensionNameToPrefix")
                .keeps(model.extensionNameToPrefix, {}, "has no extensions");
    }
    return {};
}

template <Hidl<Model> Hal>
Status translate(Hal&& hal, Model& model, const Where& where) {
    if constexpr (!HidlGraph<Hal>) {
        NNAPI_RETURN_IF_ERROR(translate(NNAPI_FIELD(hal, main), model.main, where.at("main")));
        NNAPI_RETURN_IF_ERROR(
                translateEach(NNAPI_FIELD(hal, referenced), model.referenced, where, "referenced"));
    } else {
        // takes only the fields of the graph, so that the others are still there below
        NNAPI_RETURN_IF_ERROR(translate(std::forward<Hal>(hal), model.main, where));
    }
    NNAPI_RETURN_IF_ERROR(translate(NNAPI_FIELD(hal, operandValues), model.operandValues, where));
    NNAPI_RETURN_IF_ERROR(translateEach(std::as_const(hal.pools), model.pools, where, "pools"));
    if constexpr (kSince<Hal, HalVersion::V1_1>) {
        model.relaxComputationFloat32toFloat16 = hal.relaxComputationFloat32toFloat16;
    }
    if constexpr (kSince<Hal, HalVersion::V1_2>) {
        NNAPI_RETURN_IF_ERROR(translateEach(std::as_const(hal.extensionNameToPrefix),
                                            model.extensionNameToPrefix, where,
                                            "extensionNameToPrefix"));
    }
    return {};
}

// ---------------------------------------------------------------------------------------------
// Requests

inline Status translate(const Request::Argument& argument, V1_0::RequestArgument& hal,
                        const Where& where) {
    switch (argument.lifetime) {
        case Request::Argument::LifeTime::POOL:
        case Request::Argument::LifeTime::NO_VALUE:
            break;
        case Request::Argument::LifeTime::POINTER:
            return where.refuse("convert.pointer",
                                "the value lies in caller-owned memory, call "
                                "convertRequestFromPointerToShared before converting");
        default:
            return where.refuse("convert.enumerator",
                                toString(argument.lifetime) + " does not exist in any HAL version");
    }
    hal.hasNoValue = argument.lifetime == Request::Argument::LifeTime::NO_VALUE;
    carry(argument.dimensions, hal.dimensions);
    return translate(argument.location, hal.location, where.at("location"));
}

inline Status translate(const V1_0::RequestArgument& hal, Request::Argument& argument,
                        const Where& where) {
    argument.lifetime = hal.hasNoValue ? Request::Argument::LifeTime::NO_VALUE
                                       : Request::Argument::LifeTime::POOL;
    carry(hal.dimensions, argument.dimensions);
    return translate(hal.location, argument.location, where.at("location"));
}

inline Status refusePool(const Request::MemoryPool& pool, const Where& where) {
    const bool isBuffer = std::holds_alternative<SharedBuffer>(pool);
    const bool hasTokens = where.version >= HalVersion::V1_3;
    return where.refuse(
            "convert.pool",
            fmt::format("a {} cannot be sent in {}, allowed {}", isBuffer ? "buffer" : "token",
                        titleOf(where.version), hasTokens ? "memory or a token" : "memory"),
            ErrorStatus::GENERAL_FAILURE);
}

inline Status translate(const Request::MemoryPool& pool, hidl::hidl_memory& hal,
                        const Where& where) {
    const auto* memory = std::get_if<SharedMemory>(&pool);
    return memory == nullptr ? refusePool(pool, where) : translate(*memory, hal, where);
}

inline Status translate(const hidl::hidl_memory& hal, Request::MemoryPool& pool,
                        const Where& where) {
    return translate(hal, pool.emplace<SharedMemory>(), where);
}

inline Status translate(const Request::MemoryPool& pool, V1_3::Request::MemoryPool& hal,
                        const Where& where) {
    if (const auto* token = std::get_if<MemoryDomainToken>(&pool)) {
        hal.token(static_cast<uint32_t>(*token));
        return {};
    }
    hidl::hidl_memory memory;
    NNAPI_RETURN_IF_ERROR(translate(pool, memory, where));
    hal.hidlMemory(std::move(memory));
    return {};
}

inline Status translate(const V1_3::Request::MemoryPool& hal, Request::MemoryPool& pool,
                        const Where& where) {
    using Discriminator = V1_3::Request::MemoryPool::hidl_discriminator;
    if (hal.getDiscriminator() == Discriminator::hidlMemory) {
        return translate(hal.hidlMemory(), pool, where);
    }
    pool = static_cast<MemoryDomainToken>(hal.token());
    return {};
}

template <Hidl<Request> Hal>
Status translate(const Request& request, Hal& hal, const Where& where) {
    NNAPI_RETURN_IF_ERROR(translateEach(request.inputs, hal.inputs, where, "inputs"));
    NNAPI_RETURN_IF_ERROR(translateEach(request.outputs, hal.outputs, where, "outputs"));
    return translateEach(request.pools, hal.pools, where, "pools");
}

template <Hidl<Request> Hal>
Status translate(const Hal& hal, Request& request, const Where& where) {
    NNAPI_RETURN_IF_ERROR(translateEach(hal.inputs, request.inputs, where, "inputs"));
    NNAPI_RETURN_IF_ERROR(translateEach(hal.outputs, request.outputs, where, "outputs"));
    return translateEach(hal.pools, request.pools, where, "pools");
}

// ---------------------------------------------------------------------------------------------
// What devices and executions report, and memory domains

inline Status translate(const OutputShape& shape, V1_2::OutputShape& hal, const Where&) {
    carry(shape.dimensions, hal.dimensions);
    hal.isSufficient = shape.isSufficient;
    return {};
}

inline Status translate(const V1_2::OutputShape& hal, OutputShape& shape, const Where&) {
    carry(hal.dimensions, shape.dimensions);
    shape.isSufficient = hal.isSufficient;
    return {};
}

inline Status translate(const Extension::OperandTypeInformation& information,
                        V1_2::Extension::OperandTypeInformation& hal, const Where&) {
    hal = {
            .type = information.type,
            .isTensor = information.isTensor,
            .byteSize = information.byteSize,
    };
    return {};
}

inline Status translate(const V1_2::Extension::OperandTypeInformation& hal,
                        Extension::OperandTypeInformation& information, const Where&) {
    information = {
            .type = hal.type,
            .isTensor = hal.isTensor,
            .byteSize = hal.byteSize,
    };
    return {};
}

inline Status translate(const Extension& extension, V1_2::Extension& hal, const Where& where) {
    hal.name = extension.name;
    return translateEach(extension.operandTypes, hal.operandTypes, where, "operandTypes");
}

inline Status translate(const V1_2::Extension& hal, Extension& extension, const Where& where) {
    extension.name = hal.name;
    return translateEach(hal.operandTypes, extension.operandTypes, where, "operandTypes");
}

// Both ways: the canonical token and the HAL's are 32 bytes.
inline Status translate(const CacheToken& from, V1_2::HidlToken& to, const Where&) {
    for (size_t i = 0; i < kByteSizeOfCacheToken; ++i) to[i] = from[i];
    return {};
}

inline Status translate(const BufferDesc& desc, V1_3::BufferDesc& hal, const Where&) {
    carry(desc.dimensions, hal.dimensions);
    return {};
}

inline Status translate(const V1_3::BufferDesc& hal, BufferDesc& desc, const Where&) {
    carry(hal.dimensions, desc.dimensions);
    return {};
}

inline Status translate(const BufferRole& role, V1_3::BufferRole& hal, const Where&) {
    hal = {
            .modelIndex = role.modelIndex,
            .ioIndex = role.ioIndex,
            .frequency = role.probability,
    };
    return {};
}

inline Status translate(const V1_3::BufferRole& hal, BufferRole& role, const Where&) {
    role = {
            .modelIndex = hal.modelIndex,
            .ioIndex = hal.ioIndex,
            .probability = hal.frequency,
    };
    return {};
}

}  // namespace nn::conversion
