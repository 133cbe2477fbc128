// Results are bit-identical, whatever device executes an operation.
#include <fmt/format.h>

#include <sys/mman.h>

#include "device_test/cases/arguments.h"
#include "device_test/cases/execution_paths.h"
#include "device_test/cases/prepared_case.h"
#include "environment.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/interpreter.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "runtime/plan_devices.h"
#include "vectors.h"

namespace nn::runtime::plan_property_test {
namespace {

using nn::testing::Arguments;
using nn::testing::ExecutionPath;
using nn::testing::kExecutionPaths;

// The result of one execution, with the bits of all outputs.
struct PathResult {
    ErrorStatus code = ErrorStatus::NONE;
    std::string message{};
    std::vector<Tensor> outputs{};
};

PathResult resultOf(const IPreparedModel& prepared, ExecutionPath path, const Model& model,
                    const TestCase& testCase) {
    Result<Arguments> arguments = nn::testing::argumentsFor(model, testCase);
    if (!arguments.ok()) return {ErrorStatus::GENERAL_FAILURE, arguments.status().ToString()};
    // Some vectors are infinite loops.
    const auto executed = nn::testing::executeBy(path, prepared, arguments->request(),
                                                 {.loopTimeout = std::chrono::milliseconds(200)});
    if (const auto failure = arguments->checkUntouched()) {
        return {ErrorStatus::GENERAL_FAILURE, nn::testing::toString(*failure)};
    }
    if (!executed.has_value()) return {executed.error().code, executed.error().message};
    return {.outputs = arguments->outputs(executed->first, nn::testing::outputTypes(model))};
}

// Compares a partitioning among devices with one device, in every way of executing.
struct Comparison {
    int models = 0, compared = 0, compounds = 0, steps = 0, loops = 0, dynamic = 0, failures = 0;

