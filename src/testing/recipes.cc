#include "testing/recipes.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace nn::testing {
namespace {

using enum Recipe::Values;

constexpr Recipe part(std::string_view parts, Recipe recipe) {
    recipe.parts = parts;
    return recipe;
}
constexpr Recipe quantized(float scale, int32_t zeroPoint, Recipe recipe) {
    recipe.scale = scale;
    recipe.zeroPoint = zeroPoint;
    return recipe;
}

constexpr Recipe kRecipes[] = {
        // What has the same meaning everywhere.
        {"", "activation", "", RANGE, 0, 3},
        {"", "paddingScheme", "", RANGE, 1, 2},
        {"", "paddingLeft", "", RANGE, 0, 0},
        {"", "paddingRight", "", RANGE, 0, 0},
        {"", "paddingTop", "", RANGE, 0, 0},
        {"", "paddingBottom", "", RANGE, 0, 0},
        {"", "strideWidth", "", RANGE, 1, 2},
        {"", "strideHeight", "", RANGE, 1, 2},
        {"", "dilationWidth", "", RANGE, 1, 2},
        {"", "dilationHeight", "", RANGE, 1, 2},
        {"", "filterWidth", "", RANGE, 1, 3},
        {"", "filterHeight", "", RANGE, 1, 3},
        {"", "keepDims", "", RANGE, 0, 1},
        {"", "axis", "", AXIS},
        {"", "beta", "", RANGE, 0.5, 2},
        {"", "batchIndex", "k", RANGE, 0, 0},
        {"", "roi", "k 4", BOXES},
        {"", "iouThreshold", "", RANGE, 0.25, 1},

        // Recurrent cells. Parts: input gate, peephole, projection and its bias, layer
        // normalisation, auxiliary input and its crossing with weights.
        part("i", {"", "inputToInputWeights", "u x"}),
        {"", "inputTo*Weights", "u x"},
        part("i", {"", "recurrentToInputWeights", "u o"}),
        {"", "recurrentTo*Weights", "u o"},
        part("pi", {"", "cellToInputWeights", "u"}),
        part("p", {"", "cellTo*Weights", "u"}),
        part("i", {"", "inputGateBias", "u"}),
        part("jb", {"", "projectionBias", "o"}),
        {"", "*Bias", "u"},
        part("j", {"", "projectionWeights", "o u", IDENTITY}),
        {"", "outputStateIn", "n o"},
        {"", "cellStateIn", "n u"},
        part("li", {"", "inputLayerNormWeights", "u"}),
        part("l", {"", "*LayerNormWeights", "u"}),
        part("a", {"", "auxInput", "~n t x"}),
        part("aci", {"", "auxToInputWeights", "u x"}),
        part("ac", {"", "auxTo*Weights", "u x"}),
        {"", "cellClip", "", RANGE, 0, 4},
        {"", "projectionClip", "", RANGE, 0, 4},
        {"", "mergeOutputs", "", ODD_OUTPUTS},

        {"arithmetic", "input1", "*|1"},
        {"comparison", "input1", "*|1"},
        {"logical", "input1", "*|1"},
        {"maximum_minimum", "input1", "*|1"},
        {"pow", "exponent", "*|1"},
        {"prelu", "alpha", "*|1"},

        {"axis_aligned_bbox_transform", "deltas", "k 4c"},
        {"axis_aligned_bbox_transform", "imageInfo", "1 2", RANGE, 4, 8},
        {"batch_matmul", "x", "n a b|a b"},
        {"batch_matmul", "y", "n b c|b c"},
        {"batch_matmul", "adjointX", "", RANGE, 0, 0},
        {"batch_matmul", "adjointY", "", RANGE, 0, 0},
        {"batch_to_space_nd", "input", "~4n h w c"},
        {"batch_to_space_nd", "blockSize", "2", RANGE, 1, 2},
        {"box_with_nms_limit", "scores", "k 2c"},
        {"box_with_nms_limit", "roi", "k 8c", BOXES},
        {"box_with_nms_limit", "scoreThreshold", "", RANGE, 0, 1},
        {"box_with_nms_limit", "maxDetections", "", RANGE, -1, 3},
        {"box_with_nms_limit", "kernel", "", RANGE, 0, 2},
        {"box_with_nms_limit", "sigma", "", RANGE, 0.5, 1},
        {"box_with_nms_limit", "nmsScoreThreshold", "", RANGE, 0, 1},
        {"channel_shuffle", "numGroups", "", RANGE, 1, 2},
        {"concatenation", "axis", "", INDEX},
        {"conv_2d", "input", "~N H W C"},
        {"conv_2d", "filter", "K a b C"},
        {"conv_2d", "bias", "K"},
        {"depth_to_space", "input", "~n h w 4c"},
        {"depth_to_space", "blockSize", "", RANGE, 1, 2},
        {"depthwise_conv_2d", "input", "~N H W C"},
        {"depthwise_conv_2d", "filter", "1 a b mC"},
        {"depthwise_conv_2d", "bias", "mC"},
        {"depthwise_conv_2d", "depthMultiplier", "", DIMENSIONS, 0, 0, "m"},
        {"detection_postprocessing", "scores", "n k c"},
        {"detection_postprocessing", "deltas", "n k 4"},
        {"detection_postprocessing", "anchors", "k 4", RANGE, 1, 2},
        {"detection_postprocessing", "scaleX", "", RANGE, 1, 10},
        {"detection_postprocessing", "scaleY", "", RANGE, 1, 10},
        {"detection_postprocessing", "scaleWidth", "", RANGE, 1, 10},
        {"detection_postprocessing", "scaleHeight", "", RANGE, 1, 10},
        {"detection_postprocessing", "maxDetections", "", RANGE, 1, 3},
        {"detection_postprocessing", "maxClassesPerDetection", "", RANGE, 1, 1},
        {"detection_postprocessing", "maxDetectionsPerClass", "", RANGE, 1, 3},
        {"detection_postprocessing", "scoreThreshold", "", RANGE, 0, 1},
        {"embedding_lookup", "lookups", "k", RANGE, 0, 0},
        {"fill", "dims", "k", RANGE, 1, 3},
        {"fully_connected", "input", "B c"},
        {"fully_connected", "weights", "u c"},
        {"fully_connected", "bias", "u"},
        {"gather", "indices", "k", RANGE, 0, 0},
        {"generate_proposals", "scores", "~n h w a"},
        {"generate_proposals", "deltas", "~n h w 4a"},
        {"generate_proposals", "anchors", "a 4", BOXES},
        {"generate_proposals", "imageInfo", "n 2", RANGE, 4, 8},
        {"generate_proposals", "heightStride", "", RANGE, 1, 4},
        {"generate_proposals", "widthStride", "", RANGE, 1, 4},
        {"generate_proposals", "preNmsTopN", "", RANGE, -1, 6},
        {"generate_proposals", "postNmsTopN", "", RANGE, -1, 6},
        {"generate_proposals", "minSize", "", RANGE, 0, 1},
        {"grouped_conv_2d", "input", "~N H W gc"},
        {"grouped_conv_2d", "filter", "gk a b c"},
        {"grouped_conv_2d", "bias", "gk"},
        {"grouped_conv_2d", "groups", "", DIMENSIONS, 0, 0, "g"},
        {"hashtable_lookup", "lookups", "k", RANGE, 0, 3},
        {"hashtable_lookup", "keys", "v", ASCENDING},
        {"hashtable_lookup", "values", "v c"},
        {"heatmap_max_keypoint", "heatmap", "~k H H c"},
        {"heatmap_max_keypoint", "boxes", "k 4", BOXES},
        {"instance_normalization", "input", "~N H W C"},
        {"instance_normalization", "epsilon", "", RANGE, 0.125, 1},
        {"local_response_normalization", "radius", "", RANGE, 0, 2},
        {"local_response_normalization", "bias", "", RANGE, 1, 2},
        {"local_response_normalization", "alpha", "", RANGE, 0.5, 1},
        {"LSTM", "input", "n x"},
        {"lstm", "input", "~n t x"},
        {"lstm", "activation", "", RANGE, 0, 4},
        {"lsh_projection", "hash", "k b", RANGE, 0, 1},
        {"lsh_projection", "input", "v c"},
        {"lsh_projection", "weights", "v"},
        {"lsh_projection", "type", "", RANGE, 1, 3},
        {"mean", "axis", "k", AXIS},
        {"mirror_pad", "paddings", "r 2", RANGE, 0, 1},
        {"mirror_pad", "mode", "", RANGE, 0, 1},
        {"pack", "axis", "", INDEX},
        {"pack", "output", "k *"},
        {"pad", "paddings", "r 2", RANGE, 0, 2},
        {"pool_2d", "input", "~N H W C"},
        quantized(1.0f / 128, 128, {"quantized_16bit_lstm", "input", "n x"}),
        quantized(0.01f, 100, {"quantized_16bit_lstm", "inputTo*Weights", "u x"}),
        quantized(0.01f, 100, {"quantized_16bit_lstm", "recurrentTo*Weights", "u u"}),
        {"quantized_16bit_lstm", "inputGateBias", "u"},
        quantized(0x1p-11f, 0, {"quantized_16bit_lstm", "cellState*", "n u"}),
        quantized(1.0f / 128, 128, {"quantized_16bit_lstm", "outputIn", "n u"}),
        quantized(1.0f / 128, 128, {"quantized_16bit_lstm", "output", "n u"}),
        {"quantized_lstm", "input", "n x"},
        quantized(0x1p-11f, 0, {"quantized_lstm", "cellState*", "n u"}),
        {"quantized_lstm", "*GateScale", "", RANGE, 0x1p-8f, 0x1p-3f},
        {"quantized_lstm", "hiddenStateZeroPoint", "", RANGE, -8, 8},
        {"quantized_lstm", "hiddenStateScale", "", RANGE, 0x1p-8f, 0x1p-5f},
        {"random_multinomial", "logits", "n c"},
        {"random_multinomial", "samples", "", RANGE, 1, 3},
        {"random_multinomial", "seeds", "2", RANGE, 1, 3},
        {"reduce", "axes", "k", AXIS},
        {"reshape", "shape", "r", DIMENSIONS, 0, 0, "*"},
        {"resize", "input", "~N H W C"},
        {"resize", "outputWidth", "", RANGE, 1, 6},
        {"resize", "outputHeight", "", RANGE, 1, 6},
        {"resize", "widthFactor", "", RANGE, 0.5, 2},
        {"resize", "heightFactor", "", RANGE, 0.5, 2},
        {"reverse", "axis", "1", AXIS},
        {"RNN", "input", "n x"},
        {"rnn", "input", "~n t x"},
        {"rnn", "weights", "u x"},
        {"rnn", "recurrentWeights", "u u"},
        {"rnn", "bias", "u"},
        {"rnn", "hiddenStateIn", "n u"},
        part("a", {"rnn", "auxiliaryInput", "~n t x"}),
        part("ac", {"rnn", "auxiliaryWeights", "u x"}),
        {"rnn", "activation", "", RANGE, 0, 4},
        {"roi", "input", "~N H W C"},
        {"roi", "outputHeight", "", RANGE, 1, 3},
        {"roi", "outputWidth", "", RANGE, 1, 3},
        {"roi", "heightRatio", "", RANGE, 1, 2},
        {"roi", "widthRatio", "", RANGE, 1, 2},
        {"roi", "heightSamples", "", RANGE, 0, 2},
        {"roi", "widthSamples", "", RANGE, 0, 2},
        {"slice", "begin", "r", RANGE, 0, 0},
        {"slice", "size", "r", RANGE, 1, 1},
        {"space_to_batch_nd", "input", "~n 2h 2w c"},
        {"space_to_batch_nd", "blockSize", "2", RANGE, 1, 2},
        {"space_to_batch_nd", "paddings", "2 2", RANGE, 0, 0},
        {"space_to_depth", "input", "~n 2h 2w c"},
        {"space_to_depth", "blockSize", "", RANGE, 1, 2},
        {"split", "numOutputs", "", OUTPUTS},
        {"squeeze", "input", "1 h w c"},
        {"squeeze", "squeezeDims", "1", RANGE, 0, 0},
        {"strided_slice", "begin", "r", RANGE, 0, 0},
        {"strided_slice", "end", "r", RANGE, 1, 3},
        {"strided_slice", "strides", "r", RANGE, 1, 2},
        {"strided_slice", "beginMask", "", RANGE, 0, 3},
        {"strided_slice", "endMask", "", RANGE, 0, 3},
        {"strided_slice", "shrinkAxisMask", "", RANGE, 0, 1},
        {"svdf", "input", "n x"},
        {"svdf", "featureWeights", "ku x"},
        {"svdf", "timeWeights", "ku m"},
        {"svdf", "bias", "u"},
        {"svdf", "stateIn", "n kum"},
        {"svdf", "rank", "", DIMENSIONS, 0, 0, "k"},
        {"svdf", "activation", "", RANGE, 0, 4},
        {"tile", "multiples", "r", RANGE, 1, 2},
        {"topk_v2", "k", "", RANGE, 1, 1},
        {"transpose", "perm", "r", PERMUTATION},
        {"transpose_conv_2d", "input", "~N H W C"},
        {"transpose_conv_2d", "filter", "K a b C"},
        {"transpose_conv_2d", "bias", "K"},
        {"transpose_conv_2d", "outputShape", "4", DIMENSIONS, 0, 0, "~N sH tW K"},
        {"transpose_conv_2d", "strideHeight", "", DIMENSIONS, 0, 0, "s"},
        {"transpose_conv_2d", "strideWidth", "", DIMENSIONS, 0, 0, "t"},
};

// Cuts off what stands before a separator.
std::string_view next(std::string_view& text, char separator) {
    const size_t end = std::min(text.find(separator), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

std::string_view choose(std::string_view text, Source& source) {
    const auto others = static_cast<uint64_t>(absl::c_count(text, '|'));
    for (uint64_t i = source.below(others + 1); i != 0; --i) next(text, '|');
    return next(text, '|');
}

// The number before the letters; 1 where there is none.
uint32_t factorOf(std::string_view& text) {
    uint32_t factor = 1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), factor);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return factor;
}

// N H W C -> N C H W, and n t x -> t n x; and back.
void toOtherLayout(std::vector<uint32_t>& dimensions) {
    if (dimensions.size() == 3) return std::swap(dimensions[0], dimensions[1]);
    std::rotate(dimensions.begin() + 1, dimensions.begin() + 3, dimensions.end());
}
void fromOtherLayout(std::vector<uint32_t>& dimensions) {
    if (dimensions.size() == 3) return std::swap(dimensions[0], dimensions[1]);
    std::rotate(dimensions.begin() + 1, dimensions.begin() + 2, dimensions.end());
}

// "bwCellBias" -> "cellBias"
std::string withoutDirection(std::string_view operand) {
    for (const std::string_view direction : {"fw", "bw", "forward", "backward"}) {
        if (!operand.starts_with(direction)) continue;
        std::string rest(operand.substr(direction.size()));
        rest[0] = static_cast<char>(std::tolower(rest[0]));
        return rest;
    }
    return std::string(operand);
}

bool matches(std::string_view pattern, std::string_view operand) {
    const size_t star = pattern.find('*');
    if (star == std::string_view::npos) return pattern == operand;
    return operand.size() >= pattern.size() - 1 && operand.starts_with(pattern.substr(0, star)) &&
           operand.ends_with(pattern.substr(star + 1));
}

// The letters of sizes and parts of which each direction has its own: in capitals backward.
char letterOf(char letter, bool isBackward) {
    constexpr std::string_view kOfEachDirection = "uoipjbl";
    const bool isOwn = kOfEachDirection.find(letter) != std::string_view::npos;
    return isBackward && isOwn ? static_cast<char>(std::toupper(letter)) : letter;
}

}  // namespace

