// The structs that all versions spell alike, and the parts of a model. One template serves all HIDL
// versions: the version that introduced a struct tells which fields it lacks.
#pragma once

#include <absl/algorithm/container.h>

#include <concepts>
#include <cstddef>
#include <span>
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

// The many elements of a graph are made in line, and what is rare stands elsewhere.
#define NNAPI_INLINE [[gnu::always_inline]] inline
#define NNAPI_COLD [[gnu::cold, gnu::noinline]]

// Member of an object, as an rvalue where the object is one.
#define NNAPI_FIELD(object, field) (std::forward<decltype(object)>(object).field)

// The same for the result of an accessor.
template <class Object, class Part>
decltype(auto) forwardLike(Part& part) {
    if constexpr (std::is_lvalue_reference_v<Object>) {
        return (part);
    } else {
        return std::move(part);
    }
}

// A range of plain numbers: taken from an rvalue where the other side can, else copied.
template <class To, class From>
NNAPI_INLINE To carried(From&& from) {
    if (from.empty()) return To();  // as of all scalars
    if constexpr (!std::is_lvalue_reference_v<From> && std::is_constructible_v<To, From&&>) {
        return To(std::move(from));
    } else {
        return To(from.begin(), from.end());
    }
}

template <class From, class To>
void carry(From&& from, To& to) {
    to = carried<To>(std::forward<From>(from));
}

// Operands and operations, which are many, have in place of translate
//   To made(As<To>, From&&)
//   Status translateRest(From&&, To&, const Where&)
// of which the first makes an element with all that cannot fail, so that a vector makes it in
// place, and the second does what is rare.
template <class To>
struct As {};

template <class To, class From>
concept MadeFrom = requires(From&& from) {
    made(As<To>{}, std::forward<From>(from));
};

template <class From, MadeFrom<From> To>
Status translate(From&& from, To& to, const Where& where) {
    to = made(As<To>{}, std::forward<From>(from));
    return translateRest(std::forward<From>(from), to, where);
}

// Lets a vector make an element in place.
template <class To, class From>
struct Making {
    From&& from;

    NNAPI_INLINE operator To() const { return made(As<To>{}, std::forward<From>(from)); }
};

// Translates element by element. `field` names the range in its object; empty at the top. An rvalue
// is freed on the way, so that source and result never both take their whole memory. `then` is
// called with each pair of translated elements.
template <class From, class To, class Then = std::nullptr_t>
Status translateEach(From&& from, To& to, const Where& where, std::string_view field,
                     const Then& then = nullptr) {
    using Element = typename To::value_type;
    using Item = typename std::remove_cvref_t<From>::value_type;
    using Source = std::conditional_t<std::is_lvalue_reference_v<From>, const Item&, Item>;
    Where element = where.at(field);
    element.place.index = 0;
    std::vector<Element> elements;
    elements.reserve(from.size());
    for (auto& each : from) {
        auto&& source = static_cast<Source&&>(each);
        if constexpr (MadeFrom<Element, Source>) {
            Element& made =
                    elements.emplace_back(Making<Element, Source>{std::forward<Source>(source)});
            NNAPI_RETURN_IF_ERROR(translateRest(std::forward<Source>(source), made, element));
        } else {
            NNAPI_RETURN_IF_ERROR(
                    translate(std::forward<Source>(source), elements.emplace_back(), element));
        }
        if constexpr (!std::same_as<Then, std::nullptr_t>) then(each, elements.back());
        ++element.place.index;
    }
    to = std::move(elements);
    if constexpr (!std::is_lvalue_reference_v<From>) from = From();
    return {};
}

// ---------------------------------------------------------------------------------------------
// Operands

inline V1_0::DataLocation made(As<V1_0::DataLocation>, const DataLocation& location) {
    return {
            .poolIndex = location.poolIndex,
            .offset = location.offset,
            .length = location.length,
    };
}

// A pointer means nothing to another process, and no HIDL version has padding.
inline Status translateRest(const DataLocation& location, V1_0::DataLocation&, const Where& where) {
    where.keeps("pointer", location.pointer, {}, "has no pointers");
    where.keeps("padding", location.padding, 0u, "has no padding");
    return {};
}

inline DataLocation made(As<DataLocation>, const V1_0::DataLocation& hal) {
    return {
            .pointer = {},
            .poolIndex = hal.poolIndex,
            .offset = hal.offset,
            .length = hal.length,
            .padding = 0,
    };
}

inline Status translateRest(const V1_0::DataLocation&, DataLocation&, const Where&) { return {}; }

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

