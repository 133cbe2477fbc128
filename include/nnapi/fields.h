// nnapi/fields.h -- Compile-time reflection of struct fields.
//
//   nn::visitFields(std::type_identity<nn::Operation>{}, [&](std::string_view name, auto member) {
//       std::cout << name << " = " << nn::toString(operation.*member) << '\n';
//   });
//
// Every struct of the canonical and versioned types has an NNAPI_FIELDS row beside its definition.
// Printing, comparison, generation and serialisation derive from it.
#pragma once

#include <string_view>
#include <type_traits>

// Expands to visit("a", &Type::a); visit("b", &Type::b); ... for up to 16 fields.
#define NNAPI_FIELDS(Type, ...)                                                                   \
    template <class Visitor>                                                                      \
    constexpr void visitFields(std::type_identity<Type>, Visitor&& visit) {                       \
        NNAPI_FIELDS_PICK(__VA_ARGS__, NNAPI_F16, NNAPI_F15, NNAPI_F14, NNAPI_F13, NNAPI_F12,     \
                          NNAPI_F11, NNAPI_F10, NNAPI_F9, NNAPI_F8, NNAPI_F7, NNAPI_F6, NNAPI_F5, \
                          NNAPI_F4, NNAPI_F3, NNAPI_F2, NNAPI_F1)                                 \
        (Type, __VA_ARGS__)                                                                       \
    }

#define NNAPI_FIELDS_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, pick, ...) pick
#define NNAPI_F1(T, a) visit(std::string_view(#a), &T::a);
#define NNAPI_F2(T, a, ...) NNAPI_F1(T, a) NNAPI_F1(T, __VA_ARGS__)
#define NNAPI_F3(T, a, ...) NNAPI_F1(T, a) NNAPI_F2(T, __VA_ARGS__)
#define NNAPI_F4(T, a, ...) NNAPI_F1(T, a) NNAPI_F3(T, __VA_ARGS__)
#define NNAPI_F5(T, a, ...) NNAPI_F1(T, a) NNAPI_F4(T, __VA_ARGS__)
#define NNAPI_F6(T, a, ...) NNAPI_F1(T, a) NNAPI_F5(T, __VA_ARGS__)
#define NNAPI_F7(T, a, ...) NNAPI_F1(T, a) NNAPI_F6(T, __VA_ARGS__)
#define NNAPI_F8(T, a, ...) NNAPI_F1(T, a) NNAPI_F7(T, __VA_ARGS__)
#define NNAPI_F9(T, a, ...) NNAPI_F1(T, a) NNAPI_F8(T, __VA_ARGS__)
#define NNAPI_F10(T, a, ...) NNAPI_F1(T, a) NNAPI_F9(T, __VA_ARGS__)
#define NNAPI_F11(T, a, ...) NNAPI_F1(T, a) NNAPI_F10(T, __VA_ARGS__)
#define NNAPI_F12(T, a, ...) NNAPI_F1(T, a) NNAPI_F11(T, __VA_ARGS__)
#define NNAPI_F13(T, a, ...) NNAPI_F1(T, a) NNAPI_F12(T, __VA_ARGS__)
#define NNAPI_F14(T, a, ...) NNAPI_F1(T, a) NNAPI_F13(T, __VA_ARGS__)
#define NNAPI_F15(T, a, ...) NNAPI_F1(T, a) NNAPI_F14(T, __VA_ARGS__)
#define NNAPI_F16(T, a, ...) NNAPI_F1(T, a) NNAPI_F15(T, __VA_ARGS__)

namespace nn {

// True for every type with an NNAPI_FIELDS row.
template <class T>
concept HasFields = requires {
    visitFields(std::type_identity<T>{}, [](std::string_view, auto) {});
};

}  // namespace nn
