// hidl_callbacks.h -- The kit for callbacks of HIDL clients: one class has the methods of all
// versions, and one function receives their calls.
//
//   class Recorder final : public parts::PreparationCallback<Recorder> {
//      public:
//       Return<void> notified(HalVersion by, auto status, const sp<V1_0::IPreparedModel>& model) {
//           codes.push_back(static_cast<int32_t>(status));
//           return parts::notify(*client, by, codes.back(), model);
//       }
//   };
//
// `by` is the version of the method: V1_0, V1_2 or V1_3. Statuses and prepared models have the
// types of that version. Nothing is allocated.
#pragma once

#include <string_view>
#include <vector>

#include "nnapi/hal/v1_3_interfaces.h"
#include "nnapi/version.h"

namespace nn::parts {

inline constexpr V1_2::Timing kNoTiming{.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX};

template <class Derived>
class PreparationCallback : public V1_3::IPreparedModelCallback {
   public:
    hidl::Return<void> notify(V1_0::ErrorStatus status,
                              const hidl::sp<V1_0::IPreparedModel>& model) override {
        return static_cast<Derived&>(*this).notified(HalVersion::V1_0, status, model);
    }
    hidl::Return<void> notify_1_2(V1_0::ErrorStatus status,
                                  const hidl::sp<V1_2::IPreparedModel>& model) override {
        return static_cast<Derived&>(*this).notified(HalVersion::V1_2, status, model);
    }
    hidl::Return<void> notify_1_3(V1_3::ErrorStatus status,
                                  const hidl::sp<V1_3::IPreparedModel>& model) override {
        return static_cast<Derived&>(*this).notified(HalVersion::V1_3, status, model);
    }
};

// notify of 1.0 passes no shapes and no timing.
template <class Derived>
class ExecutionCallback : public V1_3::IExecutionCallback {
   public:
    using Shapes = hidl::hidl_vec<V1_2::OutputShape>;

    hidl::Return<void> notify(V1_0::ErrorStatus status) override {
        return static_cast<Derived&>(*this).notified(HalVersion::V1_0, status, Shapes(), kNoTiming);
    }
    hidl::Return<void> notify_1_2(V1_0::ErrorStatus status, const Shapes& shapes,
                                  const V1_2::Timing& timing) override {
        return static_cast<Derived&>(*this).notified(HalVersion::V1_2, status, shapes, timing);
    }
    hidl::Return<void> notify_1_3(V1_3::ErrorStatus status, const Shapes& shapes,
                                  const V1_2::Timing& timing) override {
        return static_cast<Derived&>(*this).notified(HalVersion::V1_3, status, shapes, timing);
    }
};

constexpr std::string_view notifyMethod(HalVersion by) {
    return by == HalVersion::V1_3 ? "notify_1_3" : by == HalVersion::V1_2 ? "notify_1_2" : "notify";
}

// Calls the method of a version, or the newest older one that the client has.
template <class Client, class... Results>
hidl::Return<void> notify(Client& client, HalVersion by, int32_t code, const Results&... results) {
    const auto older = static_cast<V1_0::ErrorStatus>(code);
    const auto newest = static_cast<V1_3::ErrorStatus>(code);
    if constexpr (requires { client.notify_1_3(newest, results...); }) {
        if (by == HalVersion::V1_3) return client.notify_1_3(newest, results...);
    }
    if constexpr (requires { client.notify_1_2(older, results...); }) {
        if (by >= HalVersion::V1_2) return client.notify_1_2(older, results...);
    }
    if constexpr (requires { client.notify(older, results...); }) {
        return client.notify(older, results...);
    } else {
        return client.notify(older);
    }
}

// The chain of an object that only shows those of these interfaces that a version has; the newest
// comes first.
template <class... Interfaces>
hidl::hidl_vec<hidl::hidl_string> chainUpTo(HalVersion version) {
    std::vector<hidl::hidl_string> chain;
    for (const std::string_view descriptor : {std::string_view(Interfaces::descriptor)...}) {
        // As in "android.hardware.neuralnetworks@1.2::IDevice".
        const int minor = descriptor[descriptor.find("@1.") + 3] - '0';
        if (minor <= static_cast<int>(version)) chain.emplace_back(std::string(descriptor));
    }
    chain.emplace_back(hidl::IBase::descriptor);
    return chain;
}

}  // namespace nn::parts
