// Conversion of operands, operations and graphs for all HIDL versions; conversions spend most of
// their time here.
#pragma once

#include <absl/algorithm/container.h>

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "convert/common/structs.h"
#include "convert/hidl/memory.h"
#include "convert/hidl/time.h"
#include "nnapi/type_utils.h"

namespace nn NNAPI_BINDING::conversion {

// ---------------------------------------------------------------------------------------------
// Operands

inline V1_0::DataLocation construct(As<V1_0::DataLocation>, const DataLocation& location) {
    return {
            .poolIndex = location.poolIndex,
            .offset = location.offset,
            .length = location.length,
    };
}

// Pointers are meaningless in another process, and no HIDL version has padding.
inline Status translateRareFields(const DataLocation& location, V1_0::DataLocation&,
                                  const Context& context) {
    context.recordLoss("pointer", location.pointer, {}, "has no pointers");
    context.recordLoss("padding", location.padding, 0u, "has no padding");
    return {};
}

inline DataLocation construct(As<DataLocation>, const V1_0::DataLocation& hal) {
    return {
            .pointer = {},
            .poolIndex = hal.poolIndex,
            .offset = hal.offset,
            .length = hal.length,
            .padding = 0,
    };
}

inline Status translateRareFields(const V1_0::DataLocation&, DataLocation&, const Context&) {
    return {};
}

Status translate(Is<Operand::ExtraParams> auto&& params, V1_2::Operand::ExtraParams& hal,
                 const Context& context) {
    using Params = decltype(params);
    if (auto* quant = std::get_if<Operand::SymmPerChannelQuantParams>(&params)) {
        hal.channelQuant({});  // held from here on, and filled in place
        return translate(forwardLike<Params>(*quant), hal.channelQuant(), context);
    } else if (auto* extension = std::get_if<Operand::ExtensionParams>(&params)) {
        NNAPI_RETURN_IF_ERROR(expectRangeSize(extension->size(), context));
        hal.extension(carried<hidl::hidl_vec<uint8_t>>(forwardLike<Params>(*extension)));
    }
    return {};
}

Status translate(Is<V1_2::Operand::ExtraParams> auto&& hal, Operand::ExtraParams& params,
                 const Context& context) {
    using Hal = decltype(hal);
    using Discriminator = V1_2::Operand::ExtraParams::hidl_discriminator;
    switch (hal.getDiscriminator()) {
        case Discriminator::none:
            params = Operand::NoParams{};
            return {};
        case Discriminator::channelQuant:
            return translate(forwardLike<Hal>(hal.channelQuant()),
                             params.emplace<Operand::SymmPerChannelQuantParams>(), context);
        case Discriminator::extension:
            carry(forwardLike<Hal>(hal.extension()), params.emplace<Operand::ExtensionParams>());
            return {};
    }
    return refuseUnion(context);
}

// A placeholder, since consumers are counted for a whole graph. With a constant instead, gcc would
// zero the whole operand first.
inline uint32_t noConsumersYet() { return 0; }

template <Hidl<Operand> Hal>
NNAPI_INLINE Hal construct(As<Hal>, Is<Operand> auto&& operand) {
    return {
            .type = static_cast<decltype(Hal::type)>(operand.type),
            .dimensions = carried<decltype(Hal::dimensions)>(NNAPI_FIELD(operand, dimensions)),
            .numberOfConsumers = noConsumersYet(),
            .scale = operand.scale,
            .zeroPoint = operand.zeroPoint,
            .lifetime = static_cast<decltype(Hal::lifetime)>(operand.lifetime),
            .location = construct(As<V1_0::DataLocation>{}, operand.location),
    };
}

template <Hidl<Operand> Hal>
NNAPI_COLD Status translateRare(Is<Operand> auto&& operand, Hal& hal, const Context& context) {
    if (!has(context.version, operand.lifetime)) return refuseLifeTime(operand.lifetime, context);
    NNAPI_RETURN_IF_ERROR(
            translateRareFields(operand.location, hal.location, context.at("location")));
    if constexpr (kSince<Hal, HalVersion::V1_2>) {
        return translate(NNAPI_FIELD(operand, extraParams), hal.extraParams,
                         context.at("extraParams"));
    } else {
        context.recordLoss("extraParams", operand.extraParams, {}, "has no extra parameters");
        return {};
    }
}

template <Hidl<Operand> Hal>
NNAPI_INLINE Status translateRareFields(Is<Operand> auto&& operand, Hal& hal,
                                        const Context& context) {
    const bool isPlain = has<kLastHalVersion<Hal>>(operand.lifetime) &&
                         operand.extraParams.index() == 0 && context.losses == nullptr;
    if (isPlain) [[likely]]
        return {};
    return translateRare(std::forward<decltype(operand)>(operand), hal, context);
}

template <Hidl<Operand> Hal>
NNAPI_INLINE Operand construct(As<Operand>, Hal&& hal) {
    return {
            .type = static_cast<OperandType>(hal.type),
            .dimensions = carried<decltype(Operand::dimensions)>(NNAPI_FIELD(hal, dimensions)),
            // numberOfConsumers is checked once the whole graph is known
            .scale = hal.scale,
            .zeroPoint = hal.zeroPoint,
            .lifetime = static_cast<Operand::LifeTime>(hal.lifetime),
            .location = construct(As<DataLocation>{}, hal.location),
    };
}

// Before HAL 1.2 the only rare case is an unknown lifetime.
template <Hidl<Operand> Hal>
NNAPI_COLD Status translateRare(Hal&& hal, Operand& operand, const Context& context) {
    if constexpr (kSince<Hal, HalVersion::V1_2>) {
        if (has(context.version, operand.lifetime)) {
            return translate(NNAPI_FIELD(hal, extraParams), operand.extraParams,
                             context.at("extraParams"));
        }
    }
    return refuseEnumerator(operand.lifetime, context.at("lifetime"));
}

template <Hidl<Operand> Hal>
NNAPI_INLINE Status translateRareFields(Hal&& hal, Operand& operand, const Context& context) {
    bool isPlain = has<kLastHalVersion<Hal>>(operand.lifetime);
    if constexpr (kSince<Hal, HalVersion::V1_2>) {
        using Discriminator = V1_2::Operand::ExtraParams::hidl_discriminator;
        isPlain = isPlain && hal.extraParams.getDiscriminator() == Discriminator::none;
    }
    if (isPlain) [[likely]]
        return {};
    return translateRare(std::forward<Hal>(hal), operand, context);
}

// ---------------------------------------------------------------------------------------------
// Operations and graphs

template <Hidl<Operation> Hal>
NNAPI_INLINE Hal construct(As<Hal>, Is<Operation> auto&& operation) {
    return {
            .type = static_cast<decltype(Hal::type)>(operation.type),
            .inputs = carried<decltype(Hal::inputs)>(NNAPI_FIELD(operation, inputs)),
            .outputs = carried<decltype(Hal::outputs)>(NNAPI_FIELD(operation, outputs)),
    };
}

template <Hidl<Operation> Hal>
Status translateRareFields(Is<Operation> auto&&, Hal&, const Context&) {
    return {};
}

template <Hidl<Operation> Hal>
NNAPI_INLINE Operation construct(As<Operation>, Hal&& hal) {
    return {
            .type = static_cast<OperationType>(hal.type),
            .inputs = carried<decltype(Operation::inputs)>(NNAPI_FIELD(hal, inputs)),
            .outputs = carried<decltype(Operation::outputs)>(NNAPI_FIELD(hal, outputs)),
    };
}

template <Hidl<Operation> Hal>
Status translateRareFields(Hal&&, Operation&, const Context&) {
    return {};
}

// A HAL model that is its own main graph (up to HAL 1.2), or a HAL subgraph.
template <class Hal>
concept HidlGraph = Hidl<Hal, Model::Subgraph> || FlatModel<Hal>;

template <HidlGraph Hal>
Status translate(Is<Model::Subgraph> auto&& graph, Hal& hal, const Context& context) {
    // Counted first: once all operands of a large graph are converted, the first ones have left the
    // cache.
    const std::vector<uint32_t> consumers = countNumberOfConsumers(graph);
    const uint32_t* next = consumers.data();
    const auto count = [&](const auto&, auto& operand) { operand.numberOfConsumers = *next++; };
    NNAPI_RETURN_IF_ERROR(
            translateEach(NNAPI_FIELD(graph, operands), hal.operands, context, "operands", count));
    NNAPI_RETURN_IF_ERROR(
            translateEach(NNAPI_FIELD(graph, operations), hal.operations, context, "operations"));
    carry(NNAPI_FIELD(graph, inputIndexes), hal.inputIndexes);
    carry(NNAPI_FIELD(graph, outputIndexes), hal.outputIndexes);
    return {};
}

// The canonical operand has no numberOfConsumers. A count that contradicts the operations could not
// be converted back, so it is rejected.
template <HidlGraph Hal>
Status translate(Hal&& hal, Model::Subgraph& graph, const Context& context) {
    std::vector<uint32_t> missing(hal.operands.size());  // claimed consumers not seen yet
    size_t next = 0;
    const auto claim = [&](const auto& operand, const Operand&) {
        missing[next++] = operand.numberOfConsumers;
    };
    const auto see = [&](const auto&, const Operation& operation) {
        for (const uint32_t input : operation.inputs) {
            if (input < missing.size()) --missing[input];
        }
    };
    NNAPI_RETURN_IF_ERROR(
            translateEach(NNAPI_FIELD(hal, operands), graph.operands, context, "operands", claim));
    NNAPI_RETURN_IF_ERROR(translateEach(NNAPI_FIELD(hal, operations), graph.operations, context,
                                        "operations", see));
    carry(NNAPI_FIELD(hal, inputIndexes), graph.inputIndexes);
    carry(NNAPI_FIELD(hal, outputIndexes), graph.outputIndexes);

    const auto wrong = absl::c_find_if(missing, [](uint32_t left) { return left != 0; });
    if (wrong == missing.end()) return {};
    const auto operand = static_cast<size_t>(wrong - missing.begin());
    const uint32_t consumers = countNumberOfConsumers(graph)[operand];
    Status refusal =
            context.at("operands", static_cast<int64_t>(operand))
                    .refuse("convert.consumers",
                            fmt::format("numberOfConsumers is {}, allowed {}, as often as the "
                                        "operand stands in the inputs of operations",
                                        consumers + *wrong, consumers));
    if (context.consumers == nullptr) return refusal;
    if (context.consumers->ok()) *context.consumers = std::move(refusal);
    return {};
}

// ---------------------------------------------------------------------------------------------
// Requests

template <Hidl<Request::Argument> Hal>
NNAPI_INLINE Hal construct(As<Hal>, const Request::Argument& argument) {
    return {
            .hasNoValue = argument.lifetime == Request::Argument::LifeTime::NO_VALUE,
            .location = construct(As<V1_0::DataLocation>{}, argument.location),
            .dimensions = carried<decltype(Hal::dimensions)>(argument.dimensions),
    };
}

template <Hidl<Request::Argument> Hal>
NNAPI_INLINE Status translateRareFields(const Request::Argument& argument, Hal& hal,
                                        const Context& context) {
    const bool isPlain = hasLifeTime(argument) && context.losses == nullptr;
    if (isPlain) [[likely]]
        return {};
    if (!hasLifeTime(argument)) return refuseLifeTime(argument.lifetime, context);
    return translateRareFields(argument.location, hal.location, context.at("location"));
}

template <Hidl<Request::Argument> Hal>
NNAPI_INLINE Request::Argument construct(As<Request::Argument>, const Hal& hal) {
    return {
            .lifetime = lifeTimeOf(hal),
            .location = construct(As<DataLocation>{}, hal.location),
            .dimensions = carried<decltype(Request::Argument::dimensions)>(hal.dimensions),
    };
}

template <Hidl<Request::Argument> Hal>
Status translateRareFields(const Hal&, Request::Argument&, const Context&) {
    return {};
}

inline Status translate(const Request::MemoryPool& pool, hidl::hidl_memory& hal,
                        const Context& context) {
    const auto* memory = std::get_if<SharedMemory>(&pool);
    return memory == nullptr ? refusePool(pool, context) : translate(*memory, hal, context);
}

inline Status translate(const hidl::hidl_memory& hal, Request::MemoryPool& pool,
                        const Context& context) {
    return translate(hal, pool.emplace<SharedMemory>(), context);
}

inline Status translate(const Request::MemoryPool& pool, V1_3::Request::MemoryPool& hal,
                        const Context& context) {
    if (const auto* token = std::get_if<MemoryDomainToken>(&pool)) {
        hal.token(static_cast<uint32_t>(*token));
        return {};
    }
    hal.hidlMemory({});  // held from here on, and filled in place
    return translate(pool, hal.hidlMemory(), context);
}

inline Status translate(const V1_3::Request::MemoryPool& hal, Request::MemoryPool& pool,
                        const Context& context) {
    using Discriminator = V1_3::Request::MemoryPool::hidl_discriminator;
    switch (hal.getDiscriminator()) {
        case Discriminator::hidlMemory:
            return translate(hal.hidlMemory(), pool, context);
        case Discriminator::token:
            pool = static_cast<MemoryDomainToken>(hal.token());
            return {};
    }
    return refuseUnion(context);
}

// ---------------------------------------------------------------------------------------------
// Others

// HIDL calls the probability frequency.
inline Status translate(const BufferRole& role, V1_3::BufferRole& hal, const Context&) {
    hal = {
            .modelIndex = role.modelIndex,
            .ioIndex = role.ioIndex,
            .frequency = role.probability,
    };
    return {};
}

inline Status translate(const V1_3::BufferRole& hal, BufferRole& role, const Context&) {
    role = {
            .modelIndex = hal.modelIndex,
            .ioIndex = hal.ioIndex,
            .probability = hal.frequency,
    };
    return {};
}

inline Status translate(const CacheToken& token, V1_2::HidlToken& hal, const Context&) {
    hal = token;
    return {};
}

inline Status translate(const V1_2::HidlToken& hal, CacheToken& token, const Context&) {
    token = hal;
    return {};
}

}  // namespace NNAPI_BINDING::conversion
