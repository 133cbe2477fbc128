// Models of the HAL versions: validated, and where they are legal, to canonical and back unchanged.
#include "fuzz/input.h"
#include "property/properties.h"

namespace nn::fuzz {

NNAPI_FUZZ_TARGET(hal_model, HAL_MODEL) {
    const auto any = modelOf(split(bytes));
    if (!any) return;
    std::visit(
            []<class M>(const M& model) {
                if constexpr (std::same_as<M, AidlModel>) {
                    expectNone(properties::refusedOrTheSame(model.model));
                    expectNone(properties::upAndDownIsTheIdentity<HalVersion::AIDL4>(model.model));
                    const Result<Model> up = unvalidatedConvert(model.model);
                    if (up.ok()) expectNone(properties::twiceIsOnce<HalVersion::AIDL4>(*up));
                } else if constexpr (!std::same_as<M, Model>) {
                    constexpr HalVersion kVersion = kLastHalVersion<M>;
                    expectNone(properties::upAndDownIsTheIdentity<kVersion>(model));
                    const Result<Model> up = unvalidatedConvert(model);
                    if (up.ok()) expectNone(properties::twiceIsOnce<kVersion>(*up));
                }
            },
            *any);
}

}  // namespace nn::fuzz
