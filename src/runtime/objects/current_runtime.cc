// The runtime of this process.
#include <atomic>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "nnapi/driver/registry.h"
#include "runtime/devices/host_device.h"
#include "runtime/devices/pointer_staging.h"
#include "runtime/objects/runtime.h"

namespace nn::runtime {

PlanDevice planDevice(SharedDevice device) {
    const std::string name = device->getName();
    const bool isOwn = name == kReferenceDeviceName || name == kHostDeviceName;
    if (!isOwn) device = takingPointers(std::move(device));
    return {.device = std::move(device), .allowsAliasing = isOwn};
}

Runtime::Runtime(std::vector<PlanDevice> devices, Options options) : mOptions(std::move(options)) {
    std::vector<SharedDevice> known;
    for (PlanDevice& each : devices) {
        known.push_back(each.device);
        std::string name = each.device->getName();
        std::string version = each.device->getVersionString();
        mDevices.push_back(std::make_unique<const ANeuralNetworksDevice>(
                ANeuralNetworksDevice{std::move(each.device), each.isCpu, std::move(name),
                                      std::move(version), each.allowsAliasing}));
    }
    mTypes = TypeManager(known);
}

const ANeuralNetworksDevice* Runtime::find(const ANeuralNetworksDevice* device) const {
    for (const auto& each : mDevices) {
        if (each.get() == device) return device;
    }
    return nullptr;
}

std::vector<PlanDevice> Runtime::devicesForAll() const {
    std::vector<PlanDevice> devices;
    for (const auto& each : mDevices) {
        if (!mOptions.cpuOnly || each->isCpu) devices.push_back(each->forPlan());
    }
    return devices;
}

// ---- the one of the process

namespace {

std::atomic<const Runtime*> gRuntime = nullptr;

// Created once and never destroyed: applications keep pointers to its devices.
const Runtime* runtimeMadeOnce() {
    static std::once_flag once;
    std::call_once(once, [] {
        if (gRuntime.load() == nullptr) gRuntime = makeRuntime().release();
    });
    return gRuntime.load();
}

}  // namespace

const Runtime& runtime() {
    const Runtime* made = gRuntime.load(std::memory_order_acquire);
    return made != nullptr ? *made : *runtimeMadeOnce();
}

void setRuntime(std::unique_ptr<const Runtime> runtime) {
    delete gRuntime.exchange(runtime.release());
}

int codeOfFailure(std::string_view function, const ApiStatus& status) noexcept {
    try {
        const SharedLog& log = runtime().log();
        if (log != nullptr && log->mask() != kVlogNone) {
            NNAPI_LOG(log, ERROR) << function << ": " << status.code << ": " << status.why;
        }
    } catch (...) {
        // A failure that cannot be logged is still returned.
    }
    return status.code;
}

int codeOfException(std::string_view function) noexcept {
    int code = ANEURALNETWORKS_OP_FAILED;
    try {
        throw;
    } catch (const std::bad_alloc&) {
        code = ANEURALNETWORKS_OUT_OF_MEMORY;
    } catch (const std::length_error&) {
        code = ANEURALNETWORKS_OUT_OF_MEMORY;
    } catch (const std::system_error& failure) {
        code = failure.code() == std::errc::owner_dead
                       ? ANEURALNETWORKS_DEAD_OBJECT
                       : ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT;
    } catch (...) {
        // OP_FAILED
    }
    return codeOfFailure(function, {code, {}});
}

}  // namespace nn::runtime
