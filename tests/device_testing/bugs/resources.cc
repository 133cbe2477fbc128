// Resources that the driver leaks.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <mutex>
#include <thread>

#include "device_testing/bugs/parts.h"
#include "nnapi/memory.h"
#include "nnapi/testing/faulty_device.h"

namespace nn::bugs {
namespace resources {
namespace {

int openSomething() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

// Shared by all prepared models of a device, with the leaked resources.
struct Shared {
    std::atomic<int> executions = 0, bursts = 0;
    std::atomic<bool> hasRefused = false;
    std::mutex mutex{};
    std::vector<Mapping> mappings{};
    std::vector<std::vector<uint8_t>> memory{};
};

class SilentBurst final : public ForwardingBurst {
   public:
    using ForwardingBurst::ForwardingBurst;

    ExecutionResult<Executed> execute(const Request&, MeasureTiming, const OptionalTimePoint&,
                                      const OptionalDuration&, const std::vector<TokenValuePair>&,
                                      const std::vector<ExtensionNameAndPrefix>&) const override {
        while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
    }
};

class ResourcePreparedModel final : public PreparedModelPart {
   public:
    ResourcePreparedModel(SharedPreparedModel inner, Bug bug, std::shared_ptr<Shared> shared)
        : PreparedModelPart(std::move(inner), bug), mShared(std::move(shared)) {}

    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        auto burst = PreparedModelPart::configureExecutionBurst();
        if (!burst.has_value() || !has(Bug::hangs_third_burst)) return burst;
        if (++mShared->bursts % 3 != 0) return burst;
        return SharedBurst(std::make_shared<const SilentBurst>(*burst));
    }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        if (mShared->hasRefused) return error() << "the device is in no good state";
        const int number = ++mShared->executions;
        if (has(Bug::crashes_after_1000) && number >= 1000) crash();
        if (has(Bug::slower_each_time)) {
            std::this_thread::sleep_for(std::chrono::microseconds(5) * ++mExecutions);
        }
        if (has(Bug::leaks_descriptor_execution)) (void)openSomething();
        if (has(Bug::leaks_descriptor_zero)) {
            const int fd = openSomething();
            if (fd > 0) close(fd);
        }
        if (has(Bug::thread_per_execution)) {
            std::thread([] {
                while (true) std::this_thread::sleep_for(std::chrono::hours(1));
            }).detach();
        }
        leak(call.request);
        auto executed = call.on(*inner());
        if (has(Bug::changes_rounding)) std::fesetround(FE_TOWARDZERO);
        return executed;
    }

   private:
    void leak(const Request& request) const {
        const std::lock_guard lock(mShared->mutex);
        if (has(Bug::leaks_memory)) mShared->memory.emplace_back(64 << 10, 1);
        for (const Request::MemoryPool& pool : request.pools) {
            const auto* memory = std::get_if<SharedMemory>(&pool);
            if (!has(Bug::leaks_mapping) || memory == nullptr) continue;
            const auto mapping = map(*memory);
            if (mapping.ok()) mShared->mappings.push_back(*mapping);
        }
    }

    std::shared_ptr<Shared> mShared;
    mutable std::atomic<int> mExecutions = 0;
};

class ResourcePart final : public DevicePart {
   public:
    using DevicePart::DevicePart;

   protected:
    Prepared prepare(const Preparation& preparation) const override {
        if (mShared->hasRefused) return error() << "the device is in no good state";
        if (has(Bug::leaks_descriptor_preparation)) (void)openSomething();
        auto prepared = preparation.on(*inner());
        if (has(Bug::stops_after_refusal) && !prepared.has_value()) mShared->hasRefused = true;
        return prepared;
    }
    SharedPreparedModel wrap(SharedPreparedModel made, const Model*) const override {
        return std::make_shared<const ResourcePreparedModel>(std::move(made), bug(), mShared);
    }

   private:
    std::shared_ptr<Shared> mShared = std::make_shared<Shared>();
};

}  // namespace
}  // namespace resources

SharedDevice withResourceBugs(SharedDevice device, Bug bug) {
    if (bug == Bug::holds_prepared_models) {
        return nn::testing::faultyDevice(std::move(device),
                                         {nn::testing::DeviceFault::HOLDS_PREPARED_MODELS})
                .value();
    }
    if (rowOf(bug).family != "RESOURCES") return device;
    return std::make_shared<const resources::ResourcePart>(std::move(device), bug);
}

}  // namespace nn::bugs
