// A scripted device, clients that record their notifications, and one row for each method of the
// versions.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device_test/cases/hidl_callbacks.h"
#include "driver/models.h"
#include "nnapi/convert.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/default_prepared_model.h"
#include "nnapi/memory.h"

namespace nn::driver_adapter_fakes {

using hidl::hidl_handle;
using hidl::hidl_vec;
using hidl::Return;
using hidl::sp;

// ---- the device

struct PrepareCall {
    Model model{};
    ExecutionPreference preference{};
    Priority priority{};
    OptionalTimePoint deadline{};
    size_t modelFiles = 0;
    size_t dataFiles = 0;
    CacheToken token{};
};

struct ExecuteCall {
    Request request{};
    MeasureTiming measure{};
    OptionalTimePoint deadline{};
    OptionalDuration loopTimeout{};
    size_t fences = 0;
    OptionalDuration afterFences{};
};

// The results of the device. Set them before using the device; any thread may call them.
struct Script {
    std::function<GeneralResult<SharedPreparedModel>(const PrepareCall&)> prepare{};
    std::function<ExecutionResult<Executed>(const ExecuteCall&)> execute = [](const auto&) {
        return ExecutionResult<Executed>(Executed{});
    };
    std::function<GeneralResult<ExecutedFenced>(const ExecuteCall&)> fenced = [](const auto&) {
        return GeneralResult<ExecutedFenced>(error() << "no fences");
    };
    std::function<GeneralResult<SharedBurst>()> burst = [] {
        return GeneralResult<SharedBurst>(error() << "no bursts");
    };
    bool isExecutionNull = false;  // of reusable executions
    std::function<GeneralResult<std::vector<bool>>(const Model&)> support = [](const Model& model) {
        return GeneralResult<std::vector<bool>>(
                std::vector<bool>(model.main.operations.size(), true));
    };
    std::function<GeneralResult<SharedBuffer>(const BufferDesc&,
                                              const std::vector<SharedPreparedModel>&)>
            allocate = [](const auto&, const auto&) {
                return GeneralResult<SharedBuffer>(error() << "no buffers");
            };
    std::function<const Capabilities&()> capabilities = []() -> const Capabilities& {
        static const Capabilities kNone{};
        return kNone;
    };
    std::string version = "7";
    Version featureLevel = kVersionFeatureLevel4;
    DeviceType type = DeviceType::CPU;
    std::vector<Extension> extensions{};
    std::pair<uint32_t, uint32_t> files{1, 2};
};
using SharedScript = std::shared_ptr<Script>;

class FakePreparedModel final : public DefaultPreparedModel {
   public:
    explicit FakePreparedModel(SharedScript script) : mScript(std::move(script)) {}

    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint& deadline,
                                      const OptionalDuration& loopTimeout,
                                      const std::vector<TokenValuePair>&,
                                      const std::vector<ExtensionNameAndPrefix>&) const override {
        return mScript->execute({request, measure, deadline, loopTimeout, 0, {}});
    }
    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeout,
            const OptionalDuration& afterFences, const std::vector<TokenValuePair>&,
            const std::vector<ExtensionNameAndPrefix>&) const override {
        return mScript->fenced(
                {request, measure, deadline, loopTimeout, waitFor.size(), afterFences});
    }
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure, const OptionalDuration& loopTimeout,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        if (mScript->isExecutionNull) return SharedExecution();
        return DefaultPreparedModel::createReusableExecution(request, measure, loopTimeout, hints,
                                                             prefixes);
    }
    GeneralResult<SharedBurst> configureExecutionBurst() const override { return mScript->burst(); }

   private:
    SharedScript mScript;
};

class FakeDevice final : public IDevice {
   public:
    explicit FakeDevice(SharedScript script) : mScript(std::move(script)) {}

    const std::string& getName() const override { return mName; }
    const std::string& getVersionString() const override { return mScript->version; }
    Version getFeatureLevel() const override { return mScript->featureLevel; }
    DeviceType getType() const override { return mScript->type; }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return mScript->extensions;
    }
    const Capabilities& getCapabilities() const override { return mScript->capabilities(); }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        return mScript->files;
    }
    GeneralResult<void> wait() const override { return {}; }
    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        return mScript->support(model);
    }
    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>&,
            const std::vector<ExtensionNameAndPrefix>&) const override {
        return prepare({model, preference, priority, deadline, modelCache.size(), dataCache.size(),
                        token});
    }
    GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token) const override {
        return prepare({{}, {}, {}, deadline, modelCache.size(), dataCache.size(), token});
    }
    GeneralResult<SharedBuffer> allocate(const BufferDesc& desc,
                                         const std::vector<SharedPreparedModel>& preparedModels,
                                         const std::vector<BufferRole>&,
                                         const std::vector<BufferRole>&) const override {
        return mScript->allocate(desc, preparedModels);
    }

   private:
    GeneralResult<SharedPreparedModel> prepare(const PrepareCall& call) const {
        if (mScript->prepare) return mScript->prepare(call);
        return SharedPreparedModel(std::make_shared<const FakePreparedModel>(mScript));
    }

    std::string mName = "fake";
    SharedScript mScript;
};

