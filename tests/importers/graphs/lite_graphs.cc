#include "importers/graphs/lite_graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "importers/operator_files.h"
#include "importers/tflite/conversion.h"

namespace nn::graphs {
namespace {

using namespace tflite;

// A file with one operator, and the kinds of operators of its main graph.
struct Template {
    std::unique_ptr<ModelT> file{};
    std::set<std::string> operators{};
};

std::string nameOf(const OperatorCodeT& code) {
    const std::string name = EnumNameBuiltinOperator(code.builtin_code);
    return code.custom_code.empty() ? name : name + " " + code.custom_code;
}

std::set<std::string> operatorsOf(const ModelT& file) {
    std::set<std::string> names;
    for (const auto& graph : file.subgraphs) {
        for (const auto& op : graph->operators) {
            if (op->opcode_index >= file.operator_codes.size()) continue;
            names.insert(nameOf(*file.operator_codes[op->opcode_index]));
        }
    }
    return names;
}

const std::vector<Template>& templates() {
    static const std::vector<Template> kAll = [] {
        std::vector<Template> all;
        for (const OperatorFile& each : operatorFiles()) {
            Template made{.file = UnPackModel(each.bytes.data())};
            for (const auto& op : made.file->subgraphs.front()->operators) {
                made.operators.insert(nameOf(*made.file->operator_codes[op->opcode_index]));
            }
            all.push_back(std::move(made));
        }
        return all;
    }();
    return kAll;
}

bool isList(TensorType type) { return type == TensorType::INT32 || type == TensorType::INT64; }

bool isSameScale(const TensorT& a, const TensorT& b) {
    if (a.quantization == nullptr || b.quantization == nullptr) {
        return a.quantization == b.quantization;
    }
    return a.quantization->scale == b.quantization->scale &&
           a.quantization->zero_point == b.quantization->zero_point;
}

class LiteMaker {
   public:
    LiteMaker(Choices& choices, ModelT& file) : mChoices(choices), mFile(file) {
        mFile.version = 3;
        mFile.buffers.push_back(std::make_unique<BufferT>());
        mFile.subgraphs.push_back(std::make_unique<SubGraphT>());
        mAllConstant = mChoices.oneIn(6);
    }

    void make() {
        const auto rows = operatorRows();
        for (size_t n = 1 + mChoices.below(mChoices.straysOneIn(8) ? 24
                                           : mChoices.isCareful()  ? 3
                                                                   : 6);
             n > 0; --n) {
            addOperator(mChoices.any(rows));
        }
        SubGraphT& main = *mFile.subgraphs.front();
        if (!main.operators.empty() && mChoices.oneIn(12)) repeatOperator(main);
    }

   private:
    SubGraphT& graph() { return *mFile.subgraphs.front(); }

    void addOperator(const Row& row) {
        std::vector<const Template*> found;
        for (const Template& each : templates()) {
            if (each.operators.contains(tflite::nameOf(row))) found.push_back(&each);
        }
        if (found.empty() || mChoices.straysOneIn(8)) return addBare(row);
        const Template& chosen = *mChoices.any(found);
        if (mChoices.oneIn(10)) return addCall(chosen, BuiltinOperator::IF);
        if (mChoices.oneIn(12)) return addCall(chosen, BuiltinOperator::STABLEHLO_COMPOSITE);
        addTemplate(*chosen.file, graph());
    }

    // The graph of a file, with the graphs that it calls.
    void addTemplate(const ModelT& from, SubGraphT& to) {
        const SubGraphT& graph = *from.subgraphs.front();
        const auto others = mChoices.otherSizes(sizesOf(graph));
        std::vector<int32_t> tensors;
        for (size_t i = 0; i < graph.tensors.size(); ++i) {
            const bool isInput = std::ranges::find(graph.inputs, i) != graph.inputs.end();
            tensors.push_back(addTensor(from, *graph.tensors[i], others, isInput, to));
        }
        const auto firstGraph = static_cast<int32_t>(mFile.subgraphs.size()) - 1;
        for (const auto& op : graph.operators) {
            to.operators.push_back(copyOf(from, *op, tensors, firstGraph));
        }
        for (size_t i = 1; i < from.subgraphs.size(); ++i) addCalled(from, *from.subgraphs[i]);
        for (const int32_t output : graph.outputs) {
            to.outputs.push_back(tensors[static_cast<size_t>(output)]);
        }
    }

