#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "device_test/shrink/editable_case.h"
#include "device_test/shrink/reproducer_text.h"
#include "nnapi/device_test/faulty_device.h"
#include "nnapi/device_test/reproducer.h"
#include "nnapi/generate/code.h"
#include "nnapi/type_utils.h"

namespace nn::testing {
namespace {

using LifeTime = Operand::LifeTime;

constexpr std::string_view kCHead = R"(/* {name}_c_api.c -- {reason}
 *
 *   {path}
 *   cc -std=c99 {name}_c_api.c -o {name}_c_api $(pkg-config --cflags --libs nnapi-neuralnetworks) -lm
{run} ./{name}_c_api [NAME]
 *
 * Executes on the first device, or on the one of that name. Exit code 1: a call fails, or the results
 * are wrong. 0: neither. 2: there is no such device.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __ANDROID__
#include <android/NeuralNetworks.h>
#else
#include "nnapi/c/NeuralNetworks.h"
#endif

)";

// The command before the program. The C API has no devices with faults, but reaches those of a
// server.
std::string runnerOf(std::string_view device) {
    constexpr std::string_view kServed = "unix:faulty";
    const bool isFaulty = device.starts_with(kFaultyScheme);
    std::string text;
    if (isFaulty) {
        text = fmt::format(" *   nnapi serve --device {} --listen {} & sleep 1\n",
                           commentText(device), kServed);
    }
    return text + fmt::format(" *   nnapi exec --device {} --",
                              isFaulty ? std::string(kServed) : commentText(device));
}

// Not a format: braces stand for themselves.
constexpr std::string_view kHelpers = R"(static void must(int code, const char* call) {
    if (code == ANEURALNETWORKS_NO_ERROR) return;
    printf("%s: code %d\n", call, code);
    exit(1);
}

static void operand(ANeuralNetworksModel* model, int32_t type, uint32_t rank,
                    const uint32_t* dimensions, float scale, int32_t zeroPoint) {
    ANeuralNetworksOperandType added;
    memset(&added, 0, sizeof added);
    added.type = type;
    added.dimensionCount = rank;
    added.dimensions = dimensions;
    added.scale = scale;
    added.zeroPoint = zeroPoint;
    must(ANeuralNetworksModel_addOperand(model, &added), "Model_addOperand");
}

static double element(int32_t type, const void* data, size_t i) {
    uint16_t half;
    double value;
    switch (type) {
        case ANEURALNETWORKS_FLOAT32:
        case ANEURALNETWORKS_TENSOR_FLOAT32:
            return ((const float*)data)[i];
        case ANEURALNETWORKS_FLOAT16:
        case ANEURALNETWORKS_TENSOR_FLOAT16:
            half = ((const uint16_t*)data)[i];
            value = (half & 0x7c00) == 0x7c00 ? ((half & 0x3ff) != 0 ? NAN : INFINITY)
                    : (half & 0x7c00) == 0
                            ? ldexp(half & 0x3ff, -24)
                            : ldexp((half & 0x3ff) | 0x400, ((half >> 10) & 0x1f) - 25);
            return (half & 0x8000) != 0 ? -value : value;
        case ANEURALNETWORKS_INT32:
        case ANEURALNETWORKS_TENSOR_INT32:
            return ((const int32_t*)data)[i];
        case ANEURALNETWORKS_UINT32:
            return ((const uint32_t*)data)[i];
        case ANEURALNETWORKS_TENSOR_QUANT16_SYMM:
            return ((const int16_t*)data)[i];
        case ANEURALNETWORKS_TENSOR_QUANT16_ASYMM:
            return ((const uint16_t*)data)[i];
        case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED:
        case ANEURALNETWORKS_TENSOR_QUANT8_SYMM:
        case ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL:
            return ((const int8_t*)data)[i];
        default:
            return ((const uint8_t*)data)[i];
    }
}

