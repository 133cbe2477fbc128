// Mutations of binary model files, field by field: the result is again a model file, and close to a
// legal one.
#include <google/protobuf/message.h>
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <optional>
#include <string>

#include "fuzz/input.h"
#include "fuzz/message_mutator.h"
#include "fuzz/random.h"
#include "fuzz/target.h"
#include "nnapi/model_file.pb.h"

namespace nn::fuzz {
namespace {

namespace pb = google::protobuf;
using pb::FieldDescriptor;
using pb::Message;

nnapi::ModelFile fileOf(const ModelInput& input) {
    const pb::LogSilencer silencer;
    nnapi::ModelFile file;
    if (!file.ParseFromArray(input.file.data(), static_cast<int>(input.file.size()))) file.Clear();
    return file;
}

// The model of a file, of any version.
Message& modelIn(nnapi::ModelFile& file) {
    const pb::Reflection& reflection = *file.GetReflection();
    const FieldDescriptor* field =
            reflection.GetOneofFieldDescriptor(file, file.GetDescriptor()->oneof_decl(0));
    return field == nullptr ? *file.mutable_canonical() : *reflection.MutableMessage(&file, field);
}

// An input or output operand of a graph, for use by another graph; empty if there is none.
nnapi::Operand* addLike(const nnapi::Graph& inner, uint32_t index,
                        nnapi::OperandLifeTime::Code lifetime, nnapi::Graph& outer) {
    if (index >= static_cast<uint32_t>(inner.operands_size())) return nullptr;
    nnapi::Operand* operand = outer.add_operands();
    *operand = inner.operands(static_cast<int>(index));
    operand->clear_where();
    operand->set_lifetime(lifetime);
    return operand;
}

// The main graph becomes a branch of an IF, the only operation of a new main graph. The other
// branch is the same graph, or any.
void nest(nnapi::Model& model, Random& random) {
    const nnapi::Graph inner = model.main();
    nnapi::Graph outer;
    const auto last = [&] { return static_cast<uint32_t>(outer.operands_size() - 1); };
    nnapi::Operation* operation = outer.add_operations();
    operation->set_type(nnapi::OperationType::IF);

    nnapi::Operand* condition = outer.add_operands();
    condition->set_type(nnapi::OperandType::TENSOR_BOOL8);
    condition->add_dimensions(1);
    condition->set_lifetime(nnapi::OperandLifeTime::CONSTANT_COPY);
    condition->set_value(std::string(1, random.oneIn(2) ? '\1' : '\0'));
    operation->add_inputs(last());
    const auto own = static_cast<uint32_t>(model.referenced_size());
    const auto other = random.oneIn(4) ? static_cast<uint32_t>(random.below(own + 1)) : own;
    for (const uint32_t graph : {own, other}) {
        nnapi::Operand* reference = outer.add_operands();
        reference->set_type(nnapi::OperandType::SUBGRAPH);
        reference->set_lifetime(nnapi::OperandLifeTime::SUBGRAPH);
        reference->set_subgraphindex(graph);
        operation->add_inputs(last());
    }
    const bool aliases = random.oneIn(4);  // one operand is passed for every input
    for (const uint32_t index : inner.inputindexes()) {
        if (aliases && outer.inputindexes_size() > 0) {
            operation->add_inputs(outer.inputindexes(0));
        } else if (addLike(inner, index, nnapi::OperandLifeTime::SUBGRAPH_INPUT, outer) !=
                   nullptr) {
            operation->add_inputs(last());
            outer.add_inputindexes(last());
        }
    }
    for (const uint32_t index : inner.outputindexes()) {
        if (addLike(inner, index, nnapi::OperandLifeTime::SUBGRAPH_OUTPUT, outer) == nullptr)
            continue;
        operation->add_outputs(last());
        outer.add_outputindexes(last());
    }
    *model.add_referenced() = inner;
    *model.mutable_main() = outer;
}

// All IFs and WHILEs refer to one graph.
void shareGraphs(nnapi::Model& model, Random& random) {
    const auto graph =
            static_cast<uint32_t>(random.below(static_cast<size_t>(model.referenced_size()) + 1));
    const auto share = [&](nnapi::Graph& user) {
        for (nnapi::Operand& operand : *user.mutable_operands()) {
            if (operand.type() == nnapi::OperandType::SUBGRAPH) operand.set_subgraphindex(graph);
        }
    };
    share(*model.mutable_main());
    for (nnapi::Graph& referenced : *model.mutable_referenced()) share(referenced);
}

// Returns the number of written bytes; empty if they do not fit.
std::optional<size_t> write(const nnapi::ModelFile& file, std::string_view choices,
                            std::span<uint8_t> out) {
    const size_t size = file.ByteSizeLong();
    if (size + choices.size() > out.size()) return std::nullopt;
    file.SerializeToArray(out.data(), static_cast<int>(size));
    std::ranges::copy(choices, out.begin() + static_cast<ptrdiff_t>(size));
    return size + choices.size();
}

}  // namespace

size_t mutateModelFile(uint8_t* data, size_t size, size_t maxSize, unsigned seed) {
    Random random(seed);
    if (random.oneIn(32))
        return LLVMFuzzerMutate(data, size, maxSize);  // arbitrary bytes instead of a message

    const ModelInput input = split({data, size});
    std::string choices(textOf(input.choices));
    nnapi::ModelFile file = fileOf(input);
    Message& model = modelIn(file);
    if (random.oneIn(8)) {
        const size_t length = choices.size();
        choices.resize(length + 32);
        choices.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(choices.data()), length,
                                        choices.size()));
    } else if (file.has_canonical() && random.oneIn(16)) {
        if (random.oneIn(4)) {
            shareGraphs(*file.mutable_canonical(), random);
        } else {
            nest(*file.mutable_canonical(), random);
        }
    } else {
        mutateMessage(model, model, static_cast<unsigned>(random.number()));
    }
    return write(file, choices, {data, maxSize}).value_or(size);
}

size_t crossModelFiles(std::span<const uint8_t> a, std::span<const uint8_t> b,
                       std::span<uint8_t> out, unsigned seed) {
    nnapi::ModelFile file = fileOf(split(a));
    nnapi::ModelFile donor = fileOf(split(b));
    mutateMessage(modelIn(file), modelIn(donor), seed);
    return write(file, textOf(split(b).choices), out).value_or(0);
}

}  // namespace nn::fuzz