    void compare(const TestCase& testCase, const IPreparedModel& whole,
                 const IPreparedModel& divided) {
        ++models;
        const PathResult expected = resultOf(whole, ExecutionPath::SYNC, testCase.model, testCase);
        for (const ExecutionPath path : kExecutionPaths) {
            if (path == ExecutionPath::FENCED && !nn::testing::areOutputsSpecified(testCase.model))
                continue;
            const PathResult found = resultOf(divided, path, testCase.model, testCase);
            const std::string where = fmt::format("{} {}", testCase.name, nameOf(path));
            if (expected.code != ErrorStatus::NONE) {
                EXPECT_NE(found.code, ErrorStatus::NONE) << where << ": " << expected.message;
                ++failures;
                continue;
            }
            ASSERT_EQ(found.code, ErrorStatus::NONE) << where << ": " << found.message;
            ASSERT_EQ(found.outputs.size(), expected.outputs.size()) << where;
            for (size_t i = 0; i < expected.outputs.size(); ++i) {
                ASSERT_EQ(found.outputs[i].dimensions, expected.outputs[i].dimensions)
                        << where << " output " << i;
                ASSERT_EQ(found.outputs[i].data, expected.outputs[i].data)
                        << where << " output " << i;
            }
            ++compared;
        }
    }
    void print(const std::string& what) const {
        fmt::print(
                "{}: {} models, {} executions equal, {} refused by both, {} compound plans of {} "
                "steps, {} that interpret control flow, {} with values of unknown size\n",
                what, models, compared, failures, compounds, steps, loops, dynamic);
    }
};

TestCase randomCase(uint64_t seed) {
    std::mt19937_64 dice(seed);
    std::vector<uint8_t> bytes(1 << 14);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(dice());
    nn::testing::Source source(bytes);
    TestCase made{.name = fmt::format("random {}", seed)};
    made.model = nn::testing::validModel(source, {.version = HalVersion::V1_3,
                                                  .maxOperations = 12,
                                                  .executable = true,
                                                  .unknownDimensions = seed % 2 == 0});
    made.inputs = nn::testing::anyInputs(source, made.model);
    return made;
}

bool hasControlFlow(const Model& model) { return !model.referenced.empty(); }

TEST(PlanProperty, AnyAssignmentOfRandomModels) {
    const uint64_t models = fromEnvironment("NNAPI_PROPERTY_CASES", 1500);
    const SharedDevice reference = referenceDevice();
    Comparison all;
    for (uint64_t seed = 0; seed < models; ++seed) {
        TestCase testCase = randomCase(seed);
        if (testCase.model.main.operations.size() == 1 && !hasControlFlow(testCase.model)) continue;
        const auto outputs = prepare(testCase.model)->run(testCase.inputs);
        if (!outputs.ok()) continue;  // an operation rejects the values
        for (const Tensor& output : *outputs) testCase.outputs.push_back({.value = output});
        const auto whole = prepareOn(*reference, testCase.model);
        ASSERT_TRUE(whole.has_value()) << whole.error().message;
        for (uint64_t division = 0; division < 3; ++division) {
            auto devices = randomDevices(seed * 3 + division, reference, reference);
            if (hasControlFlow(testCase.model) && division != 0) {
                // Makes plans interpret control flow at any depth.
                for (size_t i = 0; i < 2; ++i) {
                    const Mask chance = random(seed + i);
                    devices[i].device = masked({.name = devices[i].device->getName(),
                                                .mask = [=](const Model& m, const Operation& o) {
                                                    return o.type != OperationType::IF &&
                                                           o.type != OperationType::WHILE &&
                                                           chance(m, o);
                                                }});
                }
            }
            // Half of the plans execute as much as possible concurrently.
            PlanOptions options;
            if ((seed + division) % 2 == 0) options.minConcurrentWork = 0;
            const auto plan = makePlan(testCase.model, devices, options);
            ASSERT_TRUE(plan.has_value()) << testCase.name << ": " << plan.error().message;
            all.compounds += !(*plan)->isSimple();
            all.steps += static_cast<int>((*plan)->steps().size());
            all.loops += (*plan)->interpretsControlFlow();
            all.dynamic += (*plan)->hasDynamicTemporaries();
            ASSERT_NO_FATAL_FAILURE(all.compare(testCase, **whole, *(*plan)->preparedModel()));
        }
    }
    all.print("random models");
    EXPECT_GT(all.compounds, models / 2);
    EXPECT_GT(all.loops, models / 5);
    EXPECT_GT(all.dynamic, models / 50);
}

// ---- arguments that lie over each other

// How an execution receives the bytes of all arguments.
enum class Place {
    ADDRESSES,
    ONE_POOL,
    POOL_TWICE,    // the same memory at two indexes
    TWO_MEMORIES,  // of one file, the second from its second page on, through duplicated
                   // descriptors
    BOTH,          // by address and as memory, in turn
};
constexpr Place kPlaces[] = {Place::ADDRESSES, Place::ONE_POOL, Place::POOL_TWICE,
                             Place::TWO_MEMORIES, Place::BOTH};
constexpr size_t kPage = 4096;

// Bytes that contain all arguments of an execution, with outputs at random offsets.
class Layout {
   public:
    Layout(const TestCase& testCase, std::mt19937_64& dice) : mModel(testCase.model) {
        size_t total = 0;
        for (const Tensor& input : testCase.inputs) total += roomOf(input);
        for (const auto& output : testCase.outputs) total += roomOf(output.value);
        // Varies the size, so that outputs overlap few other arguments or many.
        size_t inputs = 0;
        for (const Tensor& input : testCase.inputs) {
            mInputs.push_back({inputs, input.data.size()});
            inputs += roomOf(input);
        }
        mSize = kPage + std::max(inputs, total / (1 + dice() % 3));
        for (const auto& output : testCase.outputs) {
            const size_t size = output.value.data.size();
            mSize = std::max(mSize, size);
            mOutputs.push_back({0, size});
        }
        for (Part& output : mOutputs) {
            // Often the offset of another argument.
            const auto& parts = dice() % 2 == 0 ? mInputs : mOutputs;
            output.at = dice() % 3 == 0 ? dice() % (mSize - output.size + 1) / 16 * 16
                                        : parts[dice() % parts.size()].at;
            if (output.at + output.size > mSize) output.at = 0;
        }
        mContents.resize(mSize);
        for (size_t i = 0; i < mInputs.size(); ++i) {
            absl::c_copy(testCase.inputs[i].data, mContents.begin() + mInputs[i].at);
        }
        // The contents after the outputs are written in their order.
        mExpected = mContents;
        for (size_t i = 0; i < mOutputs.size(); ++i) {
            absl::c_copy(testCase.outputs[i].value.data, mExpected.begin() + mOutputs[i].at);
        }
    }

    // Whether an output overlaps another argument.
    bool hasOverlap() const {
        for (size_t i = 0; i < mOutputs.size(); ++i) {
            for (const Part& input : mInputs) {
                if (mOutputs[i].meets(input)) return true;
            }
            for (size_t k = 0; k < i; ++k) {
                if (mOutputs[i].meets(mOutputs[k])) return true;
            }
        }
        return false;
    }

    // Executes, and compares all bytes.
    void check(const IPreparedModel& prepared, ExecutionPath path, Place place,
               const TestCase& testCase, const std::string& where) const {
        const SharedMemory memory = createSharedMemory(mSize).value();
        const Mapping mapping = map(memory).value();
        absl::c_copy(mContents, mapping.mutableData());
        const auto executed =
                nn::testing::executeBy(path, prepared, request(place, memory, mapping, testCase));
        ASSERT_TRUE(executed.has_value()) << where << executed.error().message;
        const std::vector<uint8_t> found(mapping.data(), mapping.data() + mSize);
        ASSERT_EQ(found, mExpected) << where;
    }

