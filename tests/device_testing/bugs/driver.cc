// The driver itself: it lowers operations to kernels of its own, and leaves the rest to the
// reference.
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>

#include "device_testing/bugs/kernels.h"
#include "device_testing/bugs/parts.h"
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
#include "device_testing/bugs/bugs.def"
#undef BUG
#undef PERMITTED
};

// ---- lowering

constexpr char kExtension[] = "org.nnapi.buggy";

const std::vector<Kernel>& kernels() {
    static const auto all = [] {
        std::vector<Kernel> kernels;
        for (const auto& some : {convolutions(), elementwise(), normalisations(), movements()}) {
            kernels.insert(kernels.end(), some.begin(), some.end());
        }
        return kernels;
    }();
    return all;
}

// The kernels as an extension of the reference. The last input of each call has the scales of an
// operand that is quantised per channel, or 0.
ExtensionOperations extensionWith(Bug bug) {
    ExtensionOperations operations{.extension = {.name = kExtension}};
    for (size_t i = 0; i < kernels().size(); ++i) {
        const auto compute = kernels()[i].compute;
        operations.operations.push_back(
                {.number = static_cast<uint16_t>(i),
                 .compute =
                         [compute, bug](const ExtensionCall& call) {
                             auto scales = call.inputs.back().as<float>();
                             if (scales.size() == 1 && scales[0] == 0) scales = {};
                             compute({call.inputs.first(call.inputs.size() - 1), call.outputs,
                                      scales, bug});
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
            std::vector<float> scales{0};
            bool isLegal = true;
            for (const auto* indexes : {&operation.inputs, &operation.outputs}) {
                for (const uint32_t index : *indexes) {
                    const Operand& operand = graph.operands[index];
                    isLegal = isLegal && isKnown(operand);
                    if (const auto* params = std::get_if<Operand::SymmPerChannelQuantParams>(
                                &operand.extraParams)) {
                        scales = params->scales;
                    }
                }
            }
            if (!isLegal) continue;
            const OperandType type = graph.operands[operation.inputs[0]].type;
            for (size_t i = 0; i < kernels().size(); ++i) {
                const Kernel& kernel = kernels()[i];
                if (kernel.operation != operation.type || !takes(kernel.takes, type)) continue;
                operation.type = static_cast<OperationType>(uint32_t{mPrefix} << 16 | i);
                operation.inputs.push_back(constant(graph, scales));
                mIsLowered = true;
                break;
            }
        }
    }

    uint32_t constant(Model::Subgraph& graph, const std::vector<float>& values) {
        const size_t length = values.size() * sizeof(float);
        graph.operands.push_back({.type = OperandType::TENSOR_FLOAT32,
                                  .dimensions = {static_cast<uint32_t>(values.size())},
                                  .lifetime = Operand::LifeTime::CONSTANT_COPY,
                                  .location = *mModel.operandValues.append(values.data(), length)});
        return static_cast<uint32_t>(graph.operands.size() - 1);
    }

    Model mModel;
    uint16_t mPrefix = 1;
    bool mIsLowered = false;
};

class OwnDevice final : public DevicePart {
   public:
    using DevicePart::DevicePart;

   protected:
    // What the reference refuses is refused in its words.
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
    // Its executions take their time, so that fences are signalled after the call has returned.
    if (bug == Bug::fenced_info_before_signal) options.fencedThreads = 2;
    options.onCacheFailure = [](const Status&) { hasCacheFailed() = true; };
    return std::make_shared<const OwnDevice>(referenceDevice(std::move(options)), bug);
}

}  // namespace

// ---- the catalogue

std::span<const BugRow> catalogue() { return kRows; }

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

void crash() {
    const rlimit none = {};
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)signal(SIGSEGV, SIG_DFL);
    (void)raise(SIGSEGV);
    _exit(99);
}

std::vector<std::vector<uint8_t>> readOutputs(const Request& request) {
    std::vector<std::vector<uint8_t>> values;
    for (const Request::Argument& output : request.outputs) {
        std::vector<uint8_t>& bytes = values.emplace_back(output.location.length);
        if (const SharedMemory pool = poolOf(request, output)) {
            (void)readMemory(pool, output.location.offset, bytes);
        } else if (void* const* pointer = std::get_if<void*>(&output.location.pointer);
                   pointer != nullptr && *pointer != nullptr && !bytes.empty()) {
            std::memcpy(bytes.data(), *pointer, bytes.size());
        }
    }
    return values;
}

void writeOutputs(const Request& request, const std::vector<std::vector<uint8_t>>& values) {
    for (size_t i = 0; i < std::min(values.size(), request.outputs.size()); ++i) {
        const Request::Argument& output = request.outputs[i];
        const size_t size = std::min<size_t>(values[i].size(), output.location.length);
        if (const SharedMemory pool = poolOf(request, output)) {
            (void)writeMemory(pool, output.location.offset, std::span(values[i]).first(size));
        } else if (void* const* pointer = std::get_if<void*>(&output.location.pointer);
                   pointer != nullptr && *pointer != nullptr && size != 0) {
            std::memcpy(*pointer, values[i].data(), size);
        }
    }
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