static bool matches(ANeuralNetworksExecution* execution, int32_t output, int32_t type,
                    const void* actual, const void* expected, size_t count, uint32_t rank,
                    const uint32_t* dimensions, double absolute, double relative) {
    uint32_t found[16] = {0}, foundRank = 0;
    size_t i;
    must(ANeuralNetworksExecution_getOutputOperandRank(execution, output, &foundRank),
         "Execution_getOutputOperandRank");
    if (foundRank != rank) {
        printf("output %d: rank %u, expected %u\n", output, foundRank, rank);
        return false;
    }
    if (rank != 0) {
        must(ANeuralNetworksExecution_getOutputOperandDimensions(execution, output, found),
             "Execution_getOutputOperandDimensions");
    }
    for (i = 0; i < rank; ++i) {
        if (found[i] == dimensions[i]) continue;
        printf("output %d: dimension %u is %u, expected %u\n", output, (unsigned)i, found[i],
               dimensions[i]);
        return false;
    }
    for (i = 0; i < count; ++i) {
        const double a = element(type, actual, i), e = element(type, expected, i);
        const double allowed = absolute + relative * (isfinite(e) ? fabs(e) : 0);
        if (a == e || fabs(a - e) <= allowed || (isnan(a) && isnan(e))) continue;
        printf("output %d, element %u: %g, expected %g +- %g\n", output, (unsigned)i, a, e,
               allowed);
        return false;
    }
    return true;
}

static const ANeuralNetworksDevice* find_device(const char* name) {
    uint32_t count = 0, i;
    must(ANeuralNetworks_getDeviceCount(&count), "getDeviceCount");
    for (i = 0; i < count; ++i) {
        ANeuralNetworksDevice* device = NULL;
        const char* own = NULL;
        must(ANeuralNetworks_getDevice(i, &device), "getDevice");
        must(ANeuralNetworksDevice_getName(device, &own), "Device_getName");
        if (name == NULL || strcmp(name, own) == 0) return device;
    }
    return NULL;
}

)";

// How a path executes: the object that it creates first, the call of each of its executions, and
// the objects that it frees in the end.
struct PathCode {
    std::string_view path;
    int executions;
    std::string_view before;
    std::string_view compute;
    std::string_view after{};
    bool isReusable = false;  // the same execution each time
};
constexpr std::string_view kCompute =
        "must(ANeuralNetworksExecution_compute(execution), \"Execution_compute\");";
constexpr std::array kPathCodes = {
        PathCode{"sync", 1, "", kCompute},
        PathCode{"timed", 1, "", kCompute},
        PathCode{"reusable", 2, "", kCompute, "", true},
        PathCode{"burst", 2,
                 "    ANeuralNetworksBurst* burst = NULL;\n"
                 "    must(ANeuralNetworksBurst_create(compilation, &burst), \"Burst_create\");\n",
                 "must(ANeuralNetworksExecution_burstCompute(execution, burst), "
                 "\"Execution_burstCompute\");",
                 "    ANeuralNetworksBurst_free(burst);\n"},
        PathCode{
                "fenced", 1, "    ANeuralNetworksEvent* event = NULL;\n",
                "must(ANeuralNetworksExecution_startComputeWithDependencies(execution, NULL, 0, 0, "
                "&event), \"Execution_startComputeWithDependencies\");\n"
                "        must(ANeuralNetworksEvent_wait(event), \"Event_wait\");",
                "    ANeuralNetworksEvent_free(event);\n"},
};

const PathCode* pathCodeOf(const Reproducer& reproducer) {
    // A random model executes synchronously, and then in a burst.
    const bool isDrawn = reproducer.kind == "random" || reproducer.kind == "numbers";
    const std::string_view path = isDrawn ? "burst" : std::string_view(reproducer.path);
    const auto* found = std::ranges::find(kPathCodes, path, &PathCode::path);
    const bool isKind = reproducer.kind == "vectors" || isDrawn;
    return isKind && found != kPathCodes.end() ? found : nullptr;
}

