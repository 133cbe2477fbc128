// Conversion of structs field by field: the rows NNAPI_HAL_STRUCT of nnapi/convert_types.def.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "convert/common/numbers.h"
#include "convert/common/rows.h"
#include "nnapi/fields.h"

namespace nn NNAPI_BINDING::conversion {

template <class T>
concept Number = std::integral<T> && !std::same_as<T, bool>;

template <class T>
concept Range = requires(const T& range) {
    range.data();
    range.size();
};

template <class From, class To>
Status translateField(From&& from, To& to, std::string_view name, const Context& context) {
    using Source = std::remove_cvref_t<From>;
    if constexpr (std::same_as<Source, To> || std::convertible_to<From, std::string>) {
        to = std::forward<From>(from);
        return {};
    } else if constexpr (std::same_as<Source, char16_t> || std::same_as<To, char16_t>) {
        to = static_cast<To>(from);  // AIDL's spelling of uint16_t
        return {};
    } else if constexpr (Number<Source> && Number<To>) {
        return carryNumber(from, to, name, context);
    } else if constexpr (!Range<To>) {
        return translate(std::forward<From>(from), to, context.at(name));
    } else if constexpr (std::is_arithmetic_v<ElementOf<To>>) {
        return carryNumbers(std::forward<From>(from), to, name, context);
    } else {
        return translateEach(std::forward<From>(from), to, context, name);
    }
}

// True if both structs have fields of the same names, in the same order.
template <class A, class B>
consteval bool haveSameFields() {
    return withFields(std::type_identity<A>{}, [](auto... a) {
        return withFields(std::type_identity<B>{}, [=](auto... b) {
            if constexpr (sizeof...(a) != sizeof...(b)) {
                return false;
            } else {
                return ((a.name == b.name) && ...);
            }
        });
    });
}

template <class From, class To>
requires kFieldByField<std::remove_cvref_t<From>, To> Status translate(From&& from, To& to,
                                                                       const Context& context) {
    using Source = std::remove_cvref_t<From>;
    static_assert(haveSameFields<Source, To>(),
                  "fields differ: use NNAPI_HAL_TYPE, and translate()");
    return withFields(std::type_identity<Source>{}, [&](auto... source) {
        return withFields(std::type_identity<To>{}, [&](auto... target) {
            Status status;
            (void)((status = translateField(std::forward<From>(from).*source.member,
                                            to.*target.member, target.name, context))
                           .ok() &&
                   ...);
            return status;
        });
    });
}

}  // namespace NNAPI_BINDING::conversion
