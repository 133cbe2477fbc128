// android-base/expected.h -- expected, a value or an error.
//
//   android::base::expected<int, std::string> parse(std::string_view text);
//   return android::base::unexpected("not a number");
//
// Reading an absent value or error ends the program.
#pragma once

#include <concepts>
#include <cstdlib>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <variant>

namespace android::base {

namespace expected_internal {

// How an error becomes one of another library: a specialization has make(error).
template <class To, class E>
struct ErrorOf {};

// Objects that become the error of whatever is returned (nnapi/result.h).
template <class F>
concept Failure = requires {
    typename std::remove_cvref_t<F>::AlwaysFails;
};

}  // namespace expected_internal

template <class E>
class unexpected {
   public:
    template <class G = E>
    requires(std::constructible_from<E, G&&> &&
             !std::same_as<std::remove_cvref_t<G>, unexpected>)  // which is copied
            explicit unexpected(G&& error)  // NOLINT(bugprone-forwarding-reference-overload)
        : mError(std::forward<G>(error)) {}

    const E& value() const& { return mError; }
    E& value() & { return mError; }
    E&& value() && { return std::move(mError); }

    template <class To>
    requires requires(const E& error) { expected_internal::ErrorOf<To, E>::make(error); }
    operator To() const { return expected_internal::ErrorOf<To, E>::make(mError); }

    using AlwaysFails = void;

    template <class G>
    bool operator==(const unexpected<G>& other) const {
        return mError == other.value();
    }

   private:
    E mError;
};
template <class E>
unexpected(E) -> unexpected<E>;
template <size_t N>
unexpected(const char (&)[N]) -> unexpected<const char*>;

struct unexpect_t {};
inline constexpr unexpect_t unexpect{};

template <class T, class E>
class expected;

namespace expected_internal {

template <class T>
inline constexpr bool isExpected = false;
template <class T, class E>
inline constexpr bool isExpected<expected<T, E>> = true;
template <class T>
using Stored = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

// The sources of a value.
template <class U, class T>
concept IsValue = !std::is_void_v<T> && std::constructible_from<Stored<T>, U&&> &&
                  !isExpected<std::remove_cvref_t<U>> && !Failure<U> &&
                  !std::same_as<std::remove_cvref_t<U>, std::in_place_t> &&
                  !std::same_as<std::remove_cvref_t<U>, unexpect_t>;

template <size_t I, class Variant>
auto&& get(Variant&& held) {
    if (held.index() != I) std::abort();
    return *std::get_if<I>(&held);
}

}  // namespace expected_internal

template <class T, class E>
class [[nodiscard]] expected {
    using Stored = expected_internal::Stored<T>;

   public:
    using value_type = T;
    using error_type = E;
    using unexpected_type = unexpected<E>;

    expected() requires std::default_initializable<Stored> : mHeld(std::in_place_index<0>) {}
    template <expected_internal::IsValue<T> U = T>  // which no expected is
    explicit(!std::convertible_to<U&&, Stored>)
            expected(U&& value)  // NOLINT(bugprone-forwarding-reference-overload)
        : mHeld(std::in_place_index<0>, std::forward<U>(value)) {}
    template <class G>
    requires std::constructible_from<E, const G&> expected(const unexpected<G>& error)
        : mHeld(std::in_place_index<1>, error.value()) {}
    template <class G>
    requires std::constructible_from<E, G&&> expected(unexpected<G>&& error)
        : mHeld(std::in_place_index<1>, std::move(error).value()) {}
    template <expected_internal::Failure F>
    requires std::constructible_from<E, F&&> expected(F&& failure)
        : mHeld(std::in_place_index<1>, static_cast<E>(std::forward<F>(failure))) {}
    template <class U, class G>
    requires(!std::same_as<expected<U, G>, expected> && std::is_void_v<T> == std::is_void_v<U> &&
             std::constructible_from<Stored, expected_internal::Stored<U>> &&
             std::constructible_from<E, G>) expected(expected<U, G> other)
        : mHeld(other.has_value() ? Held(std::in_place_index<0>, std::move(other).stored())
                                  : Held(std::in_place_index<1>, std::move(other).error())) {}
    template <class... Arguments>
    explicit expected(std::in_place_t, Arguments&&... arguments)
        : mHeld(std::in_place_index<0>, std::forward<Arguments>(arguments)...) {}
    template <class... Arguments>
    explicit expected(unexpect_t, Arguments&&... arguments)
        : mHeld(std::in_place_index<1>, std::forward<Arguments>(arguments)...) {}

    bool has_value() const { return mHeld.index() == 0; }
    bool ok() const { return has_value(); }
    explicit operator bool() const { return has_value(); }

    decltype(auto) value() const& { return as(stored()); }
    decltype(auto) value() & { return as(stored()); }
    decltype(auto) value() && { return as(std::move(stored())); }
    decltype(auto) operator*() const& { return value(); }
    decltype(auto) operator*() & { return value(); }
    decltype(auto) operator*() && { return std::move(*this).value(); }
    const Stored* operator->() const { return &stored(); }
    Stored* operator->() { return &stored(); }
    template <class U>
    Stored value_or(U&& fallback) const& {
        return has_value() ? stored() : static_cast<Stored>(std::forward<U>(fallback));
    }
    template <class U>
    Stored value_or(U&& fallback) && {
        return has_value() ? std::move(stored()) : static_cast<Stored>(std::forward<U>(fallback));
    }
    template <class... Arguments>
    Stored& emplace(Arguments&&... arguments) {
        return mHeld.template emplace<0>(std::forward<Arguments>(arguments)...);
    }

    const E& error() const& { return expected_internal::get<1>(mHeld); }
    E& error() & { return expected_internal::get<1>(mHeld); }
    E&& error() && { return std::move(expected_internal::get<1>(mHeld)); }

    bool operator==(const expected& other) const { return mHeld == other.mHeld; }
    template <class U>
    requires(expected_internal::IsValue<U, T> && !std::is_void_v<T>) bool operator==(
            const U& value) const {
        return has_value() && stored() == value;
    }
    template <class G>
    bool operator==(const unexpected<G>& error) const {
        return !has_value() && this->error() == error.value();
    }

   private:
    template <class, class>
    friend class expected;
    using Held = std::variant<Stored, E>;

    Stored& stored() & { return expected_internal::get<0>(mHeld); }
    const Stored& stored() const& { return expected_internal::get<0>(mHeld); }
    Stored&& stored() && { return std::move(expected_internal::get<0>(mHeld)); }
    template <class U>
    static decltype(auto) as(U&& value) {
        if constexpr (!std::is_void_v<T>) return std::forward<U>(value);
    }

    Held mHeld;
};

}  // namespace android::base
