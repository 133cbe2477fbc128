// Runs all test vectors on the reference device, and on drivers of each version made from it,
// through each execution path: the bits are those of the interpreter, or the call fails as the
// rules require.
#include <fmt/format.h>

#include <map>

#include "environment.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/registry.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/validate.h"
#include "vectors.h"
#ifdef NNAPI_HAS_SERVICE
#include <unistd.h>

#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#endif

namespace nn::device_test {
namespace {

// The values of an execution: the given inputs, and buffers for outputs of these dimensions.
struct Values {
    std::vector<std::vector<uint8_t>> inputs{}, outputs{};
    Request request{};

    Values(const std::vector<Tensor>& given, const std::vector<Tensor>& results) {
        for (const Tensor& tensor : given) {
            inputs.push_back(tensor.data);
            request.inputs.push_back(argument(tensor, inputs.back()));
        }
        for (const Tensor& tensor : results) {
            outputs.emplace_back(tensor.data.size());
            request.outputs.push_back(argument(tensor, outputs.back()));
            request.outputs.back().dimensions.clear();
        }
    }

    // One byte for a tensor without elements, since an argument must have a length.
    static Request::Argument argument(const Tensor& tensor, std::vector<uint8_t>& bytes) {
        using LifeTime = Request::Argument::LifeTime;
        if (tensor.hasNoValue) return {.lifetime = LifeTime::NO_VALUE};
        if (bytes.empty()) bytes.resize(1);
        return {.lifetime = LifeTime::POINTER,
                .location = {.pointer = static_cast<void*>(bytes.data()),
                             .length = static_cast<uint32_t>(bytes.size())},
                .dimensions = tensor.dimensions};
    }

    void clear() {
        for (auto& bytes : outputs) std::fill(bytes.begin(), bytes.end(), uint8_t{0xa5});
    }
    bool holds(const std::vector<Tensor>& results) const {
        for (size_t i = 0; i < results.size(); ++i) {
            const auto& bytes = results[i].data;
            if (!std::equal(bytes.begin(), bytes.end(), outputs[i].begin())) return false;
        }
        return true;
    }
};

using Counts = std::map<std::string, int>;

// Counts the outcomes of each device and path.
class Tally {
   public:
    explicit Tally(const Values& values, const std::vector<Tensor>& results, Counts& counts)
        : mValues(values), mResults(results), mCounts(counts) {}

    template <class R>
    void add(const std::string& path, const std::string& name, const R& result) {
        if (!result.has_value()) {
            ++mCounts[path + " " + toString(result.error().code)];
        } else if (mValues.holds(mResults)) {
            ++mCounts[path + " equal"];
        } else {
            ADD_FAILURE() << path << " " << name << " differs from the interpreter";
        }
    }

