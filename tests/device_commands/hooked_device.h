// A device around the reference that does one thing differently, by functions of a test.
//
//   const auto device = hooked({.change = [](Model& model) { ... },     // computes another model
//                               .onExecute = [] { ... }});              // and does this each time
#pragma once

#include <functional>

#include "fakes/hooked_device.h"
#include "nnapi/driver/reference.h"

namespace nn::device_commands_test {

struct Hooks {
    std::function<void(Model&)> change{};  // before it is prepared
    std::function<bool(const Operation&)> supports{};
    std::function<bool(const Model&)> supportsModel{};
    std::function<bool(const Model&)> refuses{};  // to prepare, although it supports them
    std::function<void()> onExecute = [] {};
    std::function<void()> onPrepare = [] {};
};

inline SharedDevice hooked(const Hooks& hooks) {
    return fakes::hooked(
            referenceDevice({.name = "hooked", .hasCache = false}),
            {.support =
                     [=](const Model& model, const IDevice& inner) {
                         return fakes::supporting([&](const Operation& operation) {
                             return (!hooks.supports || hooks.supports(operation)) &&
                                    (!hooks.supportsModel || hooks.supportsModel(model));
                         })(model, inner);
                     },
             .prepare = [=](const fakes::Preparation& preparation,
                            const IDevice& inner) -> fakes::Prepared {
                 hooks.onPrepare();
                 if (hooks.refuses && hooks.refuses(preparation.model)) {
                     return error() << "too much for this device";
                 }
                 Model own = preparation.model;
                 if (hooks.change) hooks.change(own);
                 return preparation.with(own).withoutCache().on(inner);
             },
             .allocate = [](const auto&, const auto&) -> GeneralResult<SharedBuffer> {
                 return error() << "there is no memory";
             },
             .execute =
                     [=](const fakes::ExecutionCall& call, const IPreparedModel& inner) {
                         hooks.onExecute();
                         return call.on(inner);
                     },
             .launch =
                     [=](const fakes::ExecutionCall& call, const auto& waitFor,
                         const auto& afterFences, const IPreparedModel& inner) {
                         hooks.onExecute();
                         return call.fencedOn(inner, waitFor, afterFences);
                     }});
}

}  // namespace nn::device_commands_test