// "ANEURALNETWORKS_TENSOR_FLOAT32"; empty for types that the API has no name for.
std::string typeCode(OperandType type) {
    const OperandTypeInfo* info = operandTypeInfo(type);
    const bool isOem = type == OperandType::OEM || type == OperandType::TENSOR_OEM_BYTE;
    return info == nullptr || isOem ? "" : fmt::format("ANEURALNETWORKS_{}", info->name);
}

std::string operationCode(OperationType type) {
    const OperationTypeInfo* info = operationTypeInfo(type);
    return info == nullptr || type == OperationType::OEM_OPERATION
                   ? ""
                   : fmt::format("ANEURALNETWORKS_{}", info->name);
}

bool isExpressible(const Model::Subgraph& graph) {
    return std::ranges::none_of(graph.operands,
                                [](const Operand& o) { return typeCode(o.type).empty(); }) &&
           std::ranges::none_of(graph.operations,
                                [](const Operation& o) { return operationCode(o.type).empty(); });
}

// "2, (const uint32_t[]){1, 3}"
std::string countedList(const std::vector<uint32_t>& numbers) {
    if (numbers.empty()) return "0, NULL";
    return fmt::format("{}, (const uint32_t[]){{{}}}", numbers.size(), numberList(numbers));
}

std::string elementArray(const std::string& name, OperandType type, const Tensor& tensor) {
    // C has no arrays without elements.
    return fmt::format("static const {} {}[] = {{{}}};\n", elementTypeName(type), name,
                       tensor.data.empty() ? "0" : elementList(type, tensor, "INFINITY", "NAN"));
}

std::string operandCode(const Operand& operand, size_t index,
                        const std::vector<uint8_t>& constant) {
    std::string text = fmt::format("    operand(model, {}, {}, {}, {}); /* {} */\n",
                                   typeCode(operand.type), countedList(operand.dimensions),
                                   code_internal::number(operand.scale), operand.zeroPoint, index);
    if (const auto* channels =
                std::get_if<Operand::SymmPerChannelQuantParams>(&operand.extraParams)) {
        std::string scales;
        for (const float scale : channels->scales) {
            scales += (scales.empty() ? "" : ", ") + code_internal::number(scale);
        }
        text += fmt::format(
                "    {{\n        static const float scales[] = {{{}}};\n"
                "        const ANeuralNetworksSymmPerChannelQuantParams channels = {{{}, {}, "
                "scales}};\n        must(ANeuralNetworksModel_setOperandSymmPerChannelQuantParams("
                "model, {}, &channels),\n             "
                "\"Model_setOperandSymmPerChannelQuantParams\");"
                "\n    }}\n",
                scales, channels->channelDim, channels->scales.size(), index);
    }
    constexpr std::string_view kSet =
            "must(ANeuralNetworksModel_setOperandValue(model, {}, {}), "
            "\"Model_setOperandValue\");\n";
    if (operand.lifetime == LifeTime::NO_VALUE) {
        return text + "    " + fmt::format(kSet, index, "NULL, 0");
    }
    if (operand.lifetime == LifeTime::SUBGRAPH) {
        return text + fmt::format(
                              "    must(ANeuralNetworksModel_setOperandValueFromModel(model, {}, "
                              "graph{}()), \"Model_setOperandValueFromModel\");\n",
                              index, operand.location.offset + 1);
    }
    if (!isConstant(operand.lifetime) || constant.empty()) return text;
    return text + "    {\n        " + elementArray("value", operand.type, {.data = constant}) +
           "        " + fmt::format(kSet, index, "value, sizeof value") + "    }\n";
}

