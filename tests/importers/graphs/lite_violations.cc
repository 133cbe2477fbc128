// Breaks the rules of files of TensorFlow Lite, or makes one thing large.
#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "importers/custom_options.h"
#include "importers/graphs/lite_graphs.h"
#include "importers/tflite/conversion.h"
#include "importers/tflite/options.h"

namespace nn::graphs {
namespace {

using namespace tflite;

namespace tables {
using enum BuiltinOptions;
}  // namespace tables

int32_t anyInteger(Choices& choices) {
    if (choices.oneIn(4)) return static_cast<int32_t>(choices.extreme());
    return choices.pick<int32_t>({0, 1, 2, 3, -1, -2, 4, 8});
}

template <class T>
OptionValue anyValue(Choices& choices) {
    if constexpr (std::is_same_v<T, bool>) {
        return choices.coin();
    } else if constexpr (std::is_same_v<T, float>) {
        return choices.real();
    } else if constexpr (std::is_same_v<T, std::vector<int32_t>>) {
        std::vector<int32_t> list;
        for (size_t n = choices.below(7); n > 0; --n) list.push_back(anyInteger(choices));
        return list;
    } else {
        return anyInteger(choices);
    }
}

// A row of options.def.
struct OptionRow {
    BuiltinOptions table;
    std::string_view field;
    OptionValue (*any)(Choices& choices);
};
constexpr OptionRow kOptions[] = {
#define TFLITE_OPTION(table, field) \
    {tables::table##Options, #field, anyValue<decltype(table##OptionsT::field)>},
#include "importers/tflite/options.def"
};

int32_t extreme(Choices& choices) { return static_cast<int32_t>(choices.extreme()); }

// A list of numbers with an extreme one, without one, empty, or much longer.
void breakList(std::vector<int32_t>& list, Choices& choices) {
    switch (choices.below(6)) {
        case 0:
            return list.clear();
        case 1:
            if (!list.empty()) list.pop_back();
            return;
        case 2:
            list.resize(list.size() + (size_t{1} << choices.below(13)),
                        list.empty() ? 1 : list.front());
            return;
        case 3:
            return list.push_back(anyInteger(choices));
        default:
            if (!list.empty()) choices.any(list) = extreme(choices);
    }
}

std::string longText(Choices& choices) {
    if (choices.coin()) return "\x1b[31m\n\xff";
    return std::string(size_t{1} << choices.below(14), 'n');
}

void breakScale(TensorT& tensor, Choices& choices) {
    if (tensor.quantization == nullptr) {
        tensor.quantization = std::make_unique<QuantizationParametersT>();
    }
    QuantizationParametersT& scale = *tensor.quantization;
    switch (choices.below(6)) {
        case 0:
            scale.scale = {choices.real()};
            return;
        case 1:
            scale.zero_point = {choices.extreme()};
            return;
        case 2:
            scale.quantized_dimension = extreme(choices);
            return;
        case 3:
            scale.scale.resize(choices.below(20), 0.5f);
            return;
        case 4:
            scale.zero_point.resize(choices.below(20), 1);
            return;
        default:
            tensor.quantization.reset();
    }
}

void breakTensor(ModelT& file, TensorT& tensor, Choices& choices) {
    switch (choices.below(9)) {
        case 0:
        case 1:
            return breakList(tensor.shape, choices);
        case 2:
            tensor.type = static_cast<TensorType>(choices.below(20));
            return;
        case 3:
        case 4:
            return breakScale(tensor, choices);
        case 5:
            tensor.buffer = choices.oneIn(4)
                                    ? static_cast<uint32_t>(choices.extreme())
                                    : static_cast<uint32_t>(choices.below(file.buffers.size() + 1));
            return;
        case 6:
            tensor.is_variable = !tensor.is_variable;
            return;
        case 7:
            tensor.shape_signature = tensor.shape;
            if (!tensor.shape.empty()) choices.any(tensor.shape_signature) = -1;
            return;
        default:
            tensor.name = longText(choices);
    }
}

void breakBuffer(BufferT& buffer, Choices& choices) {
    if (choices.coin()) {
        buffer.data.resize(choices.below(2 * buffer.data.size() + 9), 1);
        return;
    }
    for (size_t n = choices.below(4); n > 0 && buffer.data.size() >= 4; --n) {
        const int32_t value = extreme(choices);
        const size_t at = choices.below(buffer.data.size() / 4) * 4;
        for (size_t i = 0; i < 4; ++i) {
            buffer.data[at + i] = static_cast<uint8_t>(static_cast<uint32_t>(value) >> 8 * i);
        }
    }
}

int32_t anyIndex(const SubGraphT& graph, Choices& choices) {
    if (choices.oneIn(4)) return extreme(choices);
    return static_cast<int32_t>(choices.below(graph.tensors.size() + 1)) - 1;
}

void breakOperator(ModelT& file, SubGraphT& graph, OperatorT& op, Choices& choices) {
    switch (choices.below(9)) {
        case 0:
        case 1:
            if (!op.inputs.empty()) choices.any(op.inputs) = anyIndex(graph, choices);
            return;
        case 2:
            if (!op.outputs.empty()) choices.any(op.outputs) = anyIndex(graph, choices);
            return;
        case 3:
            return breakList(op.inputs, choices);
        case 4:
            return breakList(op.outputs, choices);
        case 5: {
            OperatorCodeT& code = *choices.any(file.operator_codes);
            code.version = anyInteger(choices);
            return;
        }
        case 6:
            op.builtin_options.Reset();
            op.builtin_options_2.Reset();
            return;
        case 7:
            op.opcode_index = static_cast<uint32_t>(choices.below(file.operator_codes.size() + 1));
            return;
        default:
            return varyOption(op, choices);
    }
}

void breakGraph(ModelT& file, SubGraphT& graph, Choices& choices) {
    switch (choices.below(6)) {
        case 0:
            if (!graph.operators.empty()) {
                std::swap(choices.any(graph.operators), choices.any(graph.operators));
            }
            return;
        case 1:
            if (!graph.operators.empty()) {
                auto copy = std::make_unique<OperatorT>(*choices.any(graph.operators));
                graph.operators.push_back(std::move(copy));
            }
            return;
        case 2:
            return breakList(graph.inputs, choices);
        case 3:
            return breakList(graph.outputs, choices);
        case 4:  // an operator that calls any graph, its own as well
            for (auto& op : graph.operators) {
                if (auto* options = op->builtin_options.AsIfOptions()) {
                    options->then_subgraph_index =
                            static_cast<int32_t>(choices.below(file.subgraphs.size() + 1));
                }
                if (auto* options = op->builtin_options_2.AsStableHLOCompositeOptions()) {
                    options->decomposition_subgraph_index =
                            static_cast<int32_t>(choices.below(file.subgraphs.size() + 1));
                }
            }
            return;
        default:
            graph.name = longText(choices);
    }
}

}  // namespace

std::vector<uint8_t> anyCustomOptions(Choices& choices) {
    if (choices.oneIn(3)) {
        std::vector<int32_t> numbers = {1 + static_cast<int32_t>(choices.below(2)), 1, 2};
        if (choices.coin()) choices.any(numbers) = anyInteger(choices);
        return structOptions(numbers);
    }
    OptionFields fields = detectionFields();
    for (size_t n = choices.below(4); n > 0; --n) {
        auto field = fields.begin();
        std::advance(field, choices.below(fields.size()));
        switch (choices.below(6)) {
            case 0:
                fields.erase(field);
                break;
            case 1:
                field->second = choices.real();
                break;
            case 2:
                field->second = std::string("text");
                break;
            case 3:
                field->second = choices.coin();
                break;
            default:
                field->second = int64_t{anyInteger(choices)};
        }
    }
    return flexOptions(fields);
}

void varyOption(OperatorT& op, Choices& choices) {
    if (!op.custom_options.empty()) {
        if (choices.coin()) {
            op.custom_options = anyCustomOptions(choices);
        } else if (choices.coin()) {
            choices.any(op.custom_options) = choices.source().byte();
        } else {
            op.custom_options.resize(choices.below(op.custom_options.size() + 4));
        }
        return;
    }
    if (auto* options = op.builtin_options_2.AsStableHLOCompositeOptions()) {
        options->decomposition_subgraph_index = anyInteger(choices);
        return;
    }
    BuiltinOptions table = op.builtin_options.type;
    std::vector<const OptionRow*> rows;
    for (const OptionRow& row : kOptions) {
        if (table == BuiltinOptions::NONE || row.table == table) rows.push_back(&row);
    }
    if (rows.empty()) return;
    const OptionRow& row = *choices.any(rows);
    setOption(op.builtin_options, row.table, row.field, row.any(choices));
}

void breakRule(ModelT& file, Choices& choices) {
    if (file.subgraphs.empty() || file.operator_codes.empty()) return;
    SubGraphT& graph = *choices.any(file.subgraphs);
    switch (choices.below(8)) {
        case 0:
            return breakGraph(file, graph, choices);
        case 1:
            if (!file.buffers.empty()) breakBuffer(*choices.any(file.buffers), choices);
            return;
        case 2:
        case 3:
        case 4:
            if (!graph.tensors.empty()) breakTensor(file, *choices.any(graph.tensors), choices);
            return;
        default:
            if (graph.operators.empty()) return;
            return breakOperator(file, graph, *choices.any(graph.operators), choices);
    }
}

}  // namespace nn::graphs
