// Copies or moves ranges element by element, or in place. All families use it.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/large_pages.h"
#include "convert/common/context.h"

namespace nn NNAPI_BINDING::conversion {

// A const reference to a T, or an rvalue whose vectors may be taken.
template <class Object, class T>
concept Is = std::same_as<std::remove_cvref_t<Object>, T>;

// Elements of graphs are many, so the common path is inlined and the rare one is not.
#define NNAPI_INLINE [[gnu::always_inline]] inline
#define NNAPI_COLD [[gnu::cold, gnu::noinline]]

// A member of an object, as an rvalue if the object is one.
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

template <class Range>
using ElementOf = std::remove_cvref_t<decltype(*std::declval<Range&>().data())>;

template <class A, class B>
concept HaveOtherSigns = std::integral<A> && std::integral<B> && !std::same_as<A, B> &&
                         std::same_as<std::make_unsigned_t<A>, std::make_unsigned_t<B>>;

// Converts a range of plain numbers: moved from an rvalue if the types allow it, else copied.
template <class To, class From>
NNAPI_INLINE To carried(From&& from) {
    if (from.size() == 0) return To();  // true for all scalars
    if constexpr (!std::is_lvalue_reference_v<From> && std::is_constructible_v<To, From&&>) {
        return To(std::forward<From>(from));
    } else {
        // Same bytes if only the sign differs; callers that accept this check the values
        // themselves.
        constexpr bool kHasOtherSign = HaveOtherSigns<ElementOf<To>, ElementOf<From>>;
        using Number = std::conditional_t<kHasOtherSign, ElementOf<To>, ElementOf<From>>;
        const auto* first = reinterpret_cast<const Number*>(from.data());
        const auto size = static_cast<ptrdiff_t>(from.size());
        if constexpr (sizeof(Number) == 1) {
            return To(first, first + size);
        } else {
            // Element by element: most ranges have a handful of elements, for which starting
            // memmove costs more.
            return To(std::counted_iterator(first, size), std::counted_iterator(first + size, 0));
        }
    }
}

template <class From, class To>
void carry(From&& from, To& to) {
    to = carried<To>(std::forward<From>(from));
}

// Operands and operations are numerous. Instead of translate they have
//   To construct(As<To>, From&&)
//   Status translateRareFields(From&&, To&, const Context&)
// The first constructs an element from the fields whose conversion cannot fail, so that a vector
// can construct it in place; the second converts the rare fields.
template <class To>
struct As {};

template <class To, class From>
concept ConstructibleFrom = requires(From&& from) {
    construct(As<To>{}, std::forward<From>(from));
};

template <class From, ConstructibleFrom<From> To>
Status translate(From&& from, To& to, const Context& context) {
    to = construct(As<To>{}, std::forward<From>(from));
    return translateRareFields(std::forward<From>(from), to, context);
}

// Lets a vector construct an element in place.
template <class To, class From>
struct InPlace {
    From&& from;

    NNAPI_INLINE operator To() const { return construct(As<To>{}, std::forward<From>(from)); }
};

// A range that can grow, so that its elements are constructed in place, and that can take ownership
// of a vector. A generated hidl_vec does neither: it creates all elements at once, and then they
// are assigned.
template <class Range>
concept Grows = requires(Range range) {
    range.emplace_back();
};

// Translates element by element. `field` names the range in its object; empty at the top. An rvalue
// is freed on the way, so that source and result never both take their full memory. `then` is
// called with each pair of translated elements.
template <class From, class To, class Then = std::nullptr_t>
Status translateEach(From&& from, To& to, const Context& context, std::string_view field,
                     const Then& then = nullptr) {
    using Element = typename To::value_type;
    using Item = typename std::remove_cvref_t<From>::value_type;
    using Source = std::conditional_t<std::is_lvalue_reference_v<From>, const Item&, Item>;
    Context element = context.at(field);
    element.place.index = 0;
    std::conditional_t<Grows<To>, std::vector<Element>, To> elements;
    if constexpr (Grows<To>) {
        elements.reserve(from.size());
        preferLargePages(elements.data(), from.size() * sizeof(Element));
    } else {
        elements.resize(from.size());
    }
    for (auto& each : from) {
        auto&& source = static_cast<Source&&>(each);
        const auto place = [&](auto&&... value) -> Element& {
            if constexpr (Grows<To>) {
                return elements.emplace_back(std::forward<decltype(value)>(value)...);
            } else {
                Element& target = elements[static_cast<size_t>(element.place.index)];
                ((target = std::forward<decltype(value)>(value)), ...);
                return target;
            }
        };
        if constexpr (ConstructibleFrom<Element, Source>) {
            Element& target = place(InPlace<Element, Source>{std::forward<Source>(source)});
            NNAPI_RETURN_IF_ERROR(
                    translateRareFields(std::forward<Source>(source), target, element));
            if constexpr (!std::same_as<Then, std::nullptr_t>) then(each, target);
        } else {
            Element& target = place();
            NNAPI_RETURN_IF_ERROR(translate(std::forward<Source>(source), target, element));
            if constexpr (!std::same_as<Then, std::nullptr_t>) then(each, target);
        }
        ++element.place.index;
    }
    to = std::move(elements);
    if constexpr (!std::is_lvalue_reference_v<From>) from = From();
    return {};
}

}  // namespace NNAPI_BINDING::conversion