std::string graphFunction(size_t graph, const Model& model, const EditableCase& apart) {
    const Model::Subgraph& from = graph == 0 ? model.main : model.referenced[graph - 1];
    std::string text = fmt::format("static ANeuralNetworksModel* graph{}(void) {{\n", graph);
    text += "    static ANeuralNetworksModel* model = NULL;\n"
            "    if (model != NULL) return model;\n"
            "    must(ANeuralNetworksModel_create(&model), \"Model_create\");\n";
    for (size_t i = 0; i < from.operands.size(); ++i) {
        text += operandCode(from.operands[i], i, apart.constants[graph][i]);
    }
    for (const Operation& operation : from.operations) {
        text += fmt::format(
                "    must(ANeuralNetworksModel_addOperation(model, {}, {}, {}),\n"
                "         \"Model_addOperation\");\n",
                operationCode(operation.type), countedList(operation.inputs),
                countedList(operation.outputs));
    }
    text += fmt::format(
            "    must(ANeuralNetworksModel_identifyInputsAndOutputs(model, {}, {}),\n"
            "         \"Model_identifyInputsAndOutputs\");\n",
            countedList(from.inputIndexes), countedList(from.outputIndexes));
    if (model.relaxComputationFloat32toFloat16) {
        text += "    must(ANeuralNetworksModel_relaxComputationFloat32toFloat16(model, true),\n"
                "         \"Model_relaxComputationFloat32toFloat16\");\n";
    }
    return text +
           "    must(ANeuralNetworksModel_finish(model), \"Model_finish\");\n    return "
           "model;\n}\n\n";
}

// The type of an argument whose dimensions the model leaves open, otherwise NULL.
std::string argumentCode(const Operand& operand, size_t index, const Tensor& value) {
    if (value.hasNoValue) return fmt::format("{}, NULL, NULL, 0", index);
    const std::string data = fmt::format("input{}", index);
    const std::string size = value.data.empty() ? "0" : "sizeof " + data;
    if (!hasUnspecifiedDimensions(operand.type, operand.dimensions)) {
        return fmt::format("{}, NULL, {}, {}", index, data, size);
    }
    return fmt::format("{}, &(const ANeuralNetworksOperandType){{{}, {}, {}, {}}}, {}, {}", index,
                       typeCode(operand.type), countedList(value.dimensions),
                       code_internal::number(operand.scale), operand.zeroPoint, data, size);
}

// The arrays of inputs, outputs and expected outputs.
std::string arrays(const TestCase& testCase) {
    const Model::Subgraph& main = testCase.model.main;
    std::string text;
    for (size_t i = 0; i < testCase.inputs.size(); ++i) {
        if (testCase.inputs[i].hasNoValue) continue;
        text += elementArray(fmt::format("input{}", i), main.operands[main.inputIndexes[i]].type,
                             testCase.inputs[i]);
    }
    for (size_t i = 0; i < testCase.outputs.size(); ++i) {
        const Operand& operand = main.operands[main.outputIndexes[i]];
        const Tensor& value = testCase.outputs[i].value;
        text += elementArray(fmt::format("expected{}", i), operand.type, value);
        text += fmt::format("static {} output{}[{}];\n", elementTypeName(operand.type), i,
                            std::max<size_t>(1, value.data.size() / elementSize(operand.type)));
    }
    return text + "\n";
}

std::string argumentsAndChecks(const TestCase& testCase, const Criteria& criteria, bool isCheck) {
    const Model::Subgraph& main = testCase.model.main;
    std::string text;
    for (size_t i = 0; !isCheck && i < testCase.inputs.size(); ++i) {
        text += fmt::format(
                "            must(ANeuralNetworksExecution_setInput(execution, {}),\n"
                "                 \"Execution_setInput\");\n",
                argumentCode(main.operands[main.inputIndexes[i]], i, testCase.inputs[i]));
    }
    for (size_t i = 0; i < testCase.outputs.size(); ++i) {
        const OperandType type = main.operands[main.outputIndexes[i]].type;
        const TestCase::Output& output = testCase.outputs[i];
        if (!isCheck) {
            text += fmt::format(
                    "            must(ANeuralNetworksExecution_setOutput(execution, {}, NULL, "
                    "output{}, sizeof output{}),\n                 \"Execution_setOutput\");\n",
                    i, i, i);
        } else if (!output.ignored) {
            text += fmt::format(
                    "        if (!matches(execution, {}, {}, output{}, expected{}, {}, {}, {}, "
                    "{})) "
                    "result = 1;\n",
                    i, typeCode(type), i, i, output.value.data.size() / elementSize(type),
                    countedList(output.value.dimensions), criteria.of(type).absolute,
                    criteria.of(type).relative);
        }
    }
    return text;
}

