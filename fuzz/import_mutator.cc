// Mutations of ONNX and TensorFlow Lite files: the result is a file again, close to a valid one;
// occasionally it is a new random graph (tests/importers/graphs).
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "fuzz/message_mutator.h"
#include "fuzz/random.h"
#include "fuzz/target.h"
#include "importers/graphs/any_graph.h"

namespace nn::fuzz {
namespace {

namespace file = nnapi::onnx_file;
using graphs::Choices;
using graphs::FileFormat;

// Writes the bytes if they fit; returns 0 otherwise.
size_t put(std::span<const uint8_t> bytes, std::span<uint8_t> out) {
    if (bytes.size() > out.size()) return 0;
    std::copy(bytes.begin(), bytes.end(), out.begin());
    return bytes.size();
}

size_t put(const file::Model& model, std::span<uint8_t> out) {
    if (model.ByteSizeLong() > out.size()) return 0;
    model.SerializeToArray(out.data(), static_cast<int>(out.size()));
    return model.ByteSizeLong();
}

size_t newGraph(FileFormat format, std::span<uint8_t> out, Random& random) {
    const std::vector<uint8_t> choices = graphs::choicesOf(random.number());
    testing::Source source(choices);
    return put(graphs::anyGraph(format, source).bytes, out);
}

size_t mutateBytes(uint8_t* data, size_t size, size_t maxSize) {
    return LLVMFuzzerMutate(data, size, maxSize);
}

bool parse(std::span<const uint8_t> bytes, file::Model& model) {
    const google::protobuf::LogSilencer silencer;
    return model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

// The generated code requires options of an operator that names a table of options.
void repair(tflite::ModelT& model) {
    for (auto& graph : model.subgraphs) {
        for (auto& op : graph->operators) {
            if (op->builtin_options.value == nullptr) op->builtin_options.Reset();
        }
    }
}

// The verifier leaves open how zero points are aligned, which the generated code reads in place.
bool hasAlignedZeroPoints(const tflite::Model& model) {
    if (model.subgraphs() == nullptr) return true;
    for (const tflite::SubGraph* graph : *model.subgraphs()) {
        if (graph->tensors() == nullptr) continue;
        for (const tflite::Tensor* tensor : *graph->tensors()) {
            const auto* quantization = tensor->quantization();
            const auto* list = quantization == nullptr ? nullptr : quantization->zero_point();
            if (list != nullptr && reinterpret_cast<uintptr_t>(list->Data()) % sizeof(int64_t) != 0)
                return false;
        }
    }
    return true;
}

std::unique_ptr<tflite::ModelT> unpack(std::span<const uint8_t> bytes) {
    flatbuffers::Verifier verifier(bytes.data(), bytes.size());
    if (bytes.size() < 8 || !tflite::VerifyModelBuffer(verifier)) return nullptr;
    if (!hasAlignedZeroPoints(*tflite::GetModel(bytes.data()))) return nullptr;
    auto model = tflite::UnPackModel(bytes.data());
    repair(*model);
    return model;
}

void breakRules(tflite::ModelT& model, Random& random) {
    const std::vector<uint8_t> bytes = graphs::choicesOf(random.number());
    testing::Source source(bytes);
    Choices choices(source);
    do {
        graphs::breakRule(model, choices);
    } while (random.oneIn(3));
}

}  // namespace

size_t mutateOnnxFile(uint8_t* data, size_t size, size_t maxSize, unsigned seed) {
    Random random(seed);
    file::Model model;
    if (random.oneIn(8) || !parse({data, size}, model)) {
        const size_t made = newGraph(FileFormat::ONNX, {data, maxSize}, random);
        return made == 0 ? mutateBytes(data, size, maxSize) : made;
    }
    if (random.oneIn(8)) return mutateBytes(data, size, maxSize);
    mutateMessage(model, model, static_cast<unsigned>(random.number()));
    const size_t made = put(model, {data, maxSize});
    return made == 0 ? size : made;
}

size_t crossOnnxFiles(std::span<const uint8_t> a, std::span<const uint8_t> b,
                      std::span<uint8_t> out, unsigned seed) {
    file::Model model, donor;
    if (!parse(a, model) || !parse(b, donor)) return put(a, out);
    mutateMessage(model, donor, seed);
    const size_t made = put(model, out);
    return made == 0 ? put(a, out) : made;
}

size_t mutateTfliteFile(uint8_t* data, size_t size, size_t maxSize, unsigned seed) {
    Random random(seed);
    const auto model = random.oneIn(8) ? nullptr : unpack({data, size});
    if (model == nullptr) {
        const size_t made = newGraph(FileFormat::TFLITE, {data, maxSize}, random);
        return made == 0 ? mutateBytes(data, size, maxSize) : made;
    }
    if (random.oneIn(4)) return mutateBytes(data, size, maxSize);
    breakRules(*model, random);
    const size_t made = put(graphs::bytesOf(*model), {data, maxSize});
    return made == 0 ? size : made;
}

// Appends the operators of one file to those of another, with its operator codes and buffers.
size_t crossTfliteFiles(std::span<const uint8_t> a, std::span<const uint8_t> b,
                        std::span<uint8_t> out, unsigned seed) {
    Random random(seed);
    const auto model = unpack(a), donor = unpack(b);
    if (model == nullptr || donor == nullptr || model->subgraphs.empty() ||
        donor->subgraphs.empty()) {
        return put(a, out);
    }
    const auto kinds = static_cast<uint32_t>(model->operator_codes.size());
    for (auto& kind : donor->operator_codes) model->operator_codes.push_back(std::move(kind));
    auto& from = donor->subgraphs[random.below(donor->subgraphs.size())];
    for (auto& op : from->operators) {
        op->opcode_index += kinds;
        model->subgraphs.front()->operators.push_back(std::move(op));
    }
    const size_t made = put(graphs::bytesOf(*model), out);
    return made == 0 ? put(a, out) : made;
}

}  // namespace nn::fuzz
