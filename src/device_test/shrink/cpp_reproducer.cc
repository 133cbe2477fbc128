#include <fmt/format.h>

#include <algorithm>

#include "device_test/shrink/editable_case.h"
#include "device_test/shrink/reproducer_text.h"
#include "nnapi/device_test/faulty_device.h"
#include "nnapi/device_test/reproducer.h"
#include "nnapi/generate/code.h"

namespace nn::testing {
namespace {

constexpr std::string_view kInfinity = "std::numeric_limits<float>::infinity()";
constexpr std::string_view kNan = "std::numeric_limits<float>::quiet_NaN()";

constexpr std::string_view kCppHead = R"(// {name}.cc -- {reason}
//
//   {path}
//   c++ -std=c++20 {name}.cc -o {name} $(pkg-config --cflags --libs nnapi-device_testing)
//   ./{name} DEVICE     a name or ./plugin.so [{device}]{only}
//
// Exit code 1: the device fails. 0: it does not. 2: there is no such device.
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

{headers}
namespace {{

template <class Element>
nn::Tensor tensor(std::vector<uint32_t> dimensions, const std::vector<Element>& elements) {{
    nn::Tensor made{{.dimensions = std::move(dimensions)}};
    made.data.resize(elements.size() * sizeof(Element));
    if (!elements.empty()) std::memcpy(made.data.data(), elements.data(), made.data.size());
    return made;
}}

)";

// Apart, so that they are not taken for includes of this file.
constexpr std::string_view kHeaders[] = {"comparison.h", "device_test/device_test.h",
                                         "driver/registry.h", "generate/generate.h", "memory.h"};

std::string includes() {
    std::string text;
    for (const std::string_view header : kHeaders) {
        text += fmt::format("#include \"nnapi/{}\"\n", header);
    }
    return text;
}

// Not a format: braces stand for themselves.
constexpr std::string_view kPlainCalls = R"(
// What a client does: prepares, executes, compares.
bool computes(const nn::IDevice& device, const nn::TestCase& test) {
    const auto prepared =
            device.prepareModel(test.model, nn::ExecutionPreference::DEFAULT,
                                nn::Priority::DEFAULT, {}, {}, {}, {}, {}, {});
    if (!prepared.has_value()) {
        std::printf("prepareModel: %s\n", prepared.error().message.c_str());
        return false;
    }
    // Inputs one behind the other in pool 0, outputs in pool 1.
    nn::Request request;
    std::vector<uint8_t> inputs(64), outputs(64);
    const auto place = [](uint32_t pool, std::vector<uint8_t>& bytes, const nn::Tensor& tensor) {
        const nn::Request::Argument argument{
                .location = {.poolIndex = pool,
                             .offset = static_cast<uint32_t>(bytes.size()),
                             .length = static_cast<uint32_t>(tensor.data.size())},
                .dimensions = tensor.dimensions};
        bytes.insert(bytes.end(), tensor.data.begin(), tensor.data.end());
        bytes.resize((bytes.size() + 63) / 64 * 64);
        return argument;
    };
    for (const nn::Tensor& input : test.inputs) {
        request.inputs.push_back(place(0, inputs, input));
        if (!input.hasNoValue) continue;
        request.inputs.back() = {.lifetime = nn::Request::Argument::LifeTime::NO_VALUE};
    }
    for (const auto& output : test.outputs) {
        request.outputs.push_back(place(1, outputs, output.value));
    }
    const nn::SharedMemory results =
            nn::testing::memoryOf(std::vector<uint8_t>(outputs.size(), 0xAA));
    request.pools = {nn::testing::memoryOf(inputs), results};
    const auto executed =
            (*prepared)->execute(request, nn::MeasureTiming::NO, {}, {}, {}, {});
    if (!executed.has_value()) {
        std::printf("execute: %s\n", executed.error().message.c_str());
        return false;
    }
    std::vector<nn::Tensor> expected, actual;
    for (size_t i = 0; i < test.outputs.size(); ++i) {
        expected.push_back(test.outputs[i].value);
        expected[i].hasNoValue = test.outputs[i].ignored;
        actual.push_back(test.outputs[i].value);
        if (!nn::readMemory(results, request.outputs[i].location.offset, actual[i].data).ok()) {
            return false;
        }
    }
    const nn::testing::Comparison comparison = nn::testing::compareOutputs(
            test.model, expected, actual, nn::testing::criteriaFor(test.model));
    if (!comparison.pass) std::printf("%s\n", comparison.message.c_str());
    return comparison.pass;
}
)";

constexpr std::string_view kCppMain = R"(
}}  // namespace

int main(int argc, char** argv) {{
    const nn::DeviceRegistry registry;
    const auto device = registry.open(argc > 1 ? argv[1] : {device});
    if (!device.has_value()) {{
        std::printf("%s\n", device.error().message.c_str());
        return 2;
    }}
    nn::testing::DeviceOutcome outcome;
{run}
    std::printf("%s\n", nn::testing::toString(outcome).c_str());
    return outcome.result == nn::testing::DeviceOutcome::Result::FAILED ? 1 : 0;
}}
)";

constexpr std::string_view kRunListed =
        R"(    for (const auto& one : nn::testing::listCases(std::make_shared<const nn::TestCase>(testCase()))) {{
        if (one.name == {name}) outcome = nn::testing::runCase(*device, one);
    }})";
constexpr std::string_view kRunPlain =
        R"(    if (!computes(**device, testCase())) return 1;
    // What else is demanded of it.
)";
constexpr std::string_view kRunRandom =
        R"(    // With the criteria and the paths of random models.
    outcome = nn::testing::randomCase(0).runOther(*device, testCase());)";

