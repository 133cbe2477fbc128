#include "nnapi/device_profile.h"

#include <absl/algorithm/container.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "base/float_environment.h"
#include "base/list_text.h"
#include "base/no_throw.h"
#include "base/printable.h"
#include "nnapi/half.h"
#include "nnapi/type_utils.h"
#include "types/work_budget.h"
#include "validate/checks.h"
#include "validate/control_flow.h"
#include "validate/operation_check.h"
#include "validate/preparation_errors.h"
#include "validate/shape_inference.h"
#include "validate/subgraph.h"
#include "validate/validation_facts.h"

namespace nn {
namespace {

using Entry = DeviceProfile::Operation;
using OperandLimits = DeviceProfile::Operand;

constexpr Report::Options kAll{.collectAll = true,
                               .maxDiagnostics = std::numeric_limits<size_t>::max()};

// Of a name in a message.
constexpr size_t kMaxNameBytes = 64;

// Does a form have an operand of this name?
bool hasOperand(const ops::OperationSpec& spec, std::string_view name) {
    const auto isNamed = [name](const ops::Param& param) { return param.name == name; };
    return absl::c_any_of(spec.forms, [&](const ops::Form& form) {
        return absl::c_any_of(form.inputs, isNamed) || absl::c_any_of(form.outputs, isNamed);
    });
}

void checkBounds(std::string_view what, const std::optional<double>& min,
                 const std::optional<double>& max, const Place& place, Report& report) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double lower = min.value_or(-kInfinity), upper = max.value_or(kInfinity);
    // NaN fails.
    report.require(
            lower <= upper, place, "device.entry",
            "the bounds of the {} are {} to {}, allowed numbers, the first at most the second",
            what, lower, upper);
}

void checkLimits(const OperandLimits& limits, const Place& place, Report& report) {
    for (size_t i = 0; i < limits.types.size(); ++i) {
        check(limits.types[i], Place{&place, "types", static_cast<int64_t>(i)}, report);
    }
    checkBounds("rank", limits.minRank, limits.maxRank, place, report);
    checkBounds("value", limits.minValue, limits.maxValue, place, report);
    for (size_t i = 0; i < limits.values.size(); ++i) {
        report.require(!std::isnan(limits.values[i]),
                       Place{&place, "values", static_cast<int64_t>(i)}, "device.entry",
                       "is nan, allowed a number");
    }
}

void checkEntry(const Entry& entry, const Place& place, Report& report) {
    if (!entry.extension.empty()) {
        report.require(entry.operands.empty() && entry.liftedRules.empty(), place, "device.entry",
                       "limits or lifted rules are given, allowed none for an extension's "
                       "operation");
        return;
    }
    check(entry.type, place, report);
    const OperationTypeInfo* info = operationTypeInfo(entry.type);
    if (info == nullptr) return;
    std::set<std::string_view> names;
    for (size_t i = 0; i < entry.operands.size(); ++i) {
        const OperandLimits& limits = entry.operands[i];
        const Place at{&place, "operands", static_cast<int64_t>(i)};
        const ops::OperationSpec* spec = ops::specOf(entry.type);
        report.require(spec != nullptr && hasOperand(*spec, limits.name), at, "device.entry",
                       "name is {}, allowed an operand of {}", inQuotes(limits.name, kMaxNameBytes),
                       info->name);
        report.require(names.insert(limits.name).second, at, "device.entry",
                       "name is {}, allowed each operand once",
                       inQuotes(limits.name, kMaxNameBytes));
        checkLimits(limits, at, report);
    }
    for (size_t i = 0; i < entry.liftedRules.size(); ++i) {
        report.require(entry.liftedRules[i].starts_with(fmt::format("{}.", info->stem)),
                       Place{&place, "liftedRules", static_cast<int64_t>(i)}, "device.entry",
                       "is {}, allowed a rule of {}, which begins with '{}.'",
                       inQuotes(entry.liftedRules[i], kMaxNameBytes), info->name, info->stem);
    }
}

// The values of a constant scalar or TENSOR_INT32; empty while they are unknown.
std::optional<std::vector<double>> valuesOf(const ops::Value& value) {
    const auto list = [](const auto& elements) {
        return std::vector<double>(elements.begin(), elements.end());
    };
    if (value.data == nullptr) return std::nullopt;
    switch (value.type) {
        case OperandType::INT32:
        case OperandType::TENSOR_INT32:
            return list(value.as<int32_t>());
        case OperandType::UINT32:
            return list(value.as<uint32_t>());
        case OperandType::FLOAT32:
            return list(value.as<float>());
        case OperandType::BOOL:
            return list(value.as<uint8_t>());
        case OperandType::FLOAT16:
            return std::vector<double>{halfToFloat(value.as<uint16_t>().front())};
        default:
            return std::nullopt;
    }
}

// Checks the operands of an operation against the limits of an entry.
class LimitCheck {
   public:
    LimitCheck(const Model::Subgraph& graph, const Place& place, Report& report)
        : mGraph(graph), mPlace(place), mReport(report) {}

