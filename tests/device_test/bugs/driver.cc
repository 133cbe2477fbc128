// The driver itself: it lowers operations to kernels of its own, and leaves the rest to the
// reference.
#include <algorithm>

#include "device_test/bugs/kernels.h"
#include "device_test/bugs/parts.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"

namespace nn::bugs {
namespace {

constexpr BugRow kRows[] = {
#define BUG(name, family, level, what, where) \
    {Bug::name, #name, #family, Level::level, what, where, false},
#define PERMITTED(name, family, level, what, why) \
    {Bug::name, #name, #family, Level::level, what, why, true},
#include "device_test/bugs/bugs.def"
#undef BUG
#undef PERMITTED
};

// ---- lowering

constexpr char kExtension[] = "org.nnapi.buggy";

const std::vector<Kernel>& kernels() {
    static const auto all = [] {
        std::vector<Kernel> kernels;
        for (const auto& some : {convolutions(), elementwise(), normalizations(), movements()}) {
            kernels.insert(kernels.end(), some.begin(), some.end());
        }
        return kernels;
    }();
    return all;
}

// The kernels as an extension of the reference.
ExtensionOperations extensionWith(Bug bug) {
    ExtensionOperations operations{.extension = {.name = kExtension}};
    for (size_t i = 0; i < kernels().size(); ++i) {
        const auto compute = kernels()[i].compute;
        operations.operations.push_back(
                {.number = static_cast<uint16_t>(i),
                 .compute =
                         [compute, bug](const ExtensionCall& call) {
                             const auto filter =
                                     std::ranges::find_if(call.inputs, [](const auto& input) {
                                         return !input.channelScales.empty();
                                     });
                             compute({call.inputs, call.outputs,
                                      filter == call.inputs.end() ? std::span<const float>()
                                                                  : filter->channelScales,
                                      bug});
                             return Status();
                         },
                 .takesOmittedInputs = true});
    }
    return operations;
}

bool takes(Takes what, OperandType type) {
    const bool isQuant8 = type == OperandType::TENSOR_QUANT8_ASYMM ||
                          type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    const bool isReal = type == OperandType::TENSOR_FLOAT32 || type == OperandType::TENSOR_FLOAT16;
    switch (what) {
        case Takes::QUANT8:
            return isQuant8;
        case Takes::FLOATS:
            return isReal;
        case Takes::QUANT8_AND_FLOATS:
            return isQuant8 || isReal;
        case Takes::ANY:
            return isNonExtensionTensor(type);
    }
    return false;
}

class Lowering {
   public:
    explicit Lowering(Model model) : mModel(std::move(model)) {
        while (isTaken(mPrefix)) ++mPrefix;
        lower(mModel.main);
        for (Model::Subgraph& graph : mModel.referenced) lower(graph);
        if (mIsLowered) mModel.extensionNameToPrefix.push_back({kExtension, mPrefix});
    }
    Model&& model() && { return std::move(mModel); }

   private:
    bool isTaken(uint16_t prefix) const {
        for (const auto& each : mModel.extensionNameToPrefix) {
            if (each.prefix == prefix) return true;
        }
        return false;
    }

    static bool isKnown(const Operand& operand) {
        return operand.lifetime == Operand::LifeTime::NO_VALUE ||
               isNonExtensionScalar(operand.type) ||
               (isNonExtensionTensor(operand.type) &&
                !hasUnspecifiedDimensions(operand.type, operand.dimensions));
    }

    void lower(Model::Subgraph& graph) {
        for (Operation& operation : graph.operations) {
            if (operation.inputs.empty()) continue;
            const auto areKnown = [&](const std::vector<uint32_t>& indexes) {
                return std::ranges::all_of(
                        indexes, [&](uint32_t index) { return isKnown(graph.operands[index]); });
            };
            if (!areKnown(operation.inputs) || !areKnown(operation.outputs)) continue;
            const OperandType type = graph.operands[operation.inputs[0]].type;
            for (size_t i = 0; i < kernels().size(); ++i) {
                const Kernel& kernel = kernels()[i];
                if (kernel.operation != operation.type || !takes(kernel.takes, type)) continue;
                operation.type = static_cast<OperationType>(uint32_t{mPrefix} << 16 | i);
                mIsLowered = true;
                break;
            }
        }
    }

    Model mModel;
    uint16_t mPrefix = 1;
    bool mIsLowered = false;
};

class OwnDevice final : public DevicePart {
   public:
    using DevicePart::DevicePart;

   protected:
    // Models that the reference refuses are refused with its message.
    Prepared prepare(const Preparation& preparation) const override {
        auto checked = preparation.withoutCache().on(*inner());
        if (!checked.has_value()) return checked;
        const Model lowered = Lowering(preparation.model).model();
        return preparation.with(lowered).on(*inner());
    }
};

SharedDevice ownDevice(Bug bug) {
    ReferenceDeviceOptions options{.name = "buggy", .versionString = "1"};
    options.prepare.extensions = {std::make_shared<const ExtensionOperations>(extensionWith(bug))};
    // Its executions take their time, so that fences are signaled after the call has returned.
    if (bug == Bug::fenced_info_before_signal) options.fencedThreads = 2;
    options.onCacheFailure = [](const Status&) { hasCacheFailed() = true; };
    return std::make_shared<const OwnDevice>(referenceDevice(std::move(options)), bug);
}

}  // namespace

// ---- the catalog

std::span<const BugRow> catalog() { return kRows; }

const BugRow& rowOf(Bug bug) {
    static constexpr BugRow kNone{};
    return bug == Bug::none ? kNone : kRows[static_cast<size_t>(bug) - 1];
}

std::optional<Bug> bugNamed(std::string_view name) {
    if (name.empty()) return Bug::none;
    for (const BugRow& row : kRows) {
        if (row.name == name) return row.bug;
    }
    return std::nullopt;
}

// ---- what parts share

bool& hasCacheFailed() {
    static thread_local bool hasFailed = false;
    return hasFailed;
}

// ---- the drivers

SharedDevice canonicalDriver(Bug bug) {
    SharedDevice device = ownDevice(bug);
    for (const auto part :
         {withSupportBugs, withShapeBugs, withMemoryBugs, withCacheBugs, withThreadBugs,
          withTimeBugs, withResourceBugs, withClientBugs, withChangedModels}) {
        device = part(std::move(device), bug);
    }
    return device;
}

hidl::sp<V1_0::IDevice> hidlDriver(Bug bug) {
    if (bug != Bug::none && !isHidl(rowOf(bug).level)) return nullptr;
    hal::adapter::AdaptOptions options;
    if (bug == Bug::notifies_before_return) {
        options.executor = [](const hal::adapter::Task& task, const OptionalTimePoint&) { task(); };
    }
    return withProtocolBugs(hal::adapter::adapt(canonicalDriver(bug), std::move(options)).value(),
                            bug);
}

std::shared_ptr<aidl_hal::IDevice> aidlDriver(Bug bug) {
    const Level level = rowOf(bug).level;
    if (bug != Bug::none && !isAidl(level)) return nullptr;
    constexpr HalVersion kVersions[] = {HalVersion::AIDL1, HalVersion::AIDL2, HalVersion::AIDL3,
                                        HalVersion::AIDL4};
    const HalVersion version =
            bug == Bug::none
                    ? HalVersion::AIDL4
                    : kVersions[static_cast<size_t>(level) - static_cast<size_t>(Level::AIDL1)];
    return withProtocolBugs(hal::adapter::adaptAidl(canonicalDriver(bug), version).value(), bug);
}

GeneralResult<SharedDevice> openDevice(Bug bug) {
    const Level level = rowOf(bug).level;
    if (isHidl(level)) return wrap("buggy", hidlDriver(bug));
    if (isAidl(level)) return wrap("buggy", aidlDriver(bug));
    return canonicalDriver(bug);
}

}  // namespace nn::bugs
