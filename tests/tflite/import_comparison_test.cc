// TensorFlow Lite's own kernels compared with the interpreter: an imported model computes the same
// as its file, and so does its export.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "importers/custom_options.h"
#include "importers/lite_file.h"
#include "importers/operator_files.h"
#include "kernel_comparison.h"
#include "lite_batch.h"
#include "lite_models.h"
#include "lite_tensors.h"
#include "nnapi/import/tflite.h"
#include "nnapi/interpreter.h"
#include "nnapi/type_utils.h"

namespace nn {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr size_t kInvocations = 4;

// Floats from -4 to 4, INT32 from -20 to 20, all bytes. Coarse ones are equal often: halves, INT32
// from -2 to 2, and multiples of 16.
Tensor randomTensor(const Operand& operand, bool isCoarse, std::mt19937& random) {
    Tensor tensor{.dimensions = operand.dimensions};
    tensor.data.resize(operandSize(operand).value());
    const auto put = [&tensor]<class T>(size_t i, T value) {
        std::memcpy(&tensor.data[i * sizeof(T)], &value, sizeof(T));
    };
    const size_t elements = tensor.data.size() / elementSize(operand.type);
    for (size_t i = 0; i < elements; ++i) {
        const auto number = static_cast<uint32_t>(random());
        switch (operand.type) {
            case OperandType::TENSOR_FLOAT32:
                put(i, isCoarse
                               ? static_cast<float>(number % 17) / 2 - 4
                               : static_cast<float>(number >> 8) / static_cast<float>(1 << 21) - 4);
                break;
            case OperandType::TENSOR_INT32:
                put(i,
                    static_cast<int32_t>(number % 41 / (isCoarse ? 10 : 1)) - (isCoarse ? 2 : 20));
                break;
            case OperandType::TENSOR_BOOL8:
                put(i, static_cast<uint8_t>(number % 2));
                break;
            default:
                put(i, static_cast<uint8_t>(isCoarse ? number % 16 * 16 : number));
        }
    }
    return tensor;
}

bool isStateInput(const ImportedPart& part, uint32_t input) {
    return std::ranges::any_of(part.states,
                               [&](const ImportedState& state) { return state.input == input; });
}
bool isStateOutput(const ImportedPart& part, uint32_t output) {
    return std::ranges::any_of(part.states,
                               [&](const ImportedState& state) { return state.output == output; });
}

// TensorFlow Lite executes with 1 for dimensions that the file leaves open.
std::map<std::string, Dimensions> knownShapes(const ImportedPart& part) {
    std::map<std::string, Dimensions> shapes;
    const std::vector<std::string> names = part.inputNames();
    for (size_t i = 0; i < names.size(); ++i) {
        Dimensions shape = part.model.main.operands[part.model.main.inputIndexes[i]].dimensions;
        const bool isOpen = std::ranges::find(shape, 0u) != shape.end();
        std::ranges::replace(shape, 0u, 1u);
        if (isOpen) shapes[names[i]] = shape;
    }
    return shapes;
}

// All inputs but the states, for each invocation.
std::vector<Tensors> randomInputs(const ImportedPart& part, uint32_t seed) {
    std::mt19937 random(seed);
    const Model::Subgraph& main = part.model.main;
    std::vector<Tensors> invocations(kInvocations);
    for (size_t n = 0; n < invocations.size(); ++n) {
        Tensors& values = invocations[n];
        for (uint32_t i = 0; i < main.inputIndexes.size(); ++i) {
            if (isStateInput(part, i)) continue;
            const Operand& operand = main.operands[main.inputIndexes[i]];
            values.push_back(randomTensor(operand, n % 2 != 0, random));
        }
    }
    return invocations;
}

// The outputs of all invocations, but for the states, which are inputs of the next one.
Result<Tensors> execute(const ImportedPart& part, const std::vector<Tensors>& invocations) {
    const Model::Subgraph& main = part.model.main;
    NNAPI_ASSIGN_OR_RETURN(prepared, prepare(part.model));
    std::map<uint32_t, Tensor> states;  // by input
    for (const ImportedState& state : part.states) {
        const Operand& operand = main.operands[main.inputIndexes[state.input]];
        Tensor zero{.dimensions = operand.dimensions};
        zero.data.resize(operandSize(operand).value());
        states[state.input] = std::move(zero);
    }
    Tensors all;
    for (const Tensors& given : invocations) {
        Tensors inputs;
        for (uint32_t i = 0, next = 0; i < main.inputIndexes.size(); ++i) {
            inputs.push_back(isStateInput(part, i) ? states[i] : given[next++]);
        }
        NNAPI_ASSIGN_OR_RETURN(outputs, prepared.run(inputs));
        for (const ImportedState& state : part.states) states[state.input] = outputs[state.output];
        for (uint32_t i = 0; i < outputs.size(); ++i) {
            if (!isStateOutput(part, i)) all.push_back(std::move(outputs[i]));
        }
    }
    return all;
}

std::vector<OperandType> outputTypes(const ImportedPart& part) {
    const Model::Subgraph& main = part.model.main;
    std::vector<OperandType> types;
    for (uint32_t i = 0; i < main.outputIndexes.size(); ++i) {
        if (!isStateOutput(part, i)) types.push_back(main.operands[main.outputIndexes[i]].type);
    }
    return types;
}

// A file, and all that executed it.
struct Subject {
    std::string name{};
    std::vector<OperandType> types{};  // of its outputs
    Losses losses{};
    bool isWritten = true;
    Tensors ours{};
    LiteBatch::FileResult original{};
    LiteBatch::FileResult exported{};  // of the imported model
};

// Why the interpreter's results are not those of TensorFlow Lite; empty if they are.
std::string differenceOf(const Subject& subject, const LiteBatch::FileResult& result,
                         std::optional<testing::Tolerance> tolerance = {}) {
    if (!result.error.empty()) return result.error;
    const std::vector<LiteTensor>& theirs = result.outputs;
    if (subject.ours.size() != theirs.size()) {
        return fmt::format("{} outputs, expected {}", subject.ours.size(), theirs.size());
    }
    for (size_t i = 0; i < theirs.size(); ++i) {
        const size_t outputs = subject.types.size();
        const OperandType type = subject.types[i % outputs];
        if (type != theirs[i].type) return fmt::format("output {} has another type", i % outputs);
        Tensor expected = theirs[i].value;
        if (expected.dimensions.empty()) expected.dimensions = {1};
        const auto compared = testing::compareTensors(type, expected, subject.ours[i],
                                                      tolerance.value_or(toleranceOf(type)));
        if (!compared.pass) {
            return fmt::format("invocation {}, output {}: {}", i / outputs, i % outputs,
                               compared.message);
        }
    }
    return {};
}

class LiteImports : public TensorFlowLite {
   protected:
    // `peer` is executed by TensorFlow Lite instead of a file that it lacks the operators of.
    void add(const std::string& name, const std::vector<uint8_t>& file, bool isWritten = true,
             const std::vector<uint8_t>& peer = {}) {
        SCOPED_TRACE(name);
        auto imported = importTflite(file);
        ASSERT_TRUE(imported.ok()) << imported.status();
        ASSERT_TRUE(preparationErrors(*imported).ok()) << preparationErrors(*imported);
        imported = importTflite(file, {.shapes = knownShapes(imported->parts.front())});
        ASSERT_TRUE(imported.ok()) << imported.status();
        const ImportedPart& part = imported->parts.front();
        const std::vector<Tensors> inputs = randomInputs(part, 1);
        auto ours = execute(part, inputs);
        ASSERT_TRUE(ours.ok()) << ours.status();
        mBatch.add(name, peer.empty() ? file : peer, inputs);
        if (isWritten) {
            const auto exported = exportTflite(part.model);
            ASSERT_TRUE(exported.ok()) << exported.status();
            mBatch.add(exportedOf(name), *exported, inputs);
        }
        mSubjects.push_back({.name = name,
                             .types = outputTypes(part),
                             .losses = imported->losses,
                             .isWritten = isWritten,
                             .ours = *std::move(ours)});
    }

