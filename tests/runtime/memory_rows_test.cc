#include <cmath>

#include "nnapi/driver/invalid.h"
#include "runtime/check_rows.h"

namespace nn::c_api {
namespace memory_rows {
namespace {

// The functions that several rows call.
constexpr auto setDimensions = ANeuralNetworksMemoryDesc_setDimensions;
constexpr auto copy = ANeuralNetworksMemory_copy;
constexpr auto createFromAHardwareBuffer = ANeuralNetworksMemory_createFromAHardwareBuffer;
constexpr auto createFromDesc = ANeuralNetworksMemory_createFromDesc;

constexpr uint32_t kFour[] = {4}, kFive[] = {5};

int fromFd(Fixture& w, size_t size, int protection, int fd, size_t offset) {
    // A failure must set the result to null.
    *w.made.out() = reinterpret_cast<ANeuralNetworksMemory*>(0x10);
    const int code = ANeuralNetworksMemory_createFromFd(size, protection, fd, offset, w.made.out());
    EXPECT_EQ(w.made.get() == nullptr, code != OK);
    return code;
}

// A descriptor of one page that the test owns.
int page() {
    static const int fd = [] {
        const int made = memfd_create("page", MFD_CLOEXEC);
        EXPECT_EQ(ftruncate(made, 4096), 0);
        return made;
    }();
    return fd;
}

// A compilation of a model with quantized operands.
ANeuralNetworksCompilation* quantized(Fixture& w) {
    ModelBuilder model;
    const Type type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {4}, 0.5f, 1);
    const auto x = model.add(type), y = model.add(type);
    model.operation(ANEURALNETWORKS_RELU, {x}, {y});
    return keep(w.compilations, compiled(keep(w.models, model.finish({x}, {y}))));
}

// A compilation of an addition whose activation, a scalar, is its input 2.
ANeuralNetworksCompilation* withScalar(Fixture& w) {
    ModelBuilder model;
    const auto x = model.add(w.tensor), y = model.add(w.tensor);
    const auto activation = model.add(w.scalar), z = model.add(w.tensor);
    model.operation(ANEURALNETWORKS_ADD, {x, y, activation}, {z});
    return keep(w.compilations, compiled(keep(w.models, model.finish({x, y, activation}, {z}))));
}

// From a memory for four floats to one for the input of a compilation.
int copyToDescribed(Fixture& w, ANeuralNetworksCompilation* of) {
    ANeuralNetworksMemory* source = w.described();
    EXPECT_EQ(copy(w.memory(16), source), OK);
    ANeuralNetworksMemoryDesc* desc = w.input(of);
    EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(desc), OK);
    return copy(source, w.describedAs(desc));
}

// Allocates from a description on a device with this result, chosen explicitly or as the fastest.
int fromAllocation(Fixture& w, GeneralResult<SharedBuffer> (*result)(), bool isForOne = false) {
    int allocations = 0;
    FakeOptions options = npuOptions();
    options.capabilities = runtime::sameForAll({0.5f, 0.5f});
    options.onAllocated = [&](const GeneralResult<SharedBuffer>&) {
        ++allocations;
        return result();
    };
    useDevices({options});
    ANeuralNetworksMemoryDesc* desc = w.input(w.done(isForOne));
    EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(desc), OK);
    const int code = createFromDesc(desc, w.made.out());
    EXPECT_EQ(allocations, 1);
    return code;
}

// Token 0 names no buffer.
SharedBuffer bufferWithoutToken() {
    return std::make_shared<const hal::utils::InvalidBuffer>("nobody may use it");
}

using AddRole = int (*)(ANeuralNetworksMemoryDesc*, const ANeuralNetworksCompilation*, uint32_t,
                        float);

// The result of the second call.
template <AddRole kAdd>
int addBoth(ANeuralNetworksMemoryDesc* desc, const ANeuralNetworksCompilation* first,
            const ANeuralNetworksCompilation* second, float frequency = 1) {
    EXPECT_EQ(kAdd(desc, first, 0, frequency), OK);
    return kAdd(desc, second, 0, frequency);
}

