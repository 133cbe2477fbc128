#include "nnapi/relocation.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/no_throw.h"
#include "nnapi/checked_math.h"
#include "nnapi/validate.h"
#include "transform/pointers.h"
#include "validate/report.h"
#include "validate/validation_facts.h"

namespace nn {
namespace {

Status refuse(const Place& place, std::string_view rule, std::string message) {
    return makeError(ErrorStatus::INVALID_ARGUMENT, Diagnostic{.rule = std::string(rule),
                                                               .path = place.path(),
                                                               .operation = {},
                                                               .message = std::move(message),
                                                               .since = {}});
}

Status requireData(const void* data, uint32_t length, const Place& place) {
    if (data != nullptr || length == 0) return {};
    return refuse(place, "relocation.null",
                  fmt::format("pointer to {} is null", Plural{length, "bytes"}));
}

void* pointerOf(const DataLocation& location) {
    return std::visit([](const void* pointer) { return const_cast<void*>(pointer); },
                      location.pointer);
}

// Plans a pool: places follow each other.
class PoolPlan {
   public:
    PoolPlan(uint32_t alignment, uint32_t padding) : mAlignment(alignment), mPadding(padding) {}

    // A place for the bytes that the location points to.
    Status add(const DataLocation& location, const Place& place) {
        void* data = pointerOf(location);
        NNAPI_RETURN_IF_ERROR(requireData(data, location.length, place));
        const auto offset = checkedRoundUp<uint32_t>(mSize, mAlignment);
        const auto padded = checkedRoundUp<uint32_t>(location.length, mPadding);
        const auto end = checkedAdd<uint32_t>(offset, padded);
        if (!end) {
            return refuse(place, "relocation.size",
                          fmt::format("{} after {} others are more than a pool holds",
                                      Plural{location.length, "bytes"}, mSize));
        }
        mSize = *end;
        mPieces.push_back({.data = data, .length = location.length, .offset = *offset});
        mPaddings.push_back(*padded - location.length);
        return {};
    }

    bool empty() const { return mPieces.empty(); }
    uint32_t size() const { return mSize; }
    const std::vector<Relocation::Piece>& pieces() const { return mPieces; }

    // The place of the i-th piece in the pool.
    DataLocation location(size_t i, uint32_t poolIndex) const {
        return {
                .pointer = {},
                .poolIndex = poolIndex,
                .offset = mPieces[i].offset,
                .length = mPieces[i].length,
                .padding = mPaddings[i],
        };
    }

   private:
    uint32_t mAlignment;
    uint32_t mPadding;
    uint32_t mSize = 0;
    std::vector<Relocation::Piece> mPieces;
    std::vector<uint32_t> mPaddings;
};

// Calls visit(operand, place) for every POINTER operand until one fails.
template <class Visit>
Status forEachPointer(Model& model, Visit&& visit) {
    const auto visitGraph = [&](Model::Subgraph& graph, const Place& place) -> Status {
        for (size_t i = 0; i < graph.operands.size(); ++i) {
            if (graph.operands[i].lifetime != Operand::LifeTime::POINTER) continue;
            NNAPI_RETURN_IF_ERROR(
                    visit(graph.operands[i], Place{&place, "operands", static_cast<int64_t>(i)}));
        }
        return {};
    };
    NNAPI_RETURN_IF_ERROR(visitGraph(model.main, Place{nullptr, "main"}));
    for (size_t i = 0; i < model.referenced.size(); ++i) {
        NNAPI_RETURN_IF_ERROR(visitGraph(model.referenced[i],
                                         Place{nullptr, "referenced", static_cast<int64_t>(i)}));
    }
    return {};
}

// Moves the POINTER arguments of one side to a new pool of the request.
Result<Relocation> relocate(std::vector<Request::Argument>& arguments, std::string_view side,
                            Relocation::Direction direction, uint32_t alignment, uint32_t padding,
                            const MakePool& makePool, Request& request) {
    PoolPlan plan(alignment, padding);
    std::vector<Request::Argument*> moved;
    for (size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].lifetime != Request::Argument::LifeTime::POINTER) continue;
        const Place place{nullptr, side, static_cast<int64_t>(i)};
        if (direction == Relocation::Direction::FROM_POOL &&
            !std::holds_alternative<void*>(arguments[i].location.pointer)) {
            return refuse(place, "relocation.read_only",
                          "output points to data that may not be written");
        }
        NNAPI_RETURN_IF_ERROR(plan.add(arguments[i].location, place));
        moved.push_back(&arguments[i]);
    }
    if (plan.empty()) return Relocation(direction);

    NNAPI_ASSIGN_OR_RETURN(pool, makePool(plan.size()));
    NNAPI_ASSIGN_OR_RETURN(relocation,
                           Relocation::create(direction, plan.pieces(), std::move(pool.mapping)));
    for (size_t i = 0; i < moved.size(); ++i) {
        moved[i]->lifetime = Request::Argument::LifeTime::POOL;
        moved[i]->location = plan.location(i, saturatingCast<uint32_t>(request.pools.size()));
    }
    request.pools.emplace_back(std::move(pool.memory));
    return relocation;
}

}  // namespace