std::string tensorCode(OperandType type, const Tensor& tensor) {
    if (tensor.hasNoValue) return "{.hasNoValue = true}";
    return fmt::format("tensor<{}>({{{}}}, {{{}}})", elementTypeName(type),
                       numberList(tensor.dimensions), elementList(type, tensor, kInfinity, kNan));
}

// "  // 2: 0.5"; long values are left out.
std::string remark(const Operand& operand, const std::vector<uint8_t>& constant, size_t index) {
    constexpr size_t kLongest = 60;
    if (constant.empty()) return fmt::format("  // {}", index);
    const std::string values = elementList(operand.type, {.data = constant}, "infinity", "NaN");
    return fmt::format("  // {}: {}", index, values.size() > kLongest ? "..." : values);
}

std::string graphCode(const std::string& graph, const Model::Subgraph& from,
                      const std::vector<std::vector<uint8_t>>& constants) {
    std::string text = fmt::format("    {}.operands = {{\n", graph);
    for (size_t i = 0; i < from.operands.size(); ++i) {
        text += fmt::format("            {},{}\n", code(from.operands[i]),
                            remark(from.operands[i], constants[i], i));
    }
    text += fmt::format("    }};\n    {}.operations = {{\n", graph);
    for (const Operation& operation : from.operations) {
        text += fmt::format("            {},\n", code(operation));
    }
    text += "    };\n";
    text += fmt::format("    {}.inputIndexes = {{{}}};\n", graph, numberList(from.inputIndexes));
    text += fmt::format("    {}.outputIndexes = {{{}}};\n", graph, numberList(from.outputIndexes));
    return text;
}

std::string modelCode(const TestCase& testCase) {
    const Result<EditableCase> apart = editable(testCase);
    const Model& model = testCase.model;
    const auto constantsOf = [&](size_t graph, size_t operands) {
        return apart.ok() ? apart->constants[graph] : std::vector<std::vector<uint8_t>>(operands);
    };
    const std::string name =
            "model";  // apart from ".main": a test takes "a.b" for the id of a rule
    std::string text = fmt::format("    nn::Model {};\n", name);
    text += graphCode(name + ".main", model.main, constantsOf(0, model.main.operands.size()));
    if (!model.referenced.empty()) {
        text += fmt::format("    model.referenced.resize({});\n", model.referenced.size());
    }
    for (size_t i = 0; i < model.referenced.size(); ++i) {
        text += graphCode(fmt::format("model.referenced[{}]", i), model.referenced[i],
                          constantsOf(i + 1, model.referenced[i].operands.size()));
    }
    if (model.operandValues.size() != 0) {
        text += fmt::format("    model.operandValues = {};\n", code(model.operandValues));
    }
    for (const SharedMemory& pool : model.pools) {
        text += fmt::format("    model.pools.push_back({});\n", code(pool));
    }
    if (model.relaxComputationFloat32toFloat16) {
        text += "    model.relaxComputationFloat32toFloat16 = true;\n";
    }
    for (const ExtensionNameAndPrefix& extension : model.extensionNameToPrefix) {
        text += fmt::format("    model.extensionNameToPrefix.push_back({});\n", code(extension));
    }
    return text;
}

std::string testCaseCode(const TestCase& testCase) {
    const Model::Subgraph& main = testCase.model.main;
    std::string text = "nn::TestCase testCase() {\n" + modelCode(testCase);
    text += fmt::format("    nn::TestCase made{{.name = {}, .model = model}};\n",
                        code(testCase.name));
    for (size_t i = 0; i < std::min(main.inputIndexes.size(), testCase.inputs.size()); ++i) {
        const OperandType type = main.operands[main.inputIndexes[i]].type;
        text += fmt::format("    made.inputs.push_back({});\n",
                            tensorCode(type, testCase.inputs[i]));
    }
    for (size_t i = 0; i < std::min(main.outputIndexes.size(), testCase.outputs.size()); ++i) {
        const OperandType type = main.operands[main.outputIndexes[i]].type;
        text += fmt::format("    made.outputs.push_back({{.value = {}{}}});\n",
                            tensorCode(type, testCase.outputs[i].value),
                            testCase.outputs[i].ignored ? ", .ignored = true" : "");
    }
    return text + "    return made;\n}\n";
}

}  // namespace

std::string cppReproducer(const Reproducer& reproducer) {
    const std::string& name = reproducer.testCase.name;
    const std::string full = fmt::format("{}/{}/{}", reproducer.kind, name, reproducer.path);
    const bool isDrawn = reproducer.kind == "random" || reproducer.kind == "numbers";
    const bool isPlain = reproducer.kind == "vectors" && reproducer.path == "sync";
    const std::string run = isDrawn ? std::string(kRunRandom)
                                    : (isPlain ? std::string(kRunPlain) : "") +
                                              fmt::format(kRunListed, fmt::arg("name", code(full)));
    return fmt::format(kCppHead, fmt::arg("headers", includes()),
                       fmt::arg("name", commentText(name)), fmt::arg("path", pkgConfigPath()),
                       fmt::arg("reason", commentText(reproducer.reason)),
                       fmt::arg("device", commentText(reproducer.device)),
                       fmt::arg("only", reproducer.device.starts_with(kFaultyScheme)
                                                ? ", which only nnapi has"
                                                : "")) +
           testCaseCode(reproducer.testCase) + (isPlain ? std::string(kPlainCalls) : "") +
           fmt::format(kCppMain, fmt::arg("device", code(reproducer.device)), fmt::arg("run", run));
}

}  // namespace nn::testing
