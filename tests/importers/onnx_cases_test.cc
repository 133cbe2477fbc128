// The cases that come with ONNX: models with inputs and the outputs that they must give.
// onnx_cases.txt has those that do not pass, but for operators that operators.def lacks; BLESS=1
// rewrites it.
#include <absl/algorithm/container.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/status_message.h"
#include "importers/onnx/constant.h"
#include "importers/onnx/file.h"
#include "nnapi/import/onnx.h"
#include "nnapi/interpreter.h"
#include "onnx_values.h"

namespace nn {
namespace {

namespace fs = std::filesystem;
using onnx::Constant;
using onnx::ElementType;

constexpr char kCases[] = "/usr/share/libonnx-testdata/data";

std::string contentOf(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream content;
    content << stream.rdbuf();
    return std::move(content).str();
}

std::span<const uint8_t> bytesOf(const std::string& content) {
    return {reinterpret_cast<const uint8_t*>(content.data()), content.size()};
}

// A tensor of a .pb file; empty for sequences and text.
std::optional<Constant> tensorOf(const fs::path& path) {
    const std::string content = contentOf(path);
    const auto message = onnx::parseTensor(content, {});
    if (!message.ok()) return std::nullopt;
    onnx::ExternalFiles none({}, {});
    auto constant = onnx::readConstant(*message, none, {});
    if (!constant.ok()) return std::nullopt;
    return onnx::makeConstant(constant->type, constant->dimensions,
                              {constant->bytes.begin(), constant->bytes.end()});
}

std::vector<std::optional<Constant>> tensorsOf(const fs::path& folder, std::string_view prefix) {
    std::vector<std::optional<Constant>> tensors;
    for (size_t i = 0;; ++i) {
        const fs::path path = folder / fmt::format("{}_{}.pb", prefix, i);
        if (!fs::exists(path)) return tensors;
        tensors.push_back(tensorOf(path));
    }
}

// Inputs of the file that must be constant, as the refusals say, become constants.
Result<Import> importCase(const std::string& content, const std::map<std::string, Constant>& inputs,
                          OnnxOptions& options) {
    for (;;) {
        NNAPI_ASSIGN_OR_RETURN(imported, importOnnx(bytesOf(content), options));
        bool isNew = false;
        for (const ImportedOperator& op : imported.operators) {
            for (const ImportRefusal& refusal : op.refusals) {
                const auto input = inputs.find(refusal.tensor);
                if (input == inputs.end()) continue;
                const Constant& constant = input->second;
                isNew |= options.values
                                 .emplace(input->first, Tensor{.dimensions = constant.dimensions,
                                                               .data = {constant.bytes.begin(),
                                                                        constant.bytes.end()}})
                                 .second;
            }
        }
        if (!isNew) return imported;
    }
}

// "passes", or why not.
std::string outcomeOf(const fs::path& folder) {
    const std::string content = contentOf(folder / "model.onnx");
    const auto file = onnx::parseFile(content, {});
    if (!file.ok()) return messageOf(file.status());
    const auto given = tensorsOf(folder / "test_data_set_0", "input");
    const auto expected = tensorsOf(folder / "test_data_set_0", "output");
    std::map<std::string, Constant> inputs;
    std::vector<std::string> names;
    for (const auto& input : file->graph.inputs) {
        const bool isConstant = absl::c_any_of(file->graph.initializers, [&](const auto& tensor) {
            return tensor.name == input.name;
        });
        if (isConstant || names.size() >= given.size()) continue;
        names.emplace_back(input.name);
        // Of bfloat16, some cases have data of another type.
        const std::optional<Constant>& constant = given[names.size() - 1];
        if (constant && constant->type == input.type) inputs[names.back()] = *constant;
    }
    OnnxOptions options;
    for (const auto& [name, constant] : inputs) options.common.shapes[name] = constant.dimensions;
    const Result<Import> imported = importCase(content, inputs, options);
    if (!imported.ok()) return messageOf(imported.status());
    if (const Status refused = preparationErrors(*imported); !refused.ok()) {
        std::string text;
        for (const ImportedOperator& op : imported->operators) {
            if (op.refusals.empty()) continue;
            return fmt::format("refused: {}: {}", op.type, toString(op.refusals.front()));
        }
    }
    const ImportedPart& part = imported->parts.front();
    const auto prepared = prepare(part.model);
    if (!prepared.ok()) return "is not prepared: " + messageOf(prepared.status());
    std::vector<Tensor> arguments;
    for (const std::string& name : part.inputNames())
        arguments.push_back(onnx::tensorFor(inputs.at(name)));
    const auto outputs = prepared->run(arguments);
    if (!outputs.ok()) return "fails: " + messageOf(outputs.status());
    if (outputs->size() != expected.size()) return "has another number of outputs";
    for (size_t i = 0; i < outputs->size(); ++i) {
        if (!expected[i]) return "an output is no tensor";
        const OperandType type = part.model.main.operands[part.model.main.outputIndexes[i]].type;
        const std::string why = onnx::differenceOf(type, (*outputs)[i], *expected[i]);
        if (!why.empty()) return "differs: " + why;
    }
    return "passes";
}

// Outputs of these cases of ONNX 1.17 are no saturated values: 20 stands for -236.
bool wrapsAround(std::string_view name) {
    return name.starts_with("test_qlinearmatmul_") && name.find("_int8_") != name.npos;
}

TEST(OnnxCases, PassOrAreRefused) {
    if (!fs::exists(kCases)) GTEST_SKIP() << "libonnx-testdata is not installed";
    std::string others;
    std::map<std::string, size_t> counts;
    size_t total = 0, lacking = 0;  // an operator
    for (const char* group : {"node", "pytorch-converted", "pytorch-operator", "simple"}) {
        std::vector<fs::path> folders;
        for (const auto& entry : fs::directory_iterator(fs::path(kCases) / group)) {
            folders.push_back(entry.path());
        }
        absl::c_sort(folders);
        for (const fs::path& folder : folders) {
            if (wrapsAround(folder.filename().string())) continue;
            const std::string outcome = outcomeOf(folder);
            if (outcome.ends_with(": has no operation of NNAPI, nor operations that compute it")) {
                ++lacking;
            } else if (outcome != "passes") {
                others += fmt::format("{}/{} {}\n", group, folder.filename().string(), outcome);
            }
            ++total;
            ++counts[outcome.substr(0, outcome.find_first_of(": "))];
        }
    }
    const std::string path = NNAPI_SOURCE_DIR "/tests/importers/onnx_cases.txt";
    const std::string heading = fmt::format(
            "{} cases: {} have an operator that is not imported; all others pass but these:\n",
            total, lacking);
    const std::string found = heading + others;
    for (const auto& [outcome, count] : counts) fmt::print("{} {}\n", count, outcome);
    if (std::getenv("BLESS") != nullptr) std::ofstream(path) << found;
    // The file is of ONNX 1.12, where two have invalid inputs. Those of any release pass or are
    // refused.
    const std::string expected = contentOf(path);
    if (expected.starts_with(fmt::format("{} cases", total))) {
        EXPECT_EQ(found, expected);
    }
    EXPECT_EQ(counts["passes"] + counts["refused"] + counts["input"], total);
}

}  // namespace
}  // namespace nn
