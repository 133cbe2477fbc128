// nnapi/testing/shrink.h -- Makes a failing test case smaller while it still fails.
//
//   const auto fails = [&](const nn::TestCase& smaller) {
//       return failsTheSameWay(device, smaller);
//   };
//   const nn::testing::Shrunk small = nn::testing::shrink(testCase, fails);
//   const nn::Status written = nn::writeTestCases("small.jsonl", {&small.testCase, 1});
//
// Operations are removed, whose results become inputs or constants; IF and WHILE are replaced by a
// graph that they refer to, and lose branches, arguments and outputs; outputs, optional operands
// and dimensions are reduced; values become 0, 1, or numbers of few bits. Each candidate is legal,
// and its expected outputs are those of the reference. It is smaller than the last one that fails:
// in operations, then in elements, operands and values.
//
// Accepts any case: one that is not legal, that expects a failure or random numbers, or that does
// not fail comes back as it is. Equal arguments give equal results, unless time runs out.
// Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "nnapi/io.h"
#include "nnapi/limits.h"
#include "nnapi/until.h"

namespace nn::testing {

// What shrinking may take.
struct ShrinkOptions {
    Duration time = std::chrono::seconds(30);  // of the whole call
    size_t candidates = 5000;                  // calls of the function, at most
    Limits limits{};                           // of the reference
    StopFunction stop{};                       // asked between candidates
};

// The smallest case that was found.
struct Shrunk {
    TestCase testCase{};    // fails like the first, or is the first
    size_t candidates = 0;  // calls of the function
    bool isFinished =
            true;  // false: ended by time, candidates or `stop`; it may not be the smallest
};

// `fails` returns true if a candidate fails in the way of interest; it is called first with the
// case itself, whose constants may have moved. Only on the calling thread.
Shrunk shrink(const TestCase& testCase, const std::function<bool(const TestCase&)>& fails,
              const ShrinkOptions& options = {});

// Size of a test case: operations of all graphs; elements of inputs, constants and outputs.
struct CaseSize {
    size_t operations = 0;
    uint64_t elements = 0;
    bool operator==(const CaseSize&) const = default;
};
// Elements are 0 for a case whose inputs or outputs do not fit the model.
CaseSize sizeOf(const TestCase& testCase);

}  // namespace nn::testing
