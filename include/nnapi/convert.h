// nnapi/convert.h -- Converts between canonical types and the types of each HAL version.
//
//   using namespace nn;
//   Losses losses;
//   const Result<V1_0::Model> maybe = V1_0::utils::convert(canonicalModel, &losses);
//   if (!maybe.has_value()) return maybe.status();
//   const Model same = nn::convert(*maybe).value();
//
// The error of a failed conversion has the reason ("main.operations[4] HARD_SWISH: HARD_SWISH needs
// HAL 1.3, ..."). If there are no losses, the model that comes back equals the first.
//
// V1_X::utils::convert and nn::convert validate; unvalidatedConvert translates everything that the
// target type can represent. The same functions are in AIDL1::utils to AIDL4::utils, which share
// their types. The rows of nnapi/convert_types.def list the types that convert. A conversion to a
// version may lose information and can report every loss (nnapi/losses.h); a conversion to
// canonical types loses nothing. docs/conversions.md has the details of each type.
//
// Shared memory and handles are passed by duplicated descriptors, never copied; an rvalue Model
// gives up its constants and index vectors. Thread-safe, no global state; never throws and never
// aborts on bad input. Reads a clock only to convert time points without a ClockReading.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "nnapi/hal/aidl/model.h"
#include "nnapi/hal/binding.h"
#include "nnapi/hal/v1_3.h"
#include "nnapi/losses.h"
#include "nnapi/result.h"
#include "nnapi/types.h"
#include "nnapi/validate.h"
#include "nnapi/validated_model.h"

