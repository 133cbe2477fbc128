// Random graphs of all operators are imported and computed, or rejected, and imported ones are
// legal. NNAPI_GRAPHS is how many for each format, NNAPI_FIRST_GRAPH the number of the first one:
// scripts/release runs half a million of each.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <ctime>
#include <set>
#include <string>

#include "environment.h"
#include "importers/graphs/any_graph.h"
#include "importers/onnx/operators.h"
#include "importers/tflite/conversion.h"

namespace nn::graphs {
namespace {

struct Totals {
    uint64_t graphs = 0, whole = 0, executed = 0;
    std::set<std::string> tried{}, imported{};
};

// Every other graph has small limits, which are reached sooner.
Limits limitsFor(uint64_t number) {
    if (number % 2 == 0) return {};
    return {.operands = 1 << 14, .constantBytes = 16 << 20, .fileObjects = 1 << 18};
}

long peakMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

// An import takes time and memory in proportion to the file, whatever that says.
Result<Import> importWithinBounds(FileFormat format, std::span<const uint8_t> bytes,
                                  testing::Source& source, const Limits& limits) {
    constexpr int kMaxSeconds = 20;  // under sanitizers
    constexpr long kMaxMegabytes = 500;
    const std::clock_t start = std::clock();
    const long before = peakMegabytes();
    Result<Import> imported = importAny(format, bytes, source, limits);
    EXPECT_LE((std::clock() - start) / CLOCKS_PER_SEC, kMaxSeconds);
    EXPECT_LE(peakMegabytes() - before, kMaxMegabytes);
    return imported;
}

Totals tryAll(FileFormat format) {
    Totals totals{.graphs = fromEnvironment("NNAPI_GRAPHS", 1500)};
    const uint64_t first = fromEnvironment("NNAPI_FIRST_GRAPH", 1);
    ::testing::Test::RecordProperty("first_graph", std::to_string(first));
    for (uint64_t number = first; number < first + totals.graphs; ++number) {
        SCOPED_TRACE("graph " + std::to_string(number));
        if (number % 1000 == 0) fmt::print("graph {}\n", number);
        const std::vector<uint8_t> choices = choicesOf(number);
        testing::Source source(choices);
        GraphFile graph = anyGraph(format, source);
        totals.tried.merge(graph.operators);
        Trial trial = tryImport(
                format, importWithinBounds(format, graph.bytes, source, limitsFor(number)), source);
        EXPECT_EQ(trial.wrong.value_or(""), "");
        totals.imported.merge(trial.imported);
        totals.whole += trial.isWhole;
        totals.executed += trial.isExecuted;
    }
    return totals;
}

template <class Rows>
void expectAll(const Totals& totals, const Rows& rows, auto nameOf) {
    for (const auto& row : rows) {
        const std::string name = nameOf(row);
        EXPECT_TRUE(totals.tried.contains(name)) << name;
        EXPECT_TRUE(totals.imported.contains(name)) << name;
    }
    EXPECT_GT(totals.whole, totals.graphs / 4);
    EXPECT_GT(totals.executed, totals.graphs / 6);
}

std::string nameOfOnnx(const onnx::OperatorRow& row) { return operatorName(row.domain, row.type); }
std::string nameOfLite(const tflite::Row& row) { return tflite::nameOf(row); }

TEST(RandomOnnxGraphs, ImportComputeOrAreRejected) {
    expectAll(tryAll(FileFormat::ONNX), onnx::operatorRows(), nameOfOnnx);
}

TEST(RandomTfliteGraphs, ImportComputeOrAreRejected) {
    expectAll(tryAll(FileFormat::TFLITE), tflite::operatorRows(), nameOfLite);
}

// Each number gives the same graph everywhere, so that a number is enough to see a finding again.
TEST(RandomGraphs, DependOnTheNumberOnly) {
    for (const FileFormat format : {FileFormat::ONNX, FileFormat::TFLITE}) {
        for (uint64_t number = 1; number < 20; ++number) {
            const std::vector<uint8_t> choices = choicesOf(number);
            testing::Source a(choices), b(choices);
            EXPECT_EQ(anyGraph(format, a).bytes, anyGraph(format, b).bytes);
        }
    }
}

// Without choices a graph is small: fuzzers make inputs smaller.
TEST(RandomGraphs, EndWithTheirChoices) {
    testing::Source onnx({}), lite({});
    EXPECT_LT(anyGraph(FileFormat::ONNX, onnx).bytes.size(), 500u);
    EXPECT_LT(anyGraph(FileFormat::TFLITE, lite).bytes.size(), 2000u);
}

}  // namespace
}  // namespace nn::graphs
