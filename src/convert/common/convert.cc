#include "nnapi/convert.h"

#include "base/no_throw.h"
#include "base/printable.h"
#include "convert/common/context.h"

namespace nn {

std::string toString(const Loss& loss) {
    // Paths contain names from files; the values before and after are those of a file.
    return fmt::format("{}{}{} becomes {}, {}", onOneLine(loss.path), loss.path.empty() ? "" : ": ",
                       onOneLine(loss.before), onOneLine(loss.after), onOneLine(loss.why));
}

}  // namespace nn

namespace nn NNAPI_BINDING {
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

namespace {

Status refuse(std::string message) {
    return makeError(ErrorStatus::INVALID_ARGUMENT, Diagnostic{.rule = "convert.version",
                                                               .path = {},
                                                               .operation = {},
                                                               .message = std::move(message),
                                                               .since = {}});
}

Status refuseVersion(HalVersion version) NNAPI_TRY {
    std::string allowed;
    for (const HalVersion each : kConvertibleVersions) {
        if (!allowed.empty()) allowed += each == kConvertibleVersions.back() ? " and " : ", ";
        allowed += titleOf(each);
    }
    return refuse(fmt::format("the target is {}, which has no converters, allowed {}",
                              titleOf(version), allowed));
}
NNAPI_CATCH

// The model in a version that has converters.
template <HalVersion V, class AnyModel>
Result<HalModel> unvalidatedConvertModel(AnyModel&& model, Losses* losses) {
    if constexpr (ConvertsTo<Model, V>) {
        NNAPI_ASSIGN_OR_RETURN(versioned,
                               unvalidatedConvertTo<V>(std::forward<AnyModel>(model), losses));
        if constexpr (std::same_as<HalType<Model, V>, aidl_hal::Model>) {
            return HalModel(AidlModel{.version = V, .model = std::move(versioned)});
        } else {
            return HalModel(std::move(versioned));
        }
    } else {
        return refuseVersion(V);
    }
}

template <class AnyModel>
Result<HalModel> unvalidatedConvertAny(HalVersion version, AnyModel&& model, Losses* losses) {
#define NNAPI_HAL_VERSION(name, level, text, title, family) \
    case HalVersion::name:                                  \
        return unvalidatedConvertModel<HalVersion::name>(std::forward<AnyModel>(model), losses);
    switch (version) {
#include "nnapi/hal_versions.def"
    }
    return refuseVersion(version);
}

}  // namespace

Result<HalModel> convertTo(HalVersion version, const Model& model, Losses* losses,
                           const Limits& limits) {
    NNAPI_RETURN_IF_ERROR(validateFor(model, toVersion(version), limits));
    return unvalidatedConvertTo(version, model, losses);
}

Result<HalModel> convertTo(HalVersion version, Model&& model, Losses* losses,
                           const Limits& limits) {
    NNAPI_RETURN_IF_ERROR(validateFor(model, toVersion(version), limits));
    return unvalidatedConvertTo(version, std::move(model), losses);
}

Result<HalModel> convertTo(HalVersion version, const ValidatedModel& model, Losses* losses) {
    NNAPI_RETURN_IF_ERROR(validateFor(model, toVersion(version)));
    return unvalidatedConvertTo(version, model.model(), losses);
}

Result<HalModel> unvalidatedConvertTo(HalVersion version, const Model& model, Losses* losses) {
    return unvalidatedConvertAny(version, model, losses);
}

Result<HalModel> unvalidatedConvertTo(HalVersion version, Model&& model, Losses* losses) {
    return unvalidatedConvertAny(version, std::move(model), losses);
}

HalVersion versionOf(const HalModel& model) {
    return visitModel(model, [](const auto&, HalVersion version) { return version; });
}

namespace {

// The canonical model, if its type has the version; `consumers` as for toCanonical.
template <class Object>
Result<Model> canonicalOf(Object&& model, Status* consumers) {
    const auto translate = [&]<class Held>(Held& held) -> Result<Model> {
        using Hal = std::remove_cvref_t<decltype(conversion::modelIn(held))>;
        // Only an AidlModel states its version.
        const HalVersion version = conversion::versionIn(held);
        if (version < kFirstHalVersion<Hal> || version > kLastHalVersion<Hal>) {
            return refuse(fmt::format("the version of the model is {}, allowed {} to {}",
                                      titleOf(version), titleOf(kFirstHalVersion<Hal>),
                                      titleOf(kLastHalVersion<Hal>)));
        }
        if constexpr (std::is_const_v<Held>) {
            return conversion::toCanonical<Model>(conversion::modelIn(held), version, consumers);
        } else {
            return conversion::toCanonical<Model>(std::move(conversion::modelIn(held)), version,
                                                  consumers);
        }
    };
    return std::visit(translate, model);
}

}  // namespace

Result<Model> convertFrom(const HalModel& model, const Limits& limits) {
    Status consumers;
    NNAPI_ASSIGN_OR_RETURN(canonical, canonicalOf(model, &consumers));
    NNAPI_RETURN_IF_ERROR(validateFor(canonical, toVersion(versionOf(model)), limits));
    NNAPI_RETURN_IF_ERROR(consumers);
    return canonical;
}

Result<ValidatedModel> checkFrom(const HalModel& model, const Limits& limits) {
    Status consumers;
    NNAPI_ASSIGN_OR_RETURN(canonical, canonicalOf(model, &consumers));
    NNAPI_ASSIGN_OR_RETURN(checked,
                           checkFor(std::move(canonical), toVersion(versionOf(model)), limits));
    NNAPI_RETURN_IF_ERROR(consumers);
    return checked;
}

Result<Model> unvalidatedConvertFrom(const HalModel& model) { return canonicalOf(model, nullptr); }

Result<Model> unvalidatedConvertFrom(HalModel&& model) { return canonicalOf(model, nullptr); }

}  // namespace NNAPI_BINDING