namespace nn NNAPI_BINDING {

// ---------------------------------------------------------------------------------------------
// Type mapping, derived from nnapi/convert_types.def.

namespace conversion {

// HalTypeOf<Canonical, V>::type and CanonicalOf<Hal>::type exist if a row has them.
template <class Canonical, HalVersion V>
struct HalTypeOf {};

template <class Hal>
struct CanonicalOf {};

#define NNAPI_HAL_TYPE_OUT(Canonical, Hal, from, to)                                        \
    template <HalVersion V>                                                                 \
    requires(HalVersion::from <= V && V <= HalVersion::to) struct HalTypeOf<Canonical, V> { \
        using type = Hal;                                                                   \
        static constexpr std::string_view kCanonical{#Canonical};                           \
    };
#define NNAPI_HAL_TYPE(Canonical, Hal, from, to)              \
    NNAPI_HAL_TYPE_OUT(Canonical, Hal, from, to)              \
    template <>                                               \
    struct CanonicalOf<Hal> {                                 \
        using type = Canonical;                               \
        static constexpr HalVersion kFirst{HalVersion::from}; \
        static constexpr HalVersion kLast{HalVersion::to};    \
    };
#define NNAPI_HAL_PLAIN(Canonical, Hal, from, to)                                           \
    template <HalVersion V>                                                                 \
    requires(HalVersion::from <= V && V <= HalVersion::to) struct HalTypeOf<Canonical, V> { \
        using type = Hal;                                                                   \
        static constexpr std::string_view kCanonical{#Canonical};                           \
        static constexpr bool kIsPlain = true;                                              \
    };
#include "nnapi/convert_types.def"

// The sequence type of a version.
template <class T, HalVersion V>
using HalRange = std::conditional_t<halVersionInfo(V)->family == HalFamily::HIDL, hidl::hidl_vec<T>,
                                    std::vector<T>>;

template <class Canonical, HalVersion V>
concept IsElement = requires {
    typename HalTypeOf<Canonical, V>::type;
}
&&!requires { HalTypeOf<Canonical, V>::kIsPlain; };

// A vector converts as a HAL sequence if its elements do.
template <class Canonical, HalVersion V>
requires IsElement<Canonical, V>
struct HalTypeOf<std::vector<Canonical>, V> {
    // As of one element, but a sequence.
    using type = HalRange<typename HalTypeOf<Canonical, V>::type, V>;
    static constexpr std::string_view kCanonical = HalTypeOf<Canonical, V>::kCanonical;
};

// A sequence converts to a vector if its elements convert.
template <class Hal>
requires requires { typename CanonicalOf<Hal>::type; }
struct CanonicalOf<hidl::hidl_vec<Hal>> {
    // The vector, and the versions that have its elements.
    using type = std::vector<typename CanonicalOf<Hal>::type>;
    static constexpr HalVersion kFirst = CanonicalOf<Hal>::kFirst;
    static constexpr HalVersion kLast = CanonicalOf<Hal>::kLast;
};
template <class Hal>
requires requires { typename CanonicalOf<Hal>::type; }
struct CanonicalOf<std::vector<Hal>> : CanonicalOf<hidl::hidl_vec<Hal>> {};

}  // namespace conversion

// The HAL type of a canonical type in a version.
template <class Canonical, HalVersion V>
using HalType = typename conversion::HalTypeOf<std::remove_cvref_t<Canonical>, V>::type;

// The canonical type of a HAL type.
template <class Hal>
using CanonicalType = typename conversion::CanonicalOf<std::remove_cvref_t<Hal>>::type;

// The first and last version that use a HAL type. Types that did not change between versions are
// aliases, so an object does not identify its version: nn::convert accepts an object that is legal
// in the last of them.
template <class Hal>
inline constexpr HalVersion kFirstHalVersion =
        conversion::CanonicalOf<std::remove_cvref_t<Hal>>::kFirst;
template <class Hal>
inline constexpr HalVersion kLastHalVersion =
        conversion::CanonicalOf<std::remove_cvref_t<Hal>>::kLast;

// True if a canonical type has a HAL type in a version, or a HAL type has a canonical one.
template <class Canonical, HalVersion V>
concept ConvertsTo = requires {
    typename HalType<Canonical, V>;
};

template <class Hal>
concept ConvertsFrom = requires {
    typename CanonicalType<Hal>;
};

// True for types that can be validated; only these have validating conversions.
template <class Canonical>
concept Validatable = requires(const std::remove_cvref_t<Canonical>& object) {
    { validate(object) } -> std::same_as<Result<Version>>;
};

// ---------------------------------------------------------------------------------------------
// Time points: the canonical clock includes suspended time; the steady clock of HAL 1.3 does not.

// Readings of both clocks at the same moment, in time since boot. Conversions preserve the
// remaining time until a time point. Without a reading, each conversion reads the clocks, so a time
// point may come back slightly different.
struct ClockReading {
    Duration boot{};    // CLOCK_BOOTTIME, the canonical clock
    Duration steady{};  // CLOCK_MONOTONIC, the clock of HAL 1.3
    // Reads both clocks, one right after the other.
    static ClockReading now();
};

// ---------------------------------------------------------------------------------------------
// Conversions for a version known at compile time.

namespace conversion {

// Defined in the library for every row. Object is const Canonical& or, for a model, Model.
template <class Hal, class Object>
Result<Hal> toHal(Object&& object, HalVersion version, Losses* losses);
// `consumers` receives the first wrong numberOfConsumers, which otherwise fails at once: callers
// can then report faults of the operations first.
template <class Canonical, class Object>
Result<Canonical> toCanonical(Object&& object, HalVersion version, Status* consumers = nullptr);

// An rvalue model is passed as an rvalue, everything else by const reference.
template <class Object>
inline constexpr bool kIsModel = std::same_as<Object, Model>;
template <ConvertsFrom Hal>
inline constexpr bool kIsModel<Hal> = std::same_as<CanonicalType<Hal>, Model>;
template <class Object>
inline constexpr bool kMoves =
        !std::is_reference_v<Object> && !std::is_const_v<Object> && kIsModel<Object>;
template <class Object>
using Passed = std::conditional_t<kMoves<Object>, Object&&, const std::remove_cvref_t<Object>&>;

// Success when the version is enough; `what` names the object.
Status suffices(const Result<Version>& needed, HalVersion version, std::string_view what);

}  // namespace conversion

// Success if an object is legal and can be represented in version V; otherwise INVALID_ARGUMENT
// with the first reason.
template <HalVersion V, Validatable Canonical>
requires ConvertsTo<Canonical, V> Status compliantWith(const Canonical& object) {
    if constexpr (std::same_as<Canonical, Model>) {
        return validateFor(object, toVersion(V));
    } else {
        return conversion::suffices(validate(object), V,
                                    conversion::HalTypeOf<Canonical, V>::kCanonical);
    }
}

// Converts to version V without validation. Fails if the type of V cannot represent the object.
// `losses`, if not null, receives the parts that were lost.
template <HalVersion V, ConvertsTo<V> Canonical>
Result<HalType<Canonical, V>> unvalidatedConvertTo(Canonical&& object, Losses* losses = nullptr) {
    return conversion::toHal<HalType<Canonical, V>>(
            static_cast<conversion::Passed<Canonical>>(object), V, losses);
}

// Validates for version V, then converts.
template <HalVersion V, ConvertsTo<V> Canonical>
requires Validatable<Canonical> Result<HalType<Canonical, V>> convertTo(Canonical&& object,
                                                                        Losses* losses = nullptr) {
    NNAPI_RETURN_IF_ERROR(compliantWith<V>(std::as_const(object)));
    return unvalidatedConvertTo<V>(std::forward<Canonical>(object), losses);
}

// The same for a model that has been validated.
template <HalVersion V>
Result<HalType<Model, V>> convertTo(const ValidatedModel& model, Losses* losses = nullptr) {
    NNAPI_RETURN_IF_ERROR(validateFor(model, toVersion(V)));
    return unvalidatedConvertTo<V>(model.model(), losses);
}

// Converts a HAL object to its canonical type without validation. Fails if no canonical value
// represents it.
template <ConvertsFrom Hal>
Result<CanonicalType<Hal>> unvalidatedConvert(Hal&& object) {
    return conversion::toCanonical<CanonicalType<Hal>>(static_cast<conversion::Passed<Hal>>(object),
                                                       kLastHalVersion<Hal>);
}

// Converts to the canonical type, then validates for version V.
template <HalVersion V, ConvertsFrom Hal>
requires Validatable<CanonicalType<Hal>> &&
        std::same_as<HalType<CanonicalType<Hal>, V>, std::remove_cvref_t<Hal>>
                Result<CanonicalType<Hal>> convertFrom(Hal&& object) {
    Status consumers;
    auto canonical = conversion::toCanonical<CanonicalType<Hal>>(
            static_cast<conversion::Passed<Hal>>(object), kLastHalVersion<Hal>, &consumers);
    if (!canonical.ok()) return canonical;
    NNAPI_RETURN_IF_ERROR(compliantWith<V>(*canonical));
    NNAPI_RETURN_IF_ERROR(consumers);
    return canonical;
}

// The same for the last version that has the type.
template <ConvertsFrom Hal>
requires Validatable<CanonicalType<Hal>> Result<CanonicalType<Hal>> convert(Hal&& object) {
    return convertFrom<kLastHalVersion<Hal>>(std::forward<Hal>(object));
}

namespace conversion {

// The last version that has a HAL type for a canonical one.
template <class Canonical>
inline constexpr HalVersion kLastVersionWith = [] {
    HalVersion last{};
#define NNAPI_HAL_VERSION(name, level, text, title, family) \
    if (ConvertsTo<Canonical, HalVersion::name>) last = HalVersion::name;
#include "nnapi/hal_versions.def"
    return last;
}();

}  // namespace conversion

// The same for a HAL type that corresponds to several canonical types: Canonical selects one. V is
// the last version that has a type for it.
template <class Canonical, HalVersion V = conversion::kLastVersionWith<Canonical>>
requires ConvertsTo<Canonical, V> Result<Canonical> unvalidatedConvertAs(
        const HalType<Canonical, V>& object) {
    return conversion::toCanonical<Canonical>(object, V);
}

// The same, and validates for version V.
template <class Canonical, HalVersion V = conversion::kLastVersionWith<Canonical>>
requires ConvertsTo<Canonical, V> && Validatable<Canonical> Result<Canonical> convertAs(
        const HalType<Canonical, V>& object) {
    NNAPI_ASSIGN_OR_RETURN(canonical, (unvalidatedConvertAs<Canonical, V>(object)));
    NNAPI_RETURN_IF_ERROR(compliantWith<V>(canonical));
    return canonical;
}

// As convertFrom(), and keeps the findings of the validation.
template <HalVersion V>
Result<ValidatedModel> checkFrom(const HalType<Model, V>& model, const Limits& limits = {}) {
    Status consumers;
    NNAPI_ASSIGN_OR_RETURN(canonical, conversion::toCanonical<Model>(model, V, &consumers));
    NNAPI_ASSIGN_OR_RETURN(checked, checkFor(std::move(canonical), toVersion(V), limits));
    NNAPI_RETURN_IF_ERROR(consumers);
    return checked;
}

// Conversions of time points with a given clock reading.
Result<OptionalTimePoint> unvalidatedConvert(const V1_3::OptionalTimePoint& timePoint,
                                             const ClockReading& clocks);
Result<OptionalTimePoint> convert(const V1_3::OptionalTimePoint& timePoint,
                                  const ClockReading& clocks);

}  // namespace NNAPI_BINDING

namespace nn {

// ---------------------------------------------------------------------------------------------
// The same functions in the namespace of a version, as in the Conversions guide:
//
//   convert, unvalidatedConvert   from canonical to that version
//   validate, valid               checks a HAL object of that version
//   compliantVersion              checks that a canonical object is legal in that version
//   convertFromNonCanonical       from another HAL version, through canonical

#define NNAPI_CONVERSIONS(V)                                                                   \
    namespace V NNAPI_BINDING::utils {                                                         \
    inline constexpr Version kVersion = toVersion(HalVersion::V);                              \
    template <class Canonical>                                                                 \
    requires ConvertsTo<Canonical, HalVersion::V>                                              \
    auto unvalidatedConvert(Canonical&& object, Losses* losses = nullptr) {                    \
        return unvalidatedConvertTo<HalVersion::V>(std::forward<Canonical>(object), losses);   \
    }                                                                                          \
    template <class Canonical>                                                                 \
    requires ConvertsTo<Canonical, HalVersion::V> && Validatable<Canonical>                    \
    auto convert(Canonical&& object, Losses* losses = nullptr) {                               \
        return convertTo<HalVersion::V>(std::forward<Canonical>(object), losses);              \
    }                                                                                          \
    template <class Checked>                                                                   \
    requires std::same_as<Checked, ValidatedModel> && ConvertsTo<nn::Model, HalVersion::V>     \
    auto convert(const Checked& model, Losses* losses = nullptr) {                             \
        return convertTo<HalVersion::V>(model, losses);                                        \
    }                                                                                          \
    template <class Canonical>                                                                 \
    requires ConvertsTo<Canonical, HalVersion::V> && Validatable<Canonical> Status             \
    compliantVersion(const Canonical& object) {                                                \
        return compliantWith<HalVersion::V>(object);                                           \
    }                                                                                          \
    template <class Hal>                                                                       \
    requires requires(const Hal& object) { convertFrom<HalVersion::V>(object); }               \
    Status validate(const Hal& object) { return convertFrom<HalVersion::V>(object).status(); } \
    template <class Hal>                                                                       \
    requires requires(const Hal& object) { convertFrom<HalVersion::V>(object); }               \
    bool valid(const Hal& object) { return convertFrom<HalVersion::V>(object).ok(); }          \
    template <class Hal>                                                                       \
    requires requires(const Hal& object) {                                                     \
        nn::convert(object);                                                                   \
    } && ConvertsTo<CanonicalType<Hal>, HalVersion::V>                                         \
            Result<HalType<CanonicalType<Hal>, HalVersion::V>> convertFromNonCanonical(        \
                    const Hal& object, Losses* losses = nullptr) {                             \
        NNAPI_ASSIGN_OR_RETURN(canonical, nn::convert(object));                                \
        return convertTo<HalVersion::V>(std::move(canonical), losses);                         \
    }                                                                                          \
    }
#define NNAPI_HAL_VERSION(name, level, text, title, family) NNAPI_CONVERSIONS(name)
#include "nnapi/hal_versions.def"
#undef NNAPI_CONVERSIONS

namespace V1_3 NNAPI_BINDING::utils {

// Conversions of time points with a given clock reading; `losses` may be null.
Result<OptionalTimePoint> unvalidatedConvert(const nn::OptionalTimePoint& timePoint, Losses* losses,
                                             const ClockReading& clocks);
Result<OptionalTimePoint> convert(const nn::OptionalTimePoint& timePoint, Losses* losses,
                                  const ClockReading& clocks);

}  // namespace NNAPI_BINDING::utils

}  // namespace nn

namespace nn NNAPI_BINDING {

// ---------------------------------------------------------------------------------------------
// Conversions for a version known only at run time.

namespace conversion {

// A variant of all its arguments but the first, which makes a list with leading commas legal.
template <class, class... Hal>
struct Alternatives {
    using Model = std::variant<Hal...>;  // of the rows of nnapi/convert_types.def
};

}  // namespace conversion

// A model of any version with converters: V1_0::Model, V1_1::Model, ..., AidlModel. Move-only, as
// AidlModel is.
using HalModel = conversion::Alternatives<void
#define NNAPI_HAL_MODEL(Hal, from, to) , Hal
#define NNAPI_HAL_MODELS(Hal, held, from, to) , held
#include "nnapi/convert_types.def"
                                          >::Model;

namespace conversion {

// The model in an alternative, and its version.
template <ConvertsFrom Hal>
Hal& modelIn(Hal& model) {
    return model;
}
inline aidl_hal::Model& modelIn(AidlModel& held) { return held.model; }
inline const aidl_hal::Model& modelIn(const AidlModel& held) { return held.model; }
template <ConvertsFrom Hal>
HalVersion versionIn(const Hal&) {
    return kLastHalVersion<Hal>;
}
inline HalVersion versionIn(const AidlModel& held) { return held.version; }

}  // namespace conversion

// Calls function(model, version) with the V1_0::Model, ..., or aidl_hal::Model that is held.
template <class Function>
decltype(auto) visitModel(const HalModel& model, Function&& function) {
    return std::visit(
            [&](const auto& held) -> decltype(auto) {
                return function(conversion::modelIn(held), conversion::versionIn(held));
            },
            model);
}

// Versions that models convert to. The functions below reject all others [convert.version].
inline constexpr auto kConvertibleVersions = [] {
    constexpr std::array has = {
#define NNAPI_HAL_VERSION(name, level, text, title, family) ConvertsTo<Model, HalVersion::name>,
#include "nnapi/hal_versions.def"
    };
    std::array<HalVersion, std::count(has.begin(), has.end(), true)> versions{};
    for (size_t i = 0, next = 0; i < has.size(); ++i) {
        if (has[i]) versions[next++] = kHalVersions[i];
    }
    return versions;
}();

// True if the version is one of them; false for values without an enumerator.
constexpr bool hasConverters(HalVersion version) {
    return std::count(kConvertibleVersions.begin(), kConvertibleVersions.end(), version) != 0;
}

// The version of a held model.
HalVersion versionOf(const HalModel& model);

// As the templates of the same names, and INVALID_ARGUMENT [convert.version] for a version without
// converters. `limits` bound the validation; a checked model needs none.
Result<HalModel> convertTo(HalVersion version, const Model& model, Losses* losses = nullptr,
                           const Limits& limits = {});
Result<HalModel> convertTo(HalVersion version, Model&& model, Losses* losses = nullptr,
                           const Limits& limits = {});
Result<HalModel> convertTo(HalVersion version, const ValidatedModel& model,
                           Losses* losses = nullptr);
Result<HalModel> unvalidatedConvertTo(HalVersion version, const Model& model,
                                      Losses* losses = nullptr);
Result<HalModel> unvalidatedConvertTo(HalVersion version, Model&& model, Losses* losses = nullptr);
Result<Model> convertFrom(const HalModel& model, const Limits& limits = {});
Result<ValidatedModel> checkFrom(const HalModel& model, const Limits& limits = {});
Result<Model> unvalidatedConvertFrom(const HalModel& model);
Result<Model> unvalidatedConvertFrom(HalModel&& model);

}  // namespace NNAPI_BINDING
