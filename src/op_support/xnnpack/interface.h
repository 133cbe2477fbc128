// The version of XNNPACK's interface, and calls that work with both versions.
//
// That of 2022 has functions xnn_create_NAME and xnn_setup_NAME for each operator; the latter takes
// shapes and addresses. In that of 2024, xnn_reshape_NAME takes the shapes and xnn_setup_NAME the
// addresses, some sizes moved from one function to another, and one function creates all operators
// on single elements, another one those on pairs. cmake/find_xnnpack.cmake detects the version.
//
//   constexpr auto kShuffle = NNAPI_XNN(channel_shuffle_nc_x8);
//   xnnpack::create(kShuffle, &op, groups, channels / groups, channels, channels, 0);
//   xnnpack::setUp(kShuffle, op, workspace, threads, std::tuple(rows), inputs..., output);
#pragma once

#include <xnnpack.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "op_support/kernels/memory.h"

#ifndef NNAPI_XNNPACK_RESHAPES
#error "cmake/find_xnnpack.cmake defines as 0 or 1 whether XNNPACK has the interface of 2024"
#endif

namespace nn::xnnpack {

inline constexpr bool kReshapes = NNAPI_XNNPACK_RESHAPES != 0;

// Arguments that a function has in the interface of 2022 only, or in that of 2024 only.
template <class... Args>
constexpr auto only2022(Args... args) {
    if constexpr (kReshapes) {
        return std::tuple<>();
    } else {
        return std::tuple(args...);
    }
}
template <class... Args>
constexpr auto only2024(Args... args) {
    if constexpr (kReshapes) {
        return std::tuple(args...);
    } else {
        return std::tuple<>();
    }
}

// One tuple of all arguments; those that are tuples are spliced in.
template <class T>
constexpr auto asTuple(T value) {
    return std::tuple<T>(std::move(value));
}
template <class... T>
constexpr auto asTuple(std::tuple<T...> values) {
    return values;
}
template <class... Args>
constexpr auto spliced(Args... args) {
    return std::tuple_cat(asTuple(std::move(args))...);
}

// The functions of one operator; `reshape` is nullptr in the interface of 2022.
template <class Create, class Reshape, class SetUp>
struct Functions {
    Create create;
    Reshape reshape;
    SetUp setUp;
    std::string_view name;
};
template <class Create, class Reshape, class SetUp>
Functions(Create, Reshape, SetUp, const char*) -> Functions<Create, Reshape, SetUp>;

#if NNAPI_XNNPACK_RESHAPES
#define NNAPI_XNN(name) \
    ::nn::xnnpack::Functions { xnn_create_##name, xnn_reshape_##name, xnn_setup_##name, #name }
#else
#define NNAPI_XNN(name) \
    ::nn::xnnpack::Functions { xnn_create_##name, nullptr, xnn_setup_##name, #name }
#endif

struct DeleteOperator {
    void operator()(xnn_operator_t op) const { xnn_delete_operator(op); }
};
using OwnedOperator = std::unique_ptr<xnn_operator, DeleteOperator>;

// Creates an operator, without caches of code and weights if the function has such parameters.
template <class F, class... Args>
xnn_status create(const F& functions, OwnedOperator& made, const Args&... args) {
    xnn_operator_t op = nullptr;
    xnn_status status;
    if constexpr (std::is_invocable_v<decltype(functions.create), Args..., xnn_operator_t*>) {
        status = functions.create(args..., &op);
    } else {
        status = functions.create(args..., nullptr, nullptr, &op);
    }
    if (status == xnn_status_success) made.reset(op);
    return status;
}

// Calls `reshape` with as many addresses of results as it has parameters for.
template <size_t kResults = 0, class Reshape, class... Sizes>
xnn_status reshape(Reshape reshape, xnn_operator_t op, size_t* results, pthreadpool_t threads,
                   const Sizes&... sizes) {
    return [&]<size_t... kEach>(std::index_sequence<kEach...>) {
        if constexpr (std::is_invocable_v<Reshape, xnn_operator_t, Sizes...,
                                          decltype(results + kEach)..., pthreadpool_t>) {
            return reshape(op, sizes..., (results + kEach)..., threads);
        } else {
            return xnnpack::reshape<kResults + 1>(reshape, op, results, threads, sizes...);
        }
    }
    (std::make_index_sequence<kResults>());
}

// Gives an operator its shapes and addresses; `workspace` is its memory while it runs.
template <class F, class... Sizes, class... Addresses>
xnn_status setUp(const F& functions, xnn_operator_t op, AlignedMemory& workspace,
                 pthreadpool_t threads, const std::tuple<Sizes...>& sizes,
                 const Addresses&... addresses) {
    return std::apply(
            [&](const Sizes&... size) {
                if constexpr (!kReshapes) {
                    return functions.setUp(op, size..., addresses..., threads);
                } else {
                    // Size and alignment of the workspace, if any, and dimensions of the output.
                    size_t results[5] = {};
                    const xnn_status status =
                            xnnpack::reshape(functions.reshape, op, results, threads, size...);
                    if (status != xnn_status_success) return status;
                    if constexpr (std::is_invocable_v<decltype(functions.setUp), xnn_operator_t,
                                                      Addresses...>) {
                        return functions.setUp(op, addresses...);
                    } else {
                        if (results[1] > kBufferAlignment) return xnn_status_unsupported_hardware;
                        workspace = AlignedMemory(results[0]);
                        return functions.setUp(op, workspace.at(0).get(), addresses...);
                    }
                }
            },
            sizes);
}

}  // namespace nn::xnnpack
