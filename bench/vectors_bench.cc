// The cost of small models: preparing and executing each case of tests/vectors, summed by family:
// the last operation of a case and the type of its first input.
//
//   build/release/bin/nnapi_vectors_bench [--keep FILE] [--beside FILE] [--only FAMILY]
//                                               [--rounds N] [VECTORS]
//
// Times are the lowest of N rounds, 3 by default. --keep writes them to a file, merged with lower
// times in it, so that two builds can alternate; --beside prints the speed of each family relative
// to such a file.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/interpreter.h"
#include "nnapi/io.h"
#include "nnapi/print.h"

namespace nn {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Microseconds: one preparation; one of many executions, on values and on a request; a preparation
// and one execution.
enum Work : size_t { PREPARE, RUN, REQUEST, ONCE, kWorks };
using Times = std::array<double, kWorks>;
constexpr Times kUnknown = {1e30, 1e30, 1e30, 1e30};
constexpr std::array<const char*, kWorks> kNames = {"prepare", "run", "request", "once"};

void takeLower(Times& times, const Times& others) {
    for (size_t i = 0; i < kWorks; ++i) times[i] = std::min(times[i], others[i]);
}

struct Case {
    TestCase testCase{};
    Times times = kUnknown;
};

std::string familyOf(const Model& model) {
    if (model.main.operations.empty()) return "no operation";
    const Operation& operation = model.main.operations.back();
    std::string type = toString(model.main.operands[operation.inputs.front()].type);
    if (type.starts_with("TENSOR_")) type.erase(0, 7);
    if (type.starts_with("QUANT")) type = "QUANT";
    return toString(operation.type) + " " + type;
}

// The median over batches of the time of one call, in microseconds; batches take at least 10.
template <class Call>
double medianOf(Call call) {
    constexpr size_t kBatches = 9;
    constexpr double kBatchTime = 10;
    std::array<double, kBatches> medians{};
    size_t calls = 1;
    for (size_t batch = 0; batch < kBatches;) {
        const auto start = SteadyClock::now();
        for (size_t i = 0; i < calls; ++i) call();
        const std::chrono::duration<double, std::micro> took = SteadyClock::now() - start;
        if (batch == 0 && took.count() < kBatchTime) {
            calls *= 2;
            continue;
        }
        medians[batch++] = took.count() / static_cast<double>(calls);
    }
    std::nth_element(medians.begin(), medians.begin() + kBatches / 2, medians.end());
    return medians[kBatches / 2];
}

// A request for a case, with buffers for the expected outputs.
struct Buffers {
    explicit Buffers(const TestCase& testCase) {
        for (const Tensor& input : testCase.inputs) request.inputs.push_back(argument(input));
        for (const TestCase::Output& output : testCase.outputs) {
            outputs.push_back(output.value);
            Tensor& value = outputs.back();
            request.outputs.push_back(argument(value));
            request.outputs.back().location.pointer = static_cast<void*>(value.data.data());
        }
    }

    static Request::Argument argument(const Tensor& tensor) {
        if (tensor.hasNoValue) return {.lifetime = Request::Argument::LifeTime::NO_VALUE};
        DataLocation location;
        location.pointer = static_cast<const void*>(tensor.data.data());
        location.length = static_cast<uint32_t>(tensor.data.size());
        return {.lifetime = Request::Argument::LifeTime::POINTER,
                .location = location,
                .dimensions = tensor.dimensions};
    }

    std::vector<Tensor> outputs{};
    Request request{};
};

void measure(Case& measured) {
    using Micro = std::chrono::duration<double, std::micro>;
    const TestCase& testCase = measured.testCase;
    Times times = kUnknown;
    for (int turn = 0; turn < 5; ++turn) {
        Model model = testCase.model;
        const auto start = SteadyClock::now();
        const Result<PreparedModel> prepared = prepare(std::move(model));
        const auto ready = SteadyClock::now();
        if (!prepared.ok()) return;
        const auto outputs = prepared->run(testCase.inputs);
        const auto end = SteadyClock::now();
        if (!outputs.ok()) return;
        times[PREPARE] = std::min(times[PREPARE], Micro(ready - start).count());
        times[ONCE] = std::min(times[ONCE], Micro(end - start).count());
    }
    const Result<PreparedModel> prepared = prepare(testCase.model);
    times[RUN] = medianOf([&] { (void)prepared->run(testCase.inputs); });
    const Buffers buffers(testCase);
    if (prepared->execute(buffers.request).status.ok())
        times[REQUEST] = medianOf([&] { (void)prepared->execute(buffers.request); });
    takeLower(measured.times, times);
}

std::vector<Case> casesIn(const std::filesystem::path& directory) {
    std::vector<Case> cases;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
        if (entry.path().extension() != ".gz") continue;
        auto reader = TestCaseReader::open(entry.path());
        if (!reader.ok()) continue;
        while (auto testCase = reader->next()) {
            if (!testCase->ok() || (*testCase)->expectFailure) continue;
            cases.push_back({.testCase = *std::move(*testCase)});
        }
    }
    return cases;
}

