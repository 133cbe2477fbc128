// Text, code and drawings of any model: at most a constant factor longer than the model.
#include "fuzz/input.h"
#include "nnapi/drawing.h"
#include "nnapi/generate/code.h"
#include "nnapi/graph_dump.h"
#include "nnapi/print.h"

namespace nn::fuzz {
namespace {

// The longest text per byte is that of an empty operand, including all text around it.
void isShort(std::string_view text, std::span<const uint8_t> bytes) {
    expect(text.size() <= 1000 + 500 * bytes.size(),
           fmt::format("{} bytes of text for {}", text.size(), bytes.size()));
}

}  // namespace

NNAPI_FUZZ_TARGET(print, MODEL) {
    const ModelInput input = split(bytes);
    const auto any = modelOf(input);
    if (!any) return;
    std::visit(
            [&](const auto& model) {
                isShort(nn::print(model), bytes);
                isShort(testing::code(model), bytes);
            },
            *any);
    const auto model = canonicalOf(input);
    if (!model) return;
    const std::string dot = graphDump(*model, textOf(input.choices));
    expect(dot.starts_with("digraph") && dot.ends_with("}\n"), dot);
    isShort(dot, bytes);
    const std::string picture =
            drawing(*model, {.name = std::string(textOf(input.choices)),
                             .marks = marksForVersion(*model, kVersionFeatureLevel1)});
    expect(picture.starts_with("digraph") && picture.ends_with("}\n"), picture);
    isShort(picture, bytes);
}

}  // namespace nn::fuzz
