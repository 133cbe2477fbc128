#include <cmath>

#include "nnapi/driver/invalid.h"
#include "runtime/check_rows.h"

namespace nn::c_api {
namespace memory_rows {
namespace {

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
ANeuralNetworksCompilation* quantised(Fixture& w) {
    ANeuralNetworksModel* model = w.empty();
    const Type type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {4}, 0.5f, 1);
    const uint32_t in[] = {0}, out[] = {1};
    EXPECT_EQ(ANeuralNetworksModel_addOperand(model, type), OK);
    EXPECT_EQ(ANeuralNetworksModel_addOperand(model, type), OK);
    EXPECT_EQ(ANeuralNetworksModel_addOperation(model, ANEURALNETWORKS_RELU, 1, in, 1, out), OK);
    EXPECT_EQ(ANeuralNetworksModel_identifyInputsAndOutputs(model, 1, in, 1, out), OK);
    EXPECT_EQ(ANeuralNetworksModel_finish(model), OK);
    return keep(w.compilations, compiled(model));
}

// A compilation of an addition whose activation, a scalar, is its input 2.
ANeuralNetworksCompilation* withScalar(Fixture& w) {
    ANeuralNetworksModel* model = w.empty();
    for (const Type* type : {&w.tensor, &w.tensor, &w.scalar, &w.tensor}) {
        EXPECT_EQ(ANeuralNetworksModel_addOperand(model, *type), OK);
    }
    const uint32_t in[] = {0, 1, 2}, out[] = {3};
    EXPECT_EQ(ANeuralNetworksModel_addOperation(model, ANEURALNETWORKS_ADD, 3, in, 1, out), OK);
    EXPECT_EQ(ANeuralNetworksModel_identifyInputsAndOutputs(model, 3, in, 1, out), OK);
    EXPECT_EQ(ANeuralNetworksModel_finish(model), OK);
    return keep(w.compilations, compiled(model));
}

// From a memory for four floats to one for the input of a compilation.
int copyToDescribed(Fixture& w, ANeuralNetworksCompilation* of) {
    ANeuralNetworksMemory* source = w.described();
    EXPECT_EQ(ANeuralNetworksMemory_copy(w.memory(16), source), OK);
    ANeuralNetworksMemoryDesc* desc = w.input(of);
    EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(desc), OK);
    return ANeuralNetworksMemory_copy(source, w.describedAs(desc));
}

// Allocates from a description on a device with this result, chosen explicitly or as the fastest.
int fromAllocation(Fixture& w, GeneralResult<SharedBuffer> (*answer)(), bool isForOne = false) {
    int asked = 0;
    FakeOptions options = npuOptions();
    options.capabilities = runtime::sameForAll({0.5f, 0.5f});
    options.onAllocated = [&](const GeneralResult<SharedBuffer>&) {
        ++asked;
        return answer();
    };
    useDevices({options});
    ANeuralNetworksMemoryDesc* desc = w.input(w.done(isForOne));
    EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(desc), OK);
    const int code = ANeuralNetworksMemory_createFromDesc(desc, w.made.out());
    EXPECT_EQ(asked, 1);
    return code;
}

// Token 0 names no buffer.
SharedBuffer bufferWithoutToken() {
    return std::make_shared<const hal::utils::InvalidBuffer>("nobody may use it");
}

using AddRole = int (*)(ANeuralNetworksMemoryDesc*, const ANeuralNetworksCompilation*, uint32_t,
                        float);

