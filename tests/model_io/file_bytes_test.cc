// Large byte fields are read from a binary file with the same result as parsing the whole file.
#include <gtest/gtest.h>

#include "base/files.h"
#include "model_io/file_bytes.h"
#include "model_io/model_equality.h"

namespace nn::file_bytes_test {
namespace {

using schema::FileBytes;

std::string patterned(size_t size) {
    std::string bytes(size, '\0');
    for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 31 + i / 251);
    return bytes;
}

Operand constant(Operand::LifeTime lifetime, uint32_t offset, uint32_t length) {
    return {.type = OperandType::TENSOR_QUANT8_ASYMM,
            .dimensions = {length},
            .scale = 1,
            .lifetime = lifetime,
            .location = {.offset = offset, .length = length}};
}

// A model with a pool and a value of each size, in one file.
Model modelOf(const std::vector<size_t>& sizes) {
    Model model;
    for (const size_t size : sizes) {
        const std::string bytes = patterned(size);
        model.pools.push_back(ashmemOf(bytes));
        model.pools.push_back(fileOf(bytes, 4096, PROT_READ));
        const DataLocation at = *model.operandValues.append(
                reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
        model.main.operands.push_back(
                constant(Operand::LifeTime::CONSTANT_COPY, at.offset, at.length));
    }
    return model;
}

// Values of operands that lie in the last pool, stored outside of the operands.
Model withReferences(const std::vector<uint32_t>& sizes) {
    Model model = modelOf({5000});
    std::string pool;
    for (const uint32_t size : sizes) {
        pool.resize((pool.size() + 63) / 64 * 64);
        Operand operand = constant(Operand::LifeTime::CONSTANT_REFERENCE,
                                   static_cast<uint32_t>(pool.size()), size);
        operand.location.poolIndex = static_cast<uint32_t>(model.pools.size());
        model.main.operands.push_back(operand);
        pool += patterned(size);
    }
    model.pools.push_back(ashmemOf(pool));
    return model;
}

// The result of reading a file: a model as text, or an error without the name of the file.
std::string outcomeOf(const Result<AnyModel>& read) {
    if (!read.ok()) return messageOf(read.status());
    const auto again = serializeModel(*read, Format::BINARY);
    return again.ok() ? *again : messageOf(again.status());
}
std::string outcomeOfFile(const TemporaryFolder& folder, std::string_view bytes) {
    writeTestFile(folder / "m.pb", bytes);
    const auto read = readModel(folder / "m.pb");
    if (read.ok()) return outcomeOf(read);
    return messageOf(read.status(), folder).substr(std::string_view("m.pb: ").size());
}

struct Row {
    const char* name;
    std::string bytes;
};

std::string binary(const AnyModel& model) { return *serializeModel(model, Format::BINARY); }

std::vector<Row> rows() {
    constexpr auto kLeast = static_cast<uint32_t>(FileBytes::kLeast);
    const hidl::hidl_memory pool = hidlOf("ashmem", ashmemOf(patterned(10000)));
    return {
            {"none is large", binary(modelOf({1, 100, kLeast - 1}))},
            {"at the limit", binary(modelOf({kLeast - 1, kLeast, kLeast + 1}))},
            // Lengths of messages become shorter than their encoding.
            {"lengths of three and four bytes", binary(modelOf({16384, 16300, 70000, 1 << 21}))},
            {"values in a pool", binary(withReferences({kLeast, 10, 3 * kLeast, kLeast - 1}))},
            {"HAL 1.0", binary(V1_0::Model{.pools = {pool}})},
            {"HAL 1.3", binary(V1_3::Model{.pools = {pool, pool}})},
    };
}

TEST(FileBytes, AFileIsReadAsItsBytesAre) {
    const TemporaryFolder folder;
    for (const Row& row : rows()) {
        SCOPED_TRACE(row.name);
        EXPECT_TRUE(outcomeOfFile(folder, row.bytes) == row.bytes);
    }
}

TEST(FileBytes, ADamagedFileIsRefusedAsItsBytesAre) {
    const TemporaryFolder folder;
    const std::string bytes = binary(withReferences({4096, 10, 5000}));
    size_t refused = 0;
    const auto expectSame = [&](const std::string& damaged, size_t at) {
        const auto parsed = parseModel(damaged, Format::BINARY);
        refused += parsed.ok() ? 0 : 1;
        EXPECT_TRUE(outcomeOfFile(folder, damaged) == outcomeOf(parsed)) << at;
    };
    for (size_t at = 0; at < bytes.size(); at += at < 128 ? 1 : 61) {
        expectSame(bytes.substr(0, at), at);
        for (const int bit : {0, 7}) {
            std::string damaged = bytes;
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
            expectSame(damaged, at);
        }
    }
    EXPECT_GT(refused, 100u);
}

TEST(FileBytes, MessagesMayBeRepeatedAndTheirLengthsLong) {
    const TemporaryFolder folder;
    const std::string once = binary(modelOf({5000}));
    // A tag, and a length of two or three bytes.
    ASSERT_EQ(static_cast<uint8_t>(once[2]) >> 7, 1);
    ASSERT_EQ(static_cast<uint8_t>(once[3]) >> 7, 0);
    std::string longer = once.substr(0, 3);
    longer += static_cast<char>(once[3] | 0x80);
    longer += '\0';
    longer += once.substr(4);
    for (const std::string& bytes : {longer, once + once, longer + once}) {
        const auto parsed = parseModel(bytes, Format::BINARY);
        ASSERT_TRUE(parsed.ok()) << parsed.status();
        EXPECT_TRUE(outcomeOfFile(folder, bytes) == outcomeOf(parsed));
    }
}

TEST(FileBytes, CountAsConstants) {
    const TemporaryFolder folder;
    const std::string bytes = binary(modelOf({5000, 5000}));
    writeTestFile(folder / "m.pb", bytes);
    EXPECT_TRUE(readModel(folder / "m.pb", {.constantBytes = 30000}).ok());
    EXPECT_EQ(
            messageOf(readModel(folder / "m.pb", {.constantBytes = 29999}).status(), folder),
            "m.pb: " +
                    messageOf(
                            parseModel(bytes, Format::BINARY, {.constantBytes = 29999}).status()));
}

// A file cannot contain the token, which differs each time.
TEST(FileBytes, TokensAreSecret) {
    const TemporaryFolder folder;
    writeTestFile(folder / "f", patterned(5000));
    const auto open = [&] { return FileBytes(*openRegularFile(folder / "f")); };
    const FileBytes first = open(), second = open();
    const std::string token = first.tokenOf(10, 4500);
    EXPECT_EQ(first.sizeOf(token), 4500u);
    EXPECT_EQ(*first.load(token), patterned(5000).substr(10, 4500));
    EXPECT_EQ(second.sizeOf(token), token.size());
    EXPECT_EQ(*second.load(token), token);
    EXPECT_EQ(*FileBytes().load(token), token);
    std::filesystem::resize_file(folder / "f", 100);
    EXPECT_EQ(messageOf(first.load(token).status()),
              "needs 4500 bytes from byte 10 on, the file has 100");
}

}  // namespace
}  // namespace nn::file_bytes_test
