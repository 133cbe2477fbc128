// Writes small files of TensorFlow Lite for tests, tensor by tensor.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "importers/tflite_generated.h"

namespace nn::tflite {

// The table's number in the union of all options, found by the name of its type.
template <class Options>
BuiltinOptions kindOf() {
    const std::string_view type = typeid(Options).name();  // ends with "11AddOptionsTE"
    for (const BuiltinOptions kind : EnumValuesBuiltinOptions()) {
        const std::string name = std::string(EnumNameBuiltinOptions(kind)) + "T";
        if (type.ends_with(std::to_string(name.size()) + name + "E")) return kind;
    }
    return BuiltinOptions::NONE;
}

// Quantization, or none.
struct LiteScale {
    float scale = 0;
    int64_t zeroPoint = 0;
};

// One graph of a file.
class LiteGraph {
   public:
    explicit LiteGraph(ModelT& file) : mFile(file), mGraph(std::make_unique<SubGraphT>()) {}

    // A tensor that is computed, or an input.
    int32_t tensor(TensorType type, std::vector<int32_t> shape, LiteScale scale = {}) {
        auto made = std::make_unique<TensorT>();
        made->type = type;
        made->shape = std::move(shape);
        made->name = "t" + std::to_string(mGraph->tensors.size());
        if (scale.scale != 0) {
            made->quantization = std::make_unique<QuantizationParametersT>();
            made->quantization->scale = {scale.scale};
            made->quantization->zero_point = {scale.zeroPoint};
        }
        mGraph->tensors.push_back(std::move(made));
        return static_cast<int32_t>(mGraph->tensors.size() - 1);
    }

    // Named by their order, "in0" and "out0": that of tensors depends on the compiler where calls
    // are arguments of a call.
    int32_t input(TensorType type, std::vector<int32_t> shape, LiteScale scale = {}) {
        mGraph->inputs.push_back(tensor(type, std::move(shape), scale));
        at(mGraph->inputs.back()).name = "in" + std::to_string(mGraph->inputs.size() - 1);
        return mGraph->inputs.back();
    }
    int32_t output(TensorType type, std::vector<int32_t> shape, LiteScale scale = {}) {
        mGraph->outputs.push_back(tensor(type, std::move(shape), scale));
        at(mGraph->outputs.back()).name = "out" + std::to_string(mGraph->outputs.size() - 1);
        return mGraph->outputs.back();
    }
    int32_t variable(TensorType type, std::vector<int32_t> shape, LiteScale scale = {}) {
        const int32_t made = tensor(type, std::move(shape), scale);
        at(made).is_variable = true;
        return made;
    }

    template <class T>
    int32_t constant(TensorType type, std::vector<int32_t> shape, const std::vector<T>& values,
                     LiteScale scale = {}) {
        const int32_t made = tensor(type, std::move(shape), scale);
        auto buffer = std::make_unique<BufferT>();
        buffer->data.resize(values.size() * sizeof(T));
        if (!values.empty()) std::memcpy(buffer->data.data(), values.data(), buffer->data.size());
        at(made).buffer = static_cast<uint32_t>(mFile.buffers.size());
        mFile.buffers.push_back(std::move(buffer));
        return made;
    }
    int32_t ints(const std::vector<int32_t>& values) {
        return constant(TensorType::INT32, {static_cast<int32_t>(values.size())}, values);
    }
    int32_t scalar(int32_t value) {
        return constant(TensorType::INT32, {}, std::vector<int32_t>{value});
    }
    // Some numbers of a type: floats between -1 and 1, others small.
    int32_t numbers(TensorType type, std::vector<int32_t> shape, LiteScale scale = {}) {
        size_t count = 1;
        for (const int32_t size : shape) count *= static_cast<size_t>(size);
        std::minstd_rand random(static_cast<uint32_t>(count) + 17);
        std::uniform_int_distribution<int> any(-100, 100);
        if (type == TensorType::FLOAT32) {
            std::vector<float> values(count);
            for (float& value : values) value = static_cast<float>(any(random)) / 100;
            return constant(type, std::move(shape), values, scale);
        }
        if (type == TensorType::INT32) {
            std::vector<int32_t> values(count);
            for (int32_t& value : values) value = any(random);
            return constant(type, std::move(shape), values, scale);
        }
        const int offset = type == TensorType::UINT8 ? 128 : 0;
        std::vector<int8_t> values(count);
        for (int8_t& value : values) value = static_cast<int8_t>(any(random) + offset);
        return constant(type, std::move(shape), values, scale);
    }