   private:
    const Values& mValues;
    const std::vector<Tensor>& mResults;
    Counts& mCounts;
};

GeneralResult<SharedPreparedModel> prepareOn(const IDevice& device, const Model& model) {
    return device.prepareModel(model, ExecutionPreference::DEFAULT, Priority::DEFAULT, {}, {}, {},
                               {}, {}, {});
}

// A device, and the models that it accepts.
struct TestedDevice {
    std::string name;
    Version carries;
    SharedDevice device;
};

std::vector<TestedDevice> devices() {
    const SharedDevice reference = referenceDevice();
    const hidl::sp<V1_3::IDevice> driver = hal::adapter::adapt(reference).value();
    const auto wrapped = [](const GeneralResult<SharedDevice>& device) { return device.value(); };
    const auto throughAidl = [&](HalVersion version) {
        const auto aidl = hal::adapter::adaptAidl(reference, version).value();
        const std::string name(toString(version));
        return TestedDevice{name, toVersion(version), wrapped(wrap(name, aidl))};
    };
    return {{"canonical", kNewestVersion, reference},
            {"1.0", kVersionFeatureLevel1, wrapped(V1_0::utils::Device::create("1.0", driver))},
            {"1.1", kVersionFeatureLevel2, wrapped(V1_1::utils::Device::create("1.1", driver))},
            {"1.2", kVersionFeatureLevel3, wrapped(V1_2::utils::Device::create("1.2", driver))},
            {"1.3", kVersionFeatureLevel4, wrapped(V1_3::utils::Device::create("1.3", driver))},
            throughAidl(HalVersion::AIDL1),
            throughAidl(HalVersion::AIDL2),
            throughAidl(HalVersion::AIDL4),
            // The interpreter behind the table of a support library.
            {"support library", kNewestVersion,
             wrapped(DeviceRegistry().open(NNAPI_SUPPORT_LIBRARY ":nnapi-sample_sl"))}};
}

#ifdef NNAPI_HAS_SERVICE
// The same device behind a socket.
struct Served {
    const std::string address = fmt::format("unix:/tmp/nnapi-vectors-{}", getpid());
    std::unique_ptr<service::Server> server = service::serve({referenceDevice()}, address).value();
    TestedDevice device{"service", kNewestVersion,
                        service::connect(address, {.connectTimeout = std::chrono::minutes(1),
                                                   .heartbeat = std::chrono::minutes(1)})
                                .value()};
};
#endif

void executeByEachPath(const TestedDevice& device, const TestCase& testCase,
                       const std::vector<Tensor>& results, const OptionalDuration& loopTimeout,
                       Counts& counts) {
    constexpr auto kNo = MeasureTiming::NO;
    const auto model = prepareOn(*device.device, testCase.model);
    ASSERT_TRUE(model.has_value()) << device.name << " " << testCase.name << model.error().message;
    Values values(testCase.inputs, results);
    Tally tally(values, results, counts);
    const Request& request = values.request;
    const auto& shared = *model;
    const auto add = [&](const std::string& path, const auto& execute) {
        values.clear();
        tally.add(device.name + " " + path, testCase.name, execute());
    };
    add("execute", [&] { return shared->execute(request, kNo, {}, loopTimeout, {}, {}); });

    const auto execution = shared->createReusableExecution(request, kNo, loopTimeout, {}, {});
    ASSERT_TRUE(execution.has_value()) << device.name << testCase.name << execution.error().message;
    add("compute", [&] { return (*execution)->compute({}); });
    add("compute again", [&] { return (*execution)->compute({}); });

    const auto burst = shared->configureExecutionBurst();
    ASSERT_TRUE(burst.has_value()) << device.name << testCase.name << burst.error().message;
    add("burst", [&] { return (*burst)->execute(request, kNo, {}, loopTimeout, {}, {}); });

    // Some devices compute in a thread of their own.
    const auto ended = [&](GeneralResult<ExecutedFenced> launched) {
        if (launched.has_value() && launched->first.hasFd()) {
            EXPECT_EQ(launched->first.syncWait(std::chrono::minutes(1)),
                      SyncFence::FenceState::SIGNALED)
                    << device.name << testCase.name;
        }
        return launched;
    };
    add("fenced", [&] {
        return ended(shared->executeFenced(request, {}, kNo, {}, loopTimeout, {}, {}, {}));
    });
    add("compute fenced", [&] { return ended((*execution)->computeFenced({}, {}, {})); });
}

// Rules wrapper.v1_0_execute, wrapper.synchronous, wrapper.fenced, wrapper.reusable_fenced,
// wrapper.burst and adapter.lifetime.
TEST(Device, GivesTheBitsOfTheInterpreterByEachWayInEachVersion) {
    const OptionalDuration loopTimeout = std::chrono::milliseconds(200);
    std::vector<TestedDevice> devicesToTest = devices();
#ifdef NNAPI_HAS_SERVICE
    const Served served;
    devicesToTest.push_back(served.device);
#endif
    // In presets where the full test takes too long, each vector runs on every n-th device in turn.
    const uint64_t share = fromEnvironment("NNAPI_DEVICE_SHARE", 1);
    uint64_t turn = 0;
    Counts counts;
    forEachVector([&](const TestCase& testCase) {
        ++turn;
        const auto reference = prepare(testCase.model);
        const auto results = reference.ok()
                                     ? reference->run(testCase.inputs, {.loopTimeout = loopTimeout})
                                     : Result<std::vector<Tensor>>(reference.status());
        for (size_t i = turn % share; i < devicesToTest.size(); i += share) {
            const TestedDevice& device = devicesToTest[i];
            if (!reference.ok() || !validateFor(testCase.model, device.carries).ok()) {
                // INVALID_ARGUMENT if validation rejects the model or its features, GENERAL_FAILURE
                // if only the interpreter fails to prepare it.
                const auto refused = prepareOn(*device.device, testCase.model);
                ++counts[device.name + " not prepared " + toString(refused.error().code)];
                EXPECT_FALSE(refused.has_value()) << device.name << " " << testCase.name;
            } else if (!results.ok()) {
                ++counts[device.name + " not executed"];
                EXPECT_TRUE(testCase.expectFailure) << testCase.name;
            } else {
                executeByEachPath(device, testCase, *results, loopTimeout, counts);
            }
        }
    });
    // Counts of all vectors: those that execute, with equal bits in each path; those that fail in
    // preparation (by validation or the version; by the interpreter); those that fail in execution;
    // and those that fenced executions reject. Fences exist in HAL 1.3 and AIDL, and only for
    // outputs that have elements and whose size the model and the request specify.
    struct Row {
        const char* device;
        int equal, refused, cannotRun, fail;
        ErrorStatus fencedCode;
        int fencedRefused;
    };
    using enum ErrorStatus;
    constexpr Row kRows[] = {
            {"canonical", 6573, 5, 40, 5, INVALID_ARGUMENT, 163},
            {"1.0", 409, 6214, 0, 0, GENERAL_FAILURE, 409},
            {"1.1", 593, 6030, 0, 0, GENERAL_FAILURE, 593},
            {"1.2", 4484, 2099, 40, 0, GENERAL_FAILURE, 4484},
            {"1.3", 6408, 170, 40, 5, INVALID_ARGUMENT, 163},
            {"aidl1", 6408, 170, 40, 5, INVALID_ARGUMENT, 163},
            {"aidl2", 6483, 95, 40, 5, INVALID_ARGUMENT, 163},
            {"aidl4", 6573, 5, 40, 5, INVALID_ARGUMENT, 163},
            // If only the interpreter fails to prepare a model, a plan fails for lack of a device.
            {"support library", 6573, 45, 0, 5, INVALID_ARGUMENT, 163},
#ifdef NNAPI_HAS_SERVICE
            {"service", 6573, 5, 40, 5, INVALID_ARGUMENT, 163},
#endif
    };
    Counts expected;
    for (const Row& row : kRows) {
        const auto expect = [&](const std::string& what, int count) {
            if (count != 0) expected[std::string(row.device) + " " + what] = count;
        };
        for (const char* path : {"execute", "compute", "compute again", "burst"}) {
            expect(std::string(path) + " equal", row.equal);
        }
        for (const char* path : {"fenced", "compute fenced"}) {
            expect(std::string(path) + " equal", row.equal - row.fencedRefused);
            expect(std::string(path) + " " + toString(row.fencedCode), row.fencedRefused);
        }
        expect("not prepared INVALID_ARGUMENT", row.refused);
        expect("not prepared GENERAL_FAILURE", row.cannotRun);
        expect("not executed", row.fail);
    }
    if (share == 1) {
        EXPECT_EQ(counts, expected);
        return;
    }
    for (const auto& [what, count] : counts) EXPECT_LE(count, expected[what]) << what;
    for (const auto& [what, count] : expected) {
        EXPECT_TRUE(counts[what] > 0 || count <= 100) << what;
    }
}

}  // namespace
}  // namespace nn::device_test
