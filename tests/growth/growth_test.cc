// Does any cost grow faster than the model? Each shape is made in several sizes, a thousand to a
// million elements, and the cost of each function for one element must not double between the two
// largest, which differ by a factor of 10: n log n grows it by a fifth.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "growth/cost.h"
#include "growth/shapes.h"
#include "nnapi/convert.h"
#include "nnapi/device_profile.h"
#include "nnapi/graph_dump.h"
#include "nnapi/interpreter.h"
#include "nnapi/passes.h"
#include "nnapi/print.h"
#include "nnapi/relocation.h"
#include "nnapi/slice.h"
#include "nnapi/tensor.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "sanitized.h"

namespace nn::growth {
namespace {

// Shapes beyond a limit are rejected at once; their cost is measurable only without limits.
constexpr Limits kLimits{.subgraphs = 1 << 20, .nesting = 1 << 20};

// Prevents the optimizer from removing a function's result.
volatile size_t sink = 0;
void use(size_t value) { sink = sink + value; }

// Running out of memory would look like little work.
void use(const Status& status) {
    EXPECT_NE(errorStatus(status), ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT);
    use(status.ok() ? size_t{1} : size_t{0});
}
template <class T>
void use(const Result<T>& result) {
    use(result.status());
}

// The arguments of a function, created anew for each round because some functions consume them.
struct Subject {
    Model model{};
    std::optional<PreparedModel> prepared{};
    std::vector<Tensor> inputs{};
    std::vector<Tensor> outputs{};  // memory for them
    Request request{};
};

struct Verb {
    std::string_view name;
    void (*run)(Subject&);
    bool needsPrepared = false;
    uint32_t largest = 100'000;
};

template <HalVersion V>
void convertAndBack(Subject& s) {
    Losses losses;
    const auto there = unvalidatedConvertTo<V>(s.model, &losses);
    if (there.ok()) use(unvalidatedConvert(*there));
    use(losses.size());
}

template <HalVersion V>
void nonCompliant(Subject& s) {
    use(nonCompliantOperations(s.model, V).size());
}

DeviceProfile device() {
    return {.version = kVersionFeatureLevel3,
            .operations = {
                    {.type = OperationType::RELU, .operands = {{.name = "input", .minRank = 3}}}}};
}

constexpr Verb kVerbs[] = {
        {"validate", [](Subject& s) { use(validate(s.model, kLimits)); }, false, 1'000'000},
        {"validateAll",
         [](Subject& s) { use(validateAll(s.model, {.limits = kLimits}).errors.size()); }},
        {"validateAll/everything",
         [](Subject& s) {
             use(validateAll(s.model, {.target = kVersionFeatureLevel1,
                                       .maxDiagnostics = SIZE_MAX,
                                       .requireDeclaredPrefixes = true,
                                       .limits = kLimits})
                         .errors.size());
         }},
        {"nonCompliantOperations/1.0", nonCompliant<HalVersion::V1_0>},
        {"nonCompliantOperations/1.3", nonCompliant<HalVersion::V1_3>},
        {"nonCompliantOperations/aidl1", nonCompliant<HalVersion::AIDL1>},
        {"sliceForVersion", [](Subject& s) { use(sliceForVersion(s.model, HalVersion::V1_0)); }},
        {"supportedOperations", [](Subject& s) { use(supportedOperations(s.model, device())); }},
        {"supportedOperations/strict",
         [](Subject& s) {
             DeviceProfile strict = device();
             strict.isStrict = true;
             use(supportedOperations(s.model, strict));
         }},
        {"minimize", [](Subject& s) { use(minimize(std::move(s.model)).removed.size()); }},
        {"convert/1.0", convertAndBack<HalVersion::V1_0>},
        {"convert/1.1", convertAndBack<HalVersion::V1_1>},
        {"convert/1.2", convertAndBack<HalVersion::V1_2>},
        {"convert/1.3", convertAndBack<HalVersion::V1_3>},
        {"convert/aidl1", convertAndBack<HalVersion::AIDL1>},
        {"convert/aidl4", convertAndBack<HalVersion::AIDL4>},
        {"relocate", [](Subject& s) { use(flushDataFromPointerToShared(&s.model)); }},
        {"print", [](Subject& s) { use(print(s.model).size()); }},
        {"graphDump", [](Subject& s) { use(graphDump(s.model, "main").size()); }},
        {"prepare", [](Subject& s) { use(prepare(std::move(s.model))); }},
        {"execute",
         [](Subject& s) {
             const auto outputs = s.prepared->run(s.inputs);
             EXPECT_TRUE(outputs.ok()) << outputs.status().message();
         },
         true},
        {"execute/again",
         [](Subject& s) {
             for (int i = 0; i < 2; ++i) use(s.prepared->run(s.inputs));
         },
         true},
        {"validateRequestForModel",
         [](Subject& s) { use(validateRequestForModel(s.request, s.model)); }, true},
        {"convertRequestFromPointerToShared",
         [](Subject& s) { use(convertRequestFromPointerToShared(s.request, 64, 64)); }, true},
        {"execute/request",
         [](Subject& s) {
             const ExecutionOutcome result = s.prepared->execute(s.request);
             EXPECT_TRUE(result.status.ok()) << result.status.message();
         },
         true},
        {"release", [](Subject& s) { s.model = {}; }},
        {"release/prepared", [](Subject& s) { s.prepared.reset(); }, true},
};

std::vector<Tensor> inputsOf(const Model& model) {
    std::vector<Tensor> inputs;
    uint32_t unknown = 64;  // of different sizes
    for (const uint32_t index : model.main.inputIndexes) {
        Tensor& input = inputs.emplace_back();
        const Operand& operand = model.main.operands[index];
        input.dimensions = operand.dimensions;
        for (uint32_t& dimension : input.dimensions) {
            if (dimension == 0) dimension = unknown /= 2;
        }
        input.data.resize(operandSize(operand.type, input.dimensions).value_or(0), 0);
    }
    return inputs;
}

std::vector<Request::Argument> argumentsFor(std::vector<Tensor>& values) {
    std::vector<Request::Argument> arguments;
    for (Tensor& value : values) {
        arguments.push_back({.lifetime = Request::Argument::LifeTime::POINTER,
                             .location = {.pointer = static_cast<void*>(value.data.data()),
                                          .length = static_cast<uint32_t>(value.data.size())},
                             .dimensions = value.dimensions});
    }
    return arguments;
}

// "validate:graph.inputs", "prepare:limits.rank", "prepared".
std::string resultOf(const Model& model) {
    const auto ruleOf = [](const Status& status) {
        const auto why = diagnostic(status);
        return why ? why->rule : std::string(status.message());
    };
    if (const auto valid = validate(model, kLimits); !valid.ok())
        return "validate:" + ruleOf(valid.status());
    const auto prepared = prepare(model);
    return prepared.ok() ? "prepared" : "prepare:" + ruleOf(prepared.status());
}

Subject subjectOf(const Model& model, const Verb& verb) {
    Subject subject{.model = model};
    if (verb.needsPrepared) {
        auto prepared = prepare(model);
        EXPECT_TRUE(prepared.ok()) << prepared.status().message();
        if (!prepared.ok()) return subject;
        subject.prepared = *std::move(prepared);
        subject.inputs = inputsOf(model);
        if (auto outputs = subject.prepared->run(subject.inputs); outputs.ok())
            subject.outputs = *std::move(outputs);
        subject.prepared = *prepare(model);  // without memory kept from that execution
        subject.request.inputs = argumentsFor(subject.inputs);
        subject.request.outputs = argumentsFor(subject.outputs);
    }
    return subject;
}

// Costs of a function, and the time to copy the model twice and to free the copies: both touch as
// much memory, so caches that are too small, or that other programs use, slow both down.
struct Costs {
    Cost verb{};
    uint64_t copyNanoseconds = UINT64_MAX;
};

// Measures some more rounds, and keeps the least time and the fewest instructions.
void measure(const Verb& verb, const Model& model, int rounds, std::optional<Costs>& least) {
    for (int round = 0; round < rounds; ++round) {
        Subject subject = subjectOf(model, verb);
        const Meter meter;
        verb.run(subject);
        const Cost cost = meter.read();
        const Meter copyMeter;
        {
            const Model copy = model, another = copy;
            use(copy.main.operands.size() + another.main.operands.size());
        }
        const uint64_t copied = copyMeter.read().nanoseconds;
        if (!least) least.emplace().verb = cost;
        least->copyNanoseconds = std::min(least->copyNanoseconds, copied);
        least->verb.nanoseconds = std::min(least->verb.nanoseconds, cost.nanoseconds);
        if (cost.instructions) {
            least->verb.instructions =
                    std::min(least->verb.instructions.value_or(SIZE_MAX), *cost.instructions);
        }
    }
}

// The cost of one element in a large model relative to a small one. Costs below a floor are
// ignored.
double growthOf(uint64_t small, uint64_t large, double elements, uint64_t floor) {
    if (large <= floor) return 1;
    return static_cast<double>(large) /
           (static_cast<double>(std::max(small, floor / 10)) * elements);
}

// Empty if an element costs at most twice as much, or three times as much time, relative to copies.
std::string complaint(double elements, const Costs& small, const Costs& large) {
    const Cost& a = small.verb;
    const Cost& b = large.verb;
    std::string text;
    const auto compare = [&](std::string_view what, uint64_t before, uint64_t after, uint64_t floor,
                             double most) {
        const double growth = growthOf(before, after, elements, floor);
        if (std::getenv("NNAPI_GROWTH_SHOW") != nullptr && growth > 1.3)
            fmt::print("    {} {:.2f} ({} {}), allowed {:.2f}\n", what, growth, before, after,
                       most);
        if (growth > most)
            text += fmt::format(" {}: {} and {}, {:.1f} times as much for an element;", what,
                                before, after, growth);
    };
    compare("allocations", a.allocations, b.allocations, 10'000, 2);
    compare("bytes at one time", a.peakBytes, b.peakBytes, 1 << 20, 2);
    if (!kIsSanitized) {
        if (a.instructions && b.instructions)
            compare("instructions", *a.instructions, *b.instructions, 2'000'000, 2);
        const double copies = growthOf(small.copyNanoseconds, large.copyNanoseconds, elements, 10);
        compare("nanoseconds", a.nanoseconds, b.nanoseconds, 2'000'000, 3 * std::max(1.0, copies));
    }
    return text;
}

class Growth : public testing::TestWithParam<Shape> {
   protected:
    // The heap keeps its pages, so only the first round allocates them.
    static void SetUpTestSuite() {
        mallopt(M_MMAP_THRESHOLD, 1 << 30);
        mallopt(M_TRIM_THRESHOLD, INT32_MAX);
    }
};

TEST_P(Growth, IsLinear) {
    const Shape& shape = GetParam();
    std::optional<Model> models[4];  // 10^3 to 10^6
    const auto model = [&](int power) -> const Model& {
        std::optional<Model>& made = models[power - 3];
        uint32_t n = 1;
        for (int i = 0; i < power; ++i) n *= 10;
        if (!made) made = shape.make(std::min(n, shape.max));
        return *made;
    };
    const bool isExecutable = shape.result == "executed";
    // Takes minutes, and 10 GB: NNAPI_GROWTH_MILLION=1
    const bool everythingToAMillion = std::getenv("NNAPI_GROWTH_MILLION") != nullptr;
    EXPECT_EQ(resultOf(model(4)), isExecutable ? "prepared" : shape.result);
    for (const Verb& verb : kVerbs) {
        if (verb.needsPrepared && !isExecutable) continue;
        const uint32_t largest = std::min(
                shape.max, verb.needsPrepared ? shape.maxExecuted
                                              : (everythingToAMillion ? 1'000'000 : verb.largest));
        const int power = kIsSanitized ? 4 : largest >= 1'000'000 ? 6 : 5;
        for (int smaller = 3; smaller + 1 < power; ++smaller) {
            std::optional<Costs> ignored;
            measure(verb, model(smaller), 1, ignored);
        }
        if (std::getenv("NNAPI_GROWTH_SHOW") != nullptr)
            fmt::print("{} {}\n", shape.name, verb.name);
        // Other programs use the machine as well, so more rounds follow, some time later, if the
        // first is too slow.
        const Model& small = model(power - 1);
        const Model& large = model(power);
        const double elements = static_cast<double>(held(large)) / static_cast<double>(held(small));
        std::optional<Costs> a, b;
        std::string why;
        for (const int rounds : {1, 3, 5, 5, 10, 10}) {
            if (rounds > 3) std::this_thread::sleep_for(std::chrono::milliseconds(200));
            measure(verb, small, rounds, a);
            measure(verb, large, rounds, b);
            why = complaint(elements, *a, *b);
            if (why.empty()) break;
        }
        EXPECT_TRUE(why.empty()) << verb.name << ":" << why;
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Growth, testing::ValuesIn(shapes().begin(), shapes().end()),
                         [](const auto& shape) { return std::string(shape.param.name); });

}  // namespace
}  // namespace nn::growth
