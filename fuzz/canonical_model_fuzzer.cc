// Canonical models: validated, converted to every version with losses, minimized and sliced.
#include "fuzz/input.h"
#include "property/properties.h"

namespace nn::fuzz {
namespace {

using namespace properties;

template <HalVersion V>
void convertsTo(const Model& model) {
    const auto& ways = kWays<V, Model>;
    expectNone(refusedOnlyForAReason(ways, model));
    expectNone(convertedIsLegal(ways, model));
    expectNone(silentMeansIdentical(ways, model));
    expectNone(lossesUndoneGiveBackTheOriginal(ways, model));
    expectNone(twiceIsOnce(ways, model));
    expectNone(passesReturnForAnyModel(V, model));
}

}  // namespace

NNAPI_FUZZ_TARGET(canonical_model, MODEL) {
    const auto model = canonicalOf(split(bytes));
    if (!model) return;
    const Findings findings = validateAll(*model);
    expect(findings.valid() == validate(*model).ok(), "validate and validateAll disagree");
    convertsTo<HalVersion::V1_0>(*model);
    convertsTo<HalVersion::V1_1>(*model);
    convertsTo<HalVersion::V1_2>(*model);
    convertsTo<HalVersion::V1_3>(*model);
    convertsTo<HalVersion::AIDL1>(*model);
    convertsTo<HalVersion::AIDL2>(*model);
    convertsTo<HalVersion::AIDL3>(*model);
    convertsTo<HalVersion::AIDL4>(*model);
    expectNone(minimizingTwiceIsMinimizingOnce(*model));
    expectNone(complianceIsMonotone(*model));
}

}  // namespace nn::fuzz
