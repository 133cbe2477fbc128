#include "testing/values.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <cstring>

#include "nnapi/half.h"
#include "nnapi/type_utils.h"

namespace nn::testing {

using ops::Values;

namespace {

bool isReal(OperandType type) {
    return type != OperandType::INT32 && type != OperandType::TENSOR_INT32 &&
           type != OperandType::BOOL;
}

}  // namespace

std::vector<uint8_t> anyValue(Source& source, const Operand& operand) {
    const auto size = static_cast<size_t>(operandSize(operand).value_or(0));
    std::vector<uint8_t> bytes(size);
    const auto fill = [&](auto make) {
        using E = decltype(make());
        for (size_t i = 0; i + sizeof(E) <= size; i += sizeof(E)) {
            const E element = make();
            std::memcpy(bytes.data() + i, &element, sizeof(E));
        }
    };
    const auto small = [&] {
        return static_cast<float>(static_cast<int>(source.below(17)) - 8) / 4;
    };
    switch (operand.type) {
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            fill(small);
            break;
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
            fill([&] { return floatToHalf(small()); });
            break;
        case OperandType::INT32:
        case OperandType::TENSOR_INT32:
            fill([&] { return static_cast<int32_t>(source.below(5)) - 1; });
            break;
        case OperandType::BOOL:
        case OperandType::TENSOR_BOOL8:
            fill([&] { return static_cast<uint8_t>(source.coin()); });
            break;
        default:
            fill([&] { return source.byte(); });
            break;
    }
    return bytes;
}

Quantization anyQuantization(Source& source) {
    static constexpr float kScales[] = {0.5f, 1.0f, 0.25f, 4.0f, 1.0f / 128, 1.0f / 256};
    static constexpr int32_t kZeroPoints[] = {0, 128, -128, 3};
    return {source.pick<float>(kScales), source.pick<int32_t>(kZeroPoints)};
}

void append(std::vector<uint8_t>& bytes, OperandType type, float value) {
    const auto add = [&bytes](auto element) {
        const auto* first = reinterpret_cast<const uint8_t*>(&element);
        bytes.insert(bytes.end(), first, first + sizeof(element));
    };
    switch (type) {
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            return add(value);
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
            return add(floatToHalf(value));
        case OperandType::INT32:
        case OperandType::TENSOR_INT32:
            return add(static_cast<int32_t>(value));
        case OperandType::TENSOR_QUANT16_ASYMM:
        case OperandType::TENSOR_QUANT16_SYMM:
            return add(static_cast<int16_t>(value / kBoxScale));
        default:
            return add(static_cast<uint8_t>(value));
    }
}

std::vector<uint8_t> valueOf(Source& source, const Values& allowed, const Operand& operand,
                             size_t outputs, Shapes& shapes) {
    const uint32_t width = std::max(elementSize(operand.type), 1u);
    const auto count = static_cast<size_t>(operandSize(operand).value_or(0) / width);
    std::vector<float> values(count);
    switch (allowed.kind) {
        case Values::Kind::ANY:
        case Values::Kind::IDENTITY:
        case Values::Kind::LAYOUT:
            break;
        case Values::Kind::RANGE:
            for (float& value : values) {
                const float steps = isReal(operand.type) ? 8 : allowed.most - allowed.least;
                const auto step =
                        static_cast<float>(source.below(static_cast<uint64_t>(steps) + 1));
                value = allowed.least +
                        (steps == 0 ? 0 : (allowed.most - allowed.least) * step / steps);
            }
            break;
        case Values::Kind::AXIS:
        case Values::Kind::INDEX: {
            const size_t rank = shapes.whole().size();
            for (float& value : values) {
                value = static_cast<float>(source.below(rank));
                if (allowed.kind == Values::Kind::AXIS && source.oneIn(3))
                    value -= static_cast<float>(rank);
            }
            break;
        }
        case Values::Kind::PERMUTATION:
            for (size_t i = 0; i < count; ++i) {
                values[i] = static_cast<float>(i);
                std::swap(values[i], values[source.below(i + 1)]);
            }
            break;
        case Values::Kind::ASCENDING:
            for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
            break;
        case Values::Kind::BOXES:
            for (size_t i = 0; i < count; ++i) values[i] = i % 4 < 2 ? 0 : 2;
            break;
        case Values::Kind::SIZES: {
            const std::vector<uint32_t> dimensions = shapes.make(allowed.extents);
            for (size_t i = 0; i < std::min(count, dimensions.size()); ++i)
                values[i] = static_cast<float>(dimensions[i]);
            std::rotate(values.begin(),
                        values.begin() + static_cast<ptrdiff_t>(
                                                 allowed.extents.kind == ops::Extents::Kind::WHOLE
                                                         ? source.below(count)
                                                         : 0),
                        values.end());
            break;
        }
        case Values::Kind::OUTPUTS:
            absl::c_fill(values, static_cast<float>(outputs));
            break;
        case Values::Kind::ODD_OUTPUTS:
            absl::c_fill(values, static_cast<float>(outputs % 2));
            break;
    }
    std::vector<uint8_t> bytes;
    for (const float value : values) append(bytes, operand.type, value);
    bytes.resize(static_cast<size_t>(operandSize(operand).value_or(0)));
    return bytes;
}

}  // namespace nn::testing
