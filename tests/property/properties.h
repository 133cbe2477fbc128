// What must hold for every object: properties of conversions and validators, as functions that give
// the first violation. rapidcheck calls them with random bytes, a fuzzer with its own.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>

#include "nnapi/convert.h"
#include "nnapi/print.h"
#include "nnapi/testing/generate.h"

namespace nn::properties {

// Nothing where the property holds, else what is wrong.
using Violation = std::optional<std::string>;
using Property = Violation (*)(testing::Source& source);

inline HalVersion anyVersion(testing::Source& source) { return kHalVersions[source.below(4)]; }

inline std::string text(const Status& status) { return std::string(status.message()); }

// A model made for a version is legal in it.
inline Violation generatedModelsAreValid(testing::Source& source) {
    const HalVersion version = anyVersion(source);
    const Model model = testing::validModel(source, {.version = version});
    const Status status = validateFor(model, toVersion(version));
    if (!status.ok()) return text(status) + " in " + print(model);
    return std::nullopt;
}

// What is legal in a version is legal in every later one, and from the needed version on.
inline Violation validityIsMonotone(testing::Source& source) {
    const Model model = testing::validModel(source);
    const Result<Version> needed = validate(model);
    for (const HalVersion version : kHalVersions) {
        const bool legal = validateFor(model, toVersion(version)).ok();
        const bool expected = needed.ok() && isCompliantVersion(*needed, toVersion(version));
        if (legal != expected) return fmt::format("HAL {}: {}", toString(version), print(model));
    }
    return std::nullopt;
}

// Down and up again tells its losses: silent means identical, and the other way round.
inline Violation downAndUpTellsItsLosses(testing::Source& source) {
    const HalVersion version = anyVersion(source);
    const Model model = testing::validModel(source);
    Losses losses;
    const Result<HalModel> down = convertTo(version, model, &losses);
    if (!down.ok()) {
        const Result<Version> needed = validate(model);
        const bool tooNew = needed.ok() && !isCompliantVersion(*needed, toVersion(version));
        if (tooNew) return std::nullopt;
        return text(down.status()) + " for " + print(model);
    }
    const Result<Model> up = convertFrom(*down);
    if (!up.ok()) return text(up.status()) + " coming back of " + print(model);
    if ((*up == model) != losses.empty()) {
        return fmt::format("{} losses in {} that came back as {}", losses.size(), print(model),
                           print(*up));
    }
    return std::nullopt;
}

// A versioned object that is legal goes up and down unchanged.
template <class Hal, HalVersion V>
Violation upAndDownIsTheIdentity(testing::Source& source) {
    const Hal object = testing::any<Hal>(source);
    const auto up = convertFrom<V>(object);
    if (!up.ok()) return std::nullopt;
    Losses losses;
    const auto down = convertTo<V>(*up, &losses);
    if (!down.ok()) return text(down.status()) + " for " + print(object);
    if (!(*down == object)) return print(object) + " became " + print(*down);
    if (!losses.empty()) return toString(losses.front()) + " in " + print(object);
    return std::nullopt;
}

// Models of a version, made by converting, go up and down unchanged.
inline Violation versionedModelsSurvive(testing::Source& source) {
    const HalVersion version = anyVersion(source);
    const Model model = testing::validModel(source, {.version = version});
    const Result<HalModel> down = convertTo(version, model);
    if (!down.ok()) return text(down.status()) + " for " + print(model);
    const Result<Model> up = convertFrom(*down);
    if (!up.ok()) return text(up.status()) + " for " + print(model);
    const Result<HalModel> again = convertTo(version, *up);
    if (!again.ok() || !(*again == *down)) return "twice differs from once for " + print(model);
    return std::nullopt;
}

// A validated conversion that succeeds gives what the unvalidated one gives.
inline Violation validatedIsUnvalidatedPlusACheck(testing::Source& source) {
    const HalVersion version = anyVersion(source);
    const Model model = testing::validModel(source);
    const Result<HalModel> checked = convertTo(version, model);
    if (!checked.ok()) return std::nullopt;
    const Result<HalModel> unchecked = unvalidatedConvertTo(version, model);
    if (!unchecked.ok() || !(*checked == *unchecked)) return print(model);
    return std::nullopt;
}

// Any object at all is answered, and a conversion of what is legal stays legal.
template <class Canonical, HalVersion V>
Violation anyObjectIsAnswered(testing::Source& source) {
    const auto object = testing::any<Canonical>(source);
    Losses losses;
    const auto unchecked = unvalidatedConvertTo<V>(object, &losses);
    const auto checked = convertTo<V>(object, &losses);
    if (!checked.ok()) return std::nullopt;
    if (!unchecked.ok() || !(*checked == *unchecked)) return print(object);
    const auto back = convertFrom<V>(*checked);
    if (!back.ok()) return text(back.status()) + " for " + print(object);
    return std::nullopt;
}

}  // namespace nn::properties
