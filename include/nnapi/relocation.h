// nnapi/relocation.h -- moves data from the caller's memory (POINTER) to shared memory, where
// another process sees it.
//
//   NNAPI_RETURN_IF_ERROR(nn::flushDataFromPointerToShared(&model));   // constants of a model
//   auto versioned = nn::V1_2::utils::convert(model);
//
//   NNAPI_ASSIGN_OR_RETURN(shared, nn::convertRequestFromPointerToShared(request));
//   shared.relocation.input.flush();    // before the execution
//   ... execute shared.request ...
//   shared.relocation.output.flush();   // after it
//
// Without POINTER operands or arguments no copy is made. Thread-safe on distinct objects; flush
// reads and writes the caller's buffers, which must live until then.
#pragma once

#include <cstdint>
#include <vector>

#include "nnapi/checked_model.h"
#include "nnapi/memory.h"
#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn {

// Copies the values of all operands of lifetime POINTER, in all subgraphs, into one new pool and
// makes them CONSTANT_REFERENCE. On failure the model is as it was.
Status flushDataFromPointerToShared(Model* model);

// The same for a copy of a legal model, which stays legal; without such operands the model itself.
Result<CheckedModel> flushDataFromPointerToShared(const CheckedModel& model);

// Copies between the caller's buffers and one pool.
class Relocation {
   public:
    struct Piece {
        void* data = nullptr;  // the caller's; only read for inputs
        uint32_t length = 0;   // bytes
        uint32_t offset = 0;   // in the pool
    };
    enum class Direction : uint8_t { TO_POOL, FROM_POOL };

    // Has no pieces and copies nothing.
    explicit Relocation(Direction direction) : mDirection(direction) {}

    // INVALID_ARGUMENT where a piece has bytes but no data, or does not lie in the mapping, or
    // where the mapping is read-only and something is to be copied there. The caller makes sure
    // that each piece's data is as long as the piece says.
    static Result<Relocation> create(Direction direction, std::vector<Piece> pieces,
                                     Mapping mapping);

    void flush() const;

   private:
    Relocation(Direction direction, std::vector<Piece> pieces, Mapping mapping)
        : mDirection(direction), mPieces(std::move(pieces)), mMapping(std::move(mapping)) {}

    Direction mDirection;
    std::vector<Piece> mPieces;
    Mapping mMapping;
};

struct RequestRelocation {
    Relocation input{Relocation::Direction::TO_POOL};
    Relocation output{Relocation::Direction::FROM_POOL};
};

struct SharedRequest {
    Request request{};  // has no POINTER arguments
    RequestRelocation relocation{};
};

// Gives every argument of lifetime POINTER a place in a new pool: one pool for the inputs and,
// after it, one for the outputs; a pool that would be empty is left out. Every place starts at a
// multiple of alignment and is rounded up to a multiple of padding, both in bytes and powers of
// two; HIDL drivers expect 64 and 1.
Result<SharedRequest> convertRequestFromPointerToShared(
        const Request& request, uint32_t alignment = kDefaultRequestMemoryAlignment,
        uint32_t padding = kMinMemoryPadding);

}  // namespace nn
