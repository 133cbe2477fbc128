// hidl_methods.h -- The kit for doubles of HIDL drivers of 1.0 to 1.3: each method of a device or
// prepared model goes to one of two functions of the base class.
//
//   class Counting : public V1_3::IDevice {
//      public:
//       // A method that passes its results to a function.
//       Return<void> call(std::string_view method, const auto& results, const auto& behind,
//                         const auto&... arguments) {
//           ++calls[method];
//           return behind(*inner, results);
//       }
//       // A method that starts work and notifies a client.
//       template <class Status>
//       Return<Status> launch(std::string_view method, const auto& client, const auto& behind,
//                             const auto&... arguments) {
//           ++calls[method];
//           return behind(*inner, client);
//       }
//       sp<V1_3::IDevice> inner;
//   };
//   const auto device = sp<fakes::HidlDevice<Counting>>::make(...);
//
// behind(target, last) calls the method of a target with this last argument. Subclasses may
// override methods.
#pragma once

#include <string_view>

#include "nnapi/hal/v1_3_interfaces.h"

namespace nn::fakes {

#define NNAPI_BEFORE(...) __VA_OPT__(__VA_ARGS__, )
#define NNAPI_AFTER(...) __VA_OPT__(, __VA_ARGS__)
#define NNAPI_CALL(method, parameters, arguments)                                         \
    hidl::Return<void> method(NNAPI_BEFORE parameters typename Base::method##_cb results) \
            override {                                                                    \
        return this->call(#method, results, [&](auto& target, const auto& last) {         \
            return target.method(NNAPI_BEFORE arguments last);                            \
        } NNAPI_AFTER arguments);                                                         \
    }
#define NNAPI_LAUNCH(method, V, Client, parameters, arguments)                                  \
    hidl::Return<V::ErrorStatus> method(NNAPI_BEFORE parameters const hidl::sp<Client>& client) \
            override {                                                                          \
        return this->template launch<V::ErrorStatus>(                                           \
                #method, client, [&](auto& target, const auto& last) {                          \
                    return target.method(NNAPI_BEFORE arguments last);                          \
                } NNAPI_AFTER arguments);                                                       \
    }

template <class Base>
class HidlPreparedModel : public Base {
   public:
    using Base::Base;
    using Deadline = V1_3::OptionalTimePoint;
    using Timeout = V1_3::OptionalTimeoutDuration;
    using Fences = hidl::hidl_vec<hidl::hidl_handle>;
    using BurstClient = hidl::sp<V1_2::IBurstCallback>;
    using RequestQueue = hidl::MQDescriptorSync<V1_2::FmqRequestDatum>;
    using ResultQueue = hidl::MQDescriptorSync<V1_2::FmqResultDatum>;

    NNAPI_LAUNCH(execute, V1_0, V1_0::IExecutionCallback, (const V1_0::Request& r), (r))
    NNAPI_LAUNCH(execute_1_2, V1_0, V1_2::IExecutionCallback,
                 (const V1_0::Request& r, V1_2::MeasureTiming m), (r, m))
    NNAPI_LAUNCH(execute_1_3, V1_3, V1_3::IExecutionCallback,
                 (const V1_3::Request& r, V1_2::MeasureTiming m, const Deadline& d,
                  const Timeout& l),
                 (r, m, d, l))
    NNAPI_CALL(executeSynchronously, (const V1_0::Request& r, V1_2::MeasureTiming m), (r, m))
    NNAPI_CALL(executeSynchronously_1_3,
               (const V1_3::Request& r, V1_2::MeasureTiming m, const Deadline& d, const Timeout& l),
               (r, m, d, l))
    NNAPI_CALL(executeFenced,
               (const V1_3::Request& r, const Fences& f, V1_2::MeasureTiming m, const Deadline& d,
                const Timeout& l, const Timeout& a),
               (r, f, m, d, l, a))
    NNAPI_CALL(configureExecutionBurst,
               (const BurstClient& c, const RequestQueue& r, const ResultQueue& a), (c, r, a))
};

template <class Base>
class HidlDevice : public Base {
   public:
    using Base::Base;
    using Preference = V1_1::ExecutionPreference;
    using Deadline = V1_3::OptionalTimePoint;
    using Files = hidl::hidl_vec<hidl::hidl_handle>;
    using Token = V1_2::HidlToken;
    using Models = hidl::hidl_vec<hidl::sp<V1_3::IPreparedModel>>;
    using Roles = hidl::hidl_vec<V1_3::BufferRole>;

    NNAPI_CALL(getCapabilities, (), ())
    NNAPI_CALL(getCapabilities_1_1, (), ())
    NNAPI_CALL(getCapabilities_1_2, (), ())
    NNAPI_CALL(getCapabilities_1_3, (), ())
    NNAPI_CALL(getVersionString, (), ())
    NNAPI_CALL(getType, (), ())
    NNAPI_CALL(getSupportedExtensions, (), ())
    NNAPI_CALL(getNumberOfCacheFilesNeeded, (), ())
    NNAPI_CALL(getSupportedOperations, (const V1_0::Model& model), (model))
    NNAPI_CALL(getSupportedOperations_1_1, (const V1_1::Model& model), (model))
    NNAPI_CALL(getSupportedOperations_1_2, (const V1_2::Model& model), (model))
    NNAPI_CALL(getSupportedOperations_1_3, (const V1_3::Model& model), (model))

    NNAPI_LAUNCH(prepareModel, V1_0, V1_0::IPreparedModelCallback, (const V1_0::Model& model),
                 (model))
    NNAPI_LAUNCH(prepareModel_1_1, V1_0, V1_0::IPreparedModelCallback,
                 (const V1_1::Model& model, Preference p), (model, p))
    NNAPI_LAUNCH(prepareModel_1_2, V1_0, V1_2::IPreparedModelCallback,
                 (const V1_2::Model& model, Preference p, const Files& m, const Files& d,
                  const Token& t),
                 (model, p, m, d, t))
    NNAPI_LAUNCH(prepareModel_1_3, V1_3, V1_3::IPreparedModelCallback,
                 (const V1_3::Model& model, Preference p, V1_3::Priority q,
                  const Deadline& deadline, const Files& m, const Files& d, const Token& t),
                 (model, p, q, deadline, m, d, t))
    NNAPI_LAUNCH(prepareModelFromCache, V1_0, V1_2::IPreparedModelCallback,
                 (const Files& m, const Files& d, const Token& t), (m, d, t))
    NNAPI_LAUNCH(prepareModelFromCache_1_3, V1_3, V1_3::IPreparedModelCallback,
                 (const Deadline& deadline, const Files& m, const Files& d, const Token& t),
                 (deadline, m, d, t))
    NNAPI_CALL(allocate,
               (const V1_3::BufferDesc& desc, const Models& models, const Roles& inputs,
                const Roles& outputs),
               (desc, models, inputs, outputs))
};
#undef NNAPI_BEFORE
#undef NNAPI_AFTER
#undef NNAPI_CALL
#undef NNAPI_LAUNCH

}  // namespace nn::fakes
