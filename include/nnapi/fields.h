// nnapi/fields.h -- Compile-time reflection of struct fields.
//
//   nn::visitFields(std::type_identity<nn::Operation>{}, [&](std::string_view name, auto member) {
//       std::cout << name << " = " << nn::print(operation.*member) << '\n';   // nnapi/print.h
//   });
//
// Every struct of the canonical and versioned types has an NNAPI_FIELDS row next to its definition;
// those of HIDL and AIDL are in nnapi/hal, in files *_fields.def. Printing, conversion, comparison,
// generation and serialization derive from it.
#pragma once

#include <string_view>
#include <type_traits>

// For up to 16 fields: visitFields(type, visit) calls visit("a", &Type::a), visit("b", &Type::b),
// ...; withFields(type, use) returns use(Field{"a", &Type::a}, Field{"b", &Type::b}, ...).
#define NNAPI_FIELDS(Type, ...)                                                           \
    template <class Visitor>                                                              \
    constexpr void visitFields(std::type_identity<Type>, Visitor&& visit) {               \
        NNAPI_FIELDS_PICK(__VA_ARGS__)(NNAPI_FIELD_VISIT, Type, __VA_ARGS__);             \
    }                                                                                     \
    template <class Use>                                                                  \
    constexpr auto withFields(std::type_identity<Type>, Use&& use) {                      \
        return use(NNAPI_FIELDS_PICK(__VA_ARGS__)(NNAPI_FIELD_NAMED, Type, __VA_ARGS__)); \
    }

// Parts of NNAPI_FIELDS; not for other use.
#define NNAPI_FIELD_VISIT(T, a) visit(std::string_view(#a), &T::a)
#define NNAPI_FIELD_NAMED(T, a) \
    ::nn::Field { #a, &T::a }
#define NNAPI_FIELDS_PICK(...)                                                                \
    NNAPI_FIELDS_17TH(__VA_ARGS__, NNAPI_F16, NNAPI_F15, NNAPI_F14, NNAPI_F13, NNAPI_F12,     \
                      NNAPI_F11, NNAPI_F10, NNAPI_F9, NNAPI_F8, NNAPI_F7, NNAPI_F6, NNAPI_F5, \
                      NNAPI_F4, NNAPI_F3, NNAPI_F2, NNAPI_F1)
#define NNAPI_FIELDS_17TH(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, pick, ...) pick
#define NNAPI_F1(Do, T, a) Do(T, a)
#define NNAPI_F2(Do, T, a, ...) NNAPI_F1(Do, T, a), NNAPI_F1(Do, T, __VA_ARGS__)
#define NNAPI_F3(Do, T, a, ...) NNAPI_F1(Do, T, a), NNAPI_F2(Do, T, __VA_ARGS__)
#define NNAPI_F4(Do, T, a, ...) NNAPI_F1(Do, T, a), NNAPI_F3(Do, T, __VA_ARGS__)
#define NNAPI_F5(Do, T, a, ...) NNAPI_F1(Do, T, a), NNAPI_F4(Do, T, __VA_ARGS__)
#define NNAPI_F6(Do, T, a, ...) NNAPI_F1(Do, T, a), NNAPI_F5(Do, T, __VA_ARGS__)
#define NNAPI_F7(Do, T, a, ...) NNAPI_F1(Do, T, a), NNAPI_F6(Do, T, __VA_ARGS__)
#define NNAPI_F8(Do, T, a, ...) NNAPI_F1(Do, T, a), NNAPI_F7(Do, T, __VA_ARGS__)
#define NNAPI_F9(Do, T, a, ...) NNAPI_F1(Do, T, a), NNAPI_F8(Do, T, __VA_ARGS__)
#define NNAPI_F10(Do, T, a, ...) NNAPI_F1(Do, T, a), NNAPI_F9(Do, T, __VA_ARGS__)
#define NNAPI_F11(Do, T, a, ...) NNAPI_F1(Do, T, a), NNAPI_F10(Do, T, __VA_ARGS__)
#define NNAPI_F12(Do, T, a, ...) NNAPI_F1(Do, T, a), NNAPI_F11(Do, T, __VA_ARGS__)
#define NNAPI_F13(Do, T, a, ...) NNAPI_F1(Do, T, a), NNAPI_F12(Do, T, __VA_ARGS__)
#define NNAPI_F14(Do, T, a, ...) NNAPI_F1(Do, T, a), NNAPI_F13(Do, T, __VA_ARGS__)
#define NNAPI_F15(Do, T, a, ...) NNAPI_F1(Do, T, a), NNAPI_F14(Do, T, __VA_ARGS__)
#define NNAPI_F16(Do, T, a, ...) NNAPI_F1(Do, T, a), NNAPI_F15(Do, T, __VA_ARGS__)

namespace nn {

// A field of a struct.
template <class Member>
struct Field {
    std::string_view name;  // as in the row: "dimensions"
    Member member;          // of the type `int T::*` for an int in a T
};
// From the name as a literal.
template <class Member>
Field(const char*, Member) -> Field<Member>;

// True for every type with an NNAPI_FIELDS row.
template <class T>
concept HasFields = requires {
    visitFields(std::type_identity<T>{}, [](std::string_view, auto) {});
};

}  // namespace nn