const Recipe* recipeOf(const OperationTypeInfo& operation, std::string_view operand) {
    const std::string name = withoutDirection(operand);
    for (const std::string_view of : {operation.name, operation.stem, std::string_view()}) {
        const auto* found = absl::c_find_if(kRecipes, [&](const Recipe& recipe) {
            return recipe.of == of && matches(recipe.operand, name);
        });
        if (found != std::end(kRecipes)) return found;
    }
    return nullptr;
}

bool isBackward(std::string_view operand) {
    return operand.starts_with("bw") || operand.starts_with("backward");
}

bool Parts::has(std::string_view parts, bool isBackward) {
    bool all = true;
    for (const char part : parts) {
        auto& chosen = mChosen[static_cast<size_t>(letterOf(part, isBackward)) % mChosen.size()];
        if (!chosen) chosen = mSource.coin();
        all = all && *chosen;
    }
    return all;
}

const std::vector<uint32_t>& Shapes::whole() {
    if (mWhole.empty()) {
        mWhole.resize(4 - mSource.below(4));
        for (uint32_t& size : mWhole) size = static_cast<uint32_t>(1 + mSource.below(3));
    }
    return mWhole;
}

uint32_t& Shapes::slotOf(char letter) {
    return mSizes[static_cast<size_t>(letterOf(letter, mIsBackward)) % mSizes.size()];
}