    // `params` are those of the form that the operation has.
    void check(const Entry& entry, std::string_view kind, std::span<const ops::Param> params,
               std::span<const ops::Value> values) {
        for (size_t i = 0; i < values.size(); ++i) {
            if (values[i].omitted) continue;
            const ops::Param& param = *paramAt(params, i, values.size());
            for (const OperandLimits& limits : entry.operands) {
                if (limits.name != param.name) continue;
                const std::string name = fmt::format("{} {} '{}' (operand {})", kind, i, param.name,
                                                     values[i].operand);
                checkOne(limits, name, values[i]);
            }
        }
    }

   private:
    void checkOne(const OperandLimits& limits, const std::string& name, const ops::Value& value) {
        mReport.require(limits.types.empty() || absl::c_count(limits.types, value.type) != 0,
                        mPlace, "device.types", "{} is {}, allowed {} on the device", name,
                        value.type, listedEntries(limits.types));
        mReport.require(
                !limits.mustBeConstant || isConstant(mGraph.operands[value.operand].lifetime),
                mPlace, "device.constant",
                "{} is not a constant, allowed only a constant on the device", name);
        checkRank(limits, name, value);
        checkDimensions(limits, name, value);
        if (limits.minValue || limits.maxValue || !limits.values.empty()) {
            checkValues(limits, name, value);
        }
    }

    void checkRank(const OperandLimits& limits, const std::string& name, const ops::Value& value) {
        if (!limits.minRank && !limits.maxRank) return;
        const size_t least = limits.minRank.value_or(0);
        const auto rank = value.rank();
        const std::string allowed = limits.maxRank ? fmt::format("{} to {}", least, *limits.maxRank)
                                                   : fmt::format("{} or more", least);
        if (!rank) {
            mReport.fail(
                    mPlace, "device.rank",
                    fmt::format("{} has unknown rank, allowed {} on the device", name, allowed));
            return;
        }
        mReport.require(*rank >= least && (!limits.maxRank || *rank <= *limits.maxRank), mPlace,
                        "device.rank", "{} has rank {}, allowed {} on the device", name, *rank,
                        allowed);
    }

    void checkDimensions(const OperandLimits& limits, const std::string& name,
                         const ops::Value& value) {
        for (size_t i = 0; i < limits.maxDimensions.size(); ++i) {
            const uint32_t most = limits.maxDimensions[i];
            const auto rank = value.rank();
            if (most == 0 || (rank && i >= *rank)) continue;
            const ops::Dim dim = value.dim(i);
            if (!mReport.require(dim.has_value(), mPlace, "device.dimensions",
                                 "{} has unknown dimension {}, allowed up to {} on the device",
                                 name, i, most)) {
                continue;
            }
            mReport.require(*dim <= most, mPlace, "device.dimensions",
                            "{} has dimension {} of {}, allowed up to {} on the device", name, i,
                            *dim, most);
        }
    }

    void checkValues(const OperandLimits& limits, const std::string& name,
                     const ops::Value& value) {
        const auto values = valuesOf(value);
        if (!mReport.require(values.has_value(), mPlace, "device.value",
                             "{} has a value that the model itself does not hold, but the device "
                             "limits it",
                             name)) {
            return;
        }
        for (const double element : *values) {
            // Written so that NaN fails.
            const bool isWithin = (!limits.minValue || element >= *limits.minValue) &&
                                  (!limits.maxValue || element <= *limits.maxValue);
            const bool isListed =
                    limits.values.empty() || absl::c_count(limits.values, element) != 0;
            if (isWithin && isListed) continue;
            mReport.fail(mPlace, "device.value",
                         fmt::format("{} is {}, allowed {} on the device", name, element,
                                     allowedValues(limits)));
            return;
        }
    }