    template <class Options>
    void op(BuiltinOperator code, int32_t version, std::vector<int32_t> inputs,
            std::vector<int32_t> outputs, Options options) {
        auto made = std::make_unique<OperatorT>();
        made->builtin_options.type = kindOf<Options>();
        made->builtin_options.value = new Options(std::move(options));
        add(code, version, std::move(made), std::move(inputs), std::move(outputs));
    }
    void op(BuiltinOperator code, int32_t version, std::vector<int32_t> inputs,
            std::vector<int32_t> outputs) {
        add(code, version, std::make_unique<OperatorT>(), std::move(inputs), std::move(outputs));
    }

    // The operators of a graph, under one name.
    void composite(int32_t graph, std::vector<int32_t> inputs, std::vector<int32_t> outputs) {
        auto made = std::make_unique<OperatorT>();
        StableHLOCompositeOptionsT options;
        options.name = "test.composite";
        options.decomposition_subgraph_index = graph;
        options.composite_attributes = {0, 0, 1};
        options.version = 1;
        made->builtin_options_2.type = BuiltinOptions2::StableHLOCompositeOptions;
        made->builtin_options_2.value = new StableHLOCompositeOptionsT(std::move(options));
        add(BuiltinOperator::STABLEHLO_COMPOSITE, 1, std::move(made), std::move(inputs),
            std::move(outputs));
    }

    // A custom operator, which files name.
    void custom(const std::string& name, std::vector<int32_t> inputs, std::vector<int32_t> outputs,
                std::vector<uint8_t> options) {
        auto made = std::make_unique<OperatorT>();
        made->custom_options = std::move(options);
        add(BuiltinOperator::CUSTOM, 1, std::move(made), std::move(inputs), std::move(outputs));
        mFile.operator_codes.back()->custom_code = name;
    }

    TensorT& at(int32_t tensor) { return *mGraph->tensors[static_cast<size_t>(tensor)]; }
    SubGraphT& graph() { return *mGraph; }
    std::unique_ptr<SubGraphT> take() { return std::move(mGraph); }

   private:
    void add(BuiltinOperator code, int32_t version, std::unique_ptr<OperatorT> op,
             std::vector<int32_t> inputs, std::vector<int32_t> outputs) {
        auto kind = std::make_unique<OperatorCodeT>();
        kind->builtin_code = code;
        kind->deprecated_builtin_code = static_cast<int8_t>(
                std::min(code, BuiltinOperator::PLACEHOLDER_FOR_GREATER_OP_CODES));
        kind->version = version;
        op->opcode_index = static_cast<uint32_t>(mFile.operator_codes.size());
        mFile.operator_codes.push_back(std::move(kind));
        op->inputs = std::move(inputs);
        op->outputs = std::move(outputs);
        mGraph->operators.push_back(std::move(op));
    }

    ModelT& mFile;
    std::unique_ptr<SubGraphT> mGraph;
};

// A file with a main graph, and others that it calls.
class LiteFile {
   public:
    LiteFile() : mMain(mFile) {
        mFile.version = 3;
        mFile.buffers.push_back(std::make_unique<BufferT>());
    }

    LiteGraph& main() { return mMain; }
    LiteGraph called() { return LiteGraph(mFile); }
    ModelT& file() { return mFile; }
    // The number of the graph in the file.
    int32_t add(LiteGraph graph) {
        mCalled.push_back(graph.take());
        return static_cast<int32_t>(mCalled.size());
    }

    std::vector<uint8_t> bytes() {
        mFile.subgraphs.push_back(mMain.take());
        for (auto& graph : mCalled) mFile.subgraphs.push_back(std::move(graph));
        flatbuffers::FlatBufferBuilder builder;
        FinishModelBuffer(builder, Model::Pack(builder, &mFile));
        return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
    }

   private:
    ModelT mFile;
    LiteGraph mMain;
    std::vector<std::unique_ptr<SubGraphT>> mCalled;
};

}  // namespace nn::tflite
