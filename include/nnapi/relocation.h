// nnapi/relocation.h -- Moves data between the caller's memory (POINTER) and shared memory.
//
//   NNAPI_RETURN_IF_ERROR(nn::flushDataFromPointerToShared(&model));   // constants of a model
//   auto versioned = nn::V1_2::utils::convert(model);
//
//   NNAPI_ASSIGN_OR_RETURN(shared, nn::convertRequestFromPointerToShared(request));
//   shared.relocation.input.flush();    // before the execution
//   ... execute shared.request ...
//   shared.relocation.output.flush();   // after it
//
// Nothing is copied if there are no POINTER operands or arguments. Distinct objects are
// thread-safe; flush() accesses the caller's buffers, which must stay valid until then.
#pragma once

#include <cstdint>
#include <vector>

#include "nnapi/memory.h"
#include "nnapi/result.h"
#include "nnapi/types.h"
#include "nnapi/validated_model.h"

namespace nn {

// Copies the values of all POINTER operands, in all subgraphs, into one new pool and makes them
// CONSTANT_REFERENCE. On failure the model is unchanged.
Status flushDataFromPointerToShared(Model* model);

// The same for a copy of a validated model, which stays valid. Returns the model itself if it has
// no such operands.
Result<ValidatedModel> flushDataFromPointerToShared(const ValidatedModel& model);

// Copies between the caller's buffers and one pool. Copies of the object share the mapping.
class Relocation {
   public:
    // One copy.
    struct Piece {
        void* data = nullptr;  // the caller's; only read for inputs
        uint32_t length = 0;   // bytes
        uint32_t offset = 0;   // in the pool
    };
    // Where flush() copies: from the caller to the pool, or back.
    enum class Direction : uint8_t { TO_POOL, FROM_POOL };

    // A relocation without pieces.
    explicit Relocation(Direction direction) : mDirection(direction) {}

    // INVALID_ARGUMENT if a piece has bytes but no data or exceeds the mapping, or if the mapping
    // is read-only and the direction is TO_POOL. The caller guarantees that each piece's data has
    // the given length.
    static Result<Relocation> create(Direction direction, std::vector<Piece> pieces,
                                     Mapping mapping);

    // Copies all pieces.
    void flush() const;

   private:
    Relocation(Direction direction, std::vector<Piece> pieces, Mapping mapping)
        : mDirection(direction), mPieces(std::move(pieces)), mMapping(std::move(mapping)) {}

    Direction mDirection;
    std::vector<Piece> mPieces;
    Mapping mMapping;
};

// Copies to make before and after an execution.
struct RequestRelocation {
    Relocation input{Relocation::Direction::TO_POOL};     // flush it before the execution
    Relocation output{Relocation::Direction::FROM_POOL};  // flush it after a success
};

// A request without pointers, and the copies that it needs.
struct SharedRequest {
    Request request{};               // has no POINTER arguments
    RequestRelocation relocation{};  // keeps the pool's mapping
};

// Moves every POINTER argument into a new pool: one pool for inputs, then one for outputs; an empty
// pool is left out. Each argument starts at a multiple of `alignment` and is rounded up to a
// multiple of `padding`, both in bytes and powers of two; HIDL drivers expect 64 and 1.
Result<SharedRequest> convertRequestFromPointerToShared(
        const Request& request, uint32_t alignment = kDefaultRequestMemoryAlignment,
        uint32_t padding = kMinMemoryPadding);

}  // namespace nn
