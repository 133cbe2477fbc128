// POINTER data is moved to shared memory.
#include "nnapi/relocation.h"

#include <sys/mman.h>

#include <cstring>

#include "convert/convert_test.h"
#include "transform/pointers.h"

namespace nn::relocation_test {
namespace {

using testing::ElementsAre;

std::vector<float> floatsAt(const SharedMemory& pool, const DataLocation& location) {
    const auto mapping = map(pool).value();
    std::vector<float> values(location.length / sizeof(float));
    std::memcpy(values.data(), mapping.data() + location.offset, location.length);
    return values;
}

const float kFirst[] = {1, 2, 3, 4};
const float kSecond[] = {5, 6, 7, 8};

Operand pointer(const float (&values)[4]) {
    Operand operand = tensor(Operand::LifeTime::POINTER);
    operand.location = {.pointer = values, .length = sizeof(values)};
    return operand;
}

TEST(FlushData, ConstantsOfAllSubgraphsMoveToOneNewPool) {
    Model model = reluModel();
    model.pools = {createSharedMemory(8).value()};
    model.referenced.push_back(model.main);
    model.main.operands.push_back(pointer(kFirst));
    model.referenced[0].operands.push_back(pointer(kSecond));

    ASSERT_TRUE(flushDataFromPointerToShared(&model).ok());
    ASSERT_EQ(model.pools.size(), 2u);
    for (const auto& [operand, values] : {std::pair(model.main.operands[2], kFirst),
                                          std::pair(model.referenced[0].operands[2], kSecond)}) {
        EXPECT_EQ(operand.lifetime, Operand::LifeTime::CONSTANT_REFERENCE);
        EXPECT_EQ(operand.location.poolIndex, 1u);
        EXPECT_EQ(operand.location.offset % kMinMemoryAlignment, 0u);
        EXPECT_EQ(floatsAt(model.pools[1], operand.location),
                  std::vector<float>(values, values + 4));
    }
}

TEST(Pointers, AreFoundInEveryGraphAndArgument) {
    Model model = reluModel();
    model.referenced.push_back(model.main);
    EXPECT_FALSE(hasPointers(model));
    model.referenced[0].operands.push_back(pointer(kSecond));
    EXPECT_TRUE(hasPointers(model));
    model.referenced.clear();
    model.main.operands.push_back(pointer(kFirst));
    EXPECT_TRUE(hasPointers(model));

    std::vector<Request::Argument> arguments(2);
    EXPECT_FALSE(hasPointers(arguments));
    arguments[1].lifetime = Request::Argument::LifeTime::POINTER;
    EXPECT_TRUE(hasPointers(arguments));
}

TEST(FlushData, KeepsModelsWithoutPointers) {
    Model model = reluModel();
    ASSERT_TRUE(flushDataFromPointerToShared(&model).ok());
    EXPECT_EQ(model, reluModel());
}

TEST(FlushData, OfAValidatedModelKeepsItsFacts) {
    Model model = reluModel();
    model.main.operands.push_back(pointer(kFirst));
    const ValidatedModel checked = validateModel(model).value();
    const ValidatedModel moved = flushDataFromPointerToShared(checked).value();
    EXPECT_EQ(checked.model(), model);
    EXPECT_EQ(moved.model().main.operands[2].lifetime, Operand::LifeTime::CONSTANT_REFERENCE);
    EXPECT_EQ(moved.version(), validate(moved.model()).value());
    EXPECT_EQ(&moved.found(), &checked.found());

    const ValidatedModel again = flushDataFromPointerToShared(moved).value();
    EXPECT_EQ(&again.model(), &moved.model());
}

TEST(FlushData, RejectsNull) {
    Model model = reluModel();
    model.main.operands.push_back(tensor(Operand::LifeTime::POINTER));
    model.main.operands[2].location.length = 16;
    const Model before = model;
    EXPECT_THAT(flushDataFromPointerToShared(&model),
                IsInvalid("main.operands[2]: pointer to 16 bytes is null [relocation.null]"));
    EXPECT_EQ(model, before);
    EXPECT_FALSE(flushDataFromPointerToShared(nullptr).ok());
}

Request::Argument argument(std::variant<const void*, void*> data, uint32_t length) {
    return {.lifetime = Request::Argument::LifeTime::POINTER,
            .location = {.pointer = data, .length = length}};
}

TEST(ConvertRequest, InputsAndOutputsGetAPoolEach) {
    float result[4] = {};
    Request request{.inputs = {argument(kFirst, 16), {}, argument(kSecond, 16)},
                    .outputs = {argument(static_cast<void*>(result), 16)},
                    .pools = {createSharedMemory(8).value()}};

    const auto shared = convertRequestFromPointerToShared(request, 64, 32).value();
    const Request& converted = shared.request;
    ASSERT_EQ(converted.pools.size(), 3u);
    EXPECT_EQ(converted.inputs[0].location,
              (DataLocation{.poolIndex = 1, .offset = 0, .length = 16, .padding = 16}));
    EXPECT_EQ(converted.inputs[1], request.inputs[1]);
    EXPECT_EQ(converted.inputs[2].location,
              (DataLocation{.poolIndex = 1, .offset = 64, .length = 16, .padding = 16}));
    EXPECT_EQ(converted.outputs[0].location,
              (DataLocation{.poolIndex = 2, .offset = 0, .length = 16, .padding = 16}));

    shared.relocation.input.flush();
    const auto& inputs = std::get<SharedMemory>(converted.pools[1]);
    EXPECT_THAT(floatsAt(inputs, converted.inputs[2].location), ElementsAre(5, 6, 7, 8));

    const auto& outputs = std::get<SharedMemory>(converted.pools[2]);
    std::memcpy(map(outputs)->mutableData(), kFirst, sizeof(kFirst));
    shared.relocation.output.flush();
    EXPECT_THAT(result, ElementsAre(1, 2, 3, 4));
}

TEST(ConvertRequest, NoBytesNeedNoPointer) {
    float result[4] = {};
    const Request request{.inputs = {argument(static_cast<const void*>(nullptr), 0)},
                          .outputs = {argument(static_cast<void*>(nullptr), 0),
                                      argument(static_cast<void*>(result), 16)},
                          .pools = {}};
    const auto shared = convertRequestFromPointerToShared(request, 64, 1).value();
    EXPECT_EQ(shared.request.outputs[0].location, (DataLocation{.poolIndex = 1}));
    std::memcpy(map(std::get<SharedMemory>(shared.request.pools[1]))->mutableData(), kFirst,
                sizeof(kFirst));
    shared.relocation.input.flush();
    shared.relocation.output.flush();
    EXPECT_THAT(result, ElementsAre(1, 2, 3, 4));
}

TEST(ConvertRequest, ByDefaultTheResultLosesNothingInHidl) {
    const Request request{.inputs = {argument(kFirst, 16)}, .outputs = {}, .pools = {}};
    const auto shared = convertRequestFromPointerToShared(request).value();
    Losses losses;
    EXPECT_TRUE(V1_0::utils::convert(shared.request, &losses).ok());
    EXPECT_THAT(losses, testing::IsEmpty());
}

TEST(ConvertRequest, RejectsReadOnlyOutputsSizesAndAlignments) {
    const Request readOnly{.inputs = {}, .outputs = {argument(kFirst, 16)}, .pools = {}};
    EXPECT_THAT(convertRequestFromPointerToShared(readOnly),
                IsInvalid("outputs[0]: output points to data that may not be written "
                          "[relocation.read_only]"));
    const Request large{.inputs = {argument(kFirst, 0xFFFFFFFF), argument(kFirst, 16)},
                        .outputs = {},
                        .pools = {}};
    EXPECT_THAT(convertRequestFromPointerToShared(large),
                IsInvalid("inputs[1]: 16 bytes after 4294967295 others are more than a pool holds "
                          "[relocation.size]"));
    EXPECT_THAT(convertRequestFromPointerToShared(readOnly, 3, 1),
                IsInvalid("alignment is 3, allowed powers of two [memory_preference.alignment]"));
}

using Direction = Relocation::Direction;

TEST(Relocation, CopiesPiecesOfItsPool) {
    const SharedMemory pool = createSharedMemory(16).value();
    float data[4] = {1, 2, 3, 4};
    const auto to = Relocation::create(
            Direction::TO_POOL, {{.data = data, .length = 16}, {.offset = 99}}, map(pool).value());
    ASSERT_TRUE(to.ok()) << to.status();
    to->flush();
    EXPECT_EQ(floatsAt(pool, {.length = 16}), std::vector<float>(kFirst, kFirst + 4));

    const auto from = Relocation::create(
            Direction::FROM_POOL, {{.data = data, .length = 8, .offset = 8}}, map(pool).value());
    ASSERT_TRUE(from.ok()) << from.status();
    from->flush();
    EXPECT_THAT(data, ElementsAre(3, 4, 3, 4));
}

TEST(Relocation, ReadsFromMemoryThatIsReadOnly) {
    const SharedMemory pool = createSharedMemory(16).value();
    const int fd = std::get<Memory::Ashmem>(pool->handle).fd.get();
    const SharedMemory readOnly = createSharedMemory(16, PROT_READ, fd, 0).value();
    std::memcpy(map(pool)->mutableData(), kSecond, 16);
    float data[4] = {};
    const std::vector<Relocation::Piece> pieces = {{.data = data, .length = 16}};
    const auto from = Relocation::create(Direction::FROM_POOL, pieces, map(readOnly).value());
    ASSERT_TRUE(from.ok()) << from.status();
    from->flush();
    EXPECT_THAT(data, ElementsAre(5, 6, 7, 8));
    EXPECT_THAT(Relocation::create(Direction::TO_POOL, pieces, map(readOnly).value()),
                IsInvalid("pieces[0]: the mapping may not be written [relocation.read_only]"));
}

TEST(Relocation, RejectsInvalidPiecesAndDirections) {
    float data[4] = {};
    struct Broken {
        std::vector<Relocation::Piece> pieces;
        const char* message;
    };
    const Broken kBroken[] = {
            {{{.data = data, .length = 16}, {.data = data, .length = 16, .offset = 1}},
             "pieces[1]: offset 1 + length 16 is allowed up to 16, the size of the mapping "
             "[relocation.piece]"},
            {{{.data = data, .length = 0xFFFFFFFF, .offset = 0xFFFFFFFF}},
             "pieces[0]: offset 4294967295 + length 4294967295 is allowed up to 16, the size of "
             "the mapping [relocation.piece]"},
            {{{.data = nullptr, .length = 4}},
             "pieces[0]: pointer to 4 bytes is null [relocation.null]"},
    };
    const SharedMemory pool = createSharedMemory(16).value();
    for (const auto& [pieces, message] : kBroken) {
        for (const Direction direction : {Direction::TO_POOL, Direction::FROM_POOL}) {
            EXPECT_THAT(Relocation::create(direction, pieces, map(pool).value()),
                        IsInvalid(message));
        }
    }
    EXPECT_THAT(Relocation::create(Direction::TO_POOL, {{.data = data, .length = 1}}, Mapping()),
                IsInvalid("pieces[0]: offset 0 + length 1 is allowed up to 0, the size of the "
                          "mapping [relocation.piece]"));
    EXPECT_THAT(Relocation::create(Direction{7}, {}, Mapping()),
                IsInvalid("direction: is 7, allowed 0 (TO_POOL) or 1 (FROM_POOL) "
                          "[relocation.piece]"));
}

}  // namespace
}  // namespace nn::relocation_test