// ---- clients

// The arguments of a notification, and its method.
struct Notification {
    std::string by{};
    int32_t status = 0;
    sp<V1_0::IPreparedModel> preparedModel{};
    hidl_vec<V1_2::OutputShape> outputShapes{};
    V1_2::Timing timing{};
};

// Notified by this method, with this code.
MATCHER_P2(Notifies, by, status,
           std::string("notifies by ") + by + " with " + std::to_string(status)) {
    *result_listener << arg.by << " with " << arg.status;
    return arg.by == by && arg.status == status;
}

// Records notifications; tests can wait for them.
class NotificationLog {
   public:
    void write(Notification notification) {
        const std::lock_guard lock(mMutex);
        mNotifications.push_back(std::move(notification));
        mChanged.notify_all();
    }
    // Waits for a notification, at most 10 s, and returns all of them.
    std::vector<Notification> wait() {
        std::unique_lock lock(mMutex);
        mChanged.wait_for(lock, std::chrono::seconds(10), [&] { return !mNotifications.empty(); });
        return mNotifications;
    }
    std::vector<Notification> now() {
        const std::lock_guard lock(mMutex);
        return mNotifications;
    }

   private:
    std::mutex mMutex{};
    std::condition_variable mChanged{};
    std::vector<Notification> mNotifications{};
};

// Records its notifications and returns the scripted result.
class PreparationClient final : public parts::PreparationCallback<PreparationClient> {
   public:
    Return<void> notified(HalVersion by, auto status,
                          const sp<V1_0::IPreparedModel>& preparedModel) {
        log.write({std::string(parts::notifyMethod(by)), static_cast<int32_t>(status),
                   preparedModel});
        return result();
    }

    NotificationLog log{};
    std::function<Return<void>()> result = [] { return hidl::Void(); };
};

class ExecutionClient final : public parts::ExecutionCallback<ExecutionClient> {
   public:
    Return<void> notified(HalVersion by, auto status, const Shapes& shapes,
                          const V1_2::Timing& timing) {
        log.write({std::string(parts::notifyMethod(by)),
                   static_cast<int32_t>(status),
                   {},
                   shapes,
                   timing});
        return result();
    }

    NotificationLog log{};
    std::function<Return<void>()> result = [] { return hidl::Void(); };
};

// ---- the methods of the versions

template <HalVersion V>
HalType<Model, V> halModel(const Model& model) {
    return unvalidatedConvertTo<V>(model).value();
}

// An open file.
inline hidl_handle openHandle(int descriptors = 1) {
    hidl::native_handle_t* native = hidl::native_handle_create(descriptors, 0);
    for (int i = 0; i < descriptors; ++i) native->data[i] = memfd_create("cache", 0);
    hidl_handle handle;
    handle.setTo(native, /*shouldOwn=*/true);
    return handle;
}

struct PrepareArguments {
    Model model = addition();
    V1_1::ExecutionPreference preference = V1_1::ExecutionPreference::FAST_SINGLE_ANSWER;
    V1_3::Priority priority = V1_3::Priority::MEDIUM;
    V1_3::OptionalTimePoint deadline{};
    hidl_vec<hidl_handle> modelCache{};
    hidl_vec<hidl_handle> dataCache{};
    V1_2::HidlToken token{};
};

struct PrepareMethod {
    const char* name;
    HalVersion version;
    bool fromCache;
    const char* notify;
    std::function<int32_t(V1_3::IDevice&, const PrepareArguments&, const sp<PreparationClient>&)>
            call;
};

// The status code of a call; -1 if the transport fails.
template <class Status>
int32_t codeOf(const Return<Status>& returned) {
    return returned.isOk() ? static_cast<int32_t>(static_cast<Status>(returned)) : -1;
}