// Keyed by specification and name.
using Kept = std::map<std::string, Times>;

std::string keyOf(const TestCase& testCase) { return testCase.spec + "/" + testCase.name; }

Kept read(const std::string& file) {
    Kept kept;
    std::ifstream in(file);
    std::string name;
    Times times;
    while (in >> name >> times[PREPARE] >> times[RUN] >> times[REQUEST] >> times[ONCE])
        kept[name] = times;
    return kept;
}

void write(const std::string& file, const Kept& kept) {
    std::ofstream out(file);
    for (const auto& [name, times] : kept) {
        out << name;
        for (const double time : times) out << ' ' << time;
        out << '\n';
    }
}

struct Sum {
    size_t cases = 0;
    Times ours{};
    Times theirs{};

    void add(const Times& times, const Times& others) {
        ++cases;
        for (size_t i = 0; i < kWorks; ++i) {
            if (times[i] == kUnknown[i] || others[i] == kUnknown[i]) continue;
            ours[i] += times[i];
            theirs[i] += others[i];
        }
    }

    void print(const std::string& name, bool isBeside) const {
        fmt::print("{:52} {:5}", name, cases);
        for (size_t i = 0; i < kWorks; ++i) {
            fmt::print(" {:10.1f}", ours[i]);
            if (isBeside) fmt::print(" {:5.2f}", theirs[i] / ours[i]);
        }
        fmt::print("\n");
    }
};

int benchmark(const std::vector<std::string>& arguments) {
    std::string keep;
    std::string beside;
    std::string only;
    int rounds = 3;
    std::string vectors = NNAPI_SOURCE_DIR "/tests/vectors";
    for (size_t i = 0; i < arguments.size(); ++i) {
        const bool hasValue = i + 1 < arguments.size();
        if (arguments[i] == "--keep" && hasValue) {
            keep = arguments[++i];
        } else if (arguments[i] == "--beside" && hasValue) {
            beside = arguments[++i];
        } else if (arguments[i] == "--only" && hasValue) {
            only = arguments[++i];
        } else if (arguments[i] == "--rounds" && hasValue) {
            rounds = std::atoi(arguments[++i].c_str());
        } else {
            vectors = arguments[i];
        }
    }
    std::vector<Case> cases = casesIn(vectors);
    std::erase_if(cases, [&](const Case& one) {
        return familyOf(one.testCase.model).find(only) == std::string::npos;
    });
    for (int round = 0; round < rounds; ++round) {
        for (Case& measured : cases) measure(measured);
    }
    if (!keep.empty()) {
        Kept kept = read(keep);
        for (Case& measured : cases) {
            const auto [known, isNew] = kept.try_emplace(keyOf(measured.testCase), measured.times);
            takeLower(measured.times, known->second);
            known->second = measured.times;
        }
        write(keep, kept);
    }
    const Kept others = read(beside);
    std::map<std::string, Sum> families;
    Sum all;
    for (const Case& measured : cases) {
        const auto other = others.find(keyOf(measured.testCase));
        const Times& theirs = other == others.end() ? measured.times : other->second;
        families[familyOf(measured.testCase.model)].add(measured.times, theirs);
        all.add(measured.times, theirs);
    }
    fmt::print("{:52} {:>5}", "family, microseconds", "cases");
    for (const char* name : kNames) fmt::print(" {:>10}{}", name, beside.empty() ? "" : " times");
    fmt::print("\n");
    for (const auto& [name, sum] : families) sum.print(name, !beside.empty());
    all.print("all", !beside.empty());
    return cases.empty() ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace
}  // namespace nn

int main(int argc, char** argv) { return nn::benchmark({argv + 1, argv + argc}); }
