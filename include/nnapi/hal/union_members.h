// nnapi/hal/union_members.h -- Compile-time reflection of the tagged unions of HIDL and AIDL.
//
//   nn::visitHeld(pool, [](std::string_view name, const auto& member) { ... });
//
// Every union has a row of its members next to its definition. The reflection uses only accessors
// that generated unions also have, and never reads a member that the union does not hold.
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "nnapi/fields.h"

// withMembers(type, use) returns use(UnionMember{"a", Tag::a, ...}, ...), in the order of the tags.
#define NNAPI_HIDL_UNION_MEMBERS(Type, ...) \
    NNAPI_UNION_MEMBERS(NNAPI_HIDL_UNION_ROW, Type, __VA_ARGS__)
#define NNAPI_AIDL_UNION_MEMBERS(Type, ...) \
    NNAPI_UNION_MEMBERS(NNAPI_AIDL_UNION_ROW, Type, __VA_ARGS__)

// Parts of the rows; not for other use.
#define NNAPI_UNION_MEMBERS(Row, Type, ...)                                     \
    template <class Use>                                                        \
    constexpr decltype(auto) withMembers(std::type_identity<Type>, Use&& use) { \
        return use(NNAPI_FIELDS_PICK(__VA_ARGS__)(Row, Type, __VA_ARGS__));     \
    }
#define NNAPI_HIDL_UNION_ROW(T, a)                                            \
    ::nn::UnionMember {                                                       \
#a, T::hidl_discriminator::a,                                               \
                [](const T& held) -> decltype(auto) { return held.a(); },           \
                []<class Value>(T& to, Value&& value) { to.a(std::forward<Value>(value)); } \
    }
#define NNAPI_AIDL_UNION_ROW(T, a)                                             \
    ::nn::UnionMember {                                                        \
#a, T::Tag::a,                                                               \
                [](const T& held) -> decltype(auto) { return held.template get<T::Tag::a>(); }, \
                []<class Value>(T& to, Value&& value) {                              \
                    to.template set<T::Tag::a>(std::forward<Value>(value));          \
                } \
    }

namespace nn {

// A member of a union: get(held) returns the member that is held, set(to, value) makes the union
// hold it.
template <class Tag, class Get, class Set>
struct UnionMember {
    std::string_view name;  // as in the row
    Tag tag;                // of the member
    Get get;
    Set set;
};
// From the name as a literal.
template <class Tag, class Get, class Set>
UnionMember(const char*, Tag, Get, Set) -> UnionMember<Tag, Get, Set>;

template <class T>
concept HidlUnion = requires(const T& value) {
    value.getDiscriminator();
};
template <class T>
concept AidlUnion = requires(const T& value) {
    value.getTag();
};

// The tag of the member that a union holds. Objects of malicious peers may have a tag that no
// member has.
template <HidlUnion T>
auto tagOf(const T& value) {
    return value.getDiscriminator();
}
template <AidlUnion T>
auto tagOf(const T& value) {
    return value.getTag();
}

// The name of the member with a tag; empty if no member has it.
template <class Union, class Tag>
constexpr std::string_view nameOfMember(Tag tag) {
    return withMembers(std::type_identity<Union>{}, [&](const auto&... member) {
        std::string_view name;
        ((member.tag == tag ? void(name = member.name) : void()), ...);
        return name;
    });
}

// The member with a tag, which is also its place.
template <class Union, auto tag>
consteval auto memberOf() {
    return withMembers(std::type_identity<Union>{}, [](const auto&... member) {
        return std::get<static_cast<size_t>(tag)>(std::tuple(member...));
    });
}

// Calls visit("name", member) with the member that is held; false if there is none.
template <class Union, class Visit>
bool visitHeld(const Union& value, const Visit& visit) {
    return withMembers(std::type_identity<Union>{}, [&](const auto&... member) {
        return ((member.tag == tagOf(value) && (visit(member.name, member.get(value)), true)) ||
                ...);
    });
}

}  // namespace nn