inline const std::vector<PrepareMethod>& prepareMethods() {
    using enum HalVersion;
    static const std::vector<PrepareMethod> kMethods = {
            {"prepareModel", V1_0, false, "notify",
             [](auto& device, const auto& in, const auto& client) {
                 return codeOf(device.prepareModel(halModel<V1_0>(in.model), client));
             }},
            {"prepareModel_1_1", V1_1, false, "notify",
             [](auto& device, const auto& in, const auto& client) {
                 return codeOf(
                         device.prepareModel_1_1(halModel<V1_1>(in.model), in.preference, client));
             }},
            {"prepareModel_1_2", V1_2, false, "notify_1_2",
             [](auto& device, const auto& in, const auto& client) {
                 return codeOf(device.prepareModel_1_2(halModel<V1_2>(in.model), in.preference,
                                                       in.modelCache, in.dataCache, in.token,
                                                       client));
             }},
            {"prepareModel_1_3", V1_3, false, "notify_1_3",
             [](auto& device, const auto& in, const auto& client) {
                 return codeOf(device.prepareModel_1_3(halModel<V1_3>(in.model), in.preference,
                                                       in.priority, in.deadline, in.modelCache,
                                                       in.dataCache, in.token, client));
             }},
            {"prepareModelFromCache", V1_2, true, "notify_1_2",
             [](auto& device, const auto& in, const auto& client) {
                 return codeOf(device.prepareModelFromCache(in.modelCache, in.dataCache, in.token,
                                                            client));
             }},
            {"prepareModelFromCache_1_3", V1_3, true, "notify_1_3",
             [](auto& device, const auto& in, const auto& client) {
                 return codeOf(device.prepareModelFromCache_1_3(in.deadline, in.modelCache,
                                                                in.dataCache, in.token, client));
             }},
    };
    return kMethods;
}

struct ExecuteArguments {
    Request request{};
    V1_2::MeasureTiming measure = V1_2::MeasureTiming::NO;
    V1_3::OptionalTimePoint deadline{};
    V1_3::OptionalTimeoutDuration loopTimeout{};
};

struct ExecuteMethod {
    const char* name;
    HalVersion version;
    const char* notify;
    std::function<int32_t(V1_3::IPreparedModel&, const ExecuteArguments&,
                          const sp<ExecutionClient>&)>
            call;
};

inline const std::vector<ExecuteMethod>& executeMethods() {
    using enum HalVersion;
    static const std::vector<ExecuteMethod> kMethods = {
            {"execute", V1_0, "notify",
             [](auto& preparedModel, const auto& in, const auto& client) {
                 return codeOf(preparedModel.execute(unvalidatedConvertTo<V1_0>(in.request).value(),
                                                     client));
             }},
            {"execute_1_2", V1_2, "notify_1_2",
             [](auto& preparedModel, const auto& in, const auto& client) {
                 return codeOf(preparedModel.execute_1_2(
                         unvalidatedConvertTo<V1_2>(in.request).value(), in.measure, client));
             }},
            {"execute_1_3", V1_3, "notify_1_3",
             [](auto& preparedModel, const auto& in, const auto& client) {
                 return codeOf(preparedModel.execute_1_3(
                         unvalidatedConvertTo<V1_3>(in.request).value(), in.measure, in.deadline,
                         in.loopTimeout, client));
             }},
    };
    return kMethods;
}

// The error code as a version represents it.
inline int32_t codeIn(HalVersion version, ErrorStatus code) {
    const auto number = static_cast<int32_t>(code);
    return number > (version < HalVersion::V1_3 ? 4 : 8) ? 2 : number;
}

// ---- executors and devices

inline void runInline(const hal::adapter::Task& task, const OptionalTimePoint&) { task(); }

// Keeps the tasks until the test runs or drops them.
struct Late {
    std::vector<hal::adapter::Task> tasks{};

    hal::adapter::Executor executor() {
        return [this](hal::adapter::Task task, const OptionalTimePoint&) {
            tasks.push_back(std::move(task));
        };
    }
    void runAll() {
        for (const hal::adapter::Task& task : tasks) task();
    }
};

// The losses reported to the listener, as "call path: before becomes after".
struct Heard {
    std::mutex mutex{};
    std::vector<std::string> lines{};

    LossListener listener() {
        return [this](std::string_view call, const Losses& losses) {
            const std::lock_guard lock(mutex);
            for (const Loss& loss : losses) {
                lines.push_back(std::string(call) + " " + toString(loss));
            }
        };
    }
};

inline sp<V1_3::IDevice> adapted(const SharedScript& script,
                                 hal::adapter::Executor executor = runInline,
                                 LossListener onLoss = {}) {
    return hal::adapter::adapt(std::make_shared<const FakeDevice>(script),
                               hal::adapter::AdaptOptions{.executor = std::move(executor),
                                                          .onLoss = std::move(onLoss)})
            .value();
}

// A prepared model of the device, prepared from a model or from the cache.
inline sp<V1_3::IPreparedModel> preparedOn(V1_3::IDevice& device, bool fromCache = false,
                                           const Model& model = addition()) {
    const auto client = sp<PreparationClient>::make();
    const PrepareMethod& method = prepareMethods()[fromCache ? 5 : 3];
    EXPECT_EQ(method.call(device, {.model = model}, client), 0);
    const std::vector<Notification> notifications = client->log.wait();
    if (notifications.size() != 1 || notifications[0].preparedModel == nullptr) return nullptr;
    return V1_3::IPreparedModel::castFrom(notifications[0].preparedModel);
}

}  // namespace nn::driver_adapter_fakes