   private:
    struct Part {
        size_t at = 0;
        size_t size = 0;
        bool meets(const Part& other) const {
            return size != 0 && other.size != 0 && at < other.at + other.size &&
                   other.at < at + size;
        }
    };
    static size_t roomOf(const Tensor& tensor) { return (tensor.data.size() + 15) / 16 * 16; }

    Request request(Place place, const SharedMemory& memory, const Mapping& mapping,
                    const TestCase& testCase) const {
        Request request;
        if (place != Place::ADDRESSES) request.pools = {memory};
        if (place == Place::POOL_TWICE) request.pools.emplace_back(memory);
        if (place == Place::TWO_MEMORIES) {
            const int fd = std::get<Memory::Ashmem>(memory->handle).fd.get();
            const UniqueFd other = duplicate(fd);
            request.pools.emplace_back(
                    createSharedMemory(mSize - kPage, PROT_READ | PROT_WRITE, other.get(), kPage)
                            .value());
        }
        size_t count = 0;
        const auto argument = [&](const Part& part, const Dimensions& dimensions) {
            Request::Argument made{.dimensions = dimensions};
            const bool isSecond = ++count % 2 == 0;
            if (place == Place::ADDRESSES || (place == Place::BOTH && isSecond)) {
                return pointerTo(mapping.mutableData() + part.at, static_cast<uint32_t>(part.size),
                                 dimensions);
            }
            const bool isBehind = place == Place::TWO_MEMORIES && part.at >= kPage && isSecond;
            made.location = {.poolIndex = isBehind || (place == Place::POOL_TWICE && isSecond),
                             .offset = static_cast<uint32_t>(part.at - (isBehind ? kPage : 0)),
                             .length = static_cast<uint32_t>(part.size)};
            return made;
        };
        const Model::Subgraph& main = mModel.main;
        const auto isTensor = [&](uint32_t index) {
            return isNonExtensionTensor(main.operands[index].type);
        };
        for (size_t i = 0; i < mInputs.size(); ++i) {
            const Tensor& input = testCase.inputs[i];
            if (input.hasNoValue) {
                request.inputs.push_back({.lifetime = Request::Argument::LifeTime::NO_VALUE});
                continue;
            }
            request.inputs.push_back(argument(
                    mInputs[i], isTensor(main.inputIndexes[i]) ? input.dimensions : Dimensions()));
        }
        for (size_t i = 0; i < mOutputs.size(); ++i) {
            const Dimensions& dimensions = testCase.outputs[i].value.dimensions;
            request.outputs.push_back(argument(
                    mOutputs[i], isTensor(main.outputIndexes[i]) ? dimensions : Dimensions()));
        }
        return request;
    }