    // "1 to 4", "1 or more", "up to 4", "1, 2, 4"
    static std::string allowedValues(const OperandLimits& limits) {
        std::string text;
        if (limits.minValue && limits.maxValue) {
            text = fmt::format("{} to {}", *limits.minValue, *limits.maxValue);
        } else if (limits.minValue) {
            text = fmt::format("{} or more", *limits.minValue);
        } else if (limits.maxValue) {
            text = fmt::format("up to {}", *limits.maxValue);
        }
        if (limits.values.empty()) return text;
        const std::string list = listedEntries(limits.values);
        return text.empty() ? list : text + " and of these " + list;
    }

    const Model::Subgraph& mGraph;
    const Place& mPlace;
    Report& mReport;
};

// Does a device lift a rule of an operation?
bool isLifted(const DeviceProfile& device, OperationType type, const std::string& rule) {
    return absl::c_any_of(device.operations, [&](const Entry& entry) {
        return entry.type == type && absl::c_count(entry.liftedRules, rule) != 0;
    });
}

// The first error whose rule the device does not lift.
Status legality(const Findings& findings, const DeviceProfile& device) {
    for (const Diagnostic& error : findings.errors) {
        const auto type = parseOperationType(error.operation);
        if (!type || !isLifted(device, *type, error.rule)) {
            return makeError(ErrorStatus::INVALID_ARGUMENT, error);
        }
    }
    return {};
}

constexpr std::string_view kWork = "the check of what a device supports";

Status statusOf(const WorkBudget::End& end) {
    return makeError(end.code, Diagnostic{.rule = end.rule, .message = end.message});
}

// The values of a graph as far as they are known, for the limits of a device's entries.
class GraphValues {
   public:
    GraphValues(const Model& model, const Model::Subgraph& graph, const GraphFacts& found,
                const Place& place)
        : mConstants(model, graph) {
        Report ignored;
        mDimensions = inferDimensions(graph, found, &graph == &model.main, mConstants.data(), place,
                                      ignored);
    }

    std::vector<ops::Value> of(const std::vector<uint32_t>& indexes,
                               const Model::Subgraph& graph) const {
        std::vector<ops::Value> values;
        for (const uint32_t i : indexes) {
            values.push_back(declaredValue(graph.operands[i], i));
            values.back().dimensions = mDimensions[i];
            values.back().data = ops::Bytes::entrusted(mConstants.data()[i]);
        }
        return values;
    }

   private:
    SmallConstants mConstants;
    KnownDimensions mDimensions{};
};

// Which operations of a model a device supports, graph by graph.
class DeviceCheck {
   public:
    // The model breaks only rules that the device waives; `found` has the results of checking it.
    DeviceCheck(const Model& model, const ValidationFacts& found, const DeviceProfile& device,
                const SupportOptions& options, const Extensions& extensions)
        : mModel(model),
          mFound(found),
          mDevice(device),
          mLimits(options.limits),
          mVendors(extensions),
          mWatched(options.until, options.limits, kWork),
          mFacts(model),
          mGraphs(model.referenced.size()) {
        for (const ExtensionNameAndPrefix& e : model.extensionNameToPrefix) {
            mExtensions.emplace(e.prefix, e.name);
        }
    }

    Result<DeviceSupport> support() {
        const std::vector<bool> isReached =
                mDevice.isStrict ? reachableGraphs(mModel) : std::vector<bool>();
        std::vector<Diagnostic> unreached;
        orderGraphs();
        if (mEnd) return statusOf(*mEnd);
        for (size_t g = 0; g < isReached.size(); ++g) {
            if (!isReached[g] && mFirstRefusals[g]) unreached.push_back(*mFirstRefusals[g]);
        }
        DeviceSupport support;
        support.operations =
                examine(mModel.main, mFound.main(), Place{nullptr, "main"}, support.reasons);
        absl::c_move(unreached, std::back_inserter(support.reasons));
        if (mEnd) return statusOf(*mEnd);
        return support;
    }

   private:
    // By operand of a graph, its requirements beyond the device's version; empty until needed.
    // Cached because many operations may read one operand.
    using VersionReasons = std::vector<std::optional<std::vector<Diagnostic>>>;

    // The most reasons that a graph hands on: graphs inside graphs would multiply them.
    static constexpr size_t kMaxPerGraph = 16;