template <AddRole kAdd, bool kIsInput>
int addRole(Fixture& w, int row) {
    ANeuralNetworksCompilation* compilation = row == 0 ? nullptr : w.done();
    ANeuralNetworksMemoryDesc* desc = row == 2 ? w.input(compilation) : w.desc();
    switch (row) {
        case 0:
            return kAdd(nullptr, w.done(), 0, 1);
        case 1:
            return kAdd(desc, nullptr, 9, 0);
        case 2:  // finished
            EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(desc), OK);
            return kAdd(desc, w.forOne(), 9, 0);
        case 3:  // of a compilation that is not finished
            return kAdd(desc, w.forOne(), 0, 1);
        case 4:  // of a compilation that failed
            return kAdd(w.desc(), w.failed(), 0, 1);
        case 5:
            EXPECT_EQ(kAdd(desc, compilation, 0, 0.5f), OK);
            return kAdd(desc, compilation, 0, 0.5f);
        case 6:
            return kAdd(desc, compilation, kIsInput ? 2 : 1, 1);
        case 7:  // another type
            EXPECT_EQ(kAdd(desc, compilation, 0, 1), OK);
            return kAdd(desc, quantised(w), 0, 1);
        case 8:  // other dimensions
            EXPECT_EQ(kAdd(desc, compilation, 0, 1), OK);
            return kAdd(desc, w.done(true, 5), 0, 1);
        case 9:  // different from those that were set
            EXPECT_EQ(ANeuralNetworksMemoryDesc_setDimensions(desc, 1, kFive), OK);
            return kAdd(desc, compilation, 0, 1);
        case 10:
            return kAdd(desc, compilation, 0, 0);
        case 11:
            return kAdd(desc, compilation, 0, 1.5f);
        case 12:
            return kAdd(desc, compilation, 0, NAN);
        default:
            return kAdd(desc, compilation, 0, 1);
    }
}

