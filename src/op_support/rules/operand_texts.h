// The texts of operands that mean the same in several operation folders. The other texts are next
// to the signatures of their folder.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops {

// clang-format off
inline constexpr OperandText kOperandTexts[] = {
        {"input", "the tensor"},
        {"input0", "left operand"},
        {"input1", "right operand"},
        {"output", "the result"},

        // windows over images
        {"filter", "[output channels, height, width, input channels]"},
        {"bias", "added to each output channel"},
        {"paddingScheme", "1 SAME, 2 VALID (no padding)"},
        {"paddingLeft", "columns added on the left"},
        {"paddingRight", "columns added on the right"},
        {"paddingTop", "rows added above"},
        {"paddingBottom", "rows added below"},
        {"strideWidth", "step of the window along the width"},
        {"strideHeight", "step of the window along the height"},
        {"dilationWidth", "distance of the filter's columns"},
        {"dilationHeight", "distance of the filter's rows"},
        {"activation", "0 none, 1 RELU, 2 RELU1, 3 RELU6"},
        {"isNchw", "layout: false NHWC, true NCHW"},
        {"nchw", "layout: false NHWC, true NCHW"},
        {"outputWidth", "width of the output"},
        {"outputHeight", "height of the output"},
        {"blockSize", "sizes of a block"},

        // axes and shapes
        {"axis", "counted from the end if negative"},
        {"paddings", "[rank, 2]: elements added before and after each axis"},
        {"begin", "first index along each axis"},

        // element by element and tables
        {"beta", "factor of the exponent"},
        {"values", "the rows"},

        // recurrent cells; "fw" and "bw" before a name are the two cells of a bidirectional one
        {"weights", "[units, inputs]"},
        {"timeMajor", "input is [time, batch, size], else [batch, time, size]"},
        {"mergeOutputs", "one output, the forward half before the backward half"},
        {"inputToInputWeights", "input gate, of the input"},
        {"inputToForgetWeights", "forget gate, of the input"},
        {"inputToCellWeights", "candidate, of the input"},
        {"inputToOutputWeights", "output gate, of the input"},
        {"recurrentToInputWeights", "input gate, of the previous output"},
        {"recurrentToForgetWeights", "forget gate, of the previous output"},
        {"recurrentToCellWeights", "candidate, of the previous output"},
        {"recurrentToOutputWeights", "output gate, of the previous output"},
        {"cellToInputWeights", "input gate, peephole"},
        {"cellToForgetWeights", "forget gate, peephole"},
        {"cellToOutputWeights", "output gate, peephole"},
        {"inputGateBias", "input gate, bias"},
        {"forgetGateBias", "forget gate, bias"},
        {"cellBias", "candidate, bias"},
        {"outputGateBias", "output gate, bias"},
        {"inputLayerNormWeights", "input gate, layer normalization"},
        {"forgetLayerNormWeights", "forget gate, layer normalization"},
        {"cellLayerNormWeights", "candidate, layer normalization"},
        {"outputLayerNormWeights", "output gate, layer normalization"},
        {"projectionWeights", "from cells to the output"},
        {"projectionBias", "added after the projection"},
        {"outputStateIn", "previous output"},
        {"outputStateOut", "output, for the next step"},
        {"cellStateIn", "cell state before"},
        {"cellStateOut", "cell state after"},
        {"cellClip", "limit of the cell state; 0: none"},
        {"projectionClip", "limit of the projection; 0: none"},

        // detections
        {"roi", "regions: x1, y1, x2, y2"},
        {"batchIndex", "the image that each region belongs to"},
        {"deltas", "how to move and scale each region"},
        {"imageInfo", "height and width of each image"},
        {"scores", "how sure, for each region and class"},
        {"scoreThreshold", "scores at or below it are ignored"},
        {"classes", "class of each result"},
        {"anchors", "reference boxes"},
};
// clang-format on

}  // namespace nn::ops
