// A whole conversion.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "convert/hidl/structs.h"
#include "types/no_throw.h"

namespace nn::conversion {

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsVector<hidl::hidl_vec<T>> : std::true_type {};

// Translates, and reports losses only on success.
template <class To, class From>
Result<To> run(From&& from, const Where& where) NNAPI_TRY {
    const size_t lossesBefore = where.losses == nullptr ? 0 : where.losses->size();
    To to{};
    Status status;
    if constexpr (IsVector<To>::value && IsVector<std::remove_cvref_t<From>>::value) {
        status = translateEach(from, to, where, "");
    } else {
        status = translate(std::forward<From>(from), to, where);
    }
    if (status.ok()) return to;
    if (where.losses != nullptr) where.losses->resize(lossesBefore);
    return status;
}
NNAPI_CATCH

}  // namespace nn::conversion
