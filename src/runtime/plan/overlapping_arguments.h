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
    // True where an output shares bytes with an input or another output; memories are compared by
    // their files. Arguments behind pointers are not compared with those in memories, nor two
    // mappings of the same memory: an application's mappings are unknown.
    bool isThere = false;
    // The same for arguments in one device buffer.
    bool isInBuffer = false;
    // True where the request has both pointers and memories, and one of them is an output.
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
    size_t mNext = 0;  // that is forgotten for a new one
};

// Makes no system calls where all arguments are behind pointers, in one memory or in known ones.
Overlap overlapOf(const Request& request, KnownFiles& files);
Overlap overlapOf(const Request& request);

// Staging memory for outputs, reused by the next execution; not for two at once.
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
    // in their order. `shapes` is what the execution answered. Both requests and the stage must
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