Status translate(Is<Operand::ExtraParams> auto&& params, V1_2::Operand::ExtraParams& hal,
                 const Where& where) {
    using Params = decltype(params);
    if (auto* quant = std::get_if<Operand::SymmPerChannelQuantParams>(&params)) {
        return translate(forwardLike<Params>(*quant), hal.channelQuant(), where);
    }
    if (auto* extension = std::get_if<Operand::ExtensionParams>(&params)) {
        carry(forwardLike<Params>(*extension), hal.extension());
    }
    return {};
}

Status translate(Is<V1_2::Operand::ExtraParams> auto&& hal, Operand::ExtraParams& params,
                 const Where& where) {
    using Hal = decltype(hal);
    using Discriminator = V1_2::Operand::ExtraParams::hidl_discriminator;
    switch (hal.getDiscriminator()) {
        case Discriminator::none:
            params = Operand::NoParams{};
            return {};
        case Discriminator::channelQuant:
            return translate(forwardLike<Hal>(hal.channelQuant()),
                             params.emplace<Operand::SymmPerChannelQuantParams>(), where);
        case Discriminator::extension:
            carry(forwardLike<Hal>(hal.extension()), params.emplace<Operand::ExtensionParams>());
            return {};
    }
    return where.refuse("convert.union", "union holds none of its members");
}

inline Status refuseLifeTime(Operand::LifeTime lifetime, const Where& where) {
    if (lifetime != Operand::LifeTime::POINTER) {
        return refuseEnumerator(lifetime, where.at("lifetime"));
    }
    return where.refuse("convert.pointer",
                        "the value lies in caller-owned memory, call "
                        "flushDataFromPointerToShared before converting");
}

// Consumers are counted where the whole graph is known. A constant in its place would have gcc
// clear the whole operand before it is made.
inline uint32_t noneYet() { return 0; }

template <Hidl<Operand> Hal>
NNAPI_INLINE Hal made(As<Hal>, Is<Operand> auto&& operand) {
    return {
            .type = static_cast<decltype(Hal::type)>(operand.type),
            .dimensions = carried<decltype(Hal::dimensions)>(NNAPI_FIELD(operand, dimensions)),
            .numberOfConsumers = noneYet(),
            .scale = operand.scale,
            .zeroPoint = operand.zeroPoint,
            .lifetime = static_cast<decltype(Hal::lifetime)>(operand.lifetime),
            .location = made(As<V1_0::DataLocation>{}, operand.location),
    };
}

template <Hidl<Operand> Hal>
NNAPI_COLD Status translateRare(Is<Operand> auto&& operand, Hal& hal, const Where& where) {
    if (!has(where.version, operand.lifetime)) return refuseLifeTime(operand.lifetime, where);
    NNAPI_RETURN_IF_ERROR(translateRest(operand.location, hal.location, where.at("location")));
    if constexpr (kSince<Hal, HalVersion::V1_2>) {
        return translate(NNAPI_FIELD(operand, extraParams), hal.extraParams,
                         where.at("extraParams"));
    } else {
        where.keeps("extraParams", operand.extraParams, {}, "has no extra parameters");
        return {};
    }
}

template <Hidl<Operand> Hal>
NNAPI_INLINE Status translateRest(Is<Operand> auto&& operand, Hal& hal, const Where& where) {
    const bool isPlain = has<kLastHalVersion<Hal>>(operand.lifetime) &&
                         operand.extraParams.index() == 0 && where.losses == nullptr;
    if (isPlain) [[likely]]
        return {};
    return translateRare(std::forward<decltype(operand)>(operand), hal, where);
}

template <Hidl<Operand> Hal>
NNAPI_INLINE Operand made(As<Operand>, Hal&& hal) {
    return {
            .type = static_cast<OperandType>(hal.type),
            .dimensions = carried<decltype(Operand::dimensions)>(NNAPI_FIELD(hal, dimensions)),
            // numberOfConsumers is checked where the whole graph is known
            .scale = hal.scale,
            .zeroPoint = hal.zeroPoint,
            .lifetime = static_cast<Operand::LifeTime>(hal.lifetime),
            .location = made(As<DataLocation>{}, hal.location),
    };
}

template <Hidl<Operand> Hal>
NNAPI_COLD Status translateRare(Hal&& hal, Operand& operand, const Where& where) {
    if (!has(where.version, operand.lifetime)) {
        return refuseEnumerator(operand.lifetime, where.at("lifetime"));
    }
    if constexpr (kSince<Hal, HalVersion::V1_2>) {
        return translate(NNAPI_FIELD(hal, extraParams), operand.extraParams,
                         where.at("extraParams"));
    }
    return {};
}