    const std::vector<Subject>& run() {
        mBatch.run();
        for (Subject& subject : mSubjects) {
            subject.original = mBatch.resultOf(subject.name);
            if (subject.isWritten) subject.exported = mBatch.resultOf(exportedOf(subject.name));
        }
        return mSubjects;
    }

   private:
    static std::string exportedOf(const std::string& name) { return name + "-exported"; }

    LiteBatch mBatch;
    std::vector<Subject> mSubjects;
};

// Files that this release of TensorFlow Lite does not execute.
struct RefusedFile {
    const char* name;
    const char* why;
    const char* says;                  // about the file; null: it is executed
    const char* exportSays = nullptr;  // about the exported file
};
constexpr const char* kGroups = "builtin opcode 'CONV_2D' version '6'";
constexpr const char* kAbsOfIntegers = "builtin opcode 'ABS' version '5'";
constexpr RefusedFile kRefusedFiles[] = {
        {"CONV_2D_grouped_FLOAT32", "it has kernels for groups of channels from release 2.10 on",
         kGroups, kGroups},
        {"CONV_2D_without_bias_FLOAT32", "only kernels of 16 bits take no bias",
         "has_bias was not true"},
        {"CONV_2D_without_bias_UINT8", "only kernels of 16 bits take no bias",
         "has_bias was not true"},
        {"RELU_0_TO_1_FLOAT32", "the operator is newer", "builtin_code out of range: 152"},
        {"RELU_0_TO_1_quantized_INT8", "the operator is newer", "builtin_code out of range: 152"},
        {"Convolution2DTransposeBias_FLOAT32", "MediaPipe has the operator",
         "unresolved custom op: Convolution2DTransposeBias"},
        {"SIGN_FLOAT32", "the operator is newer", "builtin_code out of range: 158"},
        {"STABLEHLO_COMPOSITE_FLOAT32", "the operator is newer", "builtin_code out of range: 206"},
        {"STABLEHLO_COMPOSITE_UINT8", "the operator is newer", "builtin_code out of range: 206"},
        {"STABLEHLO_COMPOSITE_INT8", "the operator is newer", "builtin_code out of range: 206"},
        {"STABLEHLO_COMPOSITE_INT32", "the operator is newer", "builtin_code out of range: 206"},
        {"DIV_integers_INT32", "the operator is newer", nullptr, kAbsOfIntegers},
};

// Files whose operators compute otherwise here, which a loss of the import says.
struct LossyFile {
    const char* name;
    testing::Tolerance tolerance;
    bool isExportLossy = false;  // as well
};
constexpr LossyFile kLossyFiles[] = {
        // TensorFlow Lite quantizes the input to 8 bits.
        {"FULLY_CONNECTED_hybrid_FLOAT32", {.absolute = 0.2}},
        {"LSTM_hybrid_FLOAT32", {.absolute = 0.02}},
        {"UNIDIRECTIONAL_SEQUENCE_LSTM_hybrid_FLOAT32", {.absolute = 0.02}},
        {"SVDF_hybrid_FLOAT32", {.absolute = 0.1}},
        // Its cell state has 16 bits.
        {"LSTM_basic_UINT8", {.absolute = 4}},
        {"CAST_to_bytes_UINT8", {.absolute = 255}},
        // The indexes of equal values.
        {"TOPK_V2_FLOAT32", {.absolute = 3}, true},
        {"TOPK_V2_of_list_FLOAT32", {.absolute = 8}, true},
        {"TOPK_V2_INT32", {.absolute = 3}, true},
};

template <class Row>
const Row* rowFor(std::span<const Row> rows, const std::string& name) {
    const auto row = std::ranges::find_if(rows, [&](const Row& row) { return row.name == name; });
    return row == rows.end() ? nullptr : &*row;
}

TEST_F(LiteImports, EachOperatorIsThatOfItsKernel) {
    for (const tflite::OperatorFile& file : tflite::operatorFiles()) {
        add(file.name, file.bytes, file.isWritten);
    }
    for (const Subject& subject : run()) {
        SCOPED_TRACE(subject.name);
        const auto* refused = rowFor<RefusedFile>(kRefusedFiles, subject.name);
        const auto* lossy = rowFor<LossyFile>(kLossyFiles, subject.name);
        if (refused != nullptr && refused->says != nullptr) {
            EXPECT_THAT(subject.original.error, HasSubstr(refused->says));
        } else if (lossy != nullptr) {
            EXPECT_THAT(subject.losses, Not(IsEmpty()));
            EXPECT_EQ(differenceOf(subject, subject.original, lossy->tolerance), "");
        } else {
            EXPECT_EQ(differenceOf(subject, subject.original), "");
        }
        if (!subject.isWritten) continue;
        if (refused != nullptr && refused->exportSays != nullptr) {
            EXPECT_THAT(subject.exported.error, HasSubstr(refused->exportSays));
        } else if (lossy != nullptr && lossy->isExportLossy) {
            EXPECT_EQ(differenceOf(subject, subject.exported, lossy->tolerance), "");
        } else {
            EXPECT_EQ(differenceOf(subject, subject.exported), "");
        }
    }
}

// ---- custom operators

// Any boxes and scores without equal ones, and any options for which all rows are written.
std::vector<uint8_t> detectionFile(std::mt19937& random) {
    const auto below = [&](uint32_t bound) { return static_cast<int32_t>(random() % bound); };
    const auto real = [&](float most) {
        return most * static_cast<float>(below(1 << 20)) / (1 << 20);
    };
    using tflite::TensorType;
    constexpr TensorType kReal = TensorType::FLOAT32;
    const int32_t boxes = 8 + below(20), classes = 1 + below(4), background = below(2);
    const int32_t columns = classes + background, scoresCount = boxes * columns;
    const bool isRegular = below(2) == 0;
    const int32_t perBox = isRegular ? 1 : 1 + below(static_cast<uint32_t>(classes));
    tflite::OptionFields fields = tflite::detectionFields();
    fields["max_detections"] = int64_t{1 + below(2)};
    fields["max_classes_per_detection"] = int64_t{perBox};
    fields["detections_per_class"] = int64_t{2 + below(4)};
    fields["num_classes"] = int64_t{classes};
    fields["use_regular_nms"] = isRegular;
    fields["nms_score_threshold"] = below(3) == 0 ? 0.0 : double{real(0.4f)};
    fields["nms_iou_threshold"] = 0.05 + double{real(0.9f)};
    for (const char* scale : {"y_scale", "x_scale", "h_scale", "w_scale"}) {
        fields[scale] = 1 + double{real(10)};
    }
    // Two boxes far from the others have the best scores of all classes.
    std::vector<float> anchors, scores(static_cast<size_t>(scoresCount));
    for (int32_t i = 0; i < boxes; ++i) {
        const float away = i < 2 ? 1e4f * static_cast<float>(1 + i) : 0;
        anchors.insert(anchors.end(), {away + real(6), real(6), 1 + real(4), 1 + real(4)});
    }
    for (size_t i = 0; i < scores.size(); ++i) {
        const bool isBest = i < static_cast<size_t>(2 * columns);
        scores[i] = static_cast<float>(i) / 4096 + (isBest ? 0.6f : real(0.5f));
    }
    tflite::LiteFile file;
    tflite::LiteGraph& g = file.main();
    const int32_t deltas = g.input(kReal, {1, boxes, 4});
    const int32_t found = g.constant(kReal, {1, boxes, columns}, scores);
    const int32_t rows = static_cast<int32_t>(std::get<int64_t>(fields["max_detections"])) * perBox;
    const std::vector<int32_t> outputs = {g.output(kReal, {1, rows, 4}), g.output(kReal, {1, rows}),
                                          g.output(kReal, {1, rows}), g.output(kReal, {1})};
    g.custom("TFLite_Detection_PostProcess",
             {deltas, found, g.constant(kReal, {boxes, 4}, anchors)}, outputs,
             tflite::flexOptions(fields));
    return file.bytes();
}

TEST_F(LiteImports, DetectionsAreThoseOfTheirKernel) {
    std::mt19937 random(1);
    for (int i = 0; i < 150; ++i) add(fmt::format("detection_{}", i), detectionFile(random), false);
    for (const Subject& subject : run()) {
        EXPECT_EQ(differenceOf(subject, subject.original), "") << subject.name;
    }
}

// An image of random size, and what TRANSPOSE_CONV computes of it.
struct TransposedForm {
    int32_t height, width, filter, stride;
    tflite::Padding padding;
};

std::vector<uint8_t> transposedFile(const TransposedForm& form, bool isCustom) {
    constexpr auto kReal = tflite::TensorType::FLOAT32;
    const bool isSame = form.padding == tflite::Padding::SAME;
    const auto sizeOf = [&](int32_t in) {
        const int32_t cut = isSame ? std::max(0, form.filter - (in - 1) % form.stride - 1) : 0;
        return form.stride * (in - 1) + form.filter - cut;
    };
    const std::vector<int32_t> shape = {2, sizeOf(form.height), sizeOf(form.width), 3};
    tflite::LiteFile file;
    tflite::LiteGraph& g = file.main();
    const int32_t x = g.input(kReal, {2, form.height, form.width, 2});
    const int32_t filter = g.numbers(kReal, {3, form.filter, form.filter, 2});
    const int32_t bias = g.numbers(kReal, {3}), to = g.output(kReal, shape);
    if (isCustom) {
        g.custom("Convolution2DTransposeBias", {x, filter, bias}, {to},
                 tflite::structOptions({isSame ? 1 : 2, form.stride, form.stride}));
    } else {
        tflite::TransposeConvOptionsT options;
        options.padding = form.padding;
        options.stride_w = options.stride_h = form.stride;
        g.op(tflite::BuiltinOperator::TRANSPOSE_CONV, 3, {g.ints(shape), filter, x, bias}, {to},
             options);
    }
    return file.bytes();
}

TEST_F(LiteImports, BiasedTransposedConvolutionsAreThoseOfTransposeConv) {
    for (const auto padding : {tflite::Padding::SAME, tflite::Padding::VALID}) {
        for (int32_t filter = 1; filter <= 5; ++filter) {
            for (int32_t stride = 1; stride <= std::min(filter, 3); ++stride) {
                for (int32_t height = 1; height <= 5; ++height) {
                    const TransposedForm form{.height = height,
                                              .width = 6 - height,
                                              .filter = filter,
                                              .stride = stride,
                                              .padding = padding};
                    add(fmt::format("{}_{}_{}_{}", EnumNamePadding(padding), filter, stride,
                                    height),
                        transposedFile(form, true), false, transposedFile(form, false));
                }
            }
        }
    }
    for (const Subject& subject : run()) {
        EXPECT_EQ(differenceOf(subject, subject.original), "") << subject.name;
    }
}

// ---- more axes than operations have

// A tensor of five axes is compared with one that is broadcast, transposed, or joined with itself.
std::vector<uint8_t> fileOfFiveAxes(std::mt19937& random, int kind) {
    constexpr auto kReal = tflite::TensorType::FLOAT32;
    const auto below = [&](uint32_t bound) { return static_cast<int32_t>(random() % bound); };
    tflite::LiteFile file;
    tflite::LiteGraph& g = file.main();
    const auto reshape = [&](int32_t from, const std::vector<int32_t>& shape, int32_t to) {
        tflite::ReshapeOptionsT options;
        options.new_shape = shape;
        g.op(tflite::BuiltinOperator::RESHAPE, 1, {from, g.ints(shape)}, {to}, options);
    };
    std::vector<int32_t> shape, result;
    int32_t count = 1;
    for (int i = 0; i < 5; ++i) shape.push_back(1 + below(3));
    for (const int32_t size : shape) count *= size;
    const int32_t x = g.tensor(kReal, shape);
    reshape(g.input(kReal, {count}), shape, x);
    result = shape;
    int32_t to = 0;
    if (kind == 0) {  // the first two axes are alike
        std::vector<int32_t> other = shape;
        for (size_t i = 0; i < 4; ++i) {
            if (below(2) != 0) continue;
            other[i + 1] = 1;
            if (i == 0) other[0] = 1;
        }
        to = g.tensor(kReal, result);
        g.op(tflite::BuiltinOperator::MAXIMUM, 1, {x, g.numbers(kReal, other)}, {to});
    } else if (kind == 1) {  // two axes stay neighbors
        std::vector<int32_t> order = {0, 1, 2, 3}, axes;
        std::ranges::shuffle(order, random);
        for (const int32_t axis : order) {
            axes.push_back(axis < 2 ? axis : axis + 1);
            if (axis == 1) axes.push_back(2);
        }
        for (size_t i = 0; i < 5; ++i) result[i] = shape[static_cast<size_t>(axes[i])];
        to = g.tensor(kReal, result);
        g.op(tflite::BuiltinOperator::TRANSPOSE, 1, {x, g.ints(axes)}, {to});
    } else {
        tflite::ConcatenationOptionsT options;
        options.axis = below(5);
        result[static_cast<size_t>(options.axis)] *= 2;
        to = g.tensor(kReal, result);
        g.op(tflite::BuiltinOperator::CONCATENATION, 1, {x, x}, {to}, options);
    }
    const int32_t out = kind == 2 ? 2 * count : count;
    reshape(to, {out}, g.output(kReal, {out}));
    return file.bytes();
}

TEST_F(LiteImports, ManyAxesAreThoseOfTheirKernels) {
    std::mt19937 random(1);
    for (int i = 0; i < 120; ++i) {
        add(fmt::format("axes_{}", i), fileOfFiveAxes(random, i % 3), false);
    }
    for (const Subject& subject : run()) {
        EXPECT_EQ(differenceOf(subject, subject.original), "") << subject.name;
    }
}

// Differences of operations add up; where a sum is rounded up here and down there, also those of
// one unit.
TEST_F(LiteImports, NetworksAreThoseOfTheirFiles) {
    for (const LiteModel& model : kModels) {
        const std::string bytes = contentsOf(pathOf(model));
        add(model.name, {bytes.begin(), bytes.end()});
    }
    for (const Subject& subject : run()) {
        SCOPED_TRACE(subject.name);
        ASSERT_EQ(subject.original.error, "");
        ASSERT_EQ(subject.exported.error, "");
        std::vector<LiteTensor> ours = subject.original.outputs;
        ASSERT_EQ(ours.size(), subject.ours.size());
        for (size_t i = 0; i < ours.size(); ++i) ours[i].value = subject.ours[i];
        const NetworkComparison comparison = compareNetworks(ours, subject.original.outputs);
        EXPECT_TRUE(comparison.sameTop);
        const bool hasQuantizedSums = subject.name == "resnet_int8";
        const bool isFloat = subject.types[0] == OperandType::TENSOR_FLOAT32;
        EXPECT_LE(comparison.largest, hasQuantizedSums ? 0.5 : isFloat ? 2e-5 : 0);
        // The export has the same operators.
        ASSERT_EQ(ours.size(), subject.exported.outputs.size());
        for (size_t i = 0; i < ours.size(); ++i) {
            EXPECT_EQ(subject.exported.outputs[i].value, subject.original.outputs[i].value);
        }
    }
}

}  // namespace
}  // namespace nn