    const Model& mModel;
    std::vector<Part> mInputs{}, mOutputs{};
    size_t mSize = 0;
    std::vector<uint8_t> mContents{}, mExpected{};
};

// Results do not depend on how arguments overlap, on how they are passed, or on the device: the
// values are those of disjoint arguments, and outputs are written in their order.
TEST(PlanProperty, ArgumentsThatLieOverEachOther) {
    const uint64_t models = fromEnvironment("NNAPI_PROPERTY_CASES", 1500);
    const SharedDevice reference = referenceDevice();
    const auto eager = runtime::eager(reference);
    const auto failing = runtime::eager(reference, /*fails=*/true);
    int executions = 0, overlaps = 0, compounds = 0, fallbacks = 0, loops = 0;
    for (uint64_t seed = 0; seed < models; ++seed) {
        TestCase testCase = randomCase(7'000'000 + seed);
        const auto outputs = prepare(testCase.model)->run(testCase.inputs);
        if (!outputs.ok()) continue;  // an operation rejects the values
        // Values that a request cannot represent.
        const auto isEmpty = [](const Tensor& value) {
            return !value.hasNoValue && value.data.empty();
        };
        if (absl::c_any_of(*outputs, isEmpty) || absl::c_any_of(testCase.inputs, isEmpty)) continue;
        for (const Tensor& output : *outputs) testCase.outputs.push_back({.value = output});
        std::mt19937_64 dice(seed);
        const struct {
            const char* name;
            SharedDevice first, second;
            bool isOwn = false;
        } kSetups[] = {
                {"own", reference, reference, true},
                {"eager", eager, eager},
                {"failing", eager, failing},
        };
        for (const auto& setup : kSetups) {
            auto devices = randomDevices(seed, setup.first, setup.second);
            for (PlanDevice& device : devices) device.allowsAliasing = setup.isOwn;
            PlanOptions options{
                    .onFallback = [&](std::string_view, const Status&) { ++fallbacks; }};
            if (seed % 2 == 0) options.minConcurrentWork = 0;
            const auto plan = makePlan(testCase.model, devices, options);
            ASSERT_TRUE(plan.has_value()) << testCase.name << ": " << plan.error().message;
            compounds += !(*plan)->isSimple();
            loops += (*plan)->interpretsControlFlow();
            for (const ExecutionPath path : kExecutionPaths) {
                const Place place = kPlaces[dice() % std::size(kPlaces)];
                // Drivers and launches cannot match addresses with memories.
                if (place == Place::BOTH && (!setup.isOwn || path == ExecutionPath::FENCED))
                    continue;
                const Layout layout(testCase, dice);
                overlaps += layout.hasOverlap();
                ++executions;
                const std::string where =
                        fmt::format("{} {} {} place {}: ", testCase.name, setup.name, nameOf(path),
                                    static_cast<int>(place));
                ASSERT_NO_FATAL_FAILURE(
                        layout.check(*(*plan)->preparedModel(), path, place, testCase, where));
            }
        }
    }
    fmt::print("{} executions, {} with overlaps, {} compound plans, {} with loops, {} fallbacks\n",
               executions, overlaps, compounds, loops, fallbacks);
    EXPECT_GT(overlaps, executions / 2);
    EXPECT_GT(compounds, static_cast<int>(models / 2));
    EXPECT_GT(fallbacks, static_cast<int>(models / 10));
}

// Drivers of older versions: requests and models are converted for each step.
TEST(PlanProperty, DriversOfOlderVersions) {
    const SharedDevice reference = referenceDevice();
    const auto driver = hal::adapter::adapt(reference);
    ASSERT_TRUE(driver.has_value());
    const auto newer = V1_3::utils::Device::create("A", *driver);
    const auto older = V1_2::utils::Device::create("B", *driver);
    ASSERT_TRUE(newer.has_value() && older.has_value());
    Comparison all;
    int fallbacks = 0;
    for (uint64_t seed = 5000; seed < 5150; ++seed) {
        TestCase testCase = randomCase(seed);
        const auto outputs = prepare(testCase.model)->run(testCase.inputs);
        if (!outputs.ok()) continue;
        for (const Tensor& output : *outputs) testCase.outputs.push_back({.value = output});
        const auto whole = prepareOn(*reference, testCase.model);
        std::vector<PlanDevice> devices = randomDevices(seed, *newer, *older);
        devices[1].device =
                masked({.name = "B", .mask = random(seed), .level = kVersionFeatureLevel3}, *older);
        const auto plan =
                makePlan(testCase.model, devices,
                         {.onFallback = [&](std::string_view, const Status&) { ++fallbacks; }});
        ASSERT_TRUE(plan.has_value()) << testCase.name << ": " << plan.error().message;
        all.compounds += !(*plan)->isSimple();
        all.steps += static_cast<int>((*plan)->steps().size());
        ASSERT_NO_FATAL_FAILURE(all.compare(testCase, **whole, *(*plan)->preparedModel()));
    }
    all.print("through HAL 1.2 and 1.3");
    fmt::print("{} fallbacks\n", fallbacks);
    EXPECT_GT(all.compounds, 30);
}

// All test vectors. Most have one operation: a plan that is compound nevertheless has one step.
TEST(PlanProperty, AllVectors) {
    const SharedDevice reference = referenceDevice();
    Comparison all;
    int refused = 0, ofOneStep = 0;
    uint64_t seed = 0;
    // Only a sample of them under sanitizers.
    const uint64_t step = fromEnvironment("NNAPI_PROPERTY_CASES", 1500) < 1500 ? 20 : 1;
    forEachVector([&](const TestCase& testCase) {
        if (HasFatalFailure() || ++seed % step != 0) return;
        const auto whole = prepareOn(*reference, testCase.model);
        const PartitionedDevice partitioned(randomDevices(seed, reference, reference), {}, true);
        const auto divided = prepareOn(partitioned, testCase.model);
        ASSERT_EQ(whole.has_value(), divided.has_value())
                << testCase.name << ": " << divided.error().message;
        if (!whole.has_value()) {
            ++refused;
            return;
        }
        all.compounds += partitioned.divided;
        ofOneStep += partitioned.forced;
        all.compare(testCase, **whole, **divided);
    });
    fmt::print(
            "vectors: {} models in 4 ways, {} executions equal, {} refused by both, {} compound "
            "plans, {} of one step; {} cannot be prepared\n",
            all.models, all.compared, all.failures, all.compounds, ofOneStep, refused);
    const auto cases = static_cast<int>(seed / step);
    EXPECT_GT(all.models, cases * 9 / 10);
    EXPECT_GT(all.compounds, cases / 4);
    EXPECT_GT(ofOneStep, cases / 2);
}

}  // namespace
}  // namespace nn::runtime::plan_property_test