template <Hidl<Operand> Hal>
NNAPI_INLINE Status translateRest(Hal&& hal, Operand& operand, const Where& where) {
    bool isPlain = has<kLastHalVersion<Hal>>(operand.lifetime);
    if constexpr (kSince<Hal, HalVersion::V1_2>) {
        using Discriminator = V1_2::Operand::ExtraParams::hidl_discriminator;
        isPlain = isPlain && hal.extraParams.getDiscriminator() == Discriminator::none;
    }
    if (isPlain) [[likely]]
        return {};
    return translateRare(std::forward<Hal>(hal), operand, where);
}

// ---------------------------------------------------------------------------------------------
// Operations and graphs

template <Hidl<Operation> Hal>
NNAPI_INLINE Hal made(As<Hal>, Is<Operation> auto&& operation) {
    return {
            .type = static_cast<decltype(Hal::type)>(operation.type),
            .inputs = carried<decltype(Hal::inputs)>(NNAPI_FIELD(operation, inputs)),
            .outputs = carried<decltype(Hal::outputs)>(NNAPI_FIELD(operation, outputs)),
    };
}

template <Hidl<Operation> Hal>
Status translateRest(Is<Operation> auto&&, Hal&, const Where&) {
    return {};
}

template <Hidl<Operation> Hal>
NNAPI_INLINE Operation made(As<Operation>, Hal&& hal) {
    return {
            .type = static_cast<OperationType>(hal.type),
            .inputs = carried<decltype(Operation::inputs)>(NNAPI_FIELD(hal, inputs)),
            .outputs = carried<decltype(Operation::outputs)>(NNAPI_FIELD(hal, outputs)),
    };
}

template <Hidl<Operation> Hal>
Status translateRest(Hal&&, Operation&, const Where&) {
    return {};
}

// A HAL model that is its own main graph (until HAL 1.2), or a HAL subgraph.
template <class Hal>
concept HidlGraph = Hidl<Hal, Model::Subgraph> ||
        (Hidl<Hal, Model> && !kSince<Hal, HalVersion::V1_3>);

template <HidlGraph Hal>
Status translate(Is<Model::Subgraph> auto&& graph, Hal& hal, const Where& where) {
    NNAPI_RETURN_IF_ERROR(
            translateEach(NNAPI_FIELD(graph, operands), hal.operands, where, "operands"));
    const std::span operands(hal.operands.data(), hal.operands.size());
    const auto count = [&](const auto&, const auto& operation) {
        for (const uint32_t input : operation.inputs) {
            if (input < operands.size()) ++operands[input].numberOfConsumers;
        }
    };
    NNAPI_RETURN_IF_ERROR(translateEach(NNAPI_FIELD(graph, operations), hal.operations, where,
                                        "operations", count));
    carry(NNAPI_FIELD(graph, inputIndexes), hal.inputIndexes);
    carry(NNAPI_FIELD(graph, outputIndexes), hal.outputIndexes);
    return {};
}

// The canonical operand has no numberOfConsumers. So a count that the operations contradict could
// not be sent back, and it is refused.
template <HidlGraph Hal>
Status translate(Hal&& hal, Model::Subgraph& graph, const Where& where) {
    std::vector<uint32_t> missing(hal.operands.size());  // of the claimed ones, not yet seen
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
            translateEach(NNAPI_FIELD(hal, operands), graph.operands, where, "operands", claim));
    NNAPI_RETURN_IF_ERROR(translateEach(NNAPI_FIELD(hal, operations), graph.operations, where,
                                        "operations", see));
    carry(NNAPI_FIELD(hal, inputIndexes), graph.inputIndexes);
    carry(NNAPI_FIELD(hal, outputIndexes), graph.outputIndexes);

    const auto wrong = absl::c_find_if(missing, [](uint32_t left) { return left != 0; });
    if (wrong == missing.end()) return {};
    const auto operand = static_cast<size_t>(wrong - missing.begin());
    const uint32_t consumers = countNumberOfConsumers(graph)[operand];
    Status refusal =
            where.at("operands", static_cast<int64_t>(operand))
                    .refuse("convert.consumers",
                            fmt::format("numberOfConsumers is {}, allowed {}, as often as the "
                                        "operand stands in the inputs of operations",
                                        consumers + *wrong, consumers));
    if (where.consumers == nullptr) return refusal;
    if (where.consumers->ok()) *where.consumers = std::move(refusal);
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
