// canonical_methods.h -- The kit for doubles of canonical objects: each method that can fail goes
// to one function of the base class.
//
//   template <class Interface>
//   class Counting : public Forwarding<Interface> {
//      public:
//       using Forwarding<Interface>::Forwarding;
//
//      protected:
//       template <class Result>
//       Result call(std::string_view method, const auto& behind, const auto&... arguments) const {
//           ++calls[method];
//           return behind(*this->inner());
//       }
//   };
//   const auto burst = std::make_shared<const fakes::CanonicalBurst<Counting<IBurst>>>(inner);
//
// behind(target) calls the method of a target. The other methods are those of the base class or of
// subclasses.
#pragma once

#include <string_view>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn::fakes {

#define NNAPI_LIST(...) __VA_ARGS__
#define NNAPI_AFTER(...) __VA_OPT__(, __VA_ARGS__)
#define NNAPI_CALL(Result, method, parameters, arguments)                               \
    Result method(NNAPI_LIST parameters) const override {                               \
        return this->template call<Result>(#method, [&](const auto& target) -> Result { \
            return target.method(NNAPI_LIST arguments);                                 \
        } NNAPI_AFTER arguments);                                                       \
    }

namespace canonical {
using Files = std::vector<SharedHandle>;
using Hints = std::vector<TokenValuePair>;
using Models = std::vector<SharedPreparedModel>;
using Prefixes = std::vector<ExtensionNameAndPrefix>;
using Roles = std::vector<BufferRole>;
}  // namespace canonical

template <class Base>
class CanonicalBuffer : public Base {
   public:
    using Base::Base;

    NNAPI_CALL(GeneralResult<void>, copyTo, (const SharedMemory& dst), (dst))
    NNAPI_CALL(GeneralResult<void>, copyFrom, (const SharedMemory& src, const Dimensions& d),
               (src, d))
};

template <class Base>
class CanonicalExecution : public Base {
   public:
    using Base::Base;

    NNAPI_CALL(ExecutionResult<Executed>, compute, (const OptionalTimePoint& d), (d))
    NNAPI_CALL(GeneralResult<ExecutedFenced>, computeFenced,
               (const std::vector<SyncFence>& f, const OptionalTimePoint& d,
                const OptionalDuration& a),
               (f, d, a))
};

// Objects that execute requests: bursts and prepared models.
template <class Base>
class CanonicalBurst : public Base {
   public:
    using Base::Base;

    NNAPI_CALL(ExecutionResult<Executed>, execute,
               (const Request& r, MeasureTiming m, const OptionalTimePoint& d,
                const OptionalDuration& l, const canonical::Hints& h, const canonical::Prefixes& e),
               (r, m, d, l, h, e))
    NNAPI_CALL(GeneralResult<SharedExecution>, createReusableExecution,
               (const Request& r, MeasureTiming m, const OptionalDuration& l,
                const canonical::Hints& h, const canonical::Prefixes& e),
               (r, m, l, h, e))
};

template <class Base>
class CanonicalPreparedModel : public CanonicalBurst<Base> {
   public:
    using CanonicalBurst<Base>::CanonicalBurst;

    NNAPI_CALL(GeneralResult<ExecutedFenced>, executeFenced,
               (const Request& r, const std::vector<SyncFence>& f, MeasureTiming m,
                const OptionalTimePoint& d, const OptionalDuration& l, const OptionalDuration& a,
                const canonical::Hints& h, const canonical::Prefixes& e),
               (r, f, m, d, l, a, h, e))
    NNAPI_CALL(GeneralResult<SharedBurst>, configureExecutionBurst, (), ())
};

template <class Base>
class CanonicalDevice : public Base {
   public:
    using Base::Base;

    NNAPI_CALL(GeneralResult<void>, wait, (), ())
    NNAPI_CALL(GeneralResult<std::vector<bool>>, getSupportedOperations, (const Model& model),
               (model))
    NNAPI_CALL(GeneralResult<SharedPreparedModel>, prepareModel,
               (const Model& model, ExecutionPreference p, Priority q, OptionalTimePoint deadline,
                const canonical::Files& m, const canonical::Files& d, const CacheToken& t,
                const canonical::Hints& h, const canonical::Prefixes& e),
               (model, p, q, deadline, m, d, t, h, e))
    NNAPI_CALL(GeneralResult<SharedPreparedModel>, prepareModelFromCache,
               (OptionalTimePoint deadline, const canonical::Files& m, const canonical::Files& d,
                const CacheToken& t),
               (deadline, m, d, t))
    NNAPI_CALL(GeneralResult<SharedBuffer>, allocate,
               (const BufferDesc& desc, const canonical::Models& models,
                const canonical::Roles& inputs, const canonical::Roles& outputs),
               (desc, models, inputs, outputs))
};
#undef NNAPI_LIST
#undef NNAPI_AFTER
#undef NNAPI_CALL

}  // namespace nn::fakes
