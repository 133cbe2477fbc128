#include "model_generation/recipes.h"

#include <absl/algorithm/container.h>

#include <map>
#include <string>
#include <unordered_map>

namespace nn::testing {
namespace {

using namespace sizes;
using enum Part;

constexpr Recipe kRecipes[] = {
        {"arithmetic", "input*", broadcastable},
        {"axis_aligned_bbox_transform", "deltas", {k, 4 * c}},
        {"axis_aligned_bbox_transform", "imageInfo", {n, 2}, between(4, 8)},
        {"batch_matmul", "x", matrix(a, b)},
        {"batch_matmul", "y", matrix(b, c)},
        {"batch_matmul", "adjoint*", isTransposed},
        {"batch_to_space_nd", "input", image(p* q* n, h, w, c)},
        {"batch_to_space_nd", "blockSize", {2}, sizesOf({p, q})},
        {"box_with_nms_limit", "scores", {k, 2 * c}},
        {"box_with_nms_limit", "roi", {k, 8 * c}, someBoxes},
        {"box_with_nms_limit", "scoreThreshold", between(0, 1)},
        {"box_with_nms_limit", "maxDetections", between(-1, 3)},
        {"box_with_nms_limit", "kernel", between(0, 2)},
        {"box_with_nms_limit", "sigma", between(0.5, 1)},
        {"box_with_nms_limit", "nmsScoreThreshold", between(0, 1)},
        {"channel_shuffle", "numGroups", between(1, 4)},
        {"comparison", "input*", broadcastable},
        orEmpty({"concatenation", "input*", joinable}),
        {"concatenation", "axis", anyIndex},
        orEmpty({"conv_2d", "input", image(n, height, width, c)}),
        {"conv_2d", "filter", {k, a, b, c}},
        {"conv_2d", "bias", {k}},
        {"depth_to_space", "input", image(n, h, w, p* p* c)},
        {"depth_to_space", "blockSize", sizesOf({p})},
        orEmpty({"depthwise_conv_2d", "input", image(n, height, width, c)}),
        perChannel(3, {"depthwise_conv_2d", "filter", {1, a, b, m* c}}),
        {"depthwise_conv_2d", "bias", {m * c}},
        {"depthwise_conv_2d", "depthMultiplier", sizesOf({m})},
        {"detection_postprocessing", "scores", {n, k, c}},
        {"detection_postprocessing", "deltas", either({n, k, 4}, {n, k, 6})},
        {"detection_postprocessing", "anchors", {k, 4}, between(1, 2)},
        {"detection_postprocessing", "scaleX", between(1, 10)},
        {"detection_postprocessing", "scaleY", between(1, 10)},
        {"detection_postprocessing", "scaleWidth", between(1, 10)},
        {"detection_postprocessing", "scaleHeight", between(1, 10)},
        {"detection_postprocessing", "maxDetections", between(1, 3)},
        {"detection_postprocessing", "maxClassesPerDetection", always(1)},
        {"detection_postprocessing", "maxDetectionsPerClass", between(1, 3)},
        {"detection_postprocessing", "scoreThreshold", between(0, 1)},
        {"embedding_lookup", "lookups", {k}, indexesOf({v})},
        {"embedding_lookup", "values", stack(v)},
        {"fill", "dims", {few}, between(1, 3)},
        orEmpty({"fully_connected", "input", either({n, c}, {a, b, c})}),
        {"fully_connected", "weights", {u, c}},
        {"fully_connected", "bias", {u}},
        {"gather", "indices", either({k}, {k, a}), indexesOf(whole)},
        {"generate_proposals", "scores", image(n, h, w, a)},
        {"generate_proposals", "deltas", image(n, h, w, 4 * a)},
        {"generate_proposals", "anchors", {a, 4}, someBoxes},
        {"generate_proposals", "imageInfo", {n, 2}, between(4, 8)},
        {"generate_proposals", "heightStride", between(1, 16)},
        {"generate_proposals", "widthStride", between(1, 16)},
        {"generate_proposals", "preNmsTopN", between(-1, 6)},
        {"generate_proposals", "postNmsTopN", between(-1, 6)},
        {"generate_proposals", "minSize", between(0, 1)},
        orEmpty({"grouped_conv_2d", "input", image(n, height, width, g* c)}),
        {"grouped_conv_2d", "filter", {g * k, a, b, c}},
        {"grouped_conv_2d", "bias", {g * k}},
        {"grouped_conv_2d", "groups", sizesOf({g})},
        {"hashtable_lookup", "lookups", {k}, between(0, 3)},
        {"hashtable_lookup", "keys", {v}, ascending},
        {"hashtable_lookup", "values", {v, c}},
        {"heatmap_max_keypoint", "heatmap", image(k, height, height, c)},
        {"heatmap_max_keypoint", "boxes", {k, 4}, thinBoxes},
        {"instance_normalization", "input", image(n, height, width, c)},
        {"instance_normalization", "epsilon", between(0.125, 1)},
        {"local_response_normalization", "radius", between(0, 2)},
        {"local_response_normalization", "bias", between(1, 2)},
        {"local_response_normalization", "alpha", between(0.5, 1)},
        {"logical", "input*", broadcastable},
        {"lsh_projection", "hash", {k, b}, between(0, 1)},
        {"lsh_projection", "input", {v, c}},
        {"lsh_projection", "weights", {v}},
        {"lsh_projection", "type", between(1, 3)},
        {"LSTM", "input", {n, x}},
        {"lstm", "input", sequence(n, t, x)},
        {"lstm", "activation", oneOf({0, 1, 3, 4, 6})},
        {"maximum_minimum", "input*", broadcastable},
        {"mean", "axis", {few}, anyAxis},
        {"mirror_pad", "paddings", {wholeRank, 2}, between(0, 2)},
        {"mirror_pad", "mode", between(0, 1)},
        {"pack", "axis", anyIndex},
        {"pack", "output", stack(k)},
        {"pad", "paddings", {wholeRank, 2}, between(0, 2)},
        orEmpty({"pool_2d", "input", image(n, height, width, c)}),
        {"pow", "base", broadcastable},
        {"pow", "exponent", broadcastable},
        {"prelu", "input", broadcastable},
        {"prelu", "alpha", broadcastable},
        quantized(1.0f / 128, 128, {"quantized_16bit_lstm", "input", {n, x}}),
        quantized(0.01f, 100, {"quantized_16bit_lstm", "inputTo*Weights", {u, x}}),
        quantized(0.01f, 100, {"quantized_16bit_lstm", "recurrentTo*Weights", {u, u}}),
        {"quantized_16bit_lstm", "inputGateBias", {u}},
        quantized(0x1p-11f, 0, {"quantized_16bit_lstm", "cellState*", {n, u}}),
        quantized(1.0f / 128, 128, {"quantized_16bit_lstm", "outputIn", {n, u}}),
        quantized(1.0f / 128, 128, {"quantized_16bit_lstm", "output", {n, u}}),
        {"quantized_lstm", "input", {n, x}},
        quantizedByPower(-15, -9, {"quantized_lstm", "cellState*", {n, u}}),
        with(quantizedByPower(-15, -9, {"quantized_lstm", "inputLayerNormWeights", {u}}),
             LAYER_NORM, INPUT_GATE),
        with(quantizedByPower(-15, -9, {"quantized_lstm", "*LayerNormWeights", {u}}), LAYER_NORM),
        {"quantized_lstm", "*GateScale", between(0x1p-8f, 0x1p-3f)},
        {"quantized_lstm", "hiddenStateZeroPoint", between(-8, 8)},
        {"quantized_lstm", "hiddenStateScale", between(0x1p-8f, 0x1p-5f)},
        {"random_multinomial", "logits", {n, c}},
        {"random_multinomial", "samples", between(1, 3)},
        // Not both 0, which would produce different numbers each time.
        {"random_multinomial", "seeds", {2}, between(1, 3)},
        {"reduce", "axes", {few}, anyAxis},
        {"reshape", "shape", either({wholeRank}, {few}), sizesOf(whole)},
        orEmpty({"resize", "input", image(n, height, width, c)}),
        {"resize", "outputWidth", between(1, 9)},
        {"resize", "outputHeight", between(1, 9)},
        {"resize", "widthFactor", between(0.5, 2)},
        {"resize", "heightFactor", between(0.5, 2)},
        {"reverse", "axis", {1}, anyIndex},
        {"RNN", "input", {n, x}},
        {"rnn", "input", sequence(n, t, x)},
        {"rnn", "weights", {u, x}},
        {"rnn", "recurrentWeights", {u, u}},
        {"rnn", "bias", {u}},
        {"rnn", "hiddenStateIn", {n, u}},
        with({"rnn", "auxiliaryInput", sequence(n, t, x)}, AUXILIARY),
        with({"rnn", "auxiliaryWeights", {u, x}}, AUXILIARY, CROSS_AUXILIARY),
        {"roi", "input", image(n, height, width, c)},
        {"roi", "outputHeight", between(1, 3)},
        {"roi", "outputWidth", between(1, 3)},
        {"roi", "heightRatio", between(1, 2)},
        {"roi", "widthRatio", between(1, 2)},
        {"roi", "heightSamples", oneOf({0, 1, 2, 3, 33})},
        {"roi", "widthSamples", oneOf({0, 1, 2, 3, 33})},
        {"slice", "begin", {wholeRank}, begins},
        {"slice", "size", {wholeRank}, lengths},
        orEmpty({"softmax", "input", whole}),
        {"space_to_batch_nd", "input", image(n, p* h, q* w, c)},
        {"space_to_batch_nd", "blockSize", {2}, sizesOf({p, q})},
        {"space_to_batch_nd", "paddings", {2, 2}, between(0, 2)},
        {"space_to_depth", "input", image(n, p* h, p* w, c)},
        {"space_to_depth", "blockSize", sizesOf({p})},
        {"split", "numOutputs", outputCount},
        {"squeeze", "input", {1, h, w, c}},
        {"squeeze", "squeezeDims", {1}, always(0)},
        {"strided_slice", "begin", {wholeRank}, starts},
        {"strided_slice", "end", {wholeRank}, ends},
        {"strided_slice", "strides", {wholeRank}, steps},
        {"strided_slice", "beginMask", between(0, 3)},
        {"strided_slice", "endMask", between(0, 3)},
        {"strided_slice", "shrinkAxisMask", between(0, 1)},
        {"svdf", "input", {n, x}},
        {"svdf", "featureWeights", {k * u, x}},
        {"svdf", "timeWeights", {k * u, m}},
        {"svdf", "bias", {u}},
        {"svdf", "stateIn", {n, k* u* m}},
        {"svdf", "rank", sizesOf({k})},
        {"tile", "multiples", {wholeRank}, between(1, 3)},
        {"topk_v2", "k", between(1, 3)},
        orEmpty({"transpose", "input", whole}),
        {"transpose", "perm", {wholeRank}, permutation},
        {"transpose_conv_2d", "input", image(n, height, width, c)},
        {"transpose_conv_2d", "filter", {k, a, b, c}},
        {"transpose_conv_2d", "bias", {k}},
        {"transpose_conv_2d", "outputShape", {4}, sizesOf(image(n, p* height, q* width, k))},
        {"transpose_conv_2d", "strideHeight", sizesOf({p})},
        {"transpose_conv_2d", "strideWidth", sizesOf({q})},

        // Operands that mean the same in every operation.
        {"*", "isNchw", isOtherLayout},
        {"*", "nchw", isOtherLayout},
        {"*", "timeMajor", isOtherLayout},
        {"*", "activation", between(0, 3)},
        {"*", "paddingScheme", between(1, 2)},
        {"*", "paddingLeft", between(0, 2)},
        {"*", "paddingRight", between(0, 2)},
        {"*", "paddingTop", between(0, 2)},
        {"*", "paddingBottom", between(0, 2)},
        {"*", "strideWidth", between(1, 3)},
        {"*", "strideHeight", between(1, 3)},
        {"*", "dilationWidth", between(1, 3)},
        {"*", "dilationHeight", between(1, 3)},
        {"*", "filterWidth", between(1, 4)},
        {"*", "filterHeight", between(1, 4)},
        {"*", "keepDims", between(0, 1)},
        {"*", "axis", anyAxis},
        {"*", "beta", between(0.5, 2)},
        {"*", "batchIndex", {k}, indexesOf({n})},
        {"*", "roi", {k, 4}, thinBoxes},
        {"*", "iouThreshold", between(0.25, 1)},

        // Recurrent cells.
        with({"*", "inputToInputWeights", {u, x}}, INPUT_GATE),
        {"*", "inputTo*Weights", {u, x}},
        with({"*", "recurrentToInputWeights", {u, o}}, INPUT_GATE),
        {"*", "recurrentTo*Weights", {u, o}},
        with({"*", "cellToInputWeights", {u}}, PEEPHOLE, INPUT_GATE),
        with({"*", "cellTo*Weights", {u}}, PEEPHOLE),
        with({"*", "inputGateBias", {u}}, INPUT_GATE),
        with({"*", "projectionBias", {o}}, PROJECTION, PROJECTION_BIAS),
        {"*", "*Bias", {u}},
        with({"*", "projectionWeights", {o, u}, identity}, PROJECTION),
        {"*", "outputStateIn", {n, o}},
        {"*", "cellStateIn", {n, u}},
        with({"*", "inputLayerNormWeights", {u}}, LAYER_NORM, INPUT_GATE),
        with({"*", "*LayerNormWeights", {u}}, LAYER_NORM),
        with({"*", "auxInput", sequence(n, t, x)}, AUXILIARY),
        with({"*", "auxToInputWeights", {u, x}}, AUXILIARY, CROSS_AUXILIARY, INPUT_GATE),
        with({"*", "auxTo*Weights", {u, x}}, AUXILIARY, CROSS_AUXILIARY),
        {"*", "cellClip", between(0, 4)},
        {"*", "projectionClip", between(0, 4)},
        {"*", "mergeOutputs", hasOddOutputs},

        // All other tensors of an operation share one shape; all other scalars have any value.
        {"*", "*", whole},
};

bool names(std::string_view recipe, std::string_view operand) {
    bool isCapital = false;
    for (const std::string_view direction : {"fw", "bw", "forward", "backward"}) {
        if (isCapital || !operand.starts_with(direction)) continue;
        operand.remove_prefix(direction.size());
        isCapital = true;
    }
    const auto fits = [&](std::string_view text, size_t from) {
        for (size_t i = 0; i < text.size(); ++i) {
            const char found = operand[from + i];
            const bool isFirst = isCapital && from + i == 0 && 'A' <= found && found <= 'Z';
            if (text[i] != (isFirst ? static_cast<char>(found - 'A' + 'a') : found)) return false;
        }
        return true;
    };
    const size_t star = recipe.find('*');
    if (star == std::string_view::npos) return recipe.size() == operand.size() && fits(recipe, 0);
    const size_t after = recipe.size() - star - 1;
    return operand.size() >= star + after && fits(recipe.substr(0, star), 0) &&
           fits(recipe.substr(star + 1), operand.size() - after);
}

}  // namespace

bool Recipe::isFor(const OperationTypeInfo& operation, std::string_view name) const {
    return (operations == "*" || operations == operation.stem || operations == operation.name) &&
           names(operand, name);
}

std::span<const Recipe> recipes() { return kRecipes; }

const Recipe& recipeOf(const OperationTypeInfo& operation, std::string_view operand) {
    // Drawing a model asks for each operand several times.
    thread_local std::map<OperationType, std::unordered_map<std::string, const Recipe*>> known;
    const Recipe*& recipe = known[operation.type][std::string(operand)];
    if (recipe == nullptr) {
        recipe = absl::c_find_if(kRecipes,
                                 [&](const Recipe& row) { return row.isFor(operation, operand); });
    }
    return *recipe;
}

}  // namespace nn::testing
