#include "runtime/observe/report.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include "base/plurals.h"
#include "base/printable.h"
#include "device_profile/support_reasons.h"
#include "nnapi/driver/forwarding.h"
#include "runtime/plan/supported_operations.h"

namespace nn::runtime {
namespace {

constexpr std::string_view kPlan = "the plan itself";

std::string nameOf(const SharedDevice& device) {
    return device == nullptr ? std::string(kPlan) : printable(device->getName());
}

std::string listOf(const std::map<std::string, size_t>& counts) {
    std::string list;
    for (const auto& [name, count] : counts) {
        list += fmt::format("{}{} {}", list.empty() ? "" : ", ", name, count);
    }
    return list;
}

// The reasons why a device does not support operations, if there are any beyond "not supported".
class SupportReasons {
   public:
    SupportReasons(const IDevice* device, const Model& model) {
        const ISupportReasons* able = nullptr;
        // Below the wrappers, such as those that trace calls.
        while (device != nullptr && able == nullptr) {
            able = dynamic_cast<const ISupportReasons*>(device);
            const auto* outer = dynamic_cast<const Forwarding<IDevice>*>(device);
            device = outer == nullptr ? nullptr : outer->inner().get();
        }
        auto support =
                able == nullptr ? Result<DeviceSupport>(DeviceSupport()) : able->supportOf(model);
        if (support.ok()) mSupport = *std::move(support);
    }

    std::string of(size_t operation) const {
        if (operation >= mSupport.operations.size()) return std::string(kNotSupported);
        const std::vector<Diagnostic>& reasons = mSupport.operations[operation].reasons;
        if (reasons.empty()) return std::string(kNotSupported);
        // Without the numbers of operands, many operations have the same reason.
        std::string message = reasons.front().message;
        const size_t begin = message.find(" (operand "), end = message.find(')', begin);
        if (begin != std::string::npos && end != std::string::npos) {
            message.erase(begin, end + 1 - begin);
        }
        return fmt::format("{} [{}]", onOneLine(message), reasons.front().rule);
    }

   private:
    static constexpr std::string_view kNotSupported = "not supported";
    DeviceSupport mSupport{};
};

// The device of each operation of the main graph.
std::vector<const IDevice*> devicesOf(const Model& model, const Plan& plan) {
    std::vector<const IDevice*> devices(model.main.operations.size(), nullptr);
    for (const PlanStep& step : plan.steps()) {
        if (step.graph) continue;
        for (const uint32_t i : step.operations) {
            if (i < devices.size()) devices[i] = step.device.get();
        }
    }
    return devices;
}

}  // namespace

void Report::add(const Model& model, const std::vector<PlanDevice>& devices, const Plan& plan) {
    const auto checked = validateModel(model);
    if (!checked.ok()) return;
    Support support(*checked);
    // Queried without the lock, since devices are not trusted.
    std::vector<std::vector<bool>> supported;
    std::vector<SupportReasons> reasons;
    for (const PlanDevice& device : devices) {
        supported.push_back(support.of(device));
        reasons.emplace_back(device.device.get(), model);
    }
    const std::vector<const IDevice*> chosen = devicesOf(model, plan);

    const std::lock_guard lock(mMutex);
    ++mModels;
    for (const PlanStep& step : plan.steps()) {
        const Model::Subgraph& graph = step.graph ? model.referenced[*step.graph] : model.main;
        for (const uint32_t i : step.operations) {
            ++mExecuted[nameOf(step.device)][toString(graph.operations[i].type)];
        }
    }
    for (size_t d = 0; d < devices.size(); ++d) {
        for (size_t i = 0; i < chosen.size() && i < supported[d].size(); ++i) {
            if (chosen[i] == devices[d].device.get()) continue;
            const std::string why = supported[d][i] ? "another is better" : reasons[d].of(i);
            ++mLeft[fmt::format("{}: {}", nameOf(devices[d].device), why)]
                   [toString(model.main.operations[i].type)];
        }
    }
}

void Report::addRefused(const std::vector<PlanDevice>& devices, const Status& why) {
    std::string names;
    for (const PlanDevice& device : devices) {
        names += (names.empty() ? "" : ", ") + nameOf(device.device);
    }
    const std::lock_guard lock(mMutex);
    ++mRefused[fmt::format("{}: {}", names, onOneLine(std::string(why.message())))];
}

void Report::addFallback(std::string_view device, const Status& why) {
    const std::lock_guard lock(mMutex);
    ++mFallbacks[fmt::format("{}: {}", device.empty() ? kPlan : device,
                             onOneLine(std::string(why.message())))];
}

std::string Report::text() const {
    const std::lock_guard lock(mMutex);
    std::string text = fmt::format("{}\n", Plural{mModels, "models"});
    for (const auto& [device, counts] : mExecuted) {
        text += fmt::format("{} executes {}\n", device, listOf(counts));
    }
    for (const auto& [deviceAndWhy, counts] : mLeft) {
        text += fmt::format("left by {}: {}\n", deviceAndWhy, listOf(counts));
    }
    for (const auto& [devicesAndWhy, count] : mRefused) {
        text += fmt::format("not compiled {}, by {}\n", Plural{count, "times"}, devicesAndWhy);
    }
    for (const auto& [deviceAndWhy, count] : mFallbacks) {
        text += fmt::format("failed {}, {}\n", Plural{count, "times"}, deviceAndWhy);
    }
    return text;
}

}  // namespace nn::runtime
