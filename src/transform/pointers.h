// Finds the data that a model or request refers to by pointer, which must be moved before the
// object is sent to another process.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "nnapi/memory.h"
#include "nnapi/relocation.h"
#include "nnapi/types.h"

namespace nn {

// True if a constant of any subgraph is stored behind a pointer.
bool hasPointers(const Model& model);

// True if any argument does.
bool hasPointers(const std::vector<Request::Argument>& arguments);

// Memory that data is moved to.
struct MappedMemory {
    SharedMemory memory{};
    Mapping mapping{};

    static Result<MappedMemory> create(uint32_t size);
};

// Makes memory of that many bytes or more, or finds some.
using MakePool = std::function<Result<MappedMemory>(uint32_t size)>;

// As convertRequestFromPointerToShared(), into pools that come from elsewhere.
Result<SharedRequest> moveToPools(const Request& request, uint32_t alignment, uint32_t padding,
                                  const MakePool& makePool);

}  // namespace nn
