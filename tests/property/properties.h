// Properties of every object, for conversions, losses, passes and slices, as functions that return
// the first violation. Those of rows.h read their objects from bytes: random ones of rapidcheck, or
// a fuzzer's. A property with an object as parameter is also called by fuzz targets with the models
// of files. A violation shows the object as code to paste into a test.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "nnapi/compat.h"
#include "nnapi/convert.h"
#include "nnapi/device_profile.h"
#include "nnapi/generate/code.h"
#include "nnapi/generate/generate.h"
#include "nnapi/interpreter.h"
#include "nnapi/passes.h"
#include "nnapi/relocation.h"
#include "nnapi/slice.h"
#include "property/undo.h"

namespace nn::properties {

// Empty if the property holds.
using Violation = std::optional<std::string>;

inline HalVersion anyVersion(testing::Source& source) {
    return kConvertibleVersions[source.below(kConvertibleVersions.size())];
}

// The versions that have these types.
template <class... Canonicals>
const std::vector<HalVersion>& versionsWith() {
    static const std::vector<HalVersion> kVersions = [] {
        std::vector<HalVersion> versions;
#define NNAPI_HAL_VERSION(name, level, text, title, family) \
    if ((ConvertsTo<Canonicals, HalVersion::name> && ...)) versions.push_back(HalVersion::name);
#include "nnapi/hal_versions.def"
        return versions;
    }();
    return kVersions;
}

// The conversions from HAL, also if the HAL type represents several canonical ones.
template <HalVersion V, class Canonical, class Hal = HalType<Canonical, V>>
Result<Canonical> unvalidatedBack(const Hal& hal) {
    if constexpr (ConvertsFrom<Hal>) {
        NNAPI_ASSIGN_OR_RETURN(held, unvalidatedConvert(hal));
        return Canonical(std::move(held));  // a fence is constructed from its handle
    } else {
        return unvalidatedConvertAs<Canonical, V>(hal);
    }
}
template <HalVersion V, class Canonical, class Hal = HalType<Canonical, V>>
Result<Canonical> back(const Hal& hal) {
    if constexpr (ConvertsFrom<Hal>) {
        NNAPI_ASSIGN_OR_RETURN(held, convertFrom<V>(hal));
        return Canonical(std::move(held));
    } else {
        return convertAs<Canonical, V>(hal);
    }
}

template <HalVersion V, class Canonical>
Result<HalType<Canonical, V>> unvalidatedThere(const Canonical& object, Losses* losses) {
    return unvalidatedConvertTo<V>(object, losses);
}
template <HalVersion V, class Canonical>
Result<HalType<Canonical, V>> there(const Canonical& object) {
    return convertTo<V>(object);
}

// The conversions between a canonical type and its HAL type in a version. Versions that share the
// HAL type share the code of the properties below, of which there are hundreds.
template <class Canonical, class Hal>
struct Ways {
    HalVersion version;
    Result<Hal> (*unvalidatedThere)(const Canonical&, Losses*);
    Result<Canonical> (*unvalidatedBack)(const Hal&);
    Result<Hal> (*there)(const Canonical&) =
            nullptr;  // null like the next one if there is no validation
    Result<Canonical> (*back)(const Hal&) = nullptr;
};
template <HalVersion V, class Canonical>
constexpr Ways<Canonical, HalType<Canonical, V>> kWays = {V, unvalidatedThere<V, Canonical>,
                                                          unvalidatedBack<V, Canonical>};
template <HalVersion V, Validatable Canonical>
constexpr Ways<Canonical, HalType<Canonical, V>> kWays<V, Canonical> = {
        V, unvalidatedThere<V, Canonical>, unvalidatedBack<V, Canonical>, there<V, Canonical>,
        back<V, Canonical>};

// Checks in one of the versions that have these types, with the conversions of each.
template <class... Canonicals, class Check>
Violation inAnyVersion(testing::Source& source, Check&& check) {
    switch (source.pick<HalVersion>(versionsWith<Canonicals...>())) {
#define NNAPI_HAL_VERSION(name, level, text, title, family)              \
    case HalVersion::name:                                               \
        if constexpr ((ConvertsTo<Canonicals, HalVersion::name> && ...)) \
            return check(kWays<HalVersion::name, Canonicals>...);        \
        break;
#include "nnapi/hal_versions.def"
    }
    return std::nullopt;
}

// Whether the model contains parts that no AIDL version can represent, at any level.
inline bool isBeyondAidl(const Model& model) {
    const auto isLongPrefix = [](auto code) { return static_cast<int32_t>(code) < 0; };
    std::vector<const Model::Subgraph*> graphs{&model.main};
    for (const Model::Subgraph& graph : model.referenced) graphs.push_back(&graph);
    for (const Model::Subgraph* graph : graphs) {
        for (const Operand& operand : graph->operands) {
            if (operand.type == OperandType::OEM || operand.type == OperandType::TENSOR_OEM_BYTE ||
                isLongPrefix(operand.type) ||
                std::ranges::any_of(operand.dimensions, [](uint32_t d) { return d > INT32_MAX; })) {
                return true;
            }
        }
        for (const Operation& operation : graph->operations) {
            if (operation.type == OperationType::OEM_OPERATION || isLongPrefix(operation.type)) {
                return true;
            }
        }
    }
    for (const ExtensionNameAndPrefix& entry : model.extensionNameToPrefix) {
        if (entry.prefix > 0x7FFF) return true;
    }
    return std::ranges::any_of(model.pools, [](const SharedMemory& pool) {
        return pool != nullptr && std::holds_alternative<Memory::Unknown>(pool->handle);
    });
}

inline bool isBeyond(HalVersion version, const Model& model) {
    return halVersionInfo(version)->family == HalFamily::AIDL && isBeyondAidl(model);
}

// A violation, with its object.
template <class T>
std::string wrong(std::string_view what, const T& object) {
    return fmt::format("{}\n{}", what, testing::code(object));
}
template <class T>
std::string wrong(const Status& status, const T& object) {
    return wrong(std::string_view(status.message().data(), status.message().size()), object);
}

// An object with a NaN does not equal itself, so the property cannot be checked.
template <class T>
bool equalsItself(const T& object) {
    return object == object;
}

inline bool carries(HalVersion version, const Result<Version>& needed) {
    return needed.ok() && isCompliantVersion(*needed, toVersion(version));
}

// ---------------------------------------------------------------------------------------------
// Conversions of any object, valid or not

// A validated conversion succeeds if and only if the object is valid in the version and the
// unvalidated one can represent it; both give the same result.
template <class Canonical, class Hal>
Violation refusedOnlyForAReason(const Ways<Canonical, Hal>& ways, const Canonical& object) {
    const Result<Hal> checked = ways.there(object);
    const Result<Hal> unchecked = ways.unvalidatedThere(object, nullptr);
    if (checked.ok() != (carries(ways.version, validate(object)) && unchecked.ok())) {
        return wrong(checked.ok() ? "is converted" : "is refused", object);
    }
    if (checked.ok() && equalsItself(object) && !(*checked == *unchecked)) {
        return wrong("validation changes it", object);
    }
    return std::nullopt;
}

// A valid object is converted to one that is valid in that version.
template <class Canonical, class Hal>
Violation convertedIsLegal(const Ways<Canonical, Hal>& ways, const Canonical& object) {
    const Result<Hal> converted = ways.there(object);
    if (!converted.ok()) return std::nullopt;
    const Result<Canonical> canonical = ways.back(*converted);
    if (!canonical.ok()) return wrong(canonical.status(), object);
    return std::nullopt;
}

// The round trip is the identity if and only if there are no losses.
template <class Canonical, class Hal>
Violation silentMeansIdentical(const Ways<Canonical, Hal>& ways, const Canonical& object) {
    Losses losses;
    const Result<Hal> down = ways.unvalidatedThere(object, &losses);
    if (!down.ok()) return losses.empty() ? Violation() : wrong("refused with losses", object);
    const Result<Canonical> up = ways.unvalidatedBack(*down);
    if (!up.ok()) return wrong(up.status(), object);
    if (equalsItself(object) && (*up == object) != losses.empty()) {
        return wrong(fmt::format("{} losses", losses.size()), object);
    }
    return std::nullopt;
}

// Restoring every value that the losses name gives the original object.
template <class Canonical, class Hal>
Violation lossesUndoneGiveBackTheOriginal(const Ways<Canonical, Hal>& ways,
                                          const Canonical& object) {
    Losses losses;
    const Result<Hal> down = ways.unvalidatedThere(object, &losses);
    if (!down.ok() || !equalsItself(object)) return std::nullopt;
    Result<Canonical> up = ways.unvalidatedBack(*down);
    if (!up.ok()) return wrong(up.status(), object);
    for (const Loss& loss : losses) {
        if (!undo(loss, loss.path, object, *up)) return wrong(toString(loss), object);
    }
    if (!(*up == object)) return wrong("a loss is missing", object);
    return std::nullopt;
}

// After one round trip there are no further losses: converting twice gives the same as converting
// once.
template <class Canonical, class Hal>
Violation twiceIsOnce(const Ways<Canonical, Hal>& ways, const Canonical& object) {
    const Result<Hal> down = ways.unvalidatedThere(object, nullptr);
    if (!down.ok() || !equalsItself(object)) return std::nullopt;
    const Result<Canonical> up = ways.unvalidatedBack(*down);
    if (!up.ok()) return wrong(up.status(), object);
    Losses losses;
    const Result<Hal> again = ways.unvalidatedThere(*up, &losses);
    if (!again.ok() || !(*again == *down)) return wrong("twice differs from once", object);
    if (!losses.empty()) return wrong(toString(losses.front()), object);
    return std::nullopt;
}

// A valid versioned object survives the round trip through the canonical type unchanged, without
// losses.
template <HalVersion V, class Hal>
Violation upAndDownIsTheIdentity(const Hal& object) {
    const auto up = convertFrom<V>(object);
    if (!up.ok()) return std::nullopt;
    Losses losses;
    const auto down = convertTo<V>(*up, &losses);
    if (!down.ok()) return wrong(down.status(), object);
    if (!(*down == object)) return wrong("changes", object);
    if (!losses.empty()) return wrong(toString(losses.front()), object);
    return std::nullopt;
}

// Any AIDL object is rejected with a rule, or survives the round trip. The type of an object that
// is a number or bytes does not determine its canonical type.
template <class Canonical, class Hal>
Violation refusedOrTheSameAs(const Hal& object) {
    constexpr HalVersion kVersion = HalVersion::AIDL4;
    const Result<Canonical> up = unvalidatedBack<kVersion, Canonical>(object);
    if (!up.ok()) {
        const std::optional<Diagnostic> why = diagnostic(up.status());
        if (!why || !why->rule.starts_with("convert.")) return wrong(up.status(), object);
        return std::nullopt;
    }
    if (!equalsItself(object)) return std::nullopt;
    Losses losses;
    const auto down = unvalidatedConvertTo<kVersion>(*up, &losses);
    if (!down.ok()) return wrong(down.status(), object);
    if (!(*down == object)) return wrong("changes", object);
    if (!losses.empty()) return wrong(toString(losses.front()), object);
    return std::nullopt;
}
template <ConvertsFrom Hal>
Violation refusedOrTheSame(const Hal& object) {
    return refusedOrTheSameAs<CanonicalType<Hal>>(object);
}

// An object that is valid in HAL 1.3 survives the round trip through AIDL, unless AIDL cannot
// represent it: OEM types, memory of unknown kind, null handles, and numbers above 31 bits.
template <class Hal>
Violation hidlGoesToAidlAndBack(const Hal& object) {
    const auto up = convertFrom<HalVersion::V1_3>(object);
    if (!up.ok()) return std::nullopt;
    // Durations beyond 63 bits do not survive the round trip through HAL 1.3 itself.
    const auto itself = convertTo<HalVersion::V1_3>(*up);
    if (!itself.ok() || !(*itself == object)) return std::nullopt;
    using Canonical = CanonicalType<Hal>;
    Losses losses;
    const auto aidl = convertTo<HalVersion::AIDL1>(*up, &losses);
    if (!aidl.ok()) {
        static const std::set<std::string> kBeyond = {"convert.enumerator", "convert.handle",
                                                      "convert.memory", "convert.hardware_buffer",
                                                      "convert.range"};
        const std::optional<Diagnostic> why = diagnostic(aidl.status());
        if (why && kBeyond.contains(why->rule)) return std::nullopt;
        return wrong(aidl.status(), object);
    }
    if (!losses.empty()) return wrong(toString(losses.front()), object);
    const auto canonical = back<HalVersion::AIDL1, Canonical>(*aidl);
    if (!canonical.ok()) return wrong(canonical.status(), object);
    const auto down = convertTo<HalVersion::V1_3>(*canonical, &losses);
    if (!down.ok() || !losses.empty()) return wrong("does not come back", object);
    if (equalsItself(object) && !(*down == object)) return wrong("changes", object);
    return std::nullopt;
}

// The same for valid models, which are rejected only for OEM types and memory of unknown kind.
inline Violation hidlModelsGoToAidlAndBack(testing::Source& source) {
    const Model model = testing::validModel(source, {.version = HalVersion::V1_3});
    if (isBeyondAidl(model)) return std::nullopt;
    const auto hidl = convertTo<HalVersion::V1_3>(model);
    if (!hidl.ok()) return wrong(hidl.status(), model);
    Losses losses;
    const auto aidl = AIDL1::utils::convertFromNonCanonical(*hidl, &losses);
    if (!aidl.ok()) return wrong(aidl.status(), model);
    if (!losses.empty()) return wrong(toString(losses.front()), model);
    const auto again = V1_3::utils::convertFromNonCanonical(*aidl, &losses);
    if (!again.ok() || !losses.empty() || !(*again == *hidl)) return wrong("comes back", model);
    return std::nullopt;
}

// Vectors convert like their elements.
template <class Canonical>
Violation vectorsConvertElementByElement(testing::Source& source) {
    const auto check = [&](const auto& ofOne, const auto& ofAll) -> Violation {
        const auto objects = testing::any<std::vector<Canonical>>(source);
        const auto all = ofAll.unvalidatedThere(objects, nullptr);
        for (size_t i = 0; i < objects.size(); ++i) {
            const auto one = ofOne.unvalidatedThere(objects[i], nullptr);
            if (!one.ok()) return all.ok() ? wrong("an element is refused", objects) : Violation();
            if (all.ok() && equalsItself(objects[i]) && !((*all)[i] == *one)) {
                return wrong(fmt::format("element {} differs", i), objects);
            }
        }
        if (!all.ok()) return wrong(all.status(), objects);
        return std::nullopt;
    };
    return inAnyVersion<Canonical, std::vector<Canonical>>(source, check);
}

// ---------------------------------------------------------------------------------------------
// Conversions of models

// The conversion fails only if the model is too new; after the round trip it differs exactly where
// there are losses.
inline Violation downAndUpTellsItsLosses(HalVersion version, const Model& model) {
    Losses losses;
    const Result<HalModel> down = convertTo(version, model, &losses);
    const bool isCarried = carries(version, validate(model)) && !isBeyond(version, model);
    if (down.ok() != isCarried) return wrong(down.status(), model);
    if (!down.ok()) return std::nullopt;
    const Result<Model> up = convertFrom(*down);
    if (!up.ok()) return wrong(up.status(), model);
    if (equalsItself(model) && (*up == model) != losses.empty()) {
        return wrong(fmt::format("{} losses", losses.size()), model);
    }
    return std::nullopt;
}

// Models of a version, made by converting, survive the round trip unchanged.
inline Violation versionedModelsSurvive(testing::Source& source) {
    const HalVersion version = anyVersion(source);
    const Model model = testing::validModel(source, {.version = version});
    const Result<HalModel> down = convertTo(version, model);
    if (!down.ok()) return wrong(down.status(), model);
    const Result<Model> up = convertFrom(*down);
    if (!up.ok()) return wrong(up.status(), model);
    const Result<HalModel> again = convertTo(version, *up);
    if (!again.ok() || !(*again == *down)) return wrong("twice differs from once", model);
    return std::nullopt;
}

// An rvalue gives the same result as an lvalue.
template <HalVersion V>
Violation movingGivesWhatCopyingGives(testing::Source& source) {
    const Model model = testing::validModel(source, {.version = V});
    const auto copied = convertTo<V>(model);
    auto moved = convertTo<V>(Model(model));
    if (!copied.ok() || !moved.ok() || !(*copied == *moved)) return wrong("down", model);
    const auto back = convertFrom<V>(*copied);
    const auto movedBack = convertFrom<V>(*std::move(moved));
    if (!back.ok() || !movedBack.ok() || !(*back == *movedBack)) return wrong("up", model);
    return std::nullopt;
}

// A model of an old version converts to every later one, complies there, and survives the round
// trip.
template <HalVersion Old, HalVersion New>
Violation olderModelsGoUpAndComeBack(testing::Source& source) {
    const Model model = testing::validModel(source, {.version = Old});
    if (isBeyond(New, model)) return std::nullopt;
    const auto old = convertTo<Old>(model);
    if (!old.ok()) return wrong(old.status(), model);
    Losses losses;
    const auto recent = convertBetween<New>(*old, &losses);
    if (!recent.ok() || !losses.empty()) return wrong("loses something going up", model);
    if (!compliantBetween<New>(*old)) return wrong("does not comply going up", model);
    const auto again = convertBetween<Old>(*recent, &losses);
    if (!again.ok() || !losses.empty() || !(*again == *old)) return wrong("comes back", model);
    return std::nullopt;
}

// A model complies if and only if its conversion succeeds without loss.
template <HalVersion V>
Violation complianceIsALosslessConversion(testing::Source& source) {
    constexpr bool kIsHidl = halVersionInfo(V)->family == HalFamily::HIDL;
    constexpr HalVersion kLast = kIsHidl ? HalVersion::V1_3 : HalVersion::AIDL4;
    const Model model = testing::validModel(source, {.version = kLast});
    if (isBeyond(kLast, model)) return std::nullopt;
    const auto recent = unvalidatedConvertTo<kLast>(model);
    if (!recent.ok()) return wrong(recent.status(), model);
    Losses losses;
    const auto back = unvalidatedConvert(*recent);
    const bool lossless = back.ok() && convertTo<V>(*back, &losses).ok() && losses.empty();
    std::set<uint32_t> operations;
    if (compliantBetween<V>(*recent, &operations) != lossless) return wrong("compliance", model);
    if (lossless && !operations.empty()) return wrong("compliant operations", model);
    return std::nullopt;
}

// ---------------------------------------------------------------------------------------------
// Times, with clocks in any state

inline Violation timePointsKeepTheTimeThatRemains(testing::Source& source) {
    // The clock since boot advances while the steady one is suspended.
    const Duration steady(static_cast<int64_t>(source.below(1000000)));
    const Duration suspended(static_cast<int64_t>(source.below(1000000)));
    const ClockReading clocks{.boot = steady + suspended, .steady = steady};
    const auto object = testing::any<OptionalTimePoint>(source);
    Losses losses;
    const auto down = V1_3::utils::unvalidatedConvert(object, &losses, clocks);
    const auto up = unvalidatedConvert(*down, clocks);
    if (!up.ok() || (*up == object) != losses.empty()) return wrong("losses", object);
    const auto again = V1_3::utils::unvalidatedConvert(*up, nullptr, clocks);
    if (!(*again == *down)) return wrong("twice differs from once", object);
    return std::nullopt;
}

// Measured times never become shorter, nor longer by a microsecond or more.
inline Violation timingIsRoundedUp(testing::Source& source) {
    const Timing timing{.timeOnDevice = Duration(static_cast<int64_t>(source.number() >> 2)),
                        .timeInDriver = std::nullopt};
    const auto down = V1_2::utils::unvalidatedConvert(timing);
    const auto up = unvalidatedConvert(*down);
    const Duration longer = *up->timeOnDevice - *timing.timeOnDevice;
    if (longer < Duration::zero() || longer >= std::chrono::microseconds(1) || up->timeInDriver) {
        return wrong("rounding", timing);
    }
    return std::nullopt;
}

// ---------------------------------------------------------------------------------------------
// Pointer data

// POINTER constants keep their values when they are flushed, and the model computes the same.
inline Violation flushedConstantsKeepTheirValues(testing::Source& source) {
    Model model = testing::validModel(source, {.executable = true});
    const std::vector<Tensor> inputs = testing::anyInputs(source, model);
    const std::vector<uint8_t> values = model.operandValues.bytes();
    Model pointing = model;
    for (Operand& operand : pointing.main.operands) {
        if (operand.lifetime != Operand::LifeTime::CONSTANT_COPY || source.coin()) continue;
        operand.lifetime = Operand::LifeTime::POINTER;
        operand.location = {
                .pointer = static_cast<const void*>(values.data() + operand.location.offset),
                .length = operand.location.length};
    }
    const Status flushed = flushDataFromPointerToShared(&pointing);
    if (!flushed.ok()) return wrong(flushed, model);
    if (!convertTo(HalVersion::V1_3, pointing).ok()) return wrong("cannot be sent", model);
    const auto expected = prepare(model);
    const auto actual = prepare(pointing);
    if (expected.ok() != actual.ok()) return wrong("prepares otherwise", model);
    if (!expected.ok()) return std::nullopt;
    const auto a = expected->run(inputs), b = actual->run(inputs);
    if (a.ok() != b.ok() || (a.ok() && *a != *b)) return wrong("computes something else", model);
    return std::nullopt;
}

// ---------------------------------------------------------------------------------------------
// Execution

// The outputs of a model; empty if it cannot be prepared or executed.
inline std::optional<std::vector<Tensor>> outputsOf(const Model& model,
                                                    const std::vector<Tensor>& inputs) {
    const auto prepared = prepare(model);
    if (!prepared.ok()) return std::nullopt;
    auto outputs = prepared->run(inputs);
    if (!outputs.ok()) return std::nullopt;
    return *std::move(outputs);
}

// A model computes the same after a round trip through a version.
inline Violation convertedModelsComputeTheSame(testing::Source& source) {
    const HalVersion version = anyVersion(source);
    const Model model = testing::validModel(source, {.version = version, .executable = true});
    const std::vector<Tensor> inputs = testing::anyInputs(source, model);
    const auto down = convertTo(version, model);
    if (!down.ok()) return wrong(down.status(), model);
    const auto up = convertFrom(*down);
    if (!up.ok()) return wrong(up.status(), model);
    if (outputsOf(model, inputs) != outputsOf(*up, inputs)) return wrong("computes", model);
    return std::nullopt;
}

// ---------------------------------------------------------------------------------------------
// Passes

// A model with unused parts or default values more often than a random one.
inline Model modelToMinimize(testing::Source& source, bool executable) {
    using enum OperationType;
    static constexpr OperationType kWithDefaults[] = {AVERAGE_POOL_2D,
                                                      BATCH_TO_SPACE_ND,
                                                      CONV_2D,
                                                      DEPTH_TO_SPACE,
                                                      DEPTHWISE_CONV_2D,
                                                      L2_NORMALIZATION,
                                                      L2_POOL_2D,
                                                      LOCAL_RESPONSE_NORMALIZATION,
                                                      MAX_POOL_2D,
                                                      RESIZE_BILINEAR,
                                                      RESIZE_NEAREST_NEIGHBOR,
                                                      SOFTMAX,
                                                      SPACE_TO_BATCH_ND,
                                                      SPACE_TO_DEPTH};
    const bool any = source.oneIn(4);
    return testing::validModel(
            source, {.operations = any ? std::span<const OperationType>() : kWithDefaults,
                     .executable = executable});
}

inline Violation minimizedModelsComputeTheSame(testing::Source& source) {
    const Model model = modelToMinimize(source, /*executable=*/true);
    const std::vector<Tensor> inputs = testing::anyInputs(source, model);
    if (outputsOf(model, inputs) != outputsOf(minimize(model).model, inputs)) {
        return wrong("computes something else", model);
    }
    return std::nullopt;
}

inline Violation minimizedModelsNeedNoLaterVersion(testing::Source& source) {
    const Model model = modelToMinimize(source, /*executable=*/false);
    const Result<Version> before = validate(model);
    const Result<Version> after = validate(minimize(model).model);
    if (!after.ok()) return wrong(after.status(), model);
    if (!isCompliantVersion(*after, *before)) return wrong("needs more", model);
    return std::nullopt;
}

inline Violation minimizingTwiceIsMinimizingOnce(const Model& model) {
    const Minimized once = minimize(model);
    const Minimized twice = minimize(once.model);
    if (!twice.removed.empty()) return wrong(toString(twice.removed.front()), model);
    if (equalsItself(model) && !(twice.model == once.model)) return wrong("changes", model);
    if (once.removed.empty() && equalsItself(model) && !(once.model == model)) {
        return wrong("changes and removes nothing", model);
    }
    return std::nullopt;
}

// Whether a graph consists of the parts of another that its origin states: only indexes, lifetimes
// and locations of values differ, and operations have lost only trailing inputs.
inline bool isPartOf(const Model::Subgraph& now, const GraphOrigin& origin,
                     const Model::Subgraph& before) {
    if (now.operands.size() != origin.operands.size() ||
        now.operations.size() != origin.operations.size()) {
        return false;
    }
    for (size_t i = 0; i < now.operands.size(); ++i) {
        if (origin.operands[i] >= before.operands.size()) return false;
        Operand operand = before.operands[origin.operands[i]];
        operand.lifetime = now.operands[i].lifetime;
        operand.location = now.operands[i].location;
        if (!(operand == now.operands[i])) return false;
    }
    const auto leadsBack = [&](const std::vector<uint32_t>& indexes,
                               const std::vector<uint32_t>& old) {
        if (indexes.size() > old.size()) return false;
        for (size_t i = 0; i < indexes.size(); ++i) {
            if (origin.operands[indexes[i]] != old[i]) return false;
        }
        return true;
    };
    for (size_t i = 0; i < now.operations.size(); ++i) {
        const Operation& operation = before.operations[origin.operations[i]];
        if (now.operations[i].type != operation.type ||
            !leadsBack(now.operations[i].inputs, operation.inputs) ||
            !leadsBack(now.operations[i].outputs, operation.outputs)) {
            return false;
        }
    }
    return true;
}

inline bool isPartOf(const Model& now, const ModelOrigin& origin, const Model& before) {
    if (!isPartOf(now.main, origin.main, before.main)) return false;
    if (now.referenced.size() != origin.referenced.size() ||
        now.pools.size() != origin.pools.size()) {
        return false;
    }
    for (size_t i = 0; i < now.referenced.size(); ++i) {
        const GraphOrigin& graph = origin.referenced[i];
        if (!isPartOf(now.referenced[i], graph, before.referenced[graph.graph])) return false;
    }
    for (size_t i = 0; i < now.pools.size(); ++i) {
        if (!(now.pools[i] == before.pools[origin.pools[i]])) return false;
    }
    return true;
}

inline Violation minimizedPartsLeadBack(testing::Source& source) {
    const Model model = modelToMinimize(source, /*executable=*/false);
    const Minimized minimized = minimize(model);
    if (!isPartOf(minimized.model, minimized.origin, model)) return wrong("origin", model);
    return std::nullopt;
}

// ---------------------------------------------------------------------------------------------
// Slices

// A slice is valid in its version and converts to it.
inline Violation slicesAreLegalInTheirVersion(testing::Source& source) {
    const HalVersion version = anyVersion(source);
    const Model model = testing::validModel(source);
    const Result<Slice> slice = sliceForVersion(model, version);
    if (!slice.ok()) return wrong(slice.status(), model);
    if (slice->model.main.operations.empty()) return std::nullopt;
    const Result<HalModel> converted = convertTo(version, slice->model);
    if (!converted.ok()) return wrong(converted.status(), model);
    return std::nullopt;
}

// A slice has exactly the operations that comply, and its origin identifies them.
inline Violation slicesLeadBack(testing::Source& source) {
    const HalVersion version = anyVersion(source);
    const Model model = testing::validModel(source);
    const Result<Slice> slice = sliceForVersion(model, version);
    if (!slice.ok()) return wrong(slice.status(), model);
    if (!isPartOf(slice->model, slice->origin, model)) return wrong("origin", model);
    const std::vector<bool> all(slice->model.main.operations.size(), true);
    const std::vector<bool> supported = slice->supportedOperations(all);
    const std::set<OperationIndex> others = nonCompliantOperations(model, version);
    for (uint32_t i = 0; i < supported.size(); ++i) {
        if (supported[i] == others.contains({.operation = i})) return wrong("operations", model);
    }
    return std::nullopt;
}

// The slice of a slice is the slice; a compliant model is its own slice.
inline Violation slicingTwiceIsSlicingOnce(testing::Source& source) {
    const HalVersion version = anyVersion(source);
    const Model model = testing::validModel(source);
    const Result<Slice> once = sliceForVersion(model, version);
    if (!once.ok()) return wrong(once.status(), model);
    if (carries(version, validate(model)) && !isBeyond(version, model) && !(once->model == model)) {
        return wrong("whole", model);
    }
    if (once->model.main.operations.empty()) return std::nullopt;
    const Result<Slice> twice = sliceForVersion(once->model, version);
    if (!twice.ok() || !(twice->model == once->model)) return wrong("twice", model);
    return std::nullopt;
}

// An operation that a version cannot represent, no older version can represent, except for parts
// that AIDL lacks.
inline Violation complianceIsMonotone(const Model& model) {
    std::set<OperationIndex> before = nonCompliantOperations(model, kHalVersions.front());
    for (const HalVersion version : kHalVersions) {
        if (isBeyond(version, model)) break;
        std::set<OperationIndex> now = nonCompliantOperations(model, version);
        if (!std::ranges::includes(before, now)) return wrong(toString(version), model);
        before = std::move(now);
    }
    return std::nullopt;
}

// A slice computes the same values for its outputs as the whole model.
inline Violation slicesComputeTheSame(testing::Source& source) {
    const HalVersion version = anyVersion(source);
    Model model = testing::validModel(source, {.executable = true});
    // Makes every value of the whole model an output.
    for (uint32_t i = 0; i < model.main.operands.size(); ++i) {
        Operand& operand = model.main.operands[i];
        if (operand.lifetime != Operand::LifeTime::TEMPORARY_VARIABLE) continue;
        operand.lifetime = Operand::LifeTime::SUBGRAPH_OUTPUT;
        model.main.outputIndexes.push_back(i);
    }
    const std::vector<Tensor> inputs = testing::anyInputs(source, model);
    const auto outputs = outputsOf(model, inputs);
    const Result<Slice> slice = sliceForVersion(model, version);
    if (!slice.ok()) return wrong(slice.status(), model);
    if (!outputs || slice->model.main.operations.empty()) return std::nullopt;

    std::map<uint32_t, Tensor> values;  // by operand of the whole model
    for (size_t i = 0; i < inputs.size(); ++i) values[model.main.inputIndexes[i]] = inputs[i];
    for (size_t i = 0; i < outputs->size(); ++i) {
        values[model.main.outputIndexes[i]] = (*outputs)[i];
    }
    const auto valuesOf = [&](const std::vector<uint32_t>& indexes) {
        std::vector<Tensor> tensors;
        tensors.reserve(indexes.size());
        for (const uint32_t i : indexes) tensors.push_back(values[slice->origin.main.operands[i]]);
        return tensors;
    };
    const auto actual = outputsOf(slice->model, valuesOf(slice->model.main.inputIndexes));
    if (actual != valuesOf(slice->model.main.outputIndexes)) {
        return wrong(fmt::format("HAL {}", toString(version)), model);
    }
    return std::nullopt;
}

// A checked model holds exactly the findings of a new check.
inline Violation validatedModelsBehaveAsModels(testing::Source& source) {
    const HalVersion version = anyVersion(source);
    const Model model = testing::validModel(source);
    const Result<ValidatedModel> checked = validateModel(model);
    if (!checked.ok()) return wrong(checked.status(), model);
    if (checked->version() != validate(model).value()) return wrong("version", model);
    if (convertTo(version, *checked).status() != convertTo(version, model).status()) {
        return wrong("conversion", model);
    }
    if (nonCompliantOperations(*checked, version) != nonCompliantOperations(model, version)) {
        return wrong("operations", model);
    }
    if (prepare(*checked).status() != prepare(model).status()) return wrong("prepared", model);
    const DeviceProfile device{
            .version = toVersion(version), .supportsOthers = true, .isStrict = source.coin()};
    const auto reasons = [](const Result<DeviceSupport>& support) {
        std::vector<std::vector<Diagnostic>> all;
        for (const OperationSupport& operation : support.value().operations)
            all.push_back(operation.reasons);
        return all;
    };
    if (reasons(supportedOperations(*checked, device)) !=
        reasons(supportedOperations(model, device))) {
        return wrong("device", model);
    }
    return std::nullopt;
}

// Passes and slices return for any model, and keep its inputs and outputs.
inline Violation passesReturnForAnyModel(HalVersion version, const Model& model) {
    const Minimized minimized = minimize(model);
    if (minimized.model.main.inputIndexes.size() != model.main.inputIndexes.size() ||
        minimized.model.main.operations.size() != model.main.operations.size()) {
        return wrong("minimized", model);
    }
    if (sliceForVersion(model, version).ok() != validate(model).ok()) return wrong("slice", model);
    return std::nullopt;
}

}  // namespace nn::properties