    static std::vector<int64_t> sizesOf(const SubGraphT& graph) {
        std::set<int64_t> sizes;
        for (const auto& tensor : graph.tensors)
            sizes.insert(tensor->shape.begin(), tensor->shape.end());
        return {sizes.begin(), sizes.end()};
    }

    // An input becomes an input, a constant, or a tensor like it that there is.
    int32_t addTensor(const ModelT& from, const TensorT& like,
                      const std::map<int64_t, int64_t>& others, bool isInput, SubGraphT& to) {
        auto made = std::make_unique<TensorT>(like);
        const auto& data = from.buffers[like.buffer]->data;
        const bool keeps = isList(like.type) && !data.empty();
        for (int32_t& size : made->shape) {
            const auto other = others.find(size);
            if (!keeps && other != others.end()) size = static_cast<int32_t>(other->second);
        }
        if (isInput && mChoices.coin()) {
            const auto same = std::ranges::find_if(to.tensors, [&](const auto& tensor) {
                return tensor->type == made->type && tensor->shape == made->shape &&
                       isSameScale(*tensor, *made) && !tensor->is_variable;
            });
            if (same != to.tensors.end()) return static_cast<int32_t>(same - to.tensors.begin());
        }
        made->name = fmt::format("t{}", mNames++);
        made->buffer = 0;
        const auto index = static_cast<int32_t>(to.tensors.size());
        if (!data.empty()) {
            if (mChoices.straysOneIn(12)) {
                to.inputs.push_back(index);
            } else {
                made->buffer = addBuffer(others.empty() || keeps ? data : elements(*made));
            }
        } else if (isInput) {
            if (mAllConstant || mChoices.oneIn(6)) {
                made->buffer = addBuffer(elements(*made));
            } else {
                to.inputs.push_back(index);
            }
        }
        to.tensors.push_back(std::move(made));
        return index;
    }

    uint32_t addBuffer(std::vector<uint8_t> data) {
        mFile.buffers.push_back(std::make_unique<BufferT>());
        mFile.buffers.back()->data = std::move(data);
        return static_cast<uint32_t>(mFile.buffers.size() - 1);
    }

    // As many bytes as the tensor has, if they are few.
    std::vector<uint8_t> elements(const TensorT& tensor) {
        constexpr uint64_t kMost = 1 << 14;
        uint64_t count = std::max(sizeOf(tensor.type), 1u);
        for (const int32_t size : tensor.shape) {
            if (size < 0 || count > kMost) return {};
            count *= static_cast<uint64_t>(size);
        }
        if (count > kMost) return {};
        std::vector<uint8_t> data;
        const size_t period = 1 + mChoices.below(8);
        for (size_t i = 0; i < period; ++i) data.push_back(mChoices.source().byte());
        data.resize(count);
        for (size_t i = period; i < count; ++i) data[i] = data[i - period];
        return data;
    }

