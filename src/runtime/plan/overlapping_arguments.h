// Finds arguments of a request that lie over each other, and keeps outputs apart from all others
// until everything is computed. docs/overlapping_arguments.md has the rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/memory.h"
#include "runtime/plan/value_sizes.h"

namespace nn::runtime {

struct Overlap {
    // An output has bytes in common with an input or another output; memories are compared by
    // their files. Neither arguments behind pointers with those in memories, nor two addresses of
    // the same memory: nobody can say what an application has mapped.
    bool isThere = false;
    // The same where they lie in one buffer of a device.
    bool isInBuffer = false;
    // There are pointers and memories, among them an output.
    bool isUnknown = false;

    bool isAny() const { return isThere || isInBuffer; }
};

// Device and inode of a file; {0, the address of the object} for a pool without one.
using FileId = std::pair<uint64_t, uint64_t>;

// The files of memories that executions have used, so that they are looked up once. Not
// thread-safe.
class KnownFiles {
   public:
    FileId of(const SharedMemory& memory);

   private:
    static constexpr size_t kMost = 16;
    std::vector<std::pair<std::weak_ptr<const Memory>, FileId>> mKnown{};
    size_t mNext = 0;  // that is forgotten for a new one
};

// Without system calls where all arguments lie behind pointers, in one memory or in known ones.
Overlap overlapOf(const Request& request, KnownFiles& files);
Overlap overlapOf(const Request& request);

// The place where outputs are kept apart: kept for the next execution, which must not be at the
// same time.
struct OutputStage {
    SharedMemory memory{};
    Mapping bytes{};
};

// A request whose outputs lie in a stage, but for those in buffers of devices.
class StagedOutputs {
   public:
    static Result<StagedOutputs> of(const Request& request, OutputStage& stage);

    const Request& request() const { return mRequest; }

    // Copies the results of a success to where the first request has its outputs, in their order.
    // `shapes` is what the execution has answered. Both requests and the stage are still there.
    Status finish(const Model& model, const Sizes& sizes,
                  const std::vector<OutputShape>& shapes) const;

   private:
    StagedOutputs(const Request& whole, const OutputStage& stage)
        : mWhole(&whole), mStage(&stage), mRequest(whole) {}

    const Request* mWhole;
    const OutputStage* mStage;
    Request mRequest;
};

}  // namespace nn::runtime
