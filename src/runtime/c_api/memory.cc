// The C API: memories.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "nnapi/memory.h"
#include "runtime/c_api/handles.h"

using namespace nn::runtime;

namespace {

ApiStatus addRole(ANeuralNetworksMemoryDesc* desc, const ANeuralNetworksCompilation* compilation,
                  uint32_t index, bool isInput, float frequency) {
    NNAPI_API_RETURN_IF_ERROR(checkPointers(desc, compilation));
    NNAPI_API_RETURN_IF_ERROR(hold(desc->builder)->checkOpen());
    std::shared_ptr<const Compiled> compiled;
    const ApiStatus isFinished = hold(compilation->builder)->compiled(compiled);
    if (!isFinished.ok()) return badData(isFinished.why);
    return hold(desc->builder)->addRole(std::move(compiled), index, isInput, frequency);
}

// Rejects arguments that can never be mapped. Other errors are found when the memory is mapped.
ApiStatus checkFile(size_t size, int protection, int fd, size_t offset) {
    if (size == 0) return badData("a memory has no bytes");
    if (fcntl(fd, F_GETFD) < 0) return badData("the descriptor is not open");
    if ((protection & ~(PROT_READ | PROT_WRITE)) != 0) {
        return badData("the protection is neither PROT_READ nor PROT_WRITE nor both");
    }
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    if (offset % page != 0) return badData("the offset is not a multiple of the page size");
    return {};
}

}  // namespace

extern "C" {

// Checks of createFromFd: no bytes; a descriptor that is not open; an invalid protection; an offset
// that is not page-aligned.
int ANeuralNetworksMemory_createFromFd(size_t size, int protect, int fd, size_t offset,
                                       ANeuralNetworksMemory** memory) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(memory));
        *memory = nullptr;
        NNAPI_API_RETURN_IF_ERROR(checkFile(size, protect, fd, offset));
        auto shared = nn::createSharedMemory(size, protect, fd, offset);
        if (!shared.ok()) return shared.status();
        *memory = new ANeuralNetworksMemory{std::make_shared<ApiMemory>(*std::move(shared))};
        return {};
    });
}

int ANeuralNetworksMemory_createFromAHardwareBuffer(const AHardwareBuffer* ahwb,
                                                    ANeuralNetworksMemory** memory) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(memory));
        *memory = nullptr;
        NNAPI_API_RETURN_IF_ERROR(checkPointers(ahwb));
        return badData("there are no hardware buffers outside of Android");
    });
}

void ANeuralNetworksMemory_free(ANeuralNetworksMemory* memory) { delete memory; }

int ANeuralNetworksMemoryDesc_create(ANeuralNetworksMemoryDesc** desc) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(desc));
        *desc = nullptr;
        *desc = new ANeuralNetworksMemoryDesc;
        return {};
    });
}

void ANeuralNetworksMemoryDesc_free(ANeuralNetworksMemoryDesc* desc) { delete desc; }

// Checks of MemoryDesc_add…Role: finished: BAD_STATE; an unfinished compilation; a duplicate role;
// index; a type other than that of earlier roles; a scalar with dimensions; contradicting
// dimensions; the frequency.
int ANeuralNetworksMemoryDesc_addInputRole(ANeuralNetworksMemoryDesc* desc,
                                           const ANeuralNetworksCompilation* compilation,
                                           uint32_t index, float frequency) {
    NNAPI_API_CALL({ return addRole(desc, compilation, index, true, frequency); });
}

int ANeuralNetworksMemoryDesc_addOutputRole(ANeuralNetworksMemoryDesc* desc,
                                            const ANeuralNetworksCompilation* compilation,
                                            uint32_t index, float frequency) {
    NNAPI_API_CALL({ return addRole(desc, compilation, index, false, frequency); });
}

// Checks of MemoryDesc_setDimensions: finished: BAD_STATE; contradicting dimensions.
int ANeuralNetworksMemoryDesc_setDimensions(ANeuralNetworksMemoryDesc* desc, uint32_t rank,
                                            const uint32_t* dimensions) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(desc));
        NNAPI_API_RETURN_IF_ERROR(checkList(dimensions, rank));
        return hold(desc->builder)->setDimensions(rank, dimensions);
    });
}

// Checks of MemoryDesc_finish: finished: BAD_STATE; no role.
int ANeuralNetworksMemoryDesc_finish(ANeuralNetworksMemoryDesc* desc) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(desc));
        return hold(desc->builder)->finish();
    });
}

// Checks of createFromDesc: not finished: BAD_STATE; no device has memory for it: OP_FAILED, unless
// no role names devices and the size is known.
int ANeuralNetworksMemory_createFromDesc(const ANeuralNetworksMemoryDesc* desc,
                                         ANeuralNetworksMemory** memory) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(memory));
        *memory = nullptr;
        NNAPI_API_RETURN_IF_ERROR(checkPointers(desc));
        std::shared_ptr<ApiMemory> made;
        NNAPI_API_RETURN_IF_ERROR(hold(desc->builder)->allocate(made));
        *memory = new ANeuralNetworksMemory{std::move(made)};
        return {};
    });
}

// Checks of copy: a source without a value; different types, dimensions or sizes; memory that
// cannot be mapped: UNMAPPABLE.
int ANeuralNetworksMemory_copy(const ANeuralNetworksMemory* src, const ANeuralNetworksMemory* dst) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(src, dst));
        return ApiMemory::copy(*hold(src->memory), *hold(dst->memory));
    });
}

}  // extern "C"