    std::unique_ptr<OperatorT> copyOf(const ModelT& from, const OperatorT& op,
                                      const std::vector<int32_t>& tensors, int32_t firstGraph) {
        auto made = std::make_unique<OperatorT>(op);
        const auto move = [&](std::vector<int32_t>& list) {
            for (int32_t& tensor : list) {
                if (tensor >= 0) tensor = tensors[static_cast<size_t>(tensor)];
            }
        };
        move(made->inputs);
        move(made->outputs);
        if (auto* options = made->builtin_options.AsIfOptions()) {
            options->then_subgraph_index += firstGraph;
            options->else_subgraph_index += firstGraph;
        }
        if (auto* options = made->builtin_options.AsWhileOptions()) {
            options->cond_subgraph_index += firstGraph;
            options->body_subgraph_index += firstGraph;
        }
        if (auto* options = made->builtin_options_2.AsStableHLOCompositeOptions()) {
            options->decomposition_subgraph_index += firstGraph;
        }
        made->opcode_index = static_cast<uint32_t>(mFile.operator_codes.size());
        mFile.operator_codes.push_back(
                std::make_unique<OperatorCodeT>(*from.operator_codes[op.opcode_index]));
        if (mChoices.straysOneIn(3)) varyOption(*made, mChoices);
        return made;
    }

    // A graph that another calls, as it is.
    void addCalled(const ModelT& from, const SubGraphT& graph) {
        auto made = std::make_unique<SubGraphT>();
        std::vector<int32_t> tensors;
        for (const auto& tensor : graph.tensors) {
            made->tensors.push_back(std::make_unique<TensorT>(*tensor));
            const auto& data = from.buffers[tensor->buffer]->data;
            made->tensors.back()->buffer = data.empty() ? 0 : addBuffer(data);
            tensors.push_back(static_cast<int32_t>(tensors.size()));
        }
        for (const auto& op : graph.operators)
            made->operators.push_back(copyOf(from, *op, tensors, 0));
        made->inputs = graph.inputs;
        made->outputs = graph.outputs;
        mFile.subgraphs.push_back(std::move(made));
    }

    // An operator inside of both branches of an IF, or of a composite operator. A quarter of both
    // name one graph twice.
    void addCall(const Template& chosen, BuiltinOperator code) {
        if (chosen.file->subgraphs.size() > 1) {
            addTemplate(*chosen.file, graph());
            return;
        }
        const SubGraphT& inner = *chosen.file->subgraphs.front();
        const auto first = static_cast<int32_t>(mFile.subgraphs.size());
        addCalled(*chosen.file, inner);
        const bool isShared = mChoices.oneIn(4);
        if (code == BuiltinOperator::STABLEHLO_COMPOSITE) {
            addCallOf(chosen, compositeOf(first), code, {});
            if (isShared) addCallOf(chosen, compositeOf(first), code, {});
            return;
        }
        IfOptionsT options;
        options.then_subgraph_index = first;
        options.else_subgraph_index = isShared ? first : first + 1;
        if (!isShared) addCalled(*chosen.file, inner);
        auto op = std::make_unique<OperatorT>();
        op->builtin_options.type = BuiltinOptions::IfOptions;
        op->builtin_options.value = new IfOptionsT(std::move(options));
        TensorT condition;
        condition.type = TensorType::BOOL;
        addCallOf(chosen, std::move(op), code,
                  {addTensor(*chosen.file, condition, {}, true, graph())});
    }

    static std::unique_ptr<OperatorT> compositeOf(int32_t graph) {
        auto op = std::make_unique<OperatorT>();
        auto options = std::make_unique<StableHLOCompositeOptionsT>();
        options->decomposition_subgraph_index = graph;
        op->builtin_options_2.type = BuiltinOptions2::StableHLOCompositeOptions;
        op->builtin_options_2.value = options.release();
        return op;
    }

    // Calls a graph that was added, with these and its own inputs.
    void addCallOf(const Template& chosen, std::unique_ptr<OperatorT> op, BuiltinOperator code,
                   std::vector<int32_t> inputs) {
        const SubGraphT& inner = *chosen.file->subgraphs.front();
        op->inputs = std::move(inputs);
        for (const int32_t input : inner.inputs) {
            const TensorT& like = *inner.tensors[static_cast<size_t>(input)];
            op->inputs.push_back(addTensor(*chosen.file, like, {}, true, graph()));
        }
        for (const int32_t output : inner.outputs) {
            const TensorT& like = *inner.tensors[static_cast<size_t>(output)];
            op->outputs.push_back(addTensor(*chosen.file, like, {}, false, graph()));
            graph().outputs.push_back(op->outputs.back());
        }
        addCode(*op, code, 1);
        if (mChoices.straysOneIn(3)) varyOption(*op, mChoices);
        graph().operators.push_back(std::move(op));
    }

