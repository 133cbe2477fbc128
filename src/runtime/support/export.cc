#include "nnapi/driver/export_support_library.h"

#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "driver/registry/plugins.h"
#include "runtime/c_api/support_table.h"
#include "runtime/objects/runtime.h"

namespace nn {
namespace {

GeneralResult<std::vector<runtime::PlanDevice>> opened(std::span<const plugin::Device> devices) {
    std::vector<runtime::PlanDevice> all;
    for (const plugin::Device& each : devices) {
        NNAPI_ASSIGN_OR_RETURN(device, driver::openAs(each.name, driver::factoryOf(each)));
        all.push_back(runtime::planDevice(std::move(device)));
    }
    return all;
}

// The runtime of the shared object; null if a device does not open.
std::unique_ptr<const runtime::Runtime> runtimeOf(std::span<const plugin::Device> devices) {
    auto all = opened(devices);
    if (!all.has_value()) {
        std::fputs(("nnapi: support library: " + all.error().message + "\n").c_str(), stderr);
        return nullptr;
    }
    // Frameworks that open it have a fallback of their own.
    return std::make_unique<const runtime::Runtime>(
            *std::move(all),
            runtime::Runtime::Options{
                    .partitioning = runtime::PlanOptions::Partitioning::WITHOUT_FALLBACK});
}

}  // namespace

// Without memory for it, it has no devices.
NnApiSLDriverImpl* supportLibraryOf(std::span<const plugin::Device> devices) noexcept try {
    static const bool isOpen = [&] {
        auto made = runtimeOf(devices);
        if (made == nullptr) return false;
        runtime::setRuntime(std::move(made));
        return true;
    }();
    // Never written; the interface lacks the const.
    return isOpen ? const_cast<NnApiSLDriverImpl*>(&runtime::supportLibraryTable().base.base)
                  : nullptr;
} catch (...) {
    return nullptr;
}

namespace runtime {

// Never used: every call needs the functions that supportLibraryOf() returns, which creates the
// runtime.
std::unique_ptr<const Runtime> makeRuntime() {
    return std::make_unique<const Runtime>(std::vector<PlanDevice>{}, Runtime::Options{});
}

}  // namespace runtime
}  // namespace nn