bool hasPointers(const Model& model) {
    const auto isPointer = [](const Operand& operand) {
        return operand.lifetime == Operand::LifeTime::POINTER;
    };
    const auto hasAny = [&](const Model::Subgraph& graph) {
        return absl::c_any_of(graph.operands, isPointer);
    };
    return hasAny(model.main) || absl::c_any_of(model.referenced, hasAny);
}

bool hasPointers(const std::vector<Request::Argument>& arguments) {
    return absl::c_any_of(arguments, [](const Request::Argument& argument) {
        return argument.lifetime == Request::Argument::LifeTime::POINTER;
    });
}

// At least one byte, even if all pieces are empty.
Result<MappedMemory> MappedMemory::create(uint32_t size) {
    NNAPI_ASSIGN_OR_RETURN(memory, createSharedMemory(std::max(size, 1u)));
    NNAPI_ASSIGN_OR_RETURN(mapping, map(memory));
    return MappedMemory{std::move(memory), std::move(mapping)};
}

Result<Relocation> Relocation::create(Direction direction, std::vector<Piece> pieces,
                                      Mapping mapping) NNAPI_TRY {
    if (direction != Direction::TO_POOL && direction != Direction::FROM_POOL) {
        return refuse(Place{nullptr, "direction"}, "relocation.piece",
                      fmt::format("is {}, allowed 0 (TO_POOL) or 1 (FROM_POOL)",
                                  static_cast<uint32_t>(direction)));
    }
    for (size_t i = 0; i < pieces.size(); ++i) {
        const Piece& piece = pieces[i];
        const Place place{nullptr, "pieces", static_cast<int64_t>(i)};
        if (piece.length == 0) continue;
        NNAPI_RETURN_IF_ERROR(requireData(piece.data, piece.length, place));
        if (!fits(piece.offset, piece.length, mapping.size())) {
            return refuse(place, "relocation.piece",
                          fmt::format("offset {} + length {} is allowed up to {}, the size of the "
                                      "mapping",
                                      piece.offset, piece.length, mapping.size()));
        }
        if (direction == Direction::TO_POOL && mapping.mutableData() == nullptr) {
            return refuse(place, "relocation.read_only", "the mapping may not be written");
        }
    }
    return Relocation(direction, std::move(pieces), std::move(mapping));
}
NNAPI_CATCH

void Relocation::flush() const {
    for (const Piece& piece : mPieces) {
        if (piece.length == 0) continue;
        // The caller's data may be in the pool already.
        if (mDirection == Direction::TO_POOL) {
            std::memmove(mMapping.mutableData() + piece.offset, piece.data, piece.length);
        } else {
            std::memmove(piece.data, mMapping.data() + piece.offset, piece.length);
        }
    }
}

Status flushDataFromPointerToShared(Model* model) NNAPI_TRY {
    if (model == nullptr) return makeError(ErrorStatus::INVALID_ARGUMENT, "model is null");
    PoolPlan plan(kMinMemoryAlignment, kMinMemoryPadding);
    NNAPI_RETURN_IF_ERROR(forEachPointer(*model, [&](Operand& operand, const Place& place) {
        return plan.add(operand.location, place);
    }));
    if (plan.empty()) return {};

    NNAPI_ASSIGN_OR_RETURN(pool, MappedMemory::create(plan.size()));
    NNAPI_ASSIGN_OR_RETURN(relocation, Relocation::create(Relocation::Direction::TO_POOL,
                                                          plan.pieces(), std::move(pool.mapping)));
    model->pools.reserve(model->pools.size() + 1);  // nothing after this line can fail
    size_t next = 0;
    NNAPI_RETURN_IF_ERROR(forEachPointer(*model, [&](Operand& operand, const Place&) -> Status {
        operand.lifetime = Operand::LifeTime::CONSTANT_REFERENCE;
        operand.location = plan.location(next++, saturatingCast<uint32_t>(model->pools.size()));
        return {};
    }));
    model->pools.push_back(std::move(pool.memory));
    relocation.flush();
    return {};
}
NNAPI_CATCH

Result<ValidatedModel> flushDataFromPointerToShared(const ValidatedModel& model) NNAPI_TRY {
    if (!hasPointers(model.model())) return model;
    Model relocated = model.model();
    NNAPI_RETURN_IF_ERROR(flushDataFromPointerToShared(&relocated));
    return ModelValidator::replace(model, std::move(relocated));
}
NNAPI_CATCH

Result<SharedRequest> convertRequestFromPointerToShared(const Request& request, uint32_t alignment,
                                                        uint32_t padding) NNAPI_TRY {
    return moveToPools(request, alignment, padding, MappedMemory::create);
}
NNAPI_CATCH

Result<SharedRequest> moveToPools(const Request& request, uint32_t alignment, uint32_t padding,
                                  const MakePool& makePool) {
    NNAPI_RETURN_IF_ERROR(validateMemoryPreference(alignment, padding));
    SharedRequest shared{.request = request};
    Request& copy = shared.request;
    NNAPI_ASSIGN_OR_RETURN(input, relocate(copy.inputs, "inputs", Relocation::Direction::TO_POOL,
                                           alignment, padding, makePool, copy));
    NNAPI_ASSIGN_OR_RETURN(
            output, relocate(copy.outputs, "outputs", Relocation::Direction::FROM_POOL, alignment,
                             padding, makePool, copy));
    shared.relocation = {.input = std::move(input), .output = std::move(output)};
    return shared;
}

}  // namespace nn