template <AddRole kAdd, bool kIsInput>
std::vector<Row> roleRows() {
    return {
            {"no description", UNEXPECTED_NULL,
             [](Fixture& w) { return kAdd(nullptr, w.done(), 0, 1); }},
            {"no compilation", UNEXPECTED_NULL,
             [](Fixture& w) { return kAdd(w.desc(), nullptr, 9, 0); }},
            {"finished", BAD_STATE,
             [](Fixture& w) { return kAdd(w.finishedDesc(), w.forOne(), 9, 0); }},
            {"a compilation that is not finished", BAD_DATA,
             [](Fixture& w) { return kAdd(w.desc(), w.forOne(), 0, 1); }},
            {"a compilation that failed", BAD_DATA,
             [](Fixture& w) { return kAdd(w.desc(), w.failed(), 0, 1); }},
            {"twice", BAD_DATA,
             [](Fixture& w) {
                 ANeuralNetworksCompilation* compilation = w.done();
                 return addBoth<kAdd>(w.desc(), compilation, compilation, 0.5f);
             }},
            {"too far", BAD_DATA,
             [](Fixture& w) { return kAdd(w.desc(), w.done(), kIsInput ? 2 : 1, 1); }},
            {"another type", BAD_DATA,
             [](Fixture& w) { return addBoth<kAdd>(w.desc(), w.done(), quantized(w)); }},
            {"other dimensions", BAD_DATA,
             [](Fixture& w) { return addBoth<kAdd>(w.desc(), w.done(), w.done(true, 5)); }},
            {"other dimensions than were set", BAD_DATA,
             [](Fixture& w) {
                 ANeuralNetworksMemoryDesc* desc = w.desc();
                 EXPECT_EQ(setDimensions(desc, 1, kFive), OK);
                 return kAdd(desc, w.done(), 0, 1);
             }},
            {"never", BAD_DATA, [](Fixture& w) { return kAdd(w.desc(), w.done(), 0, 0); }},
            {"more than always", BAD_DATA,
             [](Fixture& w) { return kAdd(w.desc(), w.done(), 0, 1.5f); }},
            {"not a number", BAD_DATA, [](Fixture& w) { return kAdd(w.desc(), w.done(), 0, NAN); }},
            {"always", OK, [](Fixture& w) { return kAdd(w.desc(), w.done(), 0, 1); }},
    };
}

