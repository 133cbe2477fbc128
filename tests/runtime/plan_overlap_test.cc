// Detection of overlapping arguments of a request, and the staging of outputs.
#include <sys/mman.h>

#include <array>
#include <limits>

#include "runtime/plan/overlapping_arguments.h"
#include "runtime/plan_models.h"

namespace nn::runtime::plan_overlap_test {
namespace {

using enum ErrorStatus;
using Argument = Request::Argument;
using Pools = std::vector<Request::MemoryPool>;

constexpr size_t kPage = 4096;

// A file of two pages.
UniqueFd fileOfTwoPages() {
    UniqueFd fd(memfd_create("test", MFD_CLOEXEC));
    EXPECT_EQ(ftruncate(fd.get(), 2 * kPage), 0);
    return fd;
}

SharedMemory memoryOf(Memory memory) { return std::make_shared<const Memory>(std::move(memory)); }

NativeHandle handleOf(const UniqueFd& fd) {
    NativeHandle handle;
    handle.fds.push_back(duplicate(fd.get()));
    return handle;
}

Argument at(uint32_t pool, uint32_t offset, uint32_t length, uint32_t padding = 0) {
    return {.location = {
                    .poolIndex = pool, .offset = offset, .length = length, .padding = padding}};
}
Argument whole(uint32_t pool) { return at(pool, 0, 0); }

TEST(PlanOverlap, OfArguments) {
    const UniqueFd fd = fileOfTwoPages(), otherFd = fileOfTwoPages();
    const auto part = [](const UniqueFd& file, size_t begin) -> SharedMemory {
        return *createSharedMemory(2 * kPage - begin, PROT_READ | PROT_WRITE, file.get(), begin);
    };
    const SharedMemory file = part(fd, 0), second = part(fd, kPage), other = part(otherFd, 0);
    const SharedMemory ashmem =
            memoryOf({Memory::Ashmem{.fd = duplicate(fd.get()), .size = 2 * kPage}});
    const SharedMemory hardware = memoryOf(
            {Memory::HardwareBuffer{.handle = handleOf(fd), .size = 2 * kPage, .isBlob = false}});
    const SharedMemory blob =
            memoryOf({Memory::HardwareBuffer{.handle = handleOf(fd), .size = 2 * kPage}});
    const SharedMemory unknown =
            memoryOf({Memory::Unknown{.handle = handleOf(fd), .size = 2 * kPage, .name = "x"}});
    const SharedMemory none = memoryOf({Memory::Unknown{.handle = {}, .size = 4, .name = "x"}});
    const SharedMemory noneEither = memoryOf({Memory::HardwareBuffer{.handle = {}, .size = 4}});
    const SharedBuffer buffer = std::make_shared<const parts::EmptyBuffer>();
    const SharedBuffer otherBuffer = std::make_shared<const parts::EmptyBuffer>();
    const auto token = [](uint32_t number) { return Request::MemoryDomainToken(number); };
    std::array<float, 16> floats{};
    const auto address = [&](size_t first, uint32_t count) {
        return pointerTo(floats.data() + first, count * sizeof(float));
    };
    Argument padded = address(0, 4);
    padded.location.padding = 16;

    constexpr Overlap kNone{}, kThere{.isThere = true}, kInBuffer{.isInBuffer = true};
    constexpr Overlap kUnknown{.isUnknown = true};
    const struct {
        const char* name;
        Pools pools;
        std::vector<Argument> inputs;
        std::vector<Argument> outputs;
        Overlap expected;
    } rows[] = {
            // By addresses.
            {"addresses side by side", {}, {address(0, 4)}, {address(4, 4)}, kNone},
            {"addresses in common", {}, {address(0, 5)}, {address(4, 4)}, kThere},
            {"an output before its input", {}, {address(4, 4)}, {address(0, 5)}, kThere},
            {"inputs over inputs", {}, {address(0, 4), address(0, 4)}, {address(4, 4)}, kNone},
            {"outputs over outputs", {}, {}, {address(0, 4), address(3, 4)}, kThere},
            {"a short output within a long input",
             {},
             {address(0, 16), address(1, 1)},
             {address(8, 1)},
             kThere},
            {"padding of an output", {}, {address(4, 4)}, {padded}, kThere},
            {"padding of an input", {}, {padded}, {address(4, 4)}, kNone},
            {"nothing", {}, {address(0, 4)}, {address(1, 0)}, kNone},

            // In one memory.
            {"side by side", {file}, {at(0, 0, 16)}, {at(0, 16, 16)}, kNone},
            {"one byte in common", {file}, {at(0, 0, 17)}, {at(0, 16, 16)}, kThere},
            {"the whole", {file}, {whole(0)}, {at(0, 4096, 16)}, kThere},
            {"padding in memory", {file}, {at(0, 16, 16)}, {at(0, 0, 16, 16)}, kThere},
            {"at two indexes", {file, file}, {at(0, 0, 16)}, {at(1, 0, 16)}, kThere},
            {"at two indexes side by side", {file, file}, {at(0, 0, 16)}, {at(1, 16, 16)}, kNone},
            {"no such pool", {file}, {at(0, 0, 16)}, {at(1, 0, 16)}, kNone},

            // In two memories of a file.
            {"parts", {file, second}, {at(0, kPage, 16)}, {at(1, 0, 16)}, kThere},
            {"parts side by side", {file, second}, {at(0, kPage - 16, 16)}, {at(1, 0, 16)}, kNone},
            {"described in two ways", {ashmem, second}, {at(0, kPage, 9)}, {at(1, 8, 16)}, kThere},
            {"described in two ways, side by side",
             {ashmem, second},
             {at(0, kPage, 8)},
             {at(1, 8, 16)},
             kNone},
            {"the last of several", {other, file, ashmem}, {at(1, 0, 4)}, {at(2, 0, 4)}, kThere},
            {"opaque, of the same file", {file, hardware}, {at(0, 0, 4)}, {at(1, 64, 4)}, kThere},
            {"a blob, of the same file", {file, blob}, {at(0, 60, 5)}, {at(1, 64, 4)}, kThere},
            {"a blob, side by side", {file, blob}, {at(0, 0, 4)}, {at(1, 64, 4)}, kNone},
            {"unknown, of the same file", {file, unknown}, {at(0, 0, 4)}, {at(1, 64, 4)}, kThere},
            {"two files", {file, other}, {at(0, 0, 16)}, {at(1, 0, 16)}, kNone},
            {"without files", {none, noneEither}, {at(0, 0, 4)}, {at(1, 0, 4)}, kNone},
            {"the same without a file", {none, none}, {at(0, 0, 4)}, {at(1, 0, 4)}, kThere},

            // In buffers of devices.
            {"a buffer", {buffer}, {whole(0)}, {whole(0)}, kInBuffer},
            {"a buffer twice", {other, buffer, buffer}, {whole(1)}, {whole(2)}, kInBuffer},
            {"two buffers", {buffer, otherBuffer}, {whole(0)}, {whole(1)}, kNone},
            {"a token twice", {token(5), token(5)}, {whole(0)}, {whole(1)}, kInBuffer},
            {"two tokens", {token(5), token(6)}, {whole(0)}, {whole(1)}, kNone},
            {"buffer and memory", {buffer, file}, {whole(0)}, {whole(1)}, kNone},

            // Both.
            {"an address and a memory", {file}, {address(0, 4)}, {at(0, 0, 16)}, kUnknown},
            {"an address and a buffer", {buffer}, {address(0, 4)}, {whole(0)}, kUnknown},
            {"an address and two pools",
             {buffer, file},
             {address(0, 4), at(1, 0, 16)},
             {whole(0)},
             kUnknown},
            {"no outputs", {file}, {address(0, 4), at(0, 0, 16)}, {}, kNone},
    };
    KnownFiles files;
    for (const auto& row : rows) {
        const Request request{.inputs = row.inputs, .outputs = row.outputs, .pools = row.pools};
        for (const Overlap& found : {overlapOf(request), overlapOf(request, files)}) {
            EXPECT_EQ(found.isThere, row.expected.isThere) << row.name;
            EXPECT_EQ(found.isInBuffer, row.expected.isInBuffer) << row.name;
            EXPECT_EQ(found.isUnknown, row.expected.isUnknown) << row.name;
        }
    }
}

// Memories are looked up once, within the capacity of the cache.
TEST(PlanOverlap, OfManyMemories) {
    const UniqueFd fd = fileOfTwoPages();
    KnownFiles files;
    Request request{.inputs = {at(0, 0, 16)}, .outputs = {at(0, 0, 16)}};
    for (uint32_t i = 0; i < 40; ++i) {
        request.pools.emplace_back(
                *createSharedMemory(kPage, PROT_READ | PROT_WRITE, fd.get(), i % 2 * kPage));
        request.outputs[0].location.poolIndex = i;
        for (int time = 0; time < 2; ++time) {
            EXPECT_EQ(overlapOf(request, files).isThere, i % 2 == 0) << i;
        }
    }
    // A new memory may reuse the address of a destroyed one.
    for (int i = 0; i < 40; ++i) {
        request.pools = {*createSharedMemory(kPage), *createSharedMemory(kPage)};
        request.outputs[0].location.poolIndex = 1;
        EXPECT_FALSE(overlapOf(request, files).isThere) << i;
    }
}

// y = x, twice, of 4 elements each.
Model copies() {
    Model model;
    Graph main(model);
    const auto x = main.input(TENSOR_FLOAT32, {4});
    for (int i = 0; i < 2; ++i) {
        main.add(OperationType::RELU, {x}, {main.output(TENSOR_FLOAT32, {4})});
    }
    model.main = main.graph;
    return model;
}

TEST(StagedOutputs, GoToTheirPlacesAtTheEnd) {
    const Model model = copies();
    const SharedMemory memory = *createSharedMemory(64);
    std::vector<float> x(4), y(4);
    const Request request{
            .inputs = {pointerTo(x)}, .outputs = {pointerTo(y), at(0, 32, 16)}, .pools = {memory}};
    OutputStage stage;
    const auto staged = StagedOutputs::of(request, stage);
    ASSERT_TRUE(staged.has_value()) << staged.error().message;
    const Request& inner = staged->request();
    EXPECT_EQ(inner.inputs, request.inputs);
    ASSERT_EQ(inner.pools.size(), 2u);
    ASSERT_EQ(inner.outputs.size(), 2u);
    std::vector<uint8_t> ends;
    for (size_t i = 0; i < 2; ++i) {
        const DataLocation& location = inner.outputs[i].location;
        EXPECT_EQ(inner.outputs[i].lifetime, Argument::LifeTime::POOL);
        EXPECT_EQ(location.poolIndex, 1u);
        EXPECT_EQ(location.offset, i * 64);
        EXPECT_EQ(location.length, 16u);
        EXPECT_EQ(location.padding, 48u);
        const std::vector<float> values(4, static_cast<float>(i) + 1);
        ASSERT_TRUE(writeMemory(stage.memory, location.offset,
                                {reinterpret_cast<const uint8_t*>(values.data()), 16})
                            .ok());
    }
    EXPECT_EQ(y, std::vector<float>(4, 0));
    // The second output has only three elements.
    const Sizes sizes(model, {});
    const std::vector<OutputShape> shapes{{{4}, true}, {{3}, true}};
    ASSERT_TRUE(staged->finish(model, sizes, shapes).ok());
    EXPECT_EQ(y, std::vector<float>(4, 1));
    std::vector<float> written(16);
    ASSERT_TRUE(readMemory(memory, 0, {reinterpret_cast<uint8_t*>(written.data()), 64}).ok());
    std::vector<float> expected(16);
    std::fill_n(expected.begin() + 8, 3, 2.0f);
    EXPECT_EQ(written, expected);
    // The model specifies everything that a shape leaves open.
    ASSERT_TRUE(staged->finish(model, sizes, {}).ok());
    ASSERT_TRUE(readMemory(memory, 0, {reinterpret_cast<uint8_t*>(written.data()), 64}).ok());
    expected[11] = 2;
    EXPECT_EQ(written, expected);
}

TEST(StagedOutputs, Refusals) {
    const std::string tooMany = "outputs that overlap other arguments take more than 2^32 bytes";
    std::vector<float> x(4);
    const auto large = [&](uint32_t bytes) { return pointerTo(x.data(), bytes); };
    const Pools pools = {memoryOf({Memory::Unknown{
            .handle = {}, .size = std::numeric_limits<size_t>::max(), .name = "x"}})};
    const std::vector<Argument> rows[] = {
            {large(0xffffffff)},
            {large(0x80000000), large(0x80000000)},
            {large(0xffffff80), large(65)},
            {large(0x80000000), large(0x80000000), large(16)},
            {whole(0)},
    };
    OutputStage stage;
    for (const auto& outputs : rows) {
        EXPECT_THAT(StagedOutputs::of({.inputs = {}, .outputs = outputs, .pools = pools}, stage),
                    Refuses(RESOURCE_EXHAUSTED_PERSISTENT, tooMany));
    }
    EXPECT_EQ(stage.memory, nullptr);

    const Model model = copies();
    const Sizes sizes(model, {});
    Request request{.inputs = {}, .outputs = {pointerTo(x)}};
    const auto finished = [&] {
        return StagedOutputs::of(request, stage).value().finish(model, sizes, {});
    };
    EXPECT_EQ(std::string(finished().message()), "1 outputs given, allowed 2 as in the model");
    Argument constant = pointerTo(x);
    constant.location.pointer = static_cast<const void*>(x.data());
    request.outputs = {constant, pointerTo(x)};
    EXPECT_EQ(std::string(finished().message()),
              "outputs[0] lies behind a pointer to what is constant");
}

}  // namespace
}  // namespace nn::runtime::plan_overlap_test
