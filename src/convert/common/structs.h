// Conversion of structs that all versions of both families spell alike, or nearly. One template
// serves all: the version that introduced a type decides which fields it lacks, and the types of
// its fields decide which numbers it holds.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "convert/common/capabilities.h"
#include "convert/common/elements.h"
#include "convert/common/enums.h"
#include "convert/common/fields.h"
#include "convert/common/numbers.h"

namespace nn NNAPI_BINDING::conversion {

// ---------------------------------------------------------------------------------------------
// Models

inline Status refuseLifeTime(Operand::LifeTime lifetime, const Context& context) {
    if (lifetime != Operand::LifeTime::POINTER) {
        return refuseEnumerator(lifetime, context.at("lifetime"));
    }
    return context.refuse("convert.pointer",
                          "the value lies in caller-owned memory, call "
                          "flushDataFromPointerToShared before converting");
}

template <class Range>
concept Bytes = Is<Range, hidl::hidl_vec<uint8_t>> || Is<Range, std::vector<uint8_t>>;

// Generated ranges keep 32 bits of their size.
inline Status expectRangeSize(uint64_t bytes, const Context& context) {
    constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
    if (bytes <= kMost) return {};
    return context.refuse("convert.range_size",
                          fmt::format("size is {} bytes, allowed 0 to {} in a range of {}", bytes,
                                      kMost, titleOf(context.version)));
}

Status translate(Is<Model::OperandValues> auto&& values, Bytes auto& hal, const Context& context) {
    NNAPI_RETURN_IF_ERROR(expectRangeSize(values.size(), context));
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
    NNAPI_RETURN_IF_ERROR(translate(NNAPI_FIELD(model, operandValues), hal.operandValues,
                                    context.at("operandValues")));
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

// True if HALs have the lifetime, as hasNoValue.
inline bool hasLifeTime(const Request::Argument& argument) {
    return argument.lifetime == Request::Argument::LifeTime::POOL ||
           argument.lifetime == Request::Argument::LifeTime::NO_VALUE;
}

template <Represents<Request::Argument> Hal>
Request::Argument::LifeTime lifeTimeOf(const Hal& hal) {
    return hal.hasNoValue ? Request::Argument::LifeTime::NO_VALUE
                          : Request::Argument::LifeTime::POOL;
}

inline Status refuseLifeTime(Request::Argument::LifeTime lifetime, const Context& context) {
    if (lifetime != Request::Argument::LifeTime::POINTER) {
        return context.refuse("convert.enumerator",
                              toString(lifetime) + " does not exist in any HAL version");
    }
    return context.refuse("convert.pointer",
                          "the value lies in caller-owned memory, call "
                          "convertRequestFromPointerToShared before converting");
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

}  // namespace NNAPI_BINDING::conversion
