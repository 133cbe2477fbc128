// Each fault of a device is found by a case, which says so in these words; and the reference has
// none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "device_test/cases/faulty_parts.h"
#include "environment.h"
#include "in_child.h"
#include "nnapi/device_test/device_test.h"
#include "nnapi/device_test/faulty_device.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/wrap.h"
#include "sanitized.h"
#ifdef NNAPI_HAS_XNNPACK
#include "nnapi/driver/xnnpack.h"
#endif
#ifdef NNAPI_HAS_SERVICE
#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#include "temporary_folder.h"
#endif

namespace nn::device_test_test {
namespace {

using nn::testing::DeviceCase;
using nn::testing::DeviceFault;
using nn::testing::DeviceOutcome;
using nn::testing::DeviceTestOptions;
using ::testing::Contains;
using ::testing::IsEmpty;

// Kind numbers has a test of its own. Ten devices execute in vain what kind growth executes a
// thousand times; sanitizers need no more than its least number of rounds.
const DeviceTestOptions kOptions{
        .randomModels = 5,
        .drawnModels = 0,
        .executions = kIsAddressSanitized || kIsThreadSanitized ? 200u : 1000u,
        .patience = std::chrono::milliseconds(200)};

// All cases, with those of the built-in vectors, by name.
const std::map<std::string, DeviceCase>& allCases() {
    static const auto all = [] {
        std::map<std::string, DeviceCase> cases;
        const auto add = [&](const std::vector<DeviceCase>& some) {
            for (const DeviceCase& one : some) cases[one.name] = one;
        };
        add(nn::testing::listCases(kOptions));
        for (const auto& testCase : nn::testing::builtInTestCases()) {
            add(nn::testing::listCases(testCase, kOptions));
        }
        return cases;
    }();
    return all;
}

DeviceOutcome run(const SharedDevice& device, const std::string& name) {
    const auto found = allCases().find(name);
    if (found == allCases().end()) {
        ADD_FAILURE() << "there is no case " << name;
        return {};
    }
    return nn::testing::runCase(device, found->second);
}

SharedDevice faulty(std::initializer_list<DeviceFault> faults) {
    return nn::testing::faultyDevice(referenceDevice(), faults).value();
}

struct FaultRow {
    DeviceFault fault;
    const char* name;
    const char* outcome;
};

// Rules fenced.early_callback, fenced.failed_fence, reusable.computations, cache.changed_data_file
// and cache.other_files in cases for any driver.
const FaultRow kFaults[] = {
        {DeviceFault::THROWS, "vectors/add_float/sync",
         "the device: throws out of luck, expected a result"},
        {DeviceFault::DIES_IN_EXECUTE, "vectors/add_float/sync",
         "execute: DEAD_OBJECT: the driver is gone [execution.result]"},
        {DeviceFault::HAS_NO_NAME, "basics/name", "getName: empty [wrapper.arguments]"},
        {DeviceFault::HAS_NO_VERSION, "basics/version_string",
         "getVersionString: empty [device.version_string]"},
        {DeviceFault::CHANGES_ITS_VERSION, "basics/stable",
         "getters: other values after a preparation than before it [device.getters]"},
        {DeviceFault::WANTS_33_CACHE_FILES, "basics/cache_files",
         "getNumberOfCacheFilesNeeded: the driver wants 33 files of the model cache, allowed 0 to "
         "32 [cache.number] [device.cache_files]"},
        {DeviceFault::CANNOT_WAIT, "basics/wait",
         "wait: GENERAL_FAILURE: no patience [device.wait]"},
        {DeviceFault::ANSWERS_FOR_TOO_FEW_OPERATIONS, "basics/supported_operations",
         "getSupportedOperations: 4 results, allowed 5, one for each operation of the main graph "
         "[device.supported_operations]"},
        {DeviceFault::REFUSES_WHAT_IT_SUPPORTS, "vectors/relu_float/sync",
         "prepareModel: GENERAL_FAILURE: not today [prepare.arguments]"},
        {DeviceFault::PREPARES_NULL, "vectors/relu_float/sync",
         "prepareModel: null and no error [hidl.notified_model]"},
        {DeviceFault::ACCEPTS_ANY_MODEL, "refused/model/no_operations",
         "getSupportedOperations (no_operations): succeeds, expected INVALID_ARGUMENT "
         "[device.supported_operations]"},
        {DeviceFault::ACCEPTS_ANY_PRIORITY, "refused/prepare/priority_too_large",
         "prepareModel: succeeds, expected INVALID_ARGUMENT [prepare.arguments, "
         "deadline.preparation]"},
        {DeviceFault::HOLDS_PREPARED_MODELS, "basics/released",
         "prepareModel: the device still holds the prepared model that was released "
         "[prepared_model.release]"},
        {DeviceFault::WRONG_VALUES, "vectors/conv_2d_float/sync",
         "results: output 0, element 0: 5.877471754111438e-39, expected 3 +- "
         "1.178813934326172e-05"},
        {DeviceFault::WRONG_VALUES, "vectors/conv_2d_float/burst", nullptr},
        {DeviceFault::WRONG_VALUES, "vectors/conv_2d_float/reusable", nullptr},
        {DeviceFault::WRONG_VALUES, "vectors/conv_2d_float/fenced", nullptr},
        {DeviceFault::WRONG_VALUES, "random/1000000", nullptr},
        {DeviceFault::WRONG_VALUES_THE_SECOND_TIME, "vectors/add_float/reusable", nullptr},
        {DeviceFault::WRONG_DIMENSIONS, "vectors/relu_float/sync",
         "execute: the driver reports outputShapes[0] with dimensions [2, 2, 2], allowed [2, 2], "
         "where 0 is not known beforehand [execution.shapes]"},
        {DeviceFault::NO_SHAPES, "vectors/relu_float/dynamic",
         "execute: the driver reports no output shapes, allowed where model and request say all "
         "dimensions of outputs [execution.shapes]"},
        {DeviceFault::INSUFFICIENT_SHAPES, "vectors/relu_float/dynamic",
         "execute: the driver reports outputShapes[0] as not sufficient, allowed sufficient after "
         "a success [execution.shapes]"},
        {DeviceFault::TIME_NOBODY_ASKED_FOR, "vectors/relu_float/sync",
         "execute: returns a time, allowed none where nothing is measured [execution.unmeasured]"},
        {DeviceFault::TIME_NOBODY_ASKED_FOR, "vectors/relu_float/burst",
         "the first execute of the burst: returns a time, allowed none where nothing is measured "
         "[execution.unmeasured]"},
        {DeviceFault::LONGER_ON_THE_DEVICE, "vectors/relu_float/timed",
         "execute: took 2 ns on the device, allowed at most the 1 ns in the driver "
         "[execution.timing]"},
        {DeviceFault::WRITES_INPUTS, "vectors/relu_float/sync",
         "inputs: the execution has written to input 0, first to byte 0 of pool 0 (in a burst: "
         "slot 0) [execution.inputs]"},
        {DeviceFault::WRITES_BEHIND_OUTPUTS, "vectors/relu_float/sync",
         "output 0: byte 16 of the pool was written, which is behind the output"},
        {DeviceFault::ACCEPTS_ANY_REQUEST, "refused/add_float/request",
         "execute (request with: removed): succeeds, expected INVALID_ARGUMENT [execution.result]"},
        {DeviceFault::SHAPES_WITH_FAILURES, "refused/add_float/request",
         "execute (request with: removed): fails with INVALID_ARGUMENT and 1 shapes of outputs, "
         "allowed none [execution.failure_shapes]"},
        {DeviceFault::LIES_ABOUT_SUFFICIENCY, "vectors/relu_float/insufficient", nullptr},
        {DeviceFault::KEEPS_FIRST_INPUTS, "execution/reusable_with_other_inputs", nullptr},
        {DeviceFault::MIXES_UP_THREADS, "concurrency/one_model", nullptr},
        {DeviceFault::MISSES_AMPLE_DEADLINES, "deadlines/ample/sync",
         "execute: MISSED_DEADLINE_TRANSIENT: late [deadline.execution]"},
        {DeviceFault::ENDS_LOOPS_WITH_SUCCESS, "deadlines/loop_timeout/sync",
         "execute: succeeds, expected MISSED_DEADLINE_TRANSIENT or MISSED_DEADLINE_PERSISTENT "
         "[execution.loop_timeout, deadline.endless_loop]"},
        {DeviceFault::FENCE_IN_ERROR, "vectors/relu_float/fenced",
         "fence: is in error after 200 ms, expected signaled [fenced.result]"},
        {DeviceFault::FENCE_NEVER_SIGNALLED, "vectors/relu_float/fenced",
         "fence: is not signaled after 200 ms, expected signaled [fenced.result]"},
        {DeviceFault::NO_CALLBACK, "vectors/relu_float/fenced",
         "executeFenced: no callback for the timing [fenced.result]"},
        {DeviceFault::DOES_NOT_WAIT_FOR_FENCES, "execution/fence_in_error", nullptr},
        {DeviceFault::FENCED_WITH_UNKNOWN_SHAPES, "vectors/relu_float/fenced_dynamic",
         "executeFenced: succeeds, expected INVALID_ARGUMENT [fenced.open_outputs]"},
        {DeviceFault::LOADS_ANYTHING, "cache/flipped_bit/model0",
         "prepareModelFromCache: succeeds, expected INVALID_ARGUMENT or GENERAL_FAILURE (change 1 "
         "of 24) [cache.changed_model_file]"},
        {DeviceFault::LOADS_ANYTHING, "cache/wrong_token",
         "prepareModelFromCache: succeeds, expected INVALID_ARGUMENT or GENERAL_FAILURE "
         "[cache.other_token]"},
        {DeviceFault::LOADS_ANYTHING, "cache/other_compilation", nullptr},
        {DeviceFault::LOADS_ANYTHING, "cache/loaded_with_wrong_count/model_one_more", nullptr},
        {DeviceFault::LOADS_ANYTHING, "cache/loaded_write_only", nullptr},
        {DeviceFault::FAILS_WITH_CACHE_FILES, "cache/saved",
         "prepareModel with cache files: GENERAL_FAILURE: no room for a cache [prepare.arguments, "
         "cache.save]"},
        {DeviceFault::ALLOCATES_TOKEN_0, "memory/tokens",
         "allocate: null or token 0, and no error [buffer.token]"},
        {DeviceFault::ALLOCATES_FOR_ANYBODY, "memory/allocate/foreign_model",
         "allocate: succeeds, expected INVALID_ARGUMENT [memory.refused_allocations]"},
        {DeviceFault::ALLOCATES_FOR_ANYBODY, "memory/copies",
         "copyTo of what has no value: succeeds, expected GENERAL_FAILURE [memory.value, "
         "memory.copy_to]"},
};

TEST(DeviceTest, FindsFaults) {
    for (const FaultRow& row : kFaults) {
        const auto fault = nn::testing::toString(row.fault);
        const DeviceOutcome outcome = run(faulty({row.fault}), row.name);
        EXPECT_EQ(outcome.result, DeviceOutcome::Result::FAILED) << fault << " " << row.name;
        if (row.outcome != nullptr) {
            EXPECT_EQ(toString(outcome), row.outcome) << fault << " " << row.name;
        }
    }
}

// The same cases pass where the fault is not there.
TEST(DeviceTest, FindsNoFaultInADeviceWithout) {
    for (const FaultRow& row : kFaults) {
        EXPECT_NE(run(faulty({}), row.name).result, DeviceOutcome::Result::FAILED) << row.name;
    }
}

TEST(DeviceTest, SaysTheFirstDifference) {
    const DeviceOutcome outcome =
            run(faulty({DeviceFault::WRONG_VALUES}), "vectors/conv_2d_float/sync");
    ASSERT_TRUE(outcome.firstDifference);
    EXPECT_EQ(*outcome.firstDifference,
              (DeviceOutcome::Difference{.output = 0,
                                         .type = OperandType::TENSOR_FLOAT32,
                                         .element = 0,
                                         .expected = 3,
                                         .actual = 0x1p-127}));
}

#ifdef NNAPI_HAS_SERVICE
// A device behind a socket of this process: a Unix socket, which transfers descriptors, or TCP,
// which transfers bytes.
struct Served {
    Served(const SharedDevice& real, const std::string& address)
        : server(service::serve({real}, address, {.insecurePlainTcp = true}).value()),
          device(service::connect(server->address(), {.connectTimeout = std::chrono::minutes(1),
                                                      .heartbeat = std::chrono::minutes(1),
                                                      .insecurePlainTcp = true})
                         .value()) {}
    std::unique_ptr<service::Server> server;
    SharedDevice device;
};
#endif

// Every case for the reference, directly, through each HAL version and behind sockets, and for
// XNNPACK; in presets where that takes too long, each case on every n-th of these devices, in turn.
// Among others, rules server.validation, deadline.between_operations and deadline.endless_loop.
TEST(DeviceTest, TheReferencePasses) {
    const SharedDevice reference = referenceDevice();
    const auto driver = hal::adapter::adapt(reference).value();
    const auto throughAidl = [&](HalVersion version) {
        return wrap(std::string(titleOf(version)),
                    hal::adapter::adaptAidl(reference, version).value())
                .value();
    };
    // Fences that are signaled later, too.
    const SharedDevice early = referenceDevice({.fencedThreads = 2});
    std::vector<SharedDevice> devices = {reference,
                                         early,
                                         V1_0::utils::Device::create("1.0", driver).value(),
                                         V1_1::utils::Device::create("1.1", driver).value(),
                                         V1_2::utils::Device::create("1.2", driver).value(),
                                         V1_3::utils::Device::create("1.3", driver).value(),
                                         throughAidl(HalVersion::AIDL1),
                                         throughAidl(HalVersion::AIDL2),
                                         throughAidl(HalVersion::AIDL3),
                                         throughAidl(HalVersion::AIDL4)};
#ifdef NNAPI_HAS_XNNPACK
    devices.push_back(xnnpackDevice());
#endif
    const size_t served = devices.size();
#ifdef NNAPI_HAS_SERVICE
    const TemporaryFolder folder;
    const Served byUnixSocket(early, "unix:" + (folder / "socket").string());
    const Served byTcp(early, "127.0.0.1:0");
    devices.insert(devices.end(), {byUnixSocket.device, byTcp.device});
#endif
    const uint64_t share = fromEnvironment("NNAPI_DEVICE_SHARE", 1);
    for (size_t i = 0; i < devices.size(); ++i) {
        const SharedDevice& device = devices[i];
        size_t passed = 0;
        uint64_t turn = i;
        for (const auto& [name, one] : allCases()) {
            if (turn++ % share != 0) continue;
            if (name.find("loop_default") != std::string::npos) continue;  // takes 2 s
            // What grows may be the server's, which has threads of its own in this process.
            if (i >= served && name.starts_with("growth/")) continue;
            const DeviceOutcome outcome = nn::testing::runCase(device, one);
            EXPECT_NE(outcome.result, DeviceOutcome::Result::FAILED)
                    << device->getName() << " " << name << ": " << toString(outcome);
            passed += outcome.result == DeviceOutcome::Result::PASSED ? 1 : 0;
        }
        EXPECT_GE(passed, 90 / share) << device->getName();
    }
}

struct LackRow {
    const char* name;
    const char* message;
};

// A missing optional feature is neither a success nor a failure.
TEST(DeviceTest, TellsWhatIsNotSupported) {
    const LackRow kRows[] = {
            {"vectors/relu_float/sync", "RELU"},
            {"vectors/relu_float/device_memory", "RELU"},
            {"cache/loaded", "caching"},
            {"memory/tokens", "memory of the device (the device has no memory of its own)"},
    };
    const SharedDevice device = faulty({DeviceFault::SUPPORTS_ONLY_ADD, DeviceFault::HAS_NO_CACHE,
                                        DeviceFault::HAS_NO_MEMORY});
    for (const LackRow& row : kRows) {
        const DeviceOutcome outcome = run(device, row.name);
        EXPECT_EQ(outcome.result, DeviceOutcome::Result::NOT_SUPPORTED) << row.name;
        EXPECT_EQ(outcome.message, row.message) << row.name;
    }
    const auto old = referenceDevice({.featureLevel = kVersionFeatureLevel3});
    EXPECT_EQ(run(old, "deadlines/loop_timeout/sync").message,
              "needs HAL 1.3, the device has HAL 1.2");
    EXPECT_EQ(run(faulty({DeviceFault::LOADS_NOTHING}), "cache/flipped_bit/model0").message,
              "caching of this model (nothing was saved)");
}

TEST(DeviceTest, ListsTheSameCasesForTheSameOptions) {
    const auto namesOf = [](const DeviceTestOptions& options) {
        std::vector<std::string> names;
        for (const DeviceCase& one : nn::testing::listCases(options)) names.push_back(one.name);
        return names;
    };
    EXPECT_EQ(namesOf(kOptions), namesOf(kOptions));
    EXPECT_THAT(namesOf({.seed = 70, .randomModels = 1}), Contains("random/70000000"));
    // The seed of one model begins a window, too.
    EXPECT_THAT(namesOf({.seed = 70'000'003, .randomModels = 1}), Contains("random/70000003"));
    EXPECT_THAT(namesOf({.seed = 70}), Contains("random/70000499"));
    const auto names = namesOf(kOptions);
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size())
            << "two cases have one name";
}

TEST(DeviceTest, AcceptsAnyInput) {
    EXPECT_EQ(nn::testing::runCase(nullptr, allCases().begin()->second).code,
              ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(nn::testing::runCase(referenceDevice(), {}).code, ErrorStatus::INVALID_ARGUMENT);
    EXPECT_THAT(nn::testing::listCases(nullptr), IsEmpty());
    // A test case that does not fit its own model.
    auto odd = std::make_shared<TestCase>(*nn::testing::builtInTestCases().front());
    odd->inputs.clear();
    const auto cases = nn::testing::listCases(odd, kOptions);
    ASSERT_FALSE(cases.empty());
    EXPECT_EQ(toString(nn::testing::runCase(referenceDevice(), cases.front())),
              "the test case: has not as many values as its model inputs and outputs");
    odd->model.main.outputIndexes = {4711};
    for (const DeviceCase& one : nn::testing::listCases(odd, kOptions)) {
        EXPECT_NE(nn::testing::runCase(referenceDevice(), one).result,
                  DeviceOutcome::Result::PASSED)
                << one.name;
    }
}

TEST(EndBy, EndsByTheSignalOnAThreadThatBlocksIt) {
    for (const int number : {SIGABRT, SIGSEGV}) {
        EXPECT_EQ(inChild([&]() -> int {
                      sigset_t all;
                      sigfillset(&all);
                      pthread_sigmask(SIG_BLOCK, &all, nullptr);
                      nn::testing::endBy(number);
                  }),
                  256 + number);
    }
}

// The criteria of an operation replace the usual ones; of several that fit, the widest counts.
TEST(DeviceTest, TolerancesOfOperations) {
    DeviceTestOptions options;
    const auto passes = [&] {
        for (const auto& testCase : nn::testing::builtInTestCases()) {
            if (testCase->name != "conv_2d_float") continue;
            const auto cases = nn::testing::listCases(testCase, options);
            return nn::testing::runCase(faulty({DeviceFault::WRONG_VALUES}), cases.front())
                           .result == DeviceOutcome::Result::PASSED;
        }
        return false;
    };
    const auto row = [](std::optional<OperationType> operation, OperandType type, double absolute) {
        return nn::testing::OperationTolerance{
                .operation = operation, .type = type, .tolerance = {.absolute = absolute}};
    };
    EXPECT_FALSE(passes());
    options.tolerances = {row(OperationType::ADD, OperandType::TENSOR_FLOAT32, 100)};
    EXPECT_FALSE(passes());
    options.tolerances = {row(OperationType::CONV_2D, OperandType::TENSOR_QUANT8_ASYMM, 100)};
    EXPECT_FALSE(passes());
    options.tolerances = {row(OperationType::CONV_2D, OperandType::TENSOR_FLOAT32, 100)};
    EXPECT_TRUE(passes());
    options.tolerances = {row({}, OperandType::TENSOR_FLOAT32, 100),
                          row(OperationType::CONV_2D, OperandType::TENSOR_FLOAT32, 1)};
    EXPECT_TRUE(passes());
}

}  // namespace
}  // namespace nn::device_test_test
