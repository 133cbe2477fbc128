#include "nnapi/device_test/faulty_device.h"

#include <absl/algorithm/container.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <mutex>
#include <thread>
#include <utility>

#include "base/no_throw.h"
#include "base/printable.h"
#include "base/spelling_suggestions.h"
#include "device_test/cases/device_parts.h"
#include "device_test/cases/faulty_parts.h"

namespace nn::testing {
namespace {

using namespace parts;
using enum DeviceFault;

constexpr DeviceFaultInfo kFaults[] = {
#define FAULT(name, what) {DeviceFault::name, #name, what},
#include "nnapi/device_test/device_faults.def"
#undef FAULT
};

constexpr std::string_view kNone = "NONE";

class FaultyDevice final : public DevicePart {
   public:
    FaultyDevice(SharedDevice good, DeviceFaults faults)
        : DevicePart(std::move(good)),
          mFaults(std::move(faults)),
          mSlow(inner()->getCapabilities()) {
        mSlow.ifPerformance.execTime = -1;
    }

    const std::string& getName() const override {
        return mFaults.isOn(HAS_NO_NAME) ? mEmpty : inner()->getName();
    }
    const std::string& getVersionString() const override {
        if (mFaults.isOn(HAS_NO_VERSION)) return mEmpty;
        if (mFaults.isOn(CHANGES_ITS_VERSION) && mHasPrepared) return mOther;
        return inner()->getVersionString();
    }
    DeviceType getType() const override {
        return mFaults.isOn(HAS_UNKNOWN_TYPE) ? static_cast<DeviceType>(99) : inner()->getType();
    }
    const Capabilities& getCapabilities() const override {
        return mFaults.isOn(HAS_NEGATIVE_SPEED) ? mSlow : inner()->getCapabilities();
    }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        if (mFaults.isOn(WANTS_33_CACHE_FILES)) return {33, 0};
        if (mFaults.isOn(HAS_NO_CACHE)) return {0, 0};
        return inner()->getNumberOfCacheFilesNeeded();
    }

    GeneralResult<void> wait() const override {
        NNAPI_RETURN_IF_ERROR(checkAlive(mFaults));
        NNAPI_RETURN_IF_ERROR(hangWhile(mFaults, HANGS_IN_WAIT));
        if (mFaults.isOn(CANNOT_WAIT)) return error() << "no patience";
        return inner()->wait();
    }

    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        NNAPI_RETURN_IF_ERROR(checkAlive(mFaults));
        auto supported = inner()->getSupportedOperations(model);
        if (mFaults.isOn(ACCEPTS_ANY_MODEL) && !supported.has_value()) {
            return std::vector<bool>(model.main.operations.size(), true);
        }
        if (!supported.has_value()) return supported;
        if (mFaults.isOn(SUPPORTS_WHAT_IT_REFUSES)) supported->assign(supported->size(), true);
        if (mFaults.isOn(SUPPORTS_ONLY_ADD)) {
            for (size_t i = 0; i < supported->size(); ++i) {
                (*supported)[i] = model.main.operations[i].type == OperationType::ADD;
            }
        }
        if (mFaults.isOn(ANSWERS_FOR_TOO_FEW_OPERATIONS)) supported->pop_back();
        if (mFaults.isOn(ANSWERS_FOR_TOO_MANY_OPERATIONS)) supported->push_back(true);
        return supported;
    }

    GeneralResult<SharedBuffer> allocate(const BufferDesc& description,
                                         const std::vector<SharedPreparedModel>& models,
                                         const std::vector<BufferRole>& inputs,
                                         const std::vector<BufferRole>& outputs) const override {
        NNAPI_RETURN_IF_ERROR(checkAlive(mFaults));
        if (mFaults.isOn(HAS_NO_MEMORY)) return error() << "the device has no memory of its own";
        if (mFaults.isOn(ALLOCATES_NULL)) return SharedBuffer();
        if (mFaults.isOn(ALLOCATES_TOKEN_0)) return fakeBuffer(0);
        if (mFaults.isOn(ALLOCATES_ONE_TOKEN)) return fakeBuffer(1);
        if (mFaults.isOn(ALLOCATES_FOR_ANYBODY)) return fakeBuffer(++mTokens);
        return inner()->allocate(description, models, inputs, outputs);
    }

   protected:
    Prepared prepare(const Preparation& preparation) const override {
        mHasPrepared = true;
        NNAPI_RETURN_IF_ERROR(startPreparing());
        if (mFaults.isOn(ABORTS_IN_PREPARE)) endBy(SIGABRT);
        if (mFaults.isOn(REFUSES_WHAT_IT_SUPPORTS)) return error() << "not today";
        if (mFaults.isOn(PREPARES_NULL)) return SharedPreparedModel();
        if (mFaults.isOn(FAILS_WITH_CACHE_FILES) &&
            !(preparation.modelCache.empty() && preparation.dataCache.empty())) {
            return error() << "no room for a cache";
        }
        Preparation changed = preparation;
        if (mFaults.isOn(ACCEPTS_ANY_PRIORITY)) changed.priority = Priority::DEFAULT;
        auto good = changed.on(*inner());
        if (good.has_value()) return good;
        const SharedPreparedModel last = mFaults.isOn(ACCEPTS_ANY_MODEL) ? lastPrepared() : nullptr;
        if (last != nullptr) return last;
        return good;
    }

