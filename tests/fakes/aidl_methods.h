// aidl_methods.h -- The kit for doubles of AIDL drivers: each method goes to one of two functions
// of the base class.
//
//   class Counting : public hal::ForwardingAidl<aidl_hal::IDevice> {
//      public:
//       using ForwardingAidl::ForwardingAidl;
//
//       // A method with a result, or with nullptr.
//       ScopedAStatus call(std::string_view method, auto result, const auto& behind,
//                          const auto&... arguments) {
//           ++calls[method];
//           return behind(*inner());
//       }
//       // A method that starts work and notifies a client.
//       ScopedAStatus launch(std::string_view method, const auto& client, const auto& behind,
//                            const auto&... arguments) {
//           ++calls[method];
//           return behind(*inner(), client);
//       }
//   };
//   const auto device = SharedRefBase::make<fakes::AidlDevice<Counting>>(driver);
//
// behind(target) calls the method of a target. Names of the methods of bursts and executions begin
// with "IBurst::" and "IExecution::". Subclasses may override methods.
#pragma once

#include <string_view>
#include <vector>

#include "nnapi/hal/aidl/interfaces.h"

namespace nn::fakes {

#define NNAPI_BEFORE(...) __VA_OPT__(__VA_ARGS__, )
#define NNAPI_AFTER(...) __VA_OPT__(, __VA_ARGS__)
#define NNAPI_LIST(...) __VA_ARGS__
// Without a result.
#define NNAPI_DO(method, parameters, arguments)                   \
    ::ndk::ScopedAStatus method(NNAPI_LIST parameters) override { \
        return this->call(#method, nullptr, [&](auto& target) {   \
            return target.method(NNAPI_LIST arguments);           \
        } NNAPI_AFTER arguments);                                 \
    }
#define NNAPI_CALL(prefix, method, Result, parameters, arguments)             \
    ::ndk::ScopedAStatus method(NNAPI_BEFORE parameters Result* r) override { \
        return this->call(prefix #method, r, [&](auto& target) {              \
            return target.method(NNAPI_BEFORE arguments r);                   \
        } NNAPI_AFTER arguments);                                             \
    }
#define NNAPI_LAUNCH(method, parameters, arguments)                                      \
    ::ndk::ScopedAStatus method(NNAPI_BEFORE parameters const Client& client) override { \
        return this->launch(#method, client, [&](auto& target, const Client& last) {     \
            return target.method(NNAPI_BEFORE arguments last);                           \
        } NNAPI_AFTER arguments);                                                        \
    }

namespace aidl {
using aidl_hal::ExecutionConfig;
using aidl_hal::ExecutionResult;
using aidl_hal::FencedExecutionResult;
using aidl_hal::Request;
using Files = std::vector<::ndk::ScopedFileDescriptor>;
using Tokens = std::vector<int64_t>;
}  // namespace aidl

template <class Base>
class AidlBuffer : public Base {
   public:
    using Base::Base;

    NNAPI_DO(copyTo, (const aidl_hal::Memory& dst), (dst))
    NNAPI_DO(copyFrom, (const aidl_hal::Memory& src, const std::vector<int32_t>& d), (src, d))
};

template <class Base>
class AidlExecution : public Base {
   public:
    using Base::Base;

    NNAPI_CALL("IExecution::", executeSynchronously, aidl::ExecutionResult, (int64_t d), (d))
    NNAPI_CALL("IExecution::", executeFenced, aidl::FencedExecutionResult,
               (const aidl::Files& f, int64_t d, int64_t a), (f, d, a))
};

template <class Base>
class AidlBurst : public Base {
   public:
    using Base::Base;

    NNAPI_CALL("IBurst::", executeSynchronously, aidl::ExecutionResult,
               (const aidl::Request& q, const aidl::Tokens& t, bool m, int64_t d, int64_t l),
               (q, t, m, d, l))
    NNAPI_CALL("IBurst::", executeSynchronouslyWithConfig, aidl::ExecutionResult,
               (const aidl::Request& q, const aidl::Tokens& t, const aidl::ExecutionConfig& c,
                int64_t d),
               (q, t, c, d))
    NNAPI_DO(releaseMemoryResource, (int64_t token), (token))
};

template <class Base>
class AidlPreparedModel : public Base {
   public:
    using Base::Base;

    NNAPI_CALL("", executeSynchronously, aidl::ExecutionResult,
               (const aidl::Request& q, bool m, int64_t d, int64_t l), (q, m, d, l))
    NNAPI_CALL("", executeSynchronouslyWithConfig, aidl::ExecutionResult,
               (const aidl::Request& q, const aidl::ExecutionConfig& c, int64_t d), (q, c, d))
    NNAPI_CALL("", executeFenced, aidl::FencedExecutionResult,
               (const aidl::Request& q, const aidl::Files& f, bool m, int64_t d, int64_t l,
                int64_t a),
               (q, f, m, d, l, a))
    NNAPI_CALL("", executeFencedWithConfig, aidl::FencedExecutionResult,
               (const aidl::Request& q, const aidl::Files& f, const aidl::ExecutionConfig& c,
                int64_t d, int64_t a),
               (q, f, c, d, a))
    NNAPI_CALL("", configureExecutionBurst, std::shared_ptr<aidl_hal::IBurst>, (), ())
    NNAPI_CALL("", createReusableExecution, std::shared_ptr<aidl_hal::IExecution>,
               (const aidl::Request& q, const aidl::ExecutionConfig& c), (q, c))
};

template <class Base>
class AidlDevice : public Base {
   public:
    using Base::Base;
    using Client = std::shared_ptr<aidl_hal::IPreparedModelCallback>;
    using Models = std::vector<aidl_hal::IPreparedModelParcel>;
    using Roles = std::vector<aidl_hal::BufferRole>;
    using Token = std::vector<uint8_t>;

    NNAPI_CALL("", getCapabilities, aidl_hal::Capabilities, (), ())
    NNAPI_CALL("", getNumberOfCacheFilesNeeded, aidl_hal::NumberOfCacheFiles, (), ())
    NNAPI_CALL("", getSupportedExtensions, std::vector<aidl_hal::Extension>, (), ())
    NNAPI_CALL("", getType, aidl_hal::DeviceType, (), ())
    NNAPI_CALL("", getVersionString, std::string, (), ())
    NNAPI_CALL("", getSupportedOperations, std::vector<bool>, (const aidl_hal::Model& model),
               (model))
    NNAPI_LAUNCH(prepareModel,
                 (const aidl_hal::Model& model, aidl_hal::ExecutionPreference p,
                  aidl_hal::Priority q, int64_t deadline, const aidl::Files& m,
                  const aidl::Files& d, const Token& t),
                 (model, p, q, deadline, m, d, t))
    NNAPI_LAUNCH(prepareModelWithConfig,
                 (const aidl_hal::Model& model, const aidl_hal::PrepareModelConfig& c), (model, c))
    NNAPI_LAUNCH(prepareModelFromCache,
                 (int64_t deadline, const aidl::Files& m, const aidl::Files& d, const Token& t),
                 (deadline, m, d, t))
    NNAPI_CALL("", allocate, aidl_hal::DeviceBuffer,
               (const aidl_hal::BufferDesc& desc, const Models& models, const Roles& inputs,
                const Roles& outputs),
               (desc, models, inputs, outputs))
};
#undef NNAPI_BEFORE
#undef NNAPI_AFTER
#undef NNAPI_LIST
#undef NNAPI_DO
#undef NNAPI_CALL
#undef NNAPI_LAUNCH

}  // namespace nn::fakes