    // Graphs come after those that they name, so that the reasons of these are known. Legal models
    // have no cycles.
    void orderGraphs() {
        std::vector<uint32_t> path;
        std::vector<bool> isEntered(mGraphs.size(), false);
        for (uint32_t start = 0; start < mGraphs.size(); ++start) {
            path.push_back(start);
            while (!path.empty() && !mEnd) {
                const uint32_t g = path.back();
                const Model::Subgraph& graph = mModel.referenced[g];
                if (!isEntered[g]) {
                    isEntered[g] = true;
                    for (const Operand& operand : graph.operands) {
                        if (operand.lifetime == Operand::LifeTime::SUBGRAPH) {
                            path.push_back(operand.location.offset);
                        }
                    }
                    continue;
                }
                path.pop_back();
                if (mGraphs[g].has_value()) continue;
                std::vector<Diagnostic>& ofGraph = mGraphs[g].emplace();
                for (OperationSupport& operation :
                     examine(graph, mFound.graphs[g + 1], Place{nullptr, "referenced", int64_t{g}},
                             ofGraph)) {
                    for (Diagnostic& reason : operation.reasons) {
                        if (ofGraph.size() < kMaxPerGraph) ofGraph.push_back(std::move(reason));
                    }
                }
            }
        }
    }

    // `unused` receives the errors of a strict device for operands that no operation uses.
    std::vector<OperationSupport> examine(const Model::Subgraph& graph, const GraphFacts& found,
                                          const Place& place, std::vector<Diagnostic>& unused) {
        std::optional<GraphValues> values;
        if (!mDevice.operations.empty()) values.emplace(mModel, graph, found, place);
        VersionReasons ofOperands(graph.operands.size());
        GraphRefusals refusals;
        if (mDevice.isStrict) {
            refusals = preparationErrors(mModel, graph, found, place, mVendors, mLimits);
            noteRefusals(graph, refusals, unused);
        }
        std::vector<OperationSupport> supports;
        for (size_t i = 0; i < graph.operations.size() && !mEnd; ++i) {
            const Operation& operation = graph.operations[i];
            mEnd = mWatched.spend(1 + mDevice.operations.size() + operation.inputs.size() +
                                  operation.outputs.size());
            const OperationTypeInfo* info = operationTypeInfo(operation.type);
            const Place at{&place, "operations", static_cast<int64_t>(i),
                           info == nullptr ? std::string_view() : info->name};
            supports.push_back(
                    {.reasons = reasons(operation, graph, found, values, ofOperands, at)});
            if (mDevice.isStrict) addRefusals(i, operation, graph, refusals, supports.back());
        }
        return supports;
    }

    // Keeps the first refusal of a referenced graph, in case no operation reaches the graph.
    void noteRefusals(const Model::Subgraph& graph, const GraphRefusals& refusals,
                      std::vector<Diagnostic>& unused) {
        std::vector<bool> isUsed(graph.operands.size(), false);
        for (const Operation& operation : graph.operations) {
            for (const uint32_t i : operation.inputs) isUsed[i] = true;
            for (const uint32_t i : operation.outputs) isUsed[i] = true;
        }
        for (const auto& [i, reason] : refusals.operands) {
            if (!isUsed[i]) unused.push_back(reason);
        }
        if (&graph == &mModel.main) return;
        mFirstRefusals.resize(mModel.referenced.size());
        auto& first = mFirstRefusals[static_cast<size_t>(&graph - mModel.referenced.data())];
        if (!refusals.operands.empty()) {
            first = refusals.operands.begin()->second;
        } else if (!refusals.operations.empty()) {
            first = refusals.operations.begin()->second.front();
        }
    }

    // Adds no reasons for vendors' operations with an entry, which only the device can check, or
    // for rules that it lifts.
    void addRefusals(size_t k, const Operation& operation, const Model::Subgraph& graph,
                     const GraphRefusals& refusals, OperationSupport& support) const {
        const bool isOwn = isVendors(operation.type) &&
                           absl::c_any_of(mDevice.operations, [&](const Entry& entry) {
                               return describes(entry, operation.type);
                           });
        const auto found = refusals.operations.find(k);
        if (found != refusals.operations.end() && !isOwn) {
            for (const Diagnostic& reason : found->second) {
                if (isLifted(mDevice, operation.type, reason.rule)) continue;
                support.reasons.push_back(reason);
            }
        }
        if (refusals.operands.empty()) return;
        std::set<uint32_t> operands(operation.inputs.begin(), operation.inputs.end());
        operands.insert(operation.outputs.begin(), operation.outputs.end());
        for (const uint32_t i : operands) {
            const auto refused = refusals.operands.find(i);
            if (refused == refusals.operands.end()) continue;
            if (!isOwn || !isVendors(graph.operands[i].type))
                support.reasons.push_back(refused->second);
        }
    }

