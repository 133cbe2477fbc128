#include "nnapi/convert.h"

#include "convert/hidl/run.h"

namespace nn {

std::string toString(const Loss& loss) {
    return fmt::format("{}{}{} becomes {}, {}", loss.path, loss.path.empty() ? "" : ": ",
                       loss.before, loss.after, loss.why);
}

namespace conversion {

Status suffices(const Result<Version>& needed, HalVersion version,
                std::string_view what) NNAPI_TRY {
    if (!needed.ok()) return needed.status();
    const Version target = toVersion(version);
    if (isCompliantVersion(*needed, target)) return {};
    return makeError(ErrorStatus::INVALID_ARGUMENT,
                     Diagnostic{.rule = "since",
                                .path = {},
                                .operation = {},
                                .message = fmt::format("{} needs {}, target is {}", what,
                                                       toString(*needed), toString(target)),
                                .since = *needed});
}
NNAPI_CATCH

}  // namespace conversion

Result<OptionalTimePoint> unvalidatedConvert(const V1_3::OptionalTimePoint& timePoint,
                                             const ClockReading& clocks) {
    using conversion::Where;
    return conversion::run<OptionalTimePoint>(
            timePoint, Where{.version = HalVersion::V1_3, .clocks = &clocks});
}

Result<OptionalTimePoint> convert(const V1_3::OptionalTimePoint& timePoint,
                                  const ClockReading& clocks) {
    NNAPI_ASSIGN_OR_RETURN(canonical, unvalidatedConvert(timePoint, clocks));
    NNAPI_RETURN_IF_ERROR(compliantWith<HalVersion::V1_3>(canonical));
    return canonical;
}

namespace V1_3::utils {

Result<OptionalTimePoint> unvalidatedConvert(const nn::OptionalTimePoint& timePoint, Losses* losses,
                                             const ClockReading& clocks) {
    using conversion::Where;
    return conversion::run<OptionalTimePoint>(
            timePoint, Where{.version = HalVersion::V1_3, .losses = losses, .clocks = &clocks});
}

Result<OptionalTimePoint> convert(const nn::OptionalTimePoint& timePoint, Losses* losses,
                                  const ClockReading& clocks) {
    NNAPI_RETURN_IF_ERROR(compliantWith<HalVersion::V1_3>(timePoint));
    return unvalidatedConvert(timePoint, losses, clocks);
}

}  // namespace V1_3::utils

namespace {

Status refuseVersion(HalVersion version) NNAPI_TRY {
    std::string allowed;
    for (const HalVersion each : kConvertibleVersions) {
        if (!allowed.empty()) allowed += each == kConvertibleVersions.back() ? " and " : ", ";
        allowed += titleOf(each);
    }
    return makeError(ErrorStatus::INVALID_ARGUMENT,
                     Diagnostic{.rule = "convert.version",
                                .path = {},
                                .operation = {},
                                .message = fmt::format("the target is {}, which has no converters, "
                                                       "allowed {}",
                                                       titleOf(version), allowed),
                                .since = {}});
}
NNAPI_CATCH

// The model in a version that has converters.
template <HalVersion V>
Result<HalModel> unvalidatedConvertModel(const Model& model, Losses* losses) {
    if constexpr (ConvertsTo<Model, V>) {
        NNAPI_ASSIGN_OR_RETURN(versioned, unvalidatedConvertTo<V>(model, losses));
        return HalModel(std::move(versioned));
    } else {
        return refuseVersion(V);
    }
}

}  // namespace

Result<HalModel> convertTo(HalVersion version, const Model& model, Losses* losses,
                           const Limits& limits) {
    NNAPI_RETURN_IF_ERROR(validateFor(model, toVersion(version), limits));
    return unvalidatedConvertTo(version, model, losses);
}

Result<HalModel> convertTo(HalVersion version, const CheckedModel& model, Losses* losses) {
    NNAPI_RETURN_IF_ERROR(validateFor(model, toVersion(version)));
    return unvalidatedConvertTo(version, model.model(), losses);
}

Result<HalModel> unvalidatedConvertTo(HalVersion version, const Model& model, Losses* losses) {
    switch (version) {
#define NNAPI_HAL_VERSION(name, level, text, title, family) \
    case HalVersion::name:                                  \
        return unvalidatedConvertModel<HalVersion::name>(model, losses);
#include "nnapi/hal_versions.def"
    }
    return refuseVersion(version);
}

HalVersion versionOf(const HalModel& model) {
    return std::visit([]<class Hal>(const Hal&) { return kLastHalVersion<Hal>; }, model);
}

Result<Model> convertFrom(const HalModel& model, const Limits& limits) {
    const HalVersion version = versionOf(model);
    Status consumers;
    NNAPI_ASSIGN_OR_RETURN(canonical, std::visit(
                                              [&](const auto& versioned) {
                                                  return conversion::toCanonical<Model>(
                                                          versioned, version, &consumers);
                                              },
                                              model));
    NNAPI_RETURN_IF_ERROR(validateFor(canonical, toVersion(version), limits));
    NNAPI_RETURN_IF_ERROR(consumers);
    return canonical;
}

Result<CheckedModel> checkFrom(const HalModel& model, const Limits& limits) {
    return std::visit(
            [&]<class Hal>(const Hal& versioned) {
                return checkFrom<kLastHalVersion<Hal>>(versioned, limits);
            },
            model);
}

Result<Model> unvalidatedConvertFrom(const HalModel& model) {
    return std::visit([](const auto& versioned) { return unvalidatedConvert(versioned); }, model);
}

}  // namespace nn
