// Models of the HAL versions: validated, and if valid, converted to canonical and back unchanged.
#include "fuzz/input.h"
#include "property/properties.h"

namespace nn::fuzz {
namespace {

template <HalVersion V>
void survives(const HalType<Model, V>& model) {
    expectNone(properties::upAndDownIsTheIdentity<V>(model));
    const Result<Model> up = unvalidatedConvert(model);
    if (up.ok()) expectNone(properties::twiceIsOnce(properties::kWays<V, Model>, *up));
}

}  // namespace

NNAPI_FUZZ_TARGET(hal_model, HAL_MODEL) {
    const auto any = modelOf(split(bytes));
    if (!any) return;
    std::visit(
            []<class M>(const M& model) {
                if constexpr (std::same_as<M, AidlModel>) {
                    expectNone(properties::refusedOrTheSame(model.model));
                    if (model.version == HalVersion::AIDL1)
                        survives<HalVersion::AIDL1>(model.model);
                    if (model.version == HalVersion::AIDL2)
                        survives<HalVersion::AIDL2>(model.model);
                    if (model.version == HalVersion::AIDL3)
                        survives<HalVersion::AIDL3>(model.model);
                    if (model.version == HalVersion::AIDL4)
                        survives<HalVersion::AIDL4>(model.model);
                } else if constexpr (!std::same_as<M, Model>) {
                    survives<kLastHalVersion<M>>(model);
                }
            },
            *any);
}

}  // namespace nn::fuzz
