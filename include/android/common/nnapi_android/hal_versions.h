// nnapi_android/hal_versions.h -- Objects of one HIDL version as objects of another, unchecked.
//
//   nn::V1_3::Model newest = nnapi_android::translate<nn::V1_3::Model>(model);
//
// Every field that both versions have is copied as it is, numbers and enumerators included, whether
// legal or not. Fields that the older version lacks are dropped, and fields that the newer one adds
// get their default; Capabilities are translated as nnapi/convert.h does, and have defaults if that
// fails. nnapi/convert.h checks and reports losses instead.
#pragma once

#include <concepts>
#include <set>
#include <type_traits>

#include "nnapi/compat.h"
#include "nnapi/convert.h"
#include "nnapi/hal/v1_3.h"

namespace nnapi_android {

template <class Hal, ::nn::HalVersion V>
using InVersion = ::nn::HalType<::nn::CanonicalType<Hal>, V>;

// Defined in the library for models, operands and lists of them, requests and Capabilities.
template <class To, class From>
To translateObject(const From& from);

template <class To, class From>
To translate(const From& from) {
    if constexpr (std::same_as<To, From>) {
        return from;
    } else if constexpr (std::is_enum_v<From>) {
        return static_cast<To>(from);
    } else {
        return translateObject<To>(from);
    }
}

// HAL 1.0 to 1.2 have no codes above INVALID_ARGUMENT.
inline ::nn::V1_0::ErrorStatus translateStatus(::nn::V1_3::ErrorStatus status) {
    return status > ::nn::V1_3::ErrorStatus::INVALID_ARGUMENT
                   ? ::nn::V1_0::ErrorStatus::GENERAL_FAILURE
                   : static_cast<::nn::V1_0::ErrorStatus>(status);
}

// True if a model is legal and loses nothing in version V. `operations` receives the operations
// that the version does not have, or all of them where the reason is another.
template <::nn::HalVersion V, class Model>
bool compliant(const Model& model, std::set<uint32_t>* operations) {
    if (operations == nullptr) return ::nn::compliantBetween<V>(model);
    if (::nn::compliantBetween<V>(model, operations)) return true;
    if (!operations->empty()) return false;
    const auto& all = [&]() -> const auto& {
        if constexpr (requires { model.main; }) {
            return model.main.operations;
        } else {
            return model.operations;
        }
    }
    ();
    for (uint32_t i = 0; i < all.size(); ++i) operations->insert(i);
    return false;
}

}  // namespace nnapi_android

namespace android::nn {

#define NNAPI_ANDROID_CONVERT_TO(V)                                                              \
    template <::nn::ConvertsFrom Hal>                                                            \
    ::nnapi_android::InVersion<Hal, ::nn::HalVersion::V> convertTo##V(const Hal& object) {       \
        return ::nnapi_android::translate<::nnapi_android::InVersion<Hal, ::nn::HalVersion::V>>( \
                object);                                                                         \
    }                                                                                            \
    template <::nn::ConvertsFrom Hal>                                                            \
    bool compliantWith##V(const Hal& object) {                                                   \
        return ::nn::compliantBetween<::nn::HalVersion::V>(object);                              \
    }                                                                                            \
    template <::nn::ConvertsFrom Model>                                                          \
    bool compliantWith##V(const Model& model, std::set<uint32_t>* noncompliantOperations) {      \
        return ::nnapi_android::compliant<::nn::HalVersion::V>(model, noncompliantOperations);   \
    }
NNAPI_ANDROID_CONVERT_TO(V1_0)
NNAPI_ANDROID_CONVERT_TO(V1_1)
NNAPI_ANDROID_CONVERT_TO(V1_2)
NNAPI_ANDROID_CONVERT_TO(V1_3)
#undef NNAPI_ANDROID_CONVERT_TO

inline ::nn::V1_0::ErrorStatus convertToV1_0(::nn::V1_3::ErrorStatus status) {
    return ::nnapi_android::translateStatus(status);
}

inline ::nn::V1_0::OperationType uncheckedConvertToV1_0(::nn::V1_3::OperationType type) {
    return static_cast<::nn::V1_0::OperationType>(type);
}
inline ::nn::V1_1::OperationType uncheckedConvertToV1_1(::nn::V1_3::OperationType type) {
    return static_cast<::nn::V1_1::OperationType>(type);
}
inline ::nn::V1_2::OperationType uncheckedConvertToV1_2(::nn::V1_3::OperationType type) {
    return static_cast<::nn::V1_2::OperationType>(type);
}

}  // namespace android::nn
