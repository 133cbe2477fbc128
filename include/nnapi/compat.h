// nnapi/compat.h -- The older names of the conversions between HAL versions.
//
//   if (!nn::compliantWithV1_0(newer)) return error;
//   const nn::Result<nn::V1_0::Model> older = nn::convertToV1_0(newer);
//
// For callers that convert from one HAL version to another. convertToV1_X converts the parts that
// the version can represent; compliantWithV1_X returns true if the object is legal in the version
// and its conversion loses nothing. New code uses the canonical types and nnapi/convert.h.
//
// Thread-safe, no global state; never throws and never aborts on bad input.
#pragma once

#include <concepts>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "nnapi/convert.h"

namespace nn {

// convertToV1_X: converts to version V without validation. Fails if V cannot represent the object;
// `losses` receives the parts that were lost.
template <HalVersion V, ConvertsFrom Hal>
requires ConvertsTo<CanonicalType<Hal>, V> Result<HalType<CanonicalType<Hal>, V>> convertBetween(
        const Hal& object, Losses* losses = nullptr) {
    NNAPI_ASSIGN_OR_RETURN(canonical, unvalidatedConvert(object));
    return unvalidatedConvertTo<V>(std::move(canonical), losses);
}

namespace conversion {

// True if the operand or operation, regardless of its model, is legal in a version.
bool complies(const Operand& operand, HalVersion version);
bool complies(const Operation& operation, HalVersion version);
template <Validatable Canonical>
bool complies(const Canonical& object, HalVersion version) {
    const Result<Version> needed = validate(object);
    return needed.ok() && isCompliantVersion(*needed, toVersion(version));
}

// Indexes of operations of the main graph that the version cannot represent.
std::set<uint32_t> nonCompliantInMain(const Model& model, HalVersion version);

}  // namespace conversion

// compliantWithV1_X: true if the object is legal in V and converting loses nothing.
template <HalVersion V, ConvertsFrom Hal>
requires ConvertsTo<CanonicalType<Hal>, V> && requires(const CanonicalType<Hal>& canonical) {
    conversion::complies(canonical, V);
}
bool compliantBetween(const Hal& object) {
    const auto canonical = unvalidatedConvert(object);
    if (!canonical.ok() || !conversion::complies(*canonical, V)) return false;
    Losses losses;
    return unvalidatedConvertTo<V>(*canonical, &losses).ok() && losses.empty();
}

// The same for a model; `nonCompliantOperations` receives the operations of its main graph that the
// version cannot represent, including an IF or WHILE whose graphs contain one
// (nonCompliantOperations() of nnapi/slice.h names that one too). False with an empty set means
// that something else would be lost.
template <HalVersion V, ConvertsFrom Hal>
requires std::same_as<CanonicalType<Hal>, Model>
bool compliantBetween(const Hal& model, std::set<uint32_t>* nonCompliantOperations) {
    if (nonCompliantOperations == nullptr) return compliantBetween<V>(model);
    nonCompliantOperations->clear();
    if (compliantBetween<V>(model)) return true;
    const auto canonical = unvalidatedConvert(model);
    if (canonical.ok()) {
        *nonCompliantOperations = conversion::nonCompliantInMain(*canonical, V);
    }
    return false;
}

#define NNAPI_BETWEEN_VERSIONS(V)                                                                \
    template <class Hal>                                                                         \
    requires requires(const Hal& object) { convertBetween<HalVersion::V>(object); }              \
    auto convertTo##V(const Hal& object, Losses* losses = nullptr) {                             \
        return convertBetween<HalVersion::V>(object, losses);                                    \
    }                                                                                            \
    template <class Hal>                                                                         \
    requires requires(const Hal& object) { compliantBetween<HalVersion::V>(object); }            \
    bool compliantWith##V(const Hal& object) { return compliantBetween<HalVersion::V>(object); } \
    template <class Hal>                                                                         \
    requires requires(const Hal& object, std::set<uint32_t>* operations) {                       \
        compliantBetween<HalVersion::V>(object, operations);                                     \
    }                                                                                            \
    bool compliantWith##V(const Hal& object, std::set<uint32_t>* nonCompliantOperations) {       \
        return compliantBetween<HalVersion::V>(object, nonCompliantOperations);                  \
    }
NNAPI_BETWEEN_VERSIONS(V1_0)
NNAPI_BETWEEN_VERSIONS(V1_1)
NNAPI_BETWEEN_VERSIONS(V1_2)
NNAPI_BETWEEN_VERSIONS(V1_3)
#undef NNAPI_BETWEEN_VERSIONS

namespace V1_3::utils {

// As convert(), under the name that older callers use.
inline auto convertSyncFences(const std::vector<SyncFence>& fences) { return convert(fences); }

}  // namespace V1_3::utils

}  // namespace nn
