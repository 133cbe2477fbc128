// Finds overlapping arguments of a request, and stages their outputs until everything is computed.
// docs/overlapping_arguments.md has the rule.
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
    // True if an output shares bytes with an input or another output. Memories are compared by
    // their files. Arguments behind pointers are not compared with those in memories, nor are two
    // mappings of the same memory, since an application's mappings are unknown.
    bool isThere = false;
    // True if arguments in the same device buffer overlap.
    bool isInBuffer = false;
    // True if the request has both pointers and memories, and one of them is an output.
    bool isUnknown = false;

    bool isAny() const { return isThere || isInBuffer; }
};

// Device and inode of a file; {0, the address of the object} for a pool without one.
using FileId = std::pair<uint64_t, uint64_t>;

// Caches which file each memory belongs to. Not thread-safe.
class KnownFiles {
   public:
    FileId of(const SharedMemory& memory);

   private:
    static constexpr size_t kMaxKnown = 16;
    std::vector<std::pair<std::weak_ptr<const Memory>, FileId>> mKnown{};
    size_t mNext = 0;  // the entry that the next new one replaces
};

// Makes no system calls if all arguments are behind pointers, in one memory, or in known memories.
Overlap overlapOf(const Request& request, KnownFiles& files);
Overlap overlapOf(const Request& request);

// Staging memory for outputs of one execution at a time, reused by the next one.
struct OutputStage {
    SharedMemory memory{};
    Mapping bytes{};
};

// A request whose outputs are staged, except those in device buffers.
class StagedOutputs {
   public:
    static Result<StagedOutputs> of(const Request& request, OutputStage& stage);

    const Request& request() const { return mRequest; }

    // Copies the staged outputs of a successful execution to their places in the original request,
    // in their order. `shapes`: as returned by the execution. Both requests and the stage must
    // still exist.
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
