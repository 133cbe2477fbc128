// Rules of nnapi/driver/forwarding.h and nnapi/driver/default_prepared_model.h.
#include "nnapi/driver/forwarding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "driver/models.h"
#include "nnapi/driver/default_burst.h"
#include "nnapi/driver/default_prepared_model.h"
#include "nnapi/driver/invalid.h"
#include "nnapi/driver/reference.h"

namespace nn::forwarding_test {
namespace {

using hal::utils::InvalidBuffer;
using hal::utils::InvalidBurst;
using hal::utils::InvalidDevice;
using hal::utils::InvalidExecution;
using hal::utils::InvalidPreparedModel;

constexpr char kWhy[] = "the inner object has returned";

template <class Returned>
std::string messageOf(const Returned& result) {
    return result.has_value() ? "success" : result.error().message;
}

// ---- methods that are not overridden forward to the inner object

TEST(Forwarding, FailuresAreThoseOfTheInnerObject) {
    const ForwardingDevice device(std::make_shared<const InvalidDevice>(
            "npu", "1.2", kVersionFeatureLevel5, DeviceType::GPU, std::vector<Extension>(3),
            Capabilities{}, std::pair(4u, 5u), kWhy));
    const ForwardingPreparedModel model(std::make_shared<const InvalidPreparedModel>(kWhy));
    const ForwardingExecution execution(std::make_shared<const InvalidExecution>(kWhy));
    const ForwardingBurst burst(std::make_shared<const InvalidBurst>(kWhy));
    const ForwardingBuffer buffer(std::make_shared<const InvalidBuffer>(kWhy));
    const struct {
        const char* method;
        std::string message;
    } kRows[] = {
            {"IDevice::wait", messageOf(device.wait())},
            {"IDevice::getSupportedOperations", messageOf(device.getSupportedOperations({}))},
            {"IDevice::prepareModel",
             messageOf(device.prepareModel({}, {}, {}, {}, {}, {}, {}, {}, {}))},
            {"IDevice::prepareModelFromCache",
             messageOf(device.prepareModelFromCache({}, {}, {}, {}))},
            {"IDevice::allocate", messageOf(device.allocate({}, {}, {}, {}))},
            {"IPreparedModel::execute", messageOf(model.execute({}, {}, {}, {}, {}, {}))},
            {"IPreparedModel::executeFenced",
             messageOf(model.executeFenced({}, {}, {}, {}, {}, {}, {}, {}))},
            {"IPreparedModel::createReusableExecution",
             messageOf(model.createReusableExecution({}, {}, {}, {}, {}))},
            {"IPreparedModel::configureExecutionBurst", messageOf(model.configureExecutionBurst())},
            {"IExecution::compute", messageOf(execution.compute({}))},
            {"IExecution::computeFenced", messageOf(execution.computeFenced({}, {}, {}))},
            {"IBurst::execute", messageOf(burst.execute({}, {}, {}, {}, {}, {}))},
            {"IBurst::createReusableExecution",
             messageOf(burst.createReusableExecution({}, {}, {}, {}, {}))},
            {"IBuffer::copyTo", messageOf(buffer.copyTo({}))},
            {"IBuffer::copyFrom", messageOf(buffer.copyFrom({}, {}))},
    };
    for (const auto& row : kRows) EXPECT_EQ(row.message, kWhy) << row.method;
    EXPECT_EQ(device.getName(), "npu");
    EXPECT_EQ(device.getVersionString(), "1.2");
    EXPECT_EQ(device.getFeatureLevel(), kVersionFeatureLevel5);
    EXPECT_EQ(device.getType(), DeviceType::GPU);
    EXPECT_EQ(&device.getSupportedExtensions(), &device.inner()->getSupportedExtensions());
    EXPECT_EQ(&device.getCapabilities(), &device.inner()->getCapabilities());
    EXPECT_EQ(device.getNumberOfCacheFilesNeeded(), std::pair(4u, 5u));
    EXPECT_EQ(burst.cacheMemory({}), nullptr);
    EXPECT_EQ(buffer.getToken(), buffer.inner()->getToken());
}

// A hook wraps each object that is created, and unwraps it for allocate.
class Marked final : public ForwardingPreparedModel {
   public:
    using ForwardingPreparedModel::ForwardingPreparedModel;
    class Execution final : public ForwardingExecution {
        using ForwardingExecution::ForwardingExecution;
    };
    class Burst final : public ForwardingBurst {
        using ForwardingBurst::ForwardingBurst;
        SharedExecution wrapExecution(SharedExecution made) const override {
            return std::make_shared<const Execution>(std::move(made));
        }
    };

   protected:
    SharedExecution wrapExecution(SharedExecution made) const override {
        return std::make_shared<const Execution>(std::move(made));
    }
    SharedBurst wrapBurst(SharedBurst made) const override {
        return std::make_shared<const Burst>(std::move(made));
    }
};

class MarkedDevice : public ForwardingDevice {
   public:
    using ForwardingDevice::ForwardingDevice;
    class Buffer final : public ForwardingBuffer {
        using ForwardingBuffer::ForwardingBuffer;
    };