constexpr std::string_view kCMain = R"(int main(int argc, char** argv) {{
    const ANeuralNetworksDevice* device = find_device(argc > 1 ? argv[1] : NULL);
    ANeuralNetworksCompilation* compilation = NULL;
    ANeuralNetworksExecution* execution = NULL;
    int i, result = 0;
    if (device == NULL) {{
        printf("there is no device %s\n", argv[1]);
        return 2;
    }}
    must(ANeuralNetworksCompilation_createForDevices(graph0(), &device, 1, &compilation),
         "Compilation_createForDevices");
    must(ANeuralNetworksCompilation_finish(compilation), "Compilation_finish");
{before}    for (i = 0; result == 0 && i < {executions}; ++i) {{
        if ({isNew}) {{
            ANeuralNetworksExecution_free(execution);
            must(ANeuralNetworksExecution_create(compilation, &execution), "Execution_create");
{reusable}{arguments}        }}
        {compute}
{checks}    }}
    if (result == 0) printf("passed\n");
    ANeuralNetworksExecution_free(execution);
{after}    ANeuralNetworksCompilation_free(compilation);
{models}    return result;
}}
)";

}  // namespace

std::string cReproducer(const Reproducer& reproducer) {
    const TestCase& testCase = reproducer.testCase;
    const Model& model = testCase.model;
    const PathCode* path = pathCodeOf(reproducer);
    const Result<EditableCase> apart = editable(testCase);
    const bool isPlain = path != nullptr && apart.ok() && isExpressible(model.main) &&
                         std::ranges::all_of(model.referenced, isExpressible) &&
                         testCase.inputs.size() == model.main.inputIndexes.size() &&
                         testCase.outputs.size() == model.main.outputIndexes.size();
    if (!isPlain) return "";
    std::string text = fmt::format(kCHead, fmt::arg("name", commentText(testCase.name)),
                                   fmt::arg("path", pkgConfigPath()),
                                   fmt::arg("reason", commentText(reproducer.reason)),
                                   fmt::arg("run", runnerOf(reproducer.device)));
    text += kHelpers;
    text += arrays(testCase);
    for (size_t i = 1; i <= model.referenced.size(); ++i) {
        text += fmt::format("static ANeuralNetworksModel* graph{}(void);\n", i);
    }
    for (size_t i = 0; i <= model.referenced.size(); ++i) text += graphFunction(i, model, *apart);
    std::string models;
    for (size_t i = 0; i <= model.referenced.size(); ++i) {
        models += fmt::format("    ANeuralNetworksModel_free(graph{}());\n", i);
    }
    return text +
           fmt::format(
                   kCMain, fmt::arg("before", path->before),
                   fmt::arg("executions", path->executions),
                   fmt::arg("isNew", path->isReusable ? "i == 0" : "i >= 0"),
                   fmt::arg("reusable",
                            path->isReusable
                                    ? "            must(ANeuralNetworksExecution_setReusable("
                                      "execution, true), \"Execution_setReusable\");\n"
                                    : ""),
                   fmt::arg("arguments", argumentsAndChecks(testCase, reproducer.criteria, false)),
                   fmt::arg("compute", path->compute), fmt::arg("after", path->after),
                   fmt::arg("models", models),
                   fmt::arg("checks", argumentsAndChecks(testCase, reproducer.criteria, true)));
}

}  // namespace nn::testing
