#include "testing/recipes.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace nn::testing {
namespace {

using enum Recipe::Values;

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
        {"lsh_projection", "hash", "k b", RANGE, 0, 1},
        {"lsh_projection", "input", "v c"},
        {"lsh_projection", "weights", "v"},
        {"lsh_projection", "type", "", RANGE, 1, 3},
        {"mean", "axis", "k", AXIS},
        {"mirror_pad", "paddings", "r 2", RANGE, 0, 1},
        {"mirror_pad", "mode", "", RANGE, 0, 1},
        {"pack", "axis", "", INDEX},
        {"pad", "paddings", "r 2", RANGE, 0, 2},
        {"pool_2d", "input", "~N H W C"},
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
    const auto others = static_cast<uint64_t>(std::ranges::count(text, '|'));
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

// N.H.W.C <-> N.C.H.W
void toNchw(std::vector<uint32_t>& image) {
    std::rotate(image.begin() + 1, image.begin() + 3, image.end());
}
void toNhwc(std::vector<uint32_t>& image) {
    std::rotate(image.begin() + 1, image.begin() + 2, image.end());
}

}  // namespace

const Recipe* recipeOf(std::string_view stem, std::string_view operand) {
    const auto find = [operand](std::string_view of) {
        return std::ranges::find_if(kRecipes, [=](const Recipe& recipe) {
            return recipe.stem == of && recipe.operand == operand;
        });
    };
    const auto* own = find(stem);
    const auto* found = own == std::end(kRecipes) ? find("") : own;
    return found == std::end(kRecipes) ? nullptr : found;
}

const std::vector<uint32_t>& Shapes::whole() {
    if (mWhole.empty()) {
        mWhole.resize(4 - mSource.below(4));
        for (uint32_t& size : mWhole) size = static_cast<uint32_t>(1 + mSource.below(3));
    }
    return mWhole;
}

uint32_t& Shapes::sizeOf(char letter) {
    uint32_t& size = mSizes[static_cast<size_t>(letter) % mSizes.size()];
    if (size == 0) {
        const uint32_t least = letter == 'H' || letter == 'W' ? 4 : 1;
        size = letter == 'r' ? static_cast<uint32_t>(whole().size())
                             : static_cast<uint32_t>(least + mSource.below(3));
    }
    return size;
}

std::vector<uint32_t> Shapes::make(std::string_view text) {
    text = choose(text, mSource);
    if (text == "*") return whole();
    const bool isImage = text.starts_with('~');
    if (isImage) text.remove_prefix(1);
    std::vector<uint32_t> dimensions;
    while (!text.empty()) {
        std::string_view part = next(text, ' ');
        uint32_t size = factorOf(part);
        for (const char letter : part) size *= sizeOf(letter);
        dimensions.push_back(size);
    }
    if (isImage && mIsNchw) toNchw(dimensions);
    return dimensions;
}

bool Shapes::fitsDimension(std::string_view text, uint32_t dimension) {
    uint32_t known = factorOf(text);
    uint32_t* unknown = nullptr;
    for (const char letter : text) {
        uint32_t& size = mSizes[static_cast<size_t>(letter) % mSizes.size()];
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
        const bool isKnown = !dimensions.empty() && std::ranges::count(dimensions, 0u) == 0;
        if (mWhole.empty() && isKnown && dimensions.size() <= 4) mWhole = dimensions;
        return mWhole == dimensions && isKnown;
    }
    std::vector<uint32_t> rest = dimensions;
    if (text.starts_with('~')) {
        if (rest.size() != 4) return false;
        if (mIsNchw) toNhwc(rest);
        text.remove_prefix(1);
    }
    const auto sizes = mSizes;
    bool fit = rest.size() == 1 + static_cast<size_t>(std::ranges::count(text, ' '));
    for (size_t i = 0; fit && i < rest.size(); ++i) fit = fitsDimension(next(text, ' '), rest[i]);
    if (!fit) mSizes = sizes;
    return fit;
}

}  // namespace nn::testing