   protected:
    SharedPreparedModel wrapPreparedModel(SharedPreparedModel made) const override {
        return std::make_shared<const Marked>(std::move(made));
    }
    SharedPreparedModel unwrapPreparedModel(SharedPreparedModel given) const override {
        return innerOf<Marked>(std::move(given));
    }
    SharedBuffer wrapBuffer(SharedBuffer made) const override {
        return std::make_shared<const Buffer>(std::move(made));
    }
};

template <class Wrapper, class Object>
bool is(const std::shared_ptr<const Object>& object) {
    return dynamic_cast<const Wrapper*>(object.get()) != nullptr;
}

TEST(Forwarding, HooksWrapWhatIsMade) {
    const SharedDevice device = std::make_shared<const MarkedDevice>(referenceDevice());
    const SharedPreparedModel model = prepareOn(*device, addition()).value();
    EXPECT_TRUE(is<Marked>(model));
    Sum add;
    const auto execution = reusableOn(*model, add.request()).value();
    EXPECT_TRUE(is<Marked::Execution>(execution));
    EXPECT_TRUE(execution->compute({}).has_value());
    const SharedBurst burst = model->configureExecutionBurst().value();
    EXPECT_TRUE(is<Marked::Burst>(burst));
    EXPECT_TRUE(is<Marked::Execution>(reusableOn(*burst, add.request()).value()));
    // The reference device rejects prepared models of other devices, and null.
    const std::vector<BufferRole> role = {{.modelIndex = 0, .ioIndex = 0, .probability = 1.f}};
    EXPECT_TRUE(is<MarkedDevice::Buffer>(device->allocate({}, {model}, role, {}).value()));
    EXPECT_FALSE(device->allocate({}, {nullptr}, role, {}).has_value());
}

// A device that returns null everywhere.
class NullPreparedModel final : public ForwardingPreparedModel {
   public:
    NullPreparedModel() : ForwardingPreparedModel(std::make_shared<const InvalidPreparedModel>()) {}
    GeneralResult<SharedExecution> createReusableExecution(
            const Request&, MeasureTiming, const OptionalDuration&,
            const std::vector<TokenValuePair>&,
            const std::vector<ExtensionNameAndPrefix>&) const override {
        return SharedExecution();
    }
    GeneralResult<SharedBurst> configureExecutionBurst() const override { return SharedBurst(); }
};

TEST(Forwarding, NullIsNotWrapped) {
    const Marked model(std::make_shared<const NullPreparedModel>());
    EXPECT_EQ(model.createReusableExecution({}, {}, {}, {}, {}).value(), nullptr);
    EXPECT_EQ(model.configureExecutionBurst().value(), nullptr);
    const auto burst =
            std::make_shared<const DefaultBurst>(std::make_shared<const NullPreparedModel>());
    EXPECT_EQ(reusableOn(*burst, {}).value(), nullptr);
    EXPECT_EQ(innerOf<Marked>(SharedPreparedModel()), nullptr);
}

// ---- prepared models that implement only execute()

class CountedPreparedModel final : public DefaultPreparedModel {
   public:
    ExecutionResult<Executed> execute(const Request&, MeasureTiming,
                                      const OptionalTimePoint& deadline, const OptionalDuration&,
                                      const std::vector<TokenValuePair>&,
                                      const std::vector<ExtensionNameAndPrefix>&) const override {
        if (hasDeadlinePassed(deadline)) return error(ErrorStatus::MISSED_DEADLINE_TRANSIENT);
        ++executions;
        return Executed{};
    }
    mutable std::atomic<int> executions = 0;
};

TEST(DefaultPreparedModel, ExecutesEveryPathByExecute) {  // rule reusable.default
    const auto model = std::make_shared<const CountedPreparedModel>();
    const auto execution = reusableOn(*model, {}).value();
    const auto burst = model->configureExecutionBurst().value();
    const auto ofBurst = reusableOn(*burst, {}).value();
    const struct {
        const char* path;
        bool succeeds;
    } kRows[] = {
            {"execute", executeOn(*model, {}).has_value()},
            {"executeFenced", executeFencedOn(*model, {}).has_value()},
            {"compute", execution->compute({}).has_value()},
            {"computeFenced", execution->computeFenced({}, {}, {}).has_value()},
            {"burst", executeOn(*burst, {}).has_value()},
            {"execution of a burst", ofBurst->compute({}).has_value()},
    };
    for (const auto& row : kRows) EXPECT_TRUE(row.succeeds) << row.path;
    EXPECT_EQ(model->executions, static_cast<int>(std::size(kRows)));
    EXPECT_FALSE(execution->compute(TimePoint()).has_value());
    EXPECT_FALSE(model->getUnderlyingResource().has_value());
}

}  // namespace
}  // namespace nn::forwarding_test
