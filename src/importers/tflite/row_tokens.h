// The tokens of rows in operators.def, for those who read files and those who write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace nn::tflite {

struct Token {
    enum class Kind : uint8_t {
        INPUT,        // 0
        ALL_INPUTS,   // 0...
        INT_TENSOR,   // int(0)
        INT_LIST,     // ints(0)
        SCALAR,       // scalar(0)
        ELEMENT,      // 0[1]
        WEIGHTS,      // weights(0)
        BIAS,         // bias(2)
        STATE,        // state(4)
        SCRATCH,      // scratch
        NO_VALUE,     // none
        IMPLIED,      // _
        OPTION,       // beta
        INT_OPTION,   // int:time_major
        AXIS_OPTION,  // +axis
        LITERAL,      // =1.0
    };
    Kind kind{};
    bool mayMiss = false;  // 0?
    bool isInGroup = false;
    uint32_t index = 0;  // of the input
    uint32_t element = 0;
    std::string_view text{};  // name of the option, or the literal
};

// Empty for text that is not in the notation, which a test rules out for all rows.
std::vector<Token> tokensOf(std::string_view text);

// A number that is all of a text.
std::optional<uint32_t> numberIn(std::string_view text);

// A condition, "ellipsis_mask=0".
struct Condition {
    std::string_view field{};
    int32_t value = 0;
};
std::vector<Condition> conditionsOf(std::string_view text);

}  // namespace nn::tflite
