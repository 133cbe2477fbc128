#include "cli/parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "nnapi/type_utils.h"

namespace nn::cli {
namespace {

struct Row {
    std::string_view name;  // "beta", or "SOFTMAX.beta" where it means something else there
    std::string_view meaning;
};

// clang-format off
constexpr Row kRows[] = {
    {"input", "the tensor"},
    {"input0", "left operand"},
    {"input1", "right operand"},
    {"output", "the result"},

    // windows over images
    {"CONV_2D.input", "images"},
    {"DEPTHWISE_CONV_2D.input", "images"},
    {"GROUPED_CONV_2D.input", "images"},
    {"TRANSPOSE_CONV_2D.input", "images"},
    {"AVERAGE_POOL_2D.input", "images"},
    {"L2_POOL_2D.input", "images"},
    {"MAX_POOL_2D.input", "images"},
    {"filter", "[output channels, height, width, input channels]"},
    {"GROUPED_CONV_2D.filter", "[output channels, height, width, channels of a group]"},
    {"DEPTHWISE_CONV_2D.filter", "[1, height, width, output channels]"},
    {"bias", "added to each output channel"},
    {"FULLY_CONNECTED.bias", "added to each unit"},
    {"RNN.bias", "added to each unit"},
    {"UNIDIRECTIONAL_SEQUENCE_RNN.bias", "added to each unit"},
    {"BIDIRECTIONAL_SEQUENCE_RNN.forwardBias", "forward: added to each unit"},
    {"BIDIRECTIONAL_SEQUENCE_RNN.backwardBias", "backward: added to each unit"},
    {"SVDF.bias", "added to each unit; without it 0"},
    {"paddingScheme", "1 SAME, 2 VALID (no padding)"},
    {"paddingLeft", "columns added on the left"},
    {"paddingRight", "columns added on the right"},
    {"paddingTop", "rows added above"},
    {"paddingBottom", "rows added below"},
    {"strideWidth", "step of the window along the width"},
    {"strideHeight", "step of the window along the height"},
    {"TRANSPOSE_CONV_2D.strideWidth", "step of the output for one of the input, along the width"},
    {"TRANSPOSE_CONV_2D.strideHeight", "step of the output for one of the input, along the height"},
    {"filterWidth", "width of the window"},
    {"filterHeight", "height of the window"},
    {"dilationWidth", "distance of the filter's columns"},
    {"dilationHeight", "distance of the filter's rows"},
    {"depthMultiplier", "output channels for each input channel"},
    {"groups", "parts that the channels are divided into"},
    {"outputShape", "dimensions of the output"},
    {"activation", "0 none, 1 RELU, 2 RELU1, 3 RELU6"},
    {"LSTM.activation", "0 none, 1 RELU, 2 RELU1, 3 RELU6, 4 TANH, 6 SIGMOID"},
    {"UNIDIRECTIONAL_SEQUENCE_LSTM.activation", "as for LSTM: 4 TANH, 6 SIGMOID ..."},
    {"BIDIRECTIONAL_SEQUENCE_LSTM.activation", "as for LSTM: 4 TANH, 6 SIGMOID ..."},
    {"SVDF.activation", "0 none, 1 RELU, 2 RELU1, 3 RELU6, 4 TANH, 6 SIGMOID"},
    {"RNN.activation", "0 none, 1 RELU, 2 RELU1, 3 RELU6, 4 TANH, 6 SIGMOID"},
    {"UNIDIRECTIONAL_SEQUENCE_RNN.activation", "as for RNN: 4 TANH, 6 SIGMOID ..."},
    {"BIDIRECTIONAL_SEQUENCE_RNN.activation", "as for RNN: 4 TANH, 6 SIGMOID ..."},
    {"isNchw", "layout: false NHWC, true NCHW"},
    {"nchw", "layout: false NHWC, true NCHW"},
    {"outputWidth", "width of the output"},
    {"outputHeight", "height of the output"},
    {"widthFactor", "width of the output / that of the input"},
    {"heightFactor", "height of the output / that of the input"},
    {"alignCorners", "corners keep their values: the centers of corner pixels coincide"},
    {"halfPixelCenters", "the center of a pixel is at half of its size"},
    {"blockSize", "sizes of a block"},
    {"DEPTH_TO_SPACE.blockSize", "height and width of a block"},
    {"SPACE_TO_DEPTH.blockSize", "height and width of a block"},

    // axes and shapes
    {"axis", "counted from the end where negative"},
    {"CONCATENATION.axis", "not counted from the end"},
    {"CONCATENATION.input", "tensors of one rank"},
    {"PACK.axis", "place of the new axis, not counted from the end"},
    {"PACK.input", "tensors of one shape"},
    {"EXPAND_DIMS.axis", "place of the new axis, counted from the end where negative"},
    {"SPLIT.output", "the parts"},
    {"axes", "axes to reduce, counted from the end where negative"},
    {"MEAN.axis", "axes to reduce, counted from the end where negative"},
    {"REVERSE.axis", "the axis to turn round"},
    {"keepDims", "reduced axes stay, with size 1"},
    {"MEAN.keepDims", "above 0: reduced axes stay, with size 1"},
    {"numGroups", "groups of channels"},
    {"numOutputs", "parts along the axis"},
    {"indices", "which slices along the axis"},
    {"TOPK_V2.indices", "where the values are in the input"},
    {"k", "how many of the largest"},
    {"TOPK_V2.values", "the largest values, in descending order"},
    {"perm", "which axis of the input each axis of the output is; none: reversed"},
    {"multiples", "how often to repeat along each axis"},
    {"paddings", "[rank, 2]: elements added before and after each axis"},
    {"SPACE_TO_BATCH_ND.paddings", "[spatial rank, 2]: elements added before and after"},
    {"padValue", "what they are filled with"},
    {"mode", "0 REFLECT, 1 SYMMETRIC (the edge is mirrored too)"},
    {"shape", "dimensions; at most one is -1, which means the rest"},
    {"squeezeDims", "axes of size 1 to remove; none: all of them"},
    {"begin", "first index along each axis"},
    {"end", "index after the last, along each axis"},
    {"size", "size along each axis; -1: up to the end"},
    {"strides", "step along each axis"},
    {"beginMask", "bit i: axis i begins at its first element"},
    {"endMask", "bit i: axis i ends at its last element"},
    {"shrinkAxisMask", "bit i: axis i has one element and is removed"},
    {"dims", "dimensions of the output"},
    {"value", "what it is filled with"},

    // element by element
    {"alpha", "slope of negative values"},
    {"ELU.alpha", "the value that very negative inputs approach, negated"},
    {"LOCAL_RESPONSE_NORMALIZATION.alpha", "factor of the sum of squares"},
    {"LOCAL_RESPONSE_NORMALIZATION.beta", "exponent"},
    {"LOCAL_RESPONSE_NORMALIZATION.bias", "added to the sum of squares"},
    {"radius", "neighbours on each side that are summed"},
    {"beta", "factor of the exponent"},
    {"INSTANCE_NORMALIZATION.beta", "added to the normalised value"},
    {"gamma", "factor of the normalised value"},
    {"epsilon", "added to the variance"},
    {"base", "what is raised"},
    {"exponent", "to what power"},
    {"mask", "true: the element of input1, false: that of input2"},
    {"SELECT.input1", "where the mask is true"},
    {"SELECT.input2", "where the mask is false"},
    {"x", "left matrices"},
    {"y", "right matrices"},
    {"adjointX", "transpose the left ones first"},
    {"adjointY", "transpose the right ones first"},

    // tables, hashes, chance
    {"lookups", "which rows"},
    {"HASHTABLE_LOOKUP.lookups", "keys to look for"},
    {"keys", "the key of each row, ascending"},
    {"values", "the rows"},
    {"hits", "1 where the key was there"},
    {"hash", "[functions, bits]: a seed for each bit"},
    {"LSH_PROJECTION.weights", "of each row of the input; none: all 1"},
    {"type", "1 SPARSE_DEPRECATED, 2 DENSE, 3 SPARSE"},
    {"logits", "logarithms of the probabilities of each class, not normalised"},
    {"samples", "draws of each batch"},
    {"seeds", "two numbers; equal ones give equal draws"},

    // recurrent cells; "fw" and "bw" before a name are the two cells of a bidirectional one
    {"weights", "[units, inputs]"},
    {"recurrentWeights", "[units, units]: of the hidden state"},
    {"auxiliaryWeights", "of the auxiliary input"},
    {"hiddenStateIn", "hidden state before"},
    {"hiddenStateOut", "hidden state after"},
    {"auxInput", "auxiliary input"},
    {"auxiliaryInput", "auxiliary input"},
    {"timeMajor", "input is [time, batch, size], else [batch, time, size]"},
    {"mergeOutputs", "one output, the forward half before the backward half"},
    {"LSTM.input", "what this step reads"},
    {"QUANTIZED_LSTM.input", "what this step reads"},
    {"QUANTIZED_16BIT_LSTM.input", "what this step reads"},
    {"RNN.input", "what this step reads"},
    {"SVDF.input", "the frame of this step"},
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
    {"auxToInputWeights", "input gate, of the auxiliary input"},
    {"auxToForgetWeights", "forget gate, of the auxiliary input"},
    {"auxToCellWeights", "candidate, of the auxiliary input"},
    {"auxToOutputWeights", "output gate, of the auxiliary input"},
    {"inputGateBias", "input gate, bias"},
    {"forgetGateBias", "forget gate, bias"},
    {"cellBias", "candidate, bias"},
    {"cellGateBias", "candidate, bias"},
    {"outputGateBias", "output gate, bias"},
    {"inputLayerNormWeights", "input gate, layer normalisation"},
    {"forgetLayerNormWeights", "forget gate, layer normalisation"},
    {"cellLayerNormWeights", "candidate, layer normalisation"},
    {"outputLayerNormWeights", "output gate, layer normalisation"},
    {"inputGateScale", "scale of the input gate before normalisation"},
    {"forgetGateScale", "scale of the forget gate before normalisation"},
    {"cellGateScale", "scale of the candidate before normalisation"},
    {"outputGateScale", "scale of the output gate before normalisation"},
    {"hiddenStateZeroPoint", "zero point of what is projected"},
    {"hiddenStateScale", "scale of what is projected"},
    {"projectionWeights", "from cells to the output"},
    {"projectionBias", "added after the projection"},
    {"outputStateIn", "previous output"},
    {"outputStateOut", "output, for the next step"},
    {"outputIn", "previous output"},
    {"QUANTIZED_16BIT_LSTM.output", "output, for the next step too"},
    {"cellStateIn", "cell state before"},
    {"cellStateOut", "cell state after"},
    {"cellClip", "limit of the cell state; 0: none"},
    {"projectionClip", "limit of the projection; 0: none"},
    {"scratch", "filled with zeros"},
    {"featureWeights", "[filters, inputs]"},
    {"timeWeights", "[filters, frames]"},
    {"stateIn", "last frames of each filter"},
    {"stateOut", "last frames of each filter, with this one"},
    {"SVDF.rank", "filters of a unit"},

    // detections
    {"roi", "regions: x1, y1, x2, y2"},
    {"batchIndex", "the image that each region belongs to"},
    {"heightRatio", "height of the original image / that of the input"},
    {"widthRatio", "width of the original image / that of the input"},
    {"heightSamples", "samples along the height of a cell; 0: as many as it has pixels"},
    {"widthSamples", "samples along the width of a cell; 0: as many as it has pixels"},
    {"deltas", "how to move and scale each region"},
    {"imageInfo", "height and width of each image"},
    {"scores", "how sure, for each region and class"},
    {"GENERATE_PROPOSALS.scores", "how sure, for each anchor at each pixel"},
    {"HEATMAP_MAX_KEYPOINT.scores", "how sure, for each keypoint"},
    {"scoreThreshold", "scores at or below it are ignored"},
    {"maxDetections", "most results"},
    {"BOX_WITH_NMS_LIMIT.maxDetections", "most results of an image; negative: any number"},
    {"kernel", "how overlapping boxes lose score: 0 hard, 1 linear, 2 gaussian"},
    {"iouThreshold", "overlap from which on they do"},
    {"GENERATE_PROPOSALS.iouThreshold", "overlap from which on the lower one is dropped"},
    {"DETECTION_POSTPROCESSING.iouThreshold", "overlap from which on the lower one is dropped"},
    {"sigma", "of the gaussian kernel"},
    {"nmsScoreThreshold", "what falls below it is dropped"},
    {"classes", "class of each result"},
    {"anchors", "reference boxes"},
    {"heightStride", "pixels of the image for one of the input, along the height"},
    {"widthStride", "pixels of the image for one of the input, along the width"},
    {"preNmsTopN", "most boxes before overlaps are dropped; 0: any number"},
    {"postNmsTopN", "most boxes after that; negative: any number"},
    {"minSize", "boxes up to this width or height are dropped"},
    {"scaleY", "divides the vertical moves"},
    {"scaleX", "divides the horizontal moves"},
    {"scaleHeight", "divides the changes of height"},
    {"scaleWidth", "divides the changes of width"},
    {"regularNms", "true: regular, each class on its own; false: fast, all at once"},
    {"maxClassesPerDetection", "fast: classes of a result"},
    {"maxDetectionsPerClass", "regular: most results of a class"},
    {"backgroundInLabels", "labels count the background, which is class 0"},
    {"boxes", "y1, x1, y2, x2"},
    {"HEATMAP_MAX_KEYPOINT.boxes", "x1, y1, x2, y2"},
    {"counts", "results of each batch"},
    {"heatmap", "an image for each keypoint of each box"},
    {"keypoints", "x and y of each keypoint"},

    // control flow
    {"IF.condition", "which branch"},
    {"WHILE.condition", "graph that says whether to go round again"},
    {"then", "graph to execute if true"},
    {"else", "graph to execute if false"},
    {"body", "graph that makes the next state of this one"},
    {"IF.input", "inputs of the branch"},
    {"WHILE.input", "state before the loop, and constants"},
    {"IF.output", "outputs of the branch"},
    {"WHILE.output", "state after the loop"},
};
// clang-format on

// The two cells of bidirectional operations; each has the parameters of a single cell.
constexpr std::pair<std::string_view, std::string_view> kCells[] = {
        {"fw", "forward"}, {"bw", "backward"}, {"forward", "forward"}, {"backward", "backward"}};

std::string_view find(std::string_view name) {
    const Row* row = std::ranges::find(kRows, name, &Row::name);
    return row == std::end(kRows) ? "" : row->meaning;
}

}  // namespace

std::string meaningOf(OperationType type, std::string_view parameter) {
    const OperationTypeInfo* info = operationTypeInfo(type);
    const std::string own = fmt::format("{}.{}", info == nullptr ? "" : info->name, parameter);
    for (const std::string_view name : {std::string_view(own), parameter}) {
        if (const std::string_view meaning = find(name); !meaning.empty())
            return std::string(meaning);
    }
    for (const auto& [prefix, cell] : kCells) {
        if (!parameter.starts_with(prefix)) continue;
        std::string rest(parameter.substr(prefix.size()));
        if (rest.empty()) continue;
        rest[0] = static_cast<char>(rest[0] | 0x20);  // a letter, as all names begin with
        if (const std::string_view meaning = find(rest); !meaning.empty())
            return fmt::format("{}: {}", cell, meaning);
    }
    return "";
}

}  // namespace nn::cli