const FunctionRows kFunctions[] = {
        {"Memory_createFromFd",
         {{"no place", UNEXPECTED_NULL,
           [](Fixture&) { return ANeuralNetworksMemory_createFromFd(0, 0, -1, 1, nullptr); }},
          {"no bytes", BAD_DATA, [](Fixture& w) { return fromFd(w, 0, PROT_READ, page(), 0); }},
          {"no descriptor", BAD_DATA, [](Fixture& w) { return fromFd(w, 4096, PROT_READ, -1, 0); }},
          {"a protection that is none", BAD_DATA,
           [](Fixture& w) { return fromFd(w, 4096, PROT_READ | 64, page(), 0); }},
          {"an offset within a page", BAD_DATA,
           [](Fixture& w) { return fromFd(w, 64, PROT_READ, page(), 7); }},
          {"a page", OK, [](Fixture& w) { return fromFd(w, 4096, PROT_READ, page(), 0); }}}},
        {"Memory_createFromAHardwareBuffer",
         {{"no place", UNEXPECTED_NULL,
           [](Fixture&) { return createFromAHardwareBuffer(nullptr, nullptr); }},
          {"no buffer", UNEXPECTED_NULL,
           [](Fixture& w) { return createFromAHardwareBuffer(nullptr, w.made.out()); }},
          {"not on a host", BAD_DATA,
           [](Fixture& w) {
               return createFromAHardwareBuffer(reinterpret_cast<const AHardwareBuffer*>(0x10),
                                                w.made.out());
           }}}},
        {"Memory_free",
         {{"null", OK, [](Fixture&) { return ANeuralNetworksMemory_free(nullptr), OK; }}}},
        {"MemoryDesc_create",
         {{"no place", UNEXPECTED_NULL,
           [](Fixture&) { return ANeuralNetworksMemoryDesc_create(nullptr); }},
          {"a description", OK,
           [](Fixture& w) { return ANeuralNetworksMemoryDesc_create(w.madeDesc.out()); }}}},
        {"MemoryDesc_free",
         {{"null", OK, [](Fixture&) { return ANeuralNetworksMemoryDesc_free(nullptr), OK; }}}},
        {"MemoryDesc_addInputRole", roleRows<ANeuralNetworksMemoryDesc_addInputRole, true>()},
        {"MemoryDesc_addOutputRole", roleRows<ANeuralNetworksMemoryDesc_addOutputRole, false>()},
        {"MemoryDesc_setDimensions",
         {{"no description", UNEXPECTED_NULL,
           [](Fixture&) { return setDimensions(nullptr, 1, kFour); }},
          {"dimensions at null", UNEXPECTED_NULL,
           [](Fixture& w) { return setDimensions(w.finishedDesc(), 1, nullptr); }},
          {"finished", BAD_STATE,
           [](Fixture& w) { return setDimensions(w.finishedDesc(), 1, kFive); }},
          {"too many", BAD_DATA,
           [](Fixture& w) { return setDimensions(w.desc(), 0xFFFFFFFF, kFive); }},
          {"other than those of a role", BAD_DATA,
           [](Fixture& w) { return setDimensions(w.input(w.done()), 1, kFive); }},
          {"different from the ones set", BAD_DATA,
           [](Fixture& w) {
               ANeuralNetworksMemoryDesc* desc = w.desc();
               EXPECT_EQ(setDimensions(desc, 1, kFour), OK);
               return setDimensions(desc, 1, kFive);
           }},
          {"of a scalar", BAD_DATA,
           [](Fixture& w) {
               ANeuralNetworksMemoryDesc* desc = w.desc();
               EXPECT_EQ(ANeuralNetworksMemoryDesc_addInputRole(desc, withScalar(w), 2, 1), OK);
               return setDimensions(desc, 1, kFour);
           }},
          {"dimensions that a role leaves unspecified", OK,
           [](Fixture& w) { return setDimensions(w.input(w.done(true, 0)), 1, kFour); }}}},
        {"MemoryDesc_addInputRole",
         {{"a scalar, after dimensions", BAD_DATA,
           [](Fixture& w) {
               ANeuralNetworksMemoryDesc* desc = w.desc();
               EXPECT_EQ(setDimensions(desc, 1, kFour), OK);
               return ANeuralNetworksMemoryDesc_addInputRole(desc, withScalar(w), 2, 1);
           }}}},
        {"MemoryDesc_finish",
         {{"no description", UNEXPECTED_NULL,
           [](Fixture&) { return ANeuralNetworksMemoryDesc_finish(nullptr); }},
          {"finished", BAD_STATE,
           [](Fixture& w) { return ANeuralNetworksMemoryDesc_finish(w.finishedDesc()); }},
          {"no role", BAD_DATA,
           [](Fixture& w) { return ANeuralNetworksMemoryDesc_finish(w.desc()); }},
          {"a role", OK,
           [](Fixture& w) { return ANeuralNetworksMemoryDesc_finish(w.input(w.done())); }}}},
        {"Memory_createFromDesc",
         {{"no place", UNEXPECTED_NULL,
           [](Fixture& w) { return createFromDesc(w.desc(), nullptr); }},
          {"no description", UNEXPECTED_NULL,
           [](Fixture& w) { return createFromDesc(nullptr, w.made.out()); }},
          {"not finished", BAD_STATE,
           [](Fixture& w) { return createFromDesc(w.input(w.done()), w.made.out()); }},
          {"the chosen device has none", OP_FAILED,
           [](Fixture& w) {
               FakeOptions options = npuOptions();
               options.hasMemory = false;
               useDevices({options});
               return createFromDesc(w.finishedDesc(), w.made.out());
           }},
          {"no device has any, and the size is open", OP_FAILED,
           [](Fixture& w) {
               FakeOptions options = npuOptions();
               options.hasMemory = false;
               useDevices({options});
               ANeuralNetworksMemoryDesc* desc = w.input(w.done(false, 0));
               EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(desc), OK);
               return createFromDesc(desc, w.made.out());
           }},
          {"no device has any", OK,
           [](Fixture& w) {
               FakeOptions options = npuOptions();
               options.hasMemory = false;
               useDevices({options});
               ANeuralNetworksMemoryDesc* desc = w.input(w.done(false));
               EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(desc), OK);
               return createFromDesc(desc, w.made.out());
           }},
          {"the chosen device gives one without a token", OP_FAILED,
           [](Fixture& w) {
               return fromAllocation(
                       w, []() -> GeneralResult<SharedBuffer> { return bufferWithoutToken(); },
                       true);
           }},
          {"the device gives one without a token", OK,
           [](Fixture& w) {
               return fromAllocation(
                       w, []() -> GeneralResult<SharedBuffer> { return bufferWithoutToken(); });
           }},
          {"the device throws", OK,
           [](Fixture& w) {
               return fromAllocation(w, []() -> GeneralResult<SharedBuffer> { throw 0; });
           }},
          {"the chosen device throws", OP_FAILED,
           [](Fixture& w) {
               return fromAllocation(
                       w, []() -> GeneralResult<SharedBuffer> { throw 0; }, true);
           }},
          {"the device returns null", OK,
           [](Fixture& w) {
               return fromAllocation(
                       w, []() -> GeneralResult<SharedBuffer> { return SharedBuffer(); });
           }},
          {"the chosen device returns null", OP_FAILED,
           [](Fixture& w) {
               return fromAllocation(
                       w, []() -> GeneralResult<SharedBuffer> { return SharedBuffer(); }, true);
           }},
          {"the device has", OK,
           [](Fixture& w) { return createFromDesc(w.finishedDesc(), w.made.out()); }}}},
        {"Memory_copy",
         {{"no source", UNEXPECTED_NULL, [](Fixture& w) { return copy(nullptr, w.memory()); }},
          {"no destination", UNEXPECTED_NULL,
           [](Fixture& w) { return copy(w.described(), nullptr); }},
          {"no value", BAD_DATA, [](Fixture& w) { return copy(w.described(), w.memory(7)); }},
          {"another size", BAD_DATA, [](Fixture& w) { return copy(w.memory(64), w.memory(32)); }},
          {"another size than the device's", BAD_DATA,
           [](Fixture& w) { return copy(w.memory(64), w.described()); }},
          {"to what cannot be written", UNMAPPABLE,
           [](Fixture& w) {
               return copy(w.memory(64), keep(w.memories, memoryOf(64, PROT_READ)));
           }},
          {"of a file that is shorter", UNMAPPABLE,
           [](Fixture& w) {
               EXPECT_EQ(fromFd(w, 8192, PROT_READ | PROT_WRITE, page(), 0), OK);
               return copy(w.made, w.memory(8192));
           }},
          {"to the device and back", OK,
           [](Fixture& w) {
               ANeuralNetworksMemory* device = w.described();
               EXPECT_EQ(copy(w.memory(16), device), OK);
               return copy(device, w.memory(16));
           }},
          {"from device to device", OK,
           [](Fixture& w) {
               ANeuralNetworksMemory* device = w.described();
               EXPECT_EQ(copy(w.memory(16), device), OK);
               return copy(device, w.described());
           }},
          {"to one of another type", BAD_DATA,
           [](Fixture& w) { return copyToDescribed(w, quantized(w)); }},
          {"to one of other dimensions", BAD_DATA,
           [](Fixture& w) { return copyToDescribed(w, w.done(true, 5)); }},
          {"itself", OK,
           [](Fixture& w) {
               ANeuralNetworksMemory* memory = w.memory();
               return copy(memory, memory);
           }}}},
};

}  // namespace
}  // namespace memory_rows

std::span<const FunctionRows> memoryRows() { return memory_rows::kFunctions; }

}  // namespace nn::c_api