uint32_t& Shapes::sizeOf(char letter) {
    uint32_t& size = slotOf(letter);
    if (size == 0) {
        const uint32_t least = letter == 'H' || letter == 'W' ? 4 : 1;
        size = letter == 'r' ? static_cast<uint32_t>(whole().size())
                             : static_cast<uint32_t>(least + mSource.below(3));
    }
    return size;
}

std::vector<uint32_t> Shapes::make(std::string_view text) {
    text = choose(text, mSource);
    const bool hasLayout = text.starts_with('~');
    if (hasLayout) text.remove_prefix(1);
    std::vector<uint32_t> dimensions;
    while (!text.empty()) {
        std::string_view part = next(text, ' ');
        if (part == "*") {
            dimensions.insert(dimensions.end(), whole().begin(), whole().end());
            continue;
        }
        uint32_t size = factorOf(part);
        for (const char letter : part) size *= sizeOf(letter);
        dimensions.push_back(size);
    }
    if (hasLayout && mHasOtherLayout) toOtherLayout(dimensions);
    return dimensions;
}

void Shapes::makeSquare(std::string_view text) { slotOf(text.front()) = sizeOf(text.back()); }

bool Shapes::fitsDimension(std::string_view text, uint32_t dimension) {
    uint32_t known = factorOf(text);
    uint32_t* unknown = nullptr;
    for (const char letter : text) {
        uint32_t& size = slotOf(letter);
        if (size != 0 || letter == 'r') {
            known *= sizeOf(letter);
        } else if (unknown == nullptr) {
            unknown = &size;
        } else {
            return false;
        }
    }
    if (unknown == nullptr) return known == dimension;
    if (dimension == 0 || dimension % known != 0) return false;
    *unknown = dimension / known;
    return true;
}

bool Shapes::fits(std::string_view text, const std::vector<uint32_t>& dimensions) {
    text = next(text, '|');
    if (text == "*") {
        const bool isKnown = !dimensions.empty() && absl::c_count(dimensions, 0u) == 0;
        if (mWhole.empty() && isKnown && dimensions.size() <= 4) mWhole = dimensions;
        return mWhole == dimensions && isKnown;
    }
    std::vector<uint32_t> rest = dimensions;
    if (text.starts_with('~')) {
        text.remove_prefix(1);
        if (rest.size() != 1 + static_cast<size_t>(absl::c_count(text, ' '))) return false;
        if (mHasOtherLayout) fromOtherLayout(rest);
    }
    const auto sizes = mSizes;
    bool fit = rest.size() == 1 + static_cast<size_t>(absl::c_count(text, ' '));
    for (size_t i = 0; fit && i < rest.size(); ++i) fit = fitsDimension(next(text, ' '), rest[i]);
    if (!fit) mSizes = sizes;
    return fit;
}

}  // namespace nn::testing
