#include "tools/nnapi/random_inputs.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "nnapi/generate/generate.h"
#include "nnapi/type_utils.h"

namespace nn::cli {

std::vector<uint8_t> randomBytes(uint64_t seed, size_t count) {
    std::mt19937_64 random(seed);
    std::vector<uint8_t> bytes(count);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    return bytes;
}

std::string ExecutionInputs::origin() const {
    if (!seed) return "";
    return fmt::format("on random inputs of seed {}{}", *seed,
                       hasOpenDimensions ? ", open dimensions as 1" : "");
}

Result<ExecutionInputs> randomInputs(const Model& model, uint64_t seed, const Limits& limits) {
    // Models and their inputs have different seeds, so that neither depends on the other.
    constexpr uint64_t kOtherSeed = 0x9e3779b97f4a7c15;
    constexpr size_t kMaxBytesPerInput = 8192;  // that anyInputs() draws
    ExecutionInputs inputs;
    Model known;  // only the inputs, of known dimensions
    uint64_t bytes = 0;
    for (size_t i = 0; i < model.main.inputIndexes.size(); ++i) {
        const uint32_t index = model.main.inputIndexes[i];
        const auto refuse = [&](std::string_view why) {
            return makeError(ErrorStatus::INVALID_ARGUMENT,
                             fmt::format("inputs[{}] cannot be random: {}; --input FILE gives the "
                                         "raw bytes of an input, once for each",
                                         i, why));
        };
        if (index >= model.main.operands.size()) return refuse("it does not exist");
        Operand operand = model.main.operands[index];
        if (elementSize(operand.type) == 0) return refuse("the size of its type is unknown");
        if (isNonExtensionTensor(operand.type) && operand.dimensions.empty())
            return refuse("its rank is unknown");
        inputs.hasOpenDimensions |= absl::c_linear_search(operand.dimensions, 0u);
        std::ranges::replace(operand.dimensions, 0u, 1u);
        const std::optional<uint64_t> size = operandSize(operand);
        if (!size || *size > limits.peakBytes - bytes)
            return refuse(
                    fmt::format("inputs exceed {} bytes [limits.peak_bytes]", limits.peakBytes));
        bytes += *size;
        known.main.inputIndexes.push_back(static_cast<uint32_t>(known.main.operands.size()));
        known.main.operands.push_back(std::move(operand));
    }
    if (known.main.inputIndexes.empty()) return inputs;
    const std::vector<uint8_t> drawn =
            randomBytes(seed ^ kOtherSeed, kMaxBytesPerInput * known.main.inputIndexes.size());
    testing::Source source(drawn);
    inputs.values = testing::anyInputs(source, known);
    inputs.seed = seed;
    return inputs;
}

}  // namespace nn::cli
