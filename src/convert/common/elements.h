// Copies or moves ranges element by element, or in place. All families use it.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "convert/common/context.h"

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

template <class Range>
using ElementOf = std::remove_cvref_t<decltype(*std::declval<Range&>().data())>;

template <class A, class B>
concept HaveOtherSigns = std::integral<A> && std::integral<B> && !std::same_as<A, B> &&
                         std::same_as<std::make_unsigned_t<A>, std::make_unsigned_t<B>>;

// A range of plain numbers: taken from an rvalue where the other side can, else copied.
template <class To, class From>
NNAPI_INLINE To carried(From&& from) {
    if (from.empty()) return To();  // as of all scalars
    if constexpr (!std::is_lvalue_reference_v<From> && std::is_constructible_v<To, From&&>) {
        return To(std::forward<From>(from));
    } else {
        // Where only the sign differs, the same bytes: whoever asks for that looks at it by itself.
        constexpr bool kHasOtherSign = HaveOtherSigns<ElementOf<To>, ElementOf<From>>;
        using Number = std::conditional_t<kHasOtherSign, ElementOf<To>, ElementOf<From>>;
        const auto* first = reinterpret_cast<const Number*>(from.data());
        const auto size = static_cast<ptrdiff_t>(from.size());
        if constexpr (sizeof(Number) == 1) {
            return To(first, first + size);
        } else {
            // One by one: most ranges hold a handful, which takes less than memmove to start.
            return To(std::counted_iterator(first, size), std::counted_iterator(first + size, 0));
        }
    }
}

template <class From, class To>
void carry(From&& from, To& to) {
    to = carried<To>(std::forward<From>(from));
}

// Operands and operations, which are many, have in place of translate
//   To made(As<To>, From&&)
//   Status translateRareFields(From&&, To&, const Where&)
// of which the first makes an element with all that cannot fail, so that a vector makes it in
// place, and the second does what is rare.
template <class To>
struct As {};

template <class To, class From>
concept ConstructibleFrom = requires(From&& from) {
    made(As<To>{}, std::forward<From>(from));
};

template <class From, ConstructibleFrom<From> To>
Status translate(From&& from, To& to, const Context& context) {
    to = made(As<To>{}, std::forward<From>(from));
    return translateRareFields(std::forward<From>(from), to, context);
}

// Lets a vector make an element in place.
template <class To, class From>
struct InPlace {
    From&& from;

    NNAPI_INLINE operator To() const { return made(As<To>{}, std::forward<From>(from)); }
};

// Translates element by element. `field` names the range in its object; empty at the top. An rvalue
// is freed on the way, so that source and result never both take their whole memory. `then` is
// called with each pair of translated elements.
template <class From, class To, class Then = std::nullptr_t>
Status translateEach(From&& from, To& to, const Context& context, std::string_view field,
                     const Then& then = nullptr) {
    using Element = typename To::value_type;
    using Item = typename std::remove_cvref_t<From>::value_type;
    using Source = std::conditional_t<std::is_lvalue_reference_v<From>, const Item&, Item>;
    Context element = context.at(field);
    element.place.index = 0;
    std::vector<Element> elements;
    elements.reserve(from.size());
    for (auto& each : from) {
        auto&& source = static_cast<Source&&>(each);
        if constexpr (ConstructibleFrom<Element, Source>) {
            Element& made =
                    elements.emplace_back(InPlace<Element, Source>{std::forward<Source>(source)});
            NNAPI_RETURN_IF_ERROR(translateRareFields(std::forward<Source>(source), made, element));
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

}  // namespace nn::conversion