    static bool isVendors(OperationType type) {
        return isExtension(type) || type == OperationType::OEM_OPERATION;
    }
    static bool isVendors(OperandType type) {
        return isExtension(type) || type == OperandType::OEM ||
               type == OperandType::TENSOR_OEM_BYTE;
    }

    std::vector<Diagnostic> reasons(const Operation& operation, const Model::Subgraph& graph,
                                    const GraphFacts& found,
                                    const std::optional<GraphValues>& values,
                                    VersionReasons& ofOperands, const Place& place) const {
        std::vector<Diagnostic> refusals =
                versionReasons(operation, graph, found, ofOperands, place);
        for (const uint32_t i : operation.inputs) {
            const Operand& operand = graph.operands[i];
            if (operand.lifetime != Operand::LifeTime::SUBGRAPH) continue;
            absl::c_copy(*mGraphs[operand.location.offset], std::back_inserter(refusals));
        }

        std::optional<std::vector<Diagnostic>> fewest;
        if (values) fewest = fewestErrors(operation, graph, found, *values, place);
        if (fewest) {
            absl::c_move(*fewest, std::back_inserter(refusals));
        } else if (!mDevice.supportsOthers) {
            Report report(kAll);
            report.fail(place, "device.operation", "is not supported by the device");
            absl::c_move(std::move(report).takeFindings().errors, std::back_inserter(refusals));
        }
        return refusals;
    }

    // Of the entry that the operation breaks least; empty if no entry describes it.
    std::optional<std::vector<Diagnostic>> fewestErrors(const Operation& operation,
                                                        const Model::Subgraph& graph,
                                                        const GraphFacts& found,
                                                        const GraphValues& values,
                                                        const Place& place) const {
        const std::vector<ops::Value> inputs = values.of(operation.inputs, graph);
        const std::vector<ops::Value> outputs = values.of(operation.outputs, graph);
        const ops::Form* form = found.operations[static_cast<size_t>(place.index)].form;
        if (form == nullptr) form = formByCount(operation.type, inputs.size(), outputs.size());
        std::optional<std::vector<Diagnostic>> fewest;
        for (const Entry& entry : mDevice.operations) {
            if (!describes(entry, operation.type)) continue;
            Report report(kAll);
            if (form != nullptr) {
                LimitCheck check(graph, place, report);
                check.check(entry, "input", form->inputs, inputs);
                check.check(entry, "output", form->outputs, outputs);
            }
            std::vector<Diagnostic> errors = std::move(report).takeFindings().errors;
            if (!fewest || errors.size() < fewest->size()) fewest = std::move(errors);
        }
        return fewest;
    }

    // The requirements of the operation and its operands beyond the device's version.
    std::vector<Diagnostic> versionReasons(const Operation& operation, const Model::Subgraph& graph,
                                           const GraphFacts& found, VersionReasons& ofOperands,
                                           const Place& place) const {
        std::vector<Diagnostic> errors;
        if (isTooNew(found.operations[static_cast<size_t>(place.index)].version)) {
            Report report(forVersion());
            SubgraphChecker(mModel, nullptr, mFacts, report).checkAlone(operation, graph, place);
            errors = takeVersionErrors(std::move(report));
        }
        std::set<uint32_t> operands;
        for (const auto& indexes : {&operation.inputs, &operation.outputs}) {
            absl::c_copy_if(*indexes, std::inserter(operands, operands.end()),
                            [&](uint32_t i) { return isTooNew(found.operands[i]); });
        }
        for (const uint32_t i : operands) {
            if (!ofOperands[i]) {
                Report ofOperand(forVersion());
                checkOperand(graph.operands[i], mModel, Place{place.parent, "operands", int64_t{i}},
                             ofOperand);
                ofOperands[i] = takeVersionErrors(std::move(ofOperand));
            }
            absl::c_copy(*ofOperands[i], std::back_inserter(errors));
        }
        return errors;
    }

