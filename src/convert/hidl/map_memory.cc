#include "nnapi/convert.h"
#include "nnapi/hal/hidl/memory.h"
#include "nnapi/memory.h"

namespace nn::hidl {
namespace {

class MappedMemory final : public IMemory {
   public:
    explicit MappedMemory(Mapping mapping) : mMapping(std::move(mapping)) {}

    Return<void> update() override { return Void(); }
    Return<void> updateRange(uint64_t, uint64_t) override { return Void(); }
    Return<void> read() override { return Void(); }
    Return<void> readRange(uint64_t, uint64_t) override { return Void(); }
    Return<void> commit() override { return Void(); }
    Return<void*> getPointer() override { return const_cast<uint8_t*>(mMapping.data()); }
    Return<uint64_t> getSize() override { return uint64_t{mMapping.size()}; }

   private:
    Mapping mMapping;
};

}  // namespace

sp<IMemory> mapMemory(const hidl_memory& memory) {
    const Result<SharedMemory> canonical = unvalidatedConvert(memory);
    if (!canonical.ok()) return nullptr;
    Result<Mapping> mapping = map(*canonical);
    if (!mapping.ok()) return nullptr;
    return new MappedMemory(*std::move(mapping));
}

}  // namespace nn::hidl