#define ROLES(name, isInput)                                                                       \
    {"MemoryDesc_" #name, "no description",                                                        \
     [](Fixture& w) { return addRole<ANeuralNetworksMemoryDesc_##name, isInput>(w, 0); },          \
     UNEXPECTED_NULL},                                                                             \
            {"MemoryDesc_" #name, "no compilation",                                                \
             [](Fixture& w) { return addRole<ANeuralNetworksMemoryDesc_##name, isInput>(w, 1); },  \
             UNEXPECTED_NULL},                                                                     \
            {"MemoryDesc_" #name, "finished",                                                      \
             [](Fixture& w) { return addRole<ANeuralNetworksMemoryDesc_##name, isInput>(w, 2); },  \
             BAD_STATE},                                                                           \
            {"MemoryDesc_" #name, "a compilation that is not finished",                            \
             [](Fixture& w) { return addRole<ANeuralNetworksMemoryDesc_##name, isInput>(w, 3); },  \
             BAD_DATA},                                                                            \
            {"MemoryDesc_" #name, "a compilation that failed",                                     \
             [](Fixture& w) { return addRole<ANeuralNetworksMemoryDesc_##name, isInput>(w, 4); },  \
             BAD_DATA},                                                                            \
            {"MemoryDesc_" #name, "twice",                                                         \
             [](Fixture& w) { return addRole<ANeuralNetworksMemoryDesc_##name, isInput>(w, 5); },  \
             BAD_DATA},                                                                            \
            {"MemoryDesc_" #name, "too far",                                                       \
             [](Fixture& w) { return addRole<ANeuralNetworksMemoryDesc_##name, isInput>(w, 6); },  \
             BAD_DATA},                                                                            \
            {"MemoryDesc_" #name, "another type",                                                  \
             [](Fixture& w) { return addRole<ANeuralNetworksMemoryDesc_##name, isInput>(w, 7); },  \
             BAD_DATA},                                                                            \
            {"MemoryDesc_" #name, "other dimensions",                                              \
             [](Fixture& w) { return addRole<ANeuralNetworksMemoryDesc_##name, isInput>(w, 8); },  \
             BAD_DATA},                                                                            \
            {"MemoryDesc_" #name, "other dimensions than were set",                                \
             [](Fixture& w) { return addRole<ANeuralNetworksMemoryDesc_##name, isInput>(w, 9); },  \
             BAD_DATA},                                                                            \
            {"MemoryDesc_" #name, "never",                                                         \
             [](Fixture& w) { return addRole<ANeuralNetworksMemoryDesc_##name, isInput>(w, 10); }, \
             BAD_DATA},                                                                            \
            {"MemoryDesc_" #name, "more than always",                                              \
             [](Fixture& w) { return addRole<ANeuralNetworksMemoryDesc_##name, isInput>(w, 11); }, \
             BAD_DATA},                                                                            \
            {"MemoryDesc_" #name, "not a number",                                                  \
             [](Fixture& w) { return addRole<ANeuralNetworksMemoryDesc_##name, isInput>(w, 12); }, \
             BAD_DATA},                                                                            \
    {                                                                                              \
        "MemoryDesc_" #name, "always",                                                             \
                [](Fixture& w) {                                                                   \
                    return addRole<ANeuralNetworksMemoryDesc_##name, isInput>(w, 13);              \
                },                                                                                 \
                OK                                                                                 \
    }

const Row kRows[] = {
        {"Memory_createFromFd", "no place",
         [](Fixture&) { return ANeuralNetworksMemory_createFromFd(0, 0, -1, 1, nullptr); },
         UNEXPECTED_NULL},
        {"Memory_createFromFd", "no bytes",
         [](Fixture& w) { return fromFd(w, 0, PROT_READ, page(), 0); }, BAD_DATA},
        {"Memory_createFromFd", "no descriptor",
         [](Fixture& w) { return fromFd(w, 4096, PROT_READ, -1, 0); }, BAD_DATA},
        {"Memory_createFromFd", "a protection that is none",
         [](Fixture& w) { return fromFd(w, 4096, PROT_READ | 64, page(), 0); }, BAD_DATA},
        {"Memory_createFromFd", "an offset within a page",
         [](Fixture& w) { return fromFd(w, 64, PROT_READ, page(), 7); }, BAD_DATA},
        {"Memory_createFromFd", "a page",
         [](Fixture& w) { return fromFd(w, 4096, PROT_READ, page(), 0); }, OK},
        {"Memory_createFromAHardwareBuffer", "no place",
         [](Fixture&) { return ANeuralNetworksMemory_createFromAHardwareBuffer(nullptr, nullptr); },
         UNEXPECTED_NULL},
        {"Memory_createFromAHardwareBuffer", "no buffer",
         [](Fixture& w) {
             return ANeuralNetworksMemory_createFromAHardwareBuffer(nullptr, w.made.out());
         },
         UNEXPECTED_NULL},
        {"Memory_createFromAHardwareBuffer", "not on a host",
         [](Fixture& w) {
             return ANeuralNetworksMemory_createFromAHardwareBuffer(
                     reinterpret_cast<const AHardwareBuffer*>(0x10), w.made.out());
         },
         BAD_DATA},
        {"Memory_free", "null", [](Fixture&) { return ANeuralNetworksMemory_free(nullptr), OK; },
         OK},

        {"MemoryDesc_create", "no place",
         [](Fixture&) { return ANeuralNetworksMemoryDesc_create(nullptr); }, UNEXPECTED_NULL},
        {"MemoryDesc_create", "a description",
         [](Fixture& w) { return ANeuralNetworksMemoryDesc_create(w.madeDesc.out()); }, OK},
        {"MemoryDesc_free", "null",
         [](Fixture&) { return ANeuralNetworksMemoryDesc_free(nullptr), OK; }, OK},
        ROLES(addInputRole, true),
        ROLES(addOutputRole, false),
        {"MemoryDesc_setDimensions", "no description",
         [](Fixture&) { return ANeuralNetworksMemoryDesc_setDimensions(nullptr, 1, kFour); },
         UNEXPECTED_NULL},
        {"MemoryDesc_setDimensions", "dimensions at null",
         [](Fixture& w) {
             return ANeuralNetworksMemoryDesc_setDimensions(w.finishedDesc(), 1, nullptr);
         },
         UNEXPECTED_NULL},
        {"MemoryDesc_setDimensions", "finished",
         [](Fixture& w) {
             return ANeuralNetworksMemoryDesc_setDimensions(w.finishedDesc(), 1, kFive);
         },
         BAD_STATE},
        {"MemoryDesc_setDimensions", "too many",
         [](Fixture& w) {
             return ANeuralNetworksMemoryDesc_setDimensions(w.desc(), 0xFFFFFFFF, kFive);
         },
         BAD_DATA},
        {"MemoryDesc_setDimensions", "other than those of a role",
         [](Fixture& w) {
             return ANeuralNetworksMemoryDesc_setDimensions(w.input(w.done()), 1, kFive);
         },
         BAD_DATA},
        {"MemoryDesc_setDimensions", "different from the ones set",
         [](Fixture& w) {
             ANeuralNetworksMemoryDesc* desc = w.desc();
             EXPECT_EQ(ANeuralNetworksMemoryDesc_setDimensions(desc, 1, kFour), OK);
             return ANeuralNetworksMemoryDesc_setDimensions(desc, 1, kFive);
         },
         BAD_DATA},
        {"MemoryDesc_setDimensions", "of a scalar",
         [](Fixture& w) {
             ANeuralNetworksMemoryDesc* desc = w.desc();
             EXPECT_EQ(ANeuralNetworksMemoryDesc_addInputRole(desc, withScalar(w), 2, 1), OK);
             return ANeuralNetworksMemoryDesc_setDimensions(desc, 1, kFour);
         },
         BAD_DATA},
        {"MemoryDesc_addInputRole", "a scalar, after dimensions",
         [](Fixture& w) {
             ANeuralNetworksMemoryDesc* desc = w.desc();
             EXPECT_EQ(ANeuralNetworksMemoryDesc_setDimensions(desc, 1, kFour), OK);
             return ANeuralNetworksMemoryDesc_addInputRole(desc, withScalar(w), 2, 1);
         },
         BAD_DATA},
        {"MemoryDesc_setDimensions", "dimensions that a role leaves unspecified",
         [](Fixture& w) {
             return ANeuralNetworksMemoryDesc_setDimensions(w.input(w.done(true, 0)), 1, kFour);
         },
         OK},
        {"MemoryDesc_finish", "no description",
         [](Fixture&) { return ANeuralNetworksMemoryDesc_finish(nullptr); }, UNEXPECTED_NULL},
        {"MemoryDesc_finish", "finished",
         [](Fixture& w) { return ANeuralNetworksMemoryDesc_finish(w.finishedDesc()); }, BAD_STATE},
        {"MemoryDesc_finish", "no role",
         [](Fixture& w) { return ANeuralNetworksMemoryDesc_finish(w.desc()); }, BAD_DATA},
        {"MemoryDesc_finish", "a role",
         [](Fixture& w) { return ANeuralNetworksMemoryDesc_finish(w.input(w.done())); }, OK},

        {"Memory_createFromDesc", "no place",
         [](Fixture& w) { return ANeuralNetworksMemory_createFromDesc(w.desc(), nullptr); },
         UNEXPECTED_NULL},
        {"Memory_createFromDesc", "no description",
         [](Fixture& w) { return ANeuralNetworksMemory_createFromDesc(nullptr, w.made.out()); },
         UNEXPECTED_NULL},
        {"Memory_createFromDesc", "not finished",
         [](Fixture& w) {
             return ANeuralNetworksMemory_createFromDesc(w.input(w.done()), w.made.out());
         },
         BAD_STATE},
        {"Memory_createFromDesc", "the chosen device has none",
         [](Fixture& w) {
             FakeOptions options = npuOptions();
             options.hasMemory = false;
             useDevices({options});
             return ANeuralNetworksMemory_createFromDesc(w.finishedDesc(), w.made.out());
         },
         OP_FAILED},
        {"Memory_createFromDesc", "no device has any, and the size is open",
         [](Fixture& w) {
             FakeOptions options = npuOptions();
             options.hasMemory = false;
             useDevices({options});
             ANeuralNetworksMemoryDesc* desc = w.input(w.done(false, 0));
             EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(desc), OK);
             return ANeuralNetworksMemory_createFromDesc(desc, w.made.out());
         },
         OP_FAILED},
        {"Memory_createFromDesc", "no device has any",
         [](Fixture& w) {
             FakeOptions options = npuOptions();
             options.hasMemory = false;
             useDevices({options});
             ANeuralNetworksMemoryDesc* desc = w.input(w.done(false));
             EXPECT_EQ(ANeuralNetworksMemoryDesc_finish(desc), OK);
             return ANeuralNetworksMemory_createFromDesc(desc, w.made.out());
         },
         OK},
        {"Memory_createFromDesc", "the chosen device gives one without a token",
         [](Fixture& w) {
             return fromAllocation(
                     w, []() -> GeneralResult<SharedBuffer> { return bufferWithoutToken(); }, true);
         },
         OP_FAILED},
        {"Memory_createFromDesc", "the device gives one without a token",
         [](Fixture& w) {
             return fromAllocation(
                     w, []() -> GeneralResult<SharedBuffer> { return bufferWithoutToken(); });
         },
         OK},
        {"Memory_createFromDesc", "the device throws",
         [](Fixture& w) {
             return fromAllocation(w, []() -> GeneralResult<SharedBuffer> { throw 0; });
         },
         OK},
        {"Memory_createFromDesc", "the chosen device throws",
         [](Fixture& w) {
             return fromAllocation(
                     w, []() -> GeneralResult<SharedBuffer> { throw 0; }, true);
         },
         OP_FAILED},
        {"Memory_createFromDesc", "the device answers null",
         [](Fixture& w) {
             return fromAllocation(w,
                                   []() -> GeneralResult<SharedBuffer> { return SharedBuffer(); });
         },
         OK},
        {"Memory_createFromDesc", "the chosen device answers null",
         [](Fixture& w) {
             return fromAllocation(
                     w, []() -> GeneralResult<SharedBuffer> { return SharedBuffer(); }, true);
         },
         OP_FAILED},
        {"Memory_createFromDesc", "the device has",
         [](Fixture& w) {
             return ANeuralNetworksMemory_createFromDesc(w.finishedDesc(), w.made.out());
         },
         OK},

        {"Memory_copy", "no source",
         [](Fixture& w) { return ANeuralNetworksMemory_copy(nullptr, w.memory()); },
         UNEXPECTED_NULL},
        {"Memory_copy", "no destination",
         [](Fixture& w) { return ANeuralNetworksMemory_copy(w.described(), nullptr); },
         UNEXPECTED_NULL},
        {"Memory_copy", "no value",
         [](Fixture& w) { return ANeuralNetworksMemory_copy(w.described(), w.memory(7)); },
         BAD_DATA},
        {"Memory_copy", "another size",
         [](Fixture& w) { return ANeuralNetworksMemory_copy(w.memory(64), w.memory(32)); },
         BAD_DATA},
        {"Memory_copy", "another size than the device's",
         [](Fixture& w) { return ANeuralNetworksMemory_copy(w.memory(64), w.described()); },
         BAD_DATA},
        {"Memory_copy", "to what cannot be written",
         [](Fixture& w) {
             return ANeuralNetworksMemory_copy(w.memory(64),
                                               keep(w.memories, memoryOf(64, PROT_READ)));
         },
         UNMAPPABLE},
        {"Memory_copy", "of a file that is shorter",
         [](Fixture& w) {
             EXPECT_EQ(fromFd(w, 8192, PROT_READ | PROT_WRITE, page(), 0), OK);
             return ANeuralNetworksMemory_copy(w.made, w.memory(8192));
         },
         UNMAPPABLE},
        {"Memory_copy", "to the device and back",
         [](Fixture& w) {
             ANeuralNetworksMemory* device = w.described();
             EXPECT_EQ(ANeuralNetworksMemory_copy(w.memory(16), device), OK);
             return ANeuralNetworksMemory_copy(device, w.memory(16));
         },
         OK},
        {"Memory_copy", "from device to device",
         [](Fixture& w) {
             ANeuralNetworksMemory* device = w.described();
             EXPECT_EQ(ANeuralNetworksMemory_copy(w.memory(16), device), OK);
             return ANeuralNetworksMemory_copy(device, w.described());
         },
         OK},
        {"Memory_copy", "to one of another type",
         [](Fixture& w) { return copyToDescribed(w, quantised(w)); }, BAD_DATA},
        {"Memory_copy", "to one of other dimensions",
         [](Fixture& w) { return copyToDescribed(w, w.done(true, 5)); }, BAD_DATA},
        {"Memory_copy", "itself",
         [](Fixture& w) {
             ANeuralNetworksMemory* memory = w.memory();
             return ANeuralNetworksMemory_copy(memory, memory);
         },
         OK},
};

}  // namespace
}  // namespace memory_rows

std::span<const Row> memoryRows() { return memory_rows::kRows; }

}  // namespace nn::c_api