    void addCode(OperatorT& op, BuiltinOperator code, int32_t version) {
        op.opcode_index = static_cast<uint32_t>(mFile.operator_codes.size());
        mFile.operator_codes.push_back(std::make_unique<OperatorCodeT>());
        OperatorCodeT& kind = *mFile.operator_codes.back();
        kind.builtin_code = code;
        kind.deprecated_builtin_code = static_cast<int8_t>(
                std::min(code, BuiltinOperator::PLACEHOLDER_FOR_GREATER_OP_CODES));
        kind.version = version;
    }

    // An operator with any inputs and options.
    void addBare(const Row& row) {
        auto op = std::make_unique<OperatorT>();
        const auto index = [&] { return static_cast<int32_t>(graph().tensors.size()); };
        for (size_t n = mChoices.below(6); n > 0; --n) {
            const bool isOmitted = mChoices.oneIn(6);
            op->inputs.push_back(isOmitted ? -1 : index());
            if (isOmitted) continue;
            TensorT any;
            any.type = mChoices.pick({TensorType::FLOAT32, TensorType::FLOAT32, TensorType::INT32,
                                      TensorType::INT8, TensorType::UINT8, TensorType::BOOL});
            for (size_t rank = mChoices.below(7); rank > 0; --rank) {
                any.shape.push_back(
                        static_cast<int32_t>(mChoices.oneIn(12) ? 0 : mChoices.small()));
            }
            op->inputs.back() = addTensor(modelWithoutData(), any, {}, true, graph());
        }
        op->outputs.push_back(index());
        graph().outputs.push_back(index());
        graph().tensors.push_back(std::make_unique<TensorT>());
        addCode(*op, row.code,
                static_cast<int32_t>(1 + mChoices.below(static_cast<size_t>(row.version))));
        mFile.operator_codes.back()->custom_code = row.custom;
        if (!row.custom.empty()) op->custom_options = anyCustomOptions(mChoices);
        for (size_t n = mChoices.below(4); n > 0; --n) varyOption(*op, mChoices);
        graph().operators.push_back(std::move(op));
    }

    static const ModelT& modelWithoutData() {
        static const ModelT kModel = [] {
            ModelT model;
            model.buffers.push_back(std::make_unique<BufferT>());
            return model;
        }();
        return kModel;
    }

    // Many operators that share their inputs.
    void repeatOperator(SubGraphT& to) {
        const OperatorT op = *mChoices.any(to.operators);
        for (size_t n = size_t{1} << mChoices.below(9); n > 0; --n) {
            auto copy = std::make_unique<OperatorT>(op);
            for (int32_t& output : copy->outputs) {
                auto made = std::make_unique<TensorT>(*to.tensors[static_cast<size_t>(output)]);
                output = static_cast<int32_t>(to.tensors.size());
                to.tensors.push_back(std::move(made));
                to.outputs.push_back(output);
            }
            to.operators.push_back(std::move(copy));
        }
    }

    Choices& mChoices;
    ModelT& mFile;
    bool mAllConstant = false;
    size_t mNames = 0;
};

}  // namespace

std::vector<uint8_t> bytesOf(const ModelT& file) {
    flatbuffers::FlatBufferBuilder builder;
    FinishModelBuffer(builder, tflite::Model::Pack(builder, &file));
    return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

GraphFile anyLiteGraph(testing::Source& source) {
    Choices choices(source);
    ModelT file;
    LiteMaker(choices, file).make();
    while (choices.breaksRule()) breakRule(file, choices);
    return {.bytes = bytesOf(file), .operators = operatorsOf(file)};
}

}  // namespace nn::graphs
