// What one pass over an .onnx file may use in all, whatever its graphs repeat or share.
//
// Everything is charged before the work, and stays charged if the work fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "nnapi/limits.h"
#include "nnapi/result.h"

namespace nn::onnx {

struct Graph;

class Budget {
   public:
    // The bytes of the file, and of constants in other files; holes have no bytes.
    Budget(const Limits& limits, uint64_t fileBytes);

    const Limits& limits() const { return mLimits; }

    // Elements that folding reads, moves and computes, with the bytes that each costs. False once
    // the work of a pass is used up.
    bool spendWork(uint64_t elements, uint64_t bytesOfEach);
    // The same for what lowering reads again for each operator: lists, scales, attributes.
    bool spendReading(uint64_t elements, uint64_t bytesOfEach);
    // Bytes of constants that folding keeps.
    bool spendFolded(uint64_t bytes);
    // The most bytes that constants of the model may take, if they are no part of the file.
    uint64_t modelBytes() const { return mModelBytes; }
    // Elements of constants that the importer adds for operators.
    bool spendElements(uint64_t elements);
    // Iterations of loops and steps of sequences. Each has its own operations.
    bool spendSteps(uint64_t steps, uint64_t nodesOfEach);
    // Text of messages and names that are copied.
    bool spendText(uint64_t bytes);
    // Copies of a graph, by its weight: values, operators, their inputs and outputs, and the text
    // of names. RESOURCE_EXHAUSTED_PERSISTENT where they are out of proportion to the file.
    Status spendCopies(uint64_t weight);
    static uint64_t weightOfText(uint64_t bytes) { return bytes / kTextOfCopy; }

    static constexpr uint64_t kTextOfCopy = 16;
    static constexpr uint64_t kElements = 1 << 22;
    static constexpr uint64_t kSteps = 1 << 14;

   private:
    const Limits& mLimits;
    uint64_t mWork, mReading, mFolded, mText, mCopies, mModelBytes;
    uint64_t mElements = kElements, mSteps = kSteps;
};

// Values, nodes, their inputs and outputs, and the text of names; not those of graphs inside of
// nodes, which copies share.
uint64_t weightOf(const Graph& graph);

}  // namespace nn::onnx