    bool isTooNew(Version needed) const { return !isCompliantVersion(needed, mDevice.version); }

    Report::Options forVersion() const {
        Report::Options options = kAll;
        options.target = mDevice.version;
        return options;
    }

    static std::vector<Diagnostic> takeVersionErrors(Report&& report) {
        std::vector<Diagnostic> errors = std::move(report).takeFindings().errors;
        std::erase_if(errors, [](const Diagnostic& error) { return error.rule != "since"; });
        return errors;
    }

    bool describes(const Entry& entry, OperationType type) const {
        if (entry.extension.empty()) return entry.type == type;
        const auto code = static_cast<uint32_t>(type);
        if (!isExtension(type) || getTypeWithinExtension(code) != entry.typeWithinExtension)
            return false;
        const auto found = mExtensions.find(getExtensionPrefix(code));
        return found != mExtensions.end() && found->second == entry.extension;
    }

    const Model& mModel;
    const ValidationFacts& mFound;
    const DeviceProfile& mDevice;
    const Limits& mLimits;
    const Extensions& mVendors;
    std::vector<std::optional<Diagnostic>> mFirstRefusals{};  // by referenced graph
    WorkBudget mWatched;
    std::optional<WorkBudget::End> mEnd{};  // why nothing more is checked
    mutable ModelFacts mFacts;
    std::map<uint16_t, std::string_view> mExtensions{};  // names by prefix

    // By referenced graph: why its operations are not supported; empty until examined.
    std::vector<std::optional<std::vector<Diagnostic>>> mGraphs;
};

}  // namespace

bool DeviceSupport::all() const {
    return reasons.empty() &&
           absl::c_all_of(operations, std::mem_fn(&OperationSupport::isSupported));
}

std::vector<bool> DeviceSupport::byOperation() const {
    std::vector<bool> isSupported;
    for (const OperationSupport& operation : operations) {
        isSupported.push_back(reasons.empty() && operation.isSupported());
    }
    return isSupported;
}

Status validate(const DeviceProfile& device) NNAPI_TRY {
    Report report;
    for (size_t i = 0; i < device.operations.size() && !report.done(); ++i) {
        checkEntry(device.operations[i], Place{nullptr, "operations", static_cast<int64_t>(i)},
                   report);
    }
    return report.result().status();
}
NNAPI_CATCH

Result<DeviceSupport> supportedOperations(const Model& model, const DeviceProfile& device,
                                          const SupportOptions& options) NNAPI_TRY {
    const DefaultFloatEnvironment environment;
    NNAPI_RETURN_IF_ERROR(validate(device));
    NNAPI_ASSIGN_OR_RETURN(extensions, Extensions::create(model, options.extensions));
    // Why the validation has ended early, if it has.
    const auto end = [&] { return WorkBudget(options.until, options.limits, kWork).poll(); };
    if (absl::c_all_of(device.operations, [](const Entry& e) { return e.liftedRules.empty(); })) {
        const std::shared_ptr<const Model> borrowed(std::shared_ptr<const Model>(), &model);
        const auto checked = validateModel(borrowed, options.limits, options.until);
        if (const auto why = end()) return statusOf(*why);
        if (!checked.ok()) {
            return makeError(ErrorStatus::INVALID_ARGUMENT, *diagnostic(checked.status()));
        }
        return DeviceCheck(model, checked->found(), device, options, extensions).support();
    }
    ValidationFacts found;
    const Findings findings = findAll(model,
                                      {.maxDiagnostics = std::numeric_limits<size_t>::max(),
                                       .limits = options.limits,
                                       .until = options.until},
                                      found);
    if (const auto why = end()) return statusOf(*why);
    NNAPI_RETURN_IF_ERROR(legality(findings, device));
    return DeviceCheck(model, found, device, options, extensions).support();
}
NNAPI_CATCH

Result<DeviceSupport> supportedOperations(const ValidatedModel& model, const DeviceProfile& device,
                                          const SupportOptions& options) NNAPI_TRY {
    const DefaultFloatEnvironment environment;
    NNAPI_RETURN_IF_ERROR(validate(device));
    NNAPI_ASSIGN_OR_RETURN(extensions, Extensions::create(model.model(), options.extensions));
    return DeviceCheck(model.model(), model.found(), device, options, extensions).support();
}
NNAPI_CATCH

}  // namespace nn
