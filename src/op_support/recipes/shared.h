// Recipes of operands that mean the same in every operation.
#pragma once

#include "op_support/recipes/recipe.h"

namespace nn::ops::recipes {
namespace shared {

using namespace sizes;
using enum Part;

inline constexpr Recipe kRecipes[] = {
        {"isNchw", isOtherLayout},
        {"nchw", isOtherLayout},
        {"timeMajor", isOtherLayout},
        {"activation", between(0, 3)},
        {"paddingScheme", between(1, 2)},
        {"paddingLeft", between(0, 2)},
        {"paddingRight", between(0, 2)},
        {"paddingTop", between(0, 2)},
        {"paddingBottom", between(0, 2)},
        {"strideWidth", between(1, 3)},
        {"strideHeight", between(1, 3)},
        {"dilationWidth", between(1, 3)},
        {"dilationHeight", between(1, 3)},
        {"filterWidth", between(1, 4)},
        {"filterHeight", between(1, 4)},
        {"keepDims", between(0, 1)},
        {"axis", anyAxis},
        {"beta", between(0.5, 2)},
        {"batchIndex", {k}, indexesOf({n})},
        {"roi", {k, 4}, thinBoxes},
        {"iouThreshold", between(0.25, 1)},

        // Recurrent cells.
        with({"inputToInputWeights", {u, x}}, INPUT_GATE),
        {"inputTo*Weights", {u, x}},
        with({"recurrentToInputWeights", {u, o}}, INPUT_GATE),
        {"recurrentTo*Weights", {u, o}},
        with({"cellToInputWeights", {u}}, PEEPHOLE, INPUT_GATE),
        with({"cellTo*Weights", {u}}, PEEPHOLE),
        with({"inputGateBias", {u}}, INPUT_GATE),
        with({"projectionBias", {o}}, PROJECTION, PROJECTION_BIAS),
        {"*Bias", {u}},
        with({"projectionWeights", {o, u}, identity}, PROJECTION),
        {"outputStateIn", {n, o}},
        {"cellStateIn", {n, u}},
        with({"inputLayerNormWeights", {u}}, LAYER_NORM, INPUT_GATE),
        with({"*LayerNormWeights", {u}}, LAYER_NORM),
        with({"auxInput", sequence(n, t, x)}, AUXILIARY),
        with({"auxToInputWeights", {u, x}}, AUXILIARY, CROSS_AUXILIARY, INPUT_GATE),
        with({"auxTo*Weights", {u, x}}, AUXILIARY, CROSS_AUXILIARY),
        {"cellClip", between(0, 4)},
        {"projectionClip", between(0, 4)},
        {"mergeOutputs", hasOddOutputs},
};

}  // namespace shared
}  // namespace nn::ops::recipes
