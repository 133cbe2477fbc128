// Converts a whole object. Each family instantiates these templates for its rows.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "base/no_throw.h"
#include "convert/common/context.h"
#include "convert/common/elements.h"

namespace nn NNAPI_BINDING::conversion {

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsVector<hidl::hidl_vec<T>> : std::true_type {};

// Translates in place, and reports losses only on success.
template <class To, class From>
Result<To> translated(From&& from, const Context& context) {
    const size_t lossesBefore = context.losses == nullptr ? 0 : context.losses->size();
    Result<To> to(absl::in_place);
    Status status;
    if constexpr (IsVector<To>::value && IsVector<std::remove_cvref_t<From>>::value) {
        status = translateEach(from, *to, context, "");
    } else {
        status = translate(std::forward<From>(from), *to, context);
    }
    if (!status.ok()) {
        if (context.losses != nullptr) context.losses->resize(lossesBefore);
        to = Result<To>(std::move(status));
    }
    return to;
}

template <class To, class From>
Result<To> run(From&& from, const Context& context) NNAPI_TRY {
    return translated<To>(std::forward<From>(from), context);
}
NNAPI_CATCH

template <class Hal, class Object>
Result<Hal> toHal(Object&& object, HalVersion version, Losses* losses) {
    return run<Hal>(std::forward<Object>(object), Context{.version = version, .losses = losses});
}

template <class Canonical, class Object>
Result<Canonical> toCanonical(Object&& object, HalVersion version, Status* consumers) {
    return run<Canonical>(std::forward<Object>(object),
                          Context{.version = version, .consumers = consumers});
}

}  // namespace NNAPI_BINDING::conversion

// Instantiates one direction or both for each row of nnapi/convert_types.def that a file includes.
// Families with many rows split them into two files, so that the slowest compilations run in
// parallel.
#define NNAPI_INSTANTIATE_TO_HAL(Canonical, Hal, to)                                     \
    template Result<Hal> toHal<Hal>(const Canonical&, HalVersion, Losses*);              \
    template Result<HalRange<Hal, HalVersion::to>> toHal<HalRange<Hal, HalVersion::to>>( \
            const std::vector<Canonical>&, HalVersion, Losses*);
#define NNAPI_INSTANTIATE_TO_CANONICAL(Canonical, Hal, to)                              \
    template Result<Canonical> toCanonical<Canonical>(const Hal&, HalVersion, Status*); \
    template Result<std::vector<Canonical>> toCanonical<std::vector<Canonical>>(        \
            const HalRange<Hal, HalVersion::to>&, HalVersion, Status*);
#define NNAPI_INSTANTIATE(Canonical, Hal, to)    \
    NNAPI_INSTANTIATE_TO_HAL(Canonical, Hal, to) \
    NNAPI_INSTANTIATE_TO_CANONICAL(Canonical, Hal, to)
#define NNAPI_INSTANTIATE_PLAIN(Canonical, Hal)                             \
    template Result<Hal> toHal<Hal>(const Canonical&, HalVersion, Losses*); \
    template Result<Canonical> toCanonical<Canonical>(const Hal&, HalVersion, Status*);
#define NNAPI_INSTANTIATE_RVALUE_TO_HAL(Hal) \
    template Result<Hal> toHal<Hal>(Model&&, HalVersion, Losses*);
#define NNAPI_INSTANTIATE_RVALUE_TO_CANONICAL(Hal) \
    template Result<Model> toCanonical<Model>(Hal&&, HalVersion, Status*);