    Prepared load(const Loading& loading) const override {
        NNAPI_RETURN_IF_ERROR(startPreparing());
        if (mFaults.isOn(LOADS_NOTHING) || mFaults.isOn(HAS_NO_CACHE)) {
            return error() << "nothing was saved";
        }
        if (mFaults.isOn(LOADS_NULL)) return SharedPreparedModel();
        const SharedPreparedModel last = mFaults.isOn(LOADS_ANYTHING) ? lastPrepared() : nullptr;
        if (last != nullptr) return last;
        return loading.on(*inner());
    }

    SharedPreparedModel wrap(SharedPreparedModel good, const Model*) const override {
        if (good == lastPrepared()) return good;
        const bool isHeld = mFaults.isOn(HOLDS_PREPARED_MODELS) || mFaults.isOn(LOADS_ANYTHING) ||
                            mFaults.isOn(ACCEPTS_ANY_MODEL);
        auto model = faultyPreparedModel(std::move(good), mFaults);
        SharedPreparedModel last = isHeld ? model : nullptr;
        const std::lock_guard lock(mMutex);
        mLast.swap(last);  // the previous result is released after the lock
        return model;
    }

   private:
    Status startPreparing() const {
        NNAPI_RETURN_IF_ERROR(checkAlive(mFaults));
        NNAPI_RETURN_IF_ERROR(hangWhile(mFaults, HANGS_IN_PREPARE));
        if (!mFaults.isOn(DIES_IN_PREPARE)) return {};
        return error(ErrorStatus::DEAD_OBJECT) << "the driver is gone";
    }

    SharedPreparedModel lastPrepared() const {
        const std::lock_guard lock(mMutex);
        return mLast;
    }

    const DeviceFaults mFaults;
    const std::string mEmpty{}, mOther = "other";
    Capabilities mSlow;
    mutable std::mutex mMutex{};
    mutable SharedPreparedModel mLast{};
    mutable std::atomic<bool> mHasPrepared = false;
    mutable std::atomic<uint32_t> mTokens = 0;
};

}  // namespace

// ---- effects of the faults

Status hangWhile(const DeviceFaults& faults, DeviceFault fault) {
    if (!faults.isOn(fault)) return {};
    while (faults.isOn(fault)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return error(ErrorStatus::DEAD_OBJECT) << "the driver has hung";
}

Status checkAlive(const DeviceFaults& faults) {
    if (!faults.isOn(IS_DEAD)) return {};
    return error(ErrorStatus::DEAD_OBJECT) << "the driver is gone";
}

void endBy(int signalNumber) {
    const rlimit none = {};
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)signal(signalNumber, SIG_DFL);
    // Threads of a server block signals.
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signalNumber);
    (void)pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    (void)raise(signalNumber);
    _exit(99);
}

SharedBuffer fakeBuffer(uint32_t token) { return std::make_shared<const EmptyBuffer>(token); }

// ---- the switches

std::span<const DeviceFaultInfo> deviceFaults() { return kFaults; }

std::string_view toString(DeviceFault fault) {
    const auto index = static_cast<size_t>(fault);
    return index < std::size(kFaults) ? kFaults[index].name : "unknown fault";
}

std::optional<DeviceFault> parseDeviceFault(std::string_view name) {
    for (const DeviceFaultInfo& info : kFaults) {
        if (info.name == name) return info.fault;
    }
    return std::nullopt;
}

DeviceFaults::DeviceFaults(std::initializer_list<DeviceFault> on)
    : mSwitches(std::make_shared<Switches>()) {
    static_assert(std::size(kFaults) <= kMost);
    for (const DeviceFault fault : on) turnOn(fault);
}

GeneralResult<DeviceFaults> DeviceFaults::parse(std::string_view names) NNAPI_TRY {
    const DeviceFaults faults;
    for (bool isLast = false; !isLast;) {
        const size_t comma = names.find(',');
        isLast = comma == std::string_view::npos;
        const std::string_view name = names.substr(0, comma);
        if (!isLast) names.remove_prefix(comma + 1);
        if (name == kNone) continue;
        const auto fault = parseDeviceFault(name);
        if (fault) {
            faults.turnOn(*fault);
            continue;
        }
        std::vector<std::string_view> known{kNone};
        for (const DeviceFaultInfo& info : kFaults) known.push_back(info.name);
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "there is no fault " << printable(name) << didYouMean(name, known)
               << "; docs/test_device.md has all";
    }
    return faults;
}
NNAPI_CATCH

bool DeviceFaults::isOn(DeviceFault fault) const {
    const auto index = static_cast<size_t>(fault);
    return index < kMost && (*mSwitches)[index];
}

void DeviceFaults::set(DeviceFault fault, bool isOn) const {
    const auto index = static_cast<size_t>(fault);
    if (index < kMost) (*mSwitches)[index] = isOn;
}

GeneralResult<SharedDevice> faultyDevice(SharedDevice device, DeviceFaults faults) NNAPI_TRY {
    if (device == nullptr) return error(ErrorStatus::INVALID_ARGUMENT) << "the device is null";
    if (faults.isOn(CANNOT_OPEN)) {
        return error(ErrorStatus::DEVICE_UNAVAILABLE) << "the device cannot be opened";
    }
    if (faults.isOn(ABORTS_WHEN_OPENED)) endBy(SIGABRT);
    return SharedDevice(std::make_shared<const FaultyDevice>(std::move(device), std::move(faults)));
}
NNAPI_CATCH

}  // namespace nn::testing
