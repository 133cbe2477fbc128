// The client's side of caches: names, tokens, and a folder that may contain anything.
#include "nnapi/driver/compilation_cache.h"

#include <sys/stat.h>

#include <map>

#include "driver/cache_files.h"
#include "fakes/hooked_device.h"
#include "in_threads.h"
#include "nnapi/driver/invalid.h"
#include "nnapi/memory.h"

namespace nn::driver_compilation_cache_test {
namespace {

using namespace driver_cache_files;
using testing::IsEmpty;
using testing::SizeIs;

const CacheKey kKey(CacheKey::Bytes{1, 2, 3});

// A cache in a folder, and the failures that its listener received.
struct Client {
    Folder folder{};
    std::vector<std::string> told{};
    CompilationCache cache{folder.path(),
                           [this](const Status& s) { told.emplace_back(s.message()); }};
    SharedDevice device = referenceDevice({.cacheKey = kKey});
    CacheRequest request{.token = {5}};

    GeneralResult<Compiled> prepare(const Model& model) {
        return cache.prepare(*device, model, ExecutionPreference::DEFAULT, Priority::DEFAULT, {},
                             request);
    }
    // Checks that the prepared model adds this value; returns whether it came from the cache.
    bool isFromCache(float value) {
        const auto compiled = prepare(adds(value));
        EXPECT_TRUE(compiled.has_value()) << compiled.status();
        if (!compiled.has_value()) return false;
        EXPECT_EQ(computed(compiled->preparedModel), std::vector<float>(4, value));
        return compiled->isFromCache;
    }
};

// Rule cache.file_names.
TEST(CompilationCache, NamesOfFiles) {
    CacheToken token{};
    token[0] = 0x1F;
    token[31] = 0xA0;
    const std::string letters = "PB" + std::string(60, 'A') + "AK";
    EXPECT_EQ(cacheFileName(token, CacheFileKind::MODEL, 0), letters + "10");
    EXPECT_EQ(cacheFileName(token, CacheFileKind::DATA, 31), letters + "231");
}

// Rule cache.token: a token depends on exactly these inputs.
TEST(CompilationCache, Tokens) {
    const struct {
        const char* name;
        CacheRequest request{.token = {1}};
        std::string device = "ab";
        std::string version = "c";
        ExecutionPreference preference = ExecutionPreference::DEFAULT;
        Priority priority = Priority::DEFAULT;
    } kRows[] = {
            {.name = "Plain"},
            {.name = "Token", .request = {.token = {2}}},
            {.name = "Digest", .request = {.token = {1}, .digest = ModelDigest{}}},
            {.name = "OtherDigest", .request = {.token = {1}, .digest = ModelDigest{1}}},
            {.name = "Hints", .request = {.token = {1}, .hints = {{.token = 1, .value = {2}}}}},
            {.name = "HintsSplit",
             .request = {.token = {1}, .hints = {{.token = 1}, {.token = 2}}}},
            {.name = "HintOfAnExtension",
             .request = {.token = {1},
                         .hints = {{.token = 1, .value = {2}}, {.token = 0x10002, .value = {3}}},
                         .extensionNameToPrefix = {{"com.a", 1}}}},
            {.name = "HintOfAnother",
             .request = {.token = {1},
                         .hints = {{.token = 1, .value = {2}}, {.token = 0x10002, .value = {3}}},
                         .extensionNameToPrefix = {{"com.b", 1}}}},
            {.name = "HintOfNone",
             .request = {.token = {1},
                         .hints = {{.token = 1, .value = {2}}, {.token = 0x10002, .value = {3}}}}},
            {.name = "Device", .device = "ax"},
            {.name = "Version", .version = "d"},
            {.name = "Boundary", .device = "a", .version = "bc"},
            {.name = "Preference", .preference = ExecutionPreference::LOW_POWER},
            {.name = "Priority", .priority = Priority::HIGH}};
    std::map<CacheToken, std::string> tokens;
    for (const auto& row : kRows) {
        const auto of = [&] {
            return compilationToken(row.request, row.device, row.version, row.preference,
                                    row.priority)
                    .value();
        };
        EXPECT_EQ(of(), of());
        const auto [other, isNew] = tokens.emplace(of(), row.name);
        EXPECT_TRUE(isNew) << row.name << " as " << other->second;
    }
}

// Rule cache.token: prefixes are local to a process, and the order of hints has no meaning.
TEST(CompilationCache, TokensOfHintsAreThoseOfEveryProcess) {
    const auto of = [](std::vector<TokenValuePair> hints,
                       std::vector<ExtensionNameAndPrefix> prefixes) {
        return compilationToken(
                       {.hints = std::move(hints), .extensionNameToPrefix = std::move(prefixes)},
                       "a", "1", ExecutionPreference::DEFAULT, Priority::DEFAULT)
                .value();
    };
    EXPECT_EQ(of({{.token = 0x10002, .value = {3}}, {.token = 0x20002, .value = {4}}},
                 {{"com.a", 1}, {"com.b", 2}}),
              of({{.token = 0x30002, .value = {4}}, {.token = 0x50002, .value = {3}}},
                 {{"com.b", 3}, {"com.a", 5}}));
}

// Rule cache.token: a digest depends on the content of a model, not on the location of its
// constants.
TEST(CompilationCache, DigestsOfModels) {
    const ModelDigest one = modelDigest(adds(1)).value();
    EXPECT_EQ(modelDigest(adds(1)).value(), one);
    EXPECT_NE(modelDigest(adds(2)).value(), one);
    Model relaxed = adds(1);
    relaxed.relaxComputationFloat32toFloat16 = true;
    EXPECT_NE(modelDigest(relaxed).value(), one);
    Model pooled = adds(1);
    const SharedMemory pool = createSharedMemory(pooled.operandValues.size()).value();
    ASSERT_TRUE(writeMemory(pool, 0, pooled.operandValues.bytes()).ok());
    pooled.pools = {pool};
    for (Operand& operand : pooled.main.operands) {
        if (isConstant(operand.lifetime)) operand.lifetime = LifeTime::CONSTANT_REFERENCE;
    }
    pooled.operandValues = {};
    EXPECT_EQ(modelDigest(pooled).value(), one);
    pooled.pools = {};
    EXPECT_FALSE(modelDigest(pooled).ok());
}

// Rules cache.file_names and cache.token.
TEST(CompilationCache, PreparesAndLoads) {
    Client client;
    EXPECT_FALSE(client.isFromCache(1));
    EXPECT_TRUE(client.isFromCache(1));
    ASSERT_THAT(client.folder.files(), SizeIs(2));
    for (const std::string& name : client.folder.files()) {
        EXPECT_EQ(fs::status(client.folder.path() / name).permissions(),
                  fs::perms::owner_read | fs::perms::owner_write);
    }
    client.request.token[0] = 6;
    EXPECT_FALSE(client.isFromCache(2)) << "another token";
    EXPECT_TRUE(client.isFromCache(2));
    client.request.digest = modelDigest(adds(3)).value();
    EXPECT_FALSE(client.isFromCache(3)) << "another model by the same token, with its digest";
    client.device = referenceDevice({.versionString = "updated", .cacheKey = kKey});
    EXPECT_FALSE(client.isFromCache(3)) << "another version of the device";
    EXPECT_THAT(client.told, IsEmpty());
    client.device = referenceDevice({.versionString = "updated"});
    EXPECT_FALSE(client.isFromCache(3)) << "another installation";
    EXPECT_TRUE(client.isFromCache(3)) << "which saved it again";
    EXPECT_THAT(client.told, SizeIs(1));
}

// Rule cache.file_names: other objects under the name of a cache file.
TEST(CompilationCache, OpensOnlyOwnRegularFiles) {
    using Path = const fs::path&;
    const struct {
        const char* name;
        void (*put)(Path file, Path other);
        std::string message;
    } kRows[] = {
            {"Symlink", [](Path file, Path other) { fs::create_symlink(other, file); },
             ": it is a link, allowed is a regular file"},
            {"HardLink", [](Path file, Path other) { fs::create_hard_link(other, file); },
             ": it has 2 names, allowed 1"},
            {"Fifo", [](Path file, Path) { mkfifo(file.c_str(), 0600); },
             ": it is not a regular file"},
            {"Folder", [](Path file, Path) { fs::create_directory(file); }, ": Is a directory"}};
    for (const auto& row : kRows) {
        for (const size_t index : {0, 1}) {
            SCOPED_TRACE(row.name + std::to_string(index));
            Client client;
            const Folder elsewhere;
            ASSERT_FALSE(client.isFromCache(1));
            const std::string name = client.folder.files()[index];
            fs::remove(client.folder.path() / name);
            elsewhere.write("precious", {1, 2, 3});
            row.put(client.folder.path() / name, elsewhere.path() / "precious");
            EXPECT_FALSE(client.isFromCache(1));
            EXPECT_THAT(client.told, testing::ElementsAre(name + row.message));
            EXPECT_EQ(elsewhere.read("precious"), (Bytes{1, 2, 3}));
        }
    }
}

// Rule cache.file_names: failures of the cache are reported, and the model is prepared.
TEST(CompilationCache, PreparesDespiteCacheErrors) {
    Client client;
    ASSERT_FALSE(client.isFromCache(1));
    const std::vector<std::string> names = client.folder.files();
    for (const std::string& name : names) {
        client.folder.write(name, {1, 2, 3});
        EXPECT_FALSE(client.isFromCache(1)) << "a broken one";
        EXPECT_TRUE(client.isFromCache(1)) << "is written again";
        fs::remove(client.folder.path() / name);
        EXPECT_FALSE(client.isFromCache(1)) << "a missing one";
        EXPECT_TRUE(client.isFromCache(1)) << "is made again";
    }
    EXPECT_THAT(client.told, SizeIs(2));

    std::vector<std::string> told;
    const CompilationCache missing(client.folder.path() / "missing",
                                   [&](const Status& s) { told.emplace_back(s.message()); });
    const auto compiled = missing.prepare(*client.device, adds(1), ExecutionPreference::DEFAULT,
                                          Priority::DEFAULT, {}, {});
    ASSERT_TRUE(compiled.has_value());
    EXPECT_FALSE(compiled->isFromCache);
    EXPECT_THAT(told, testing::ElementsAre((client.folder.path() / "missing").string() +
                                           ": No such file or directory"));
    EXPECT_TRUE(CompilationCache("")
                        .prepare(*client.device, adds(1), ExecutionPreference::DEFAULT,
                                 Priority::DEFAULT, {}, {})
                        .has_value());
}

// A driver that finds its saved cache but returns null.
TEST(CompilationCache, PreparesIfDriverLoadsNull) {
    Client client;
    client.device =
            fakes::hooked(client.device,
                          {.load = [](const auto&, const auto&) { return SharedPreparedModel(); }});
    EXPECT_FALSE(client.isFromCache(1));
    EXPECT_FALSE(client.isFromCache(1));
    EXPECT_THAT(client.told, testing::ElementsAre("the device returns null"));
}

// A failure to write is reported.
TEST(CompilationCache, PreparesInAFolderThatCannotBeWritten) {
    std::vector<std::string> told;
    const CompilationCache cache("/proc/self/task",
                                 [&](const Status& s) { told.emplace_back(s.message()); });
    const SharedDevice device = referenceDevice({.cacheKey = kKey});
    EXPECT_TRUE(
            cache.prepare(*device, adds(1), ExecutionPreference::DEFAULT, Priority::DEFAULT, {}, {})
                    .has_value());
    EXPECT_THAT(told, SizeIs(1));
}

TEST(CompilationCache, FailsAsPreparingDoes) {
    Client client;
    Model broken = adds(1);
    broken.main.operations[0].inputs.clear();
    const auto direct = prepareOn(*client.device, broken);
    EXPECT_THAT(client.prepare(broken), Refuses(direct.error().code, direct.error().message));
    client.device = referenceDevice({.hasCache = false});
    EXPECT_FALSE(client.isFromCache(1));
    EXPECT_FALSE(client.isFromCache(1));
    EXPECT_THAT(client.told, IsEmpty());
}

// Rule cache.file_names: clients that share a folder.
TEST(CompilationCache, IsThreadSafe) {
    Client client;
    inThreads(4, [&](int) {
        const CompilationCache cache(client.folder.path());
        for (int i = 0; i < 50; ++i) {
            const auto value = static_cast<float>(i % 3);
            const auto compiled =
                    cache.prepare(*client.device, adds(value), ExecutionPreference::DEFAULT,
                                  Priority::DEFAULT, {}, {.token = {static_cast<uint8_t>(i % 3)}});
            ASSERT_TRUE(compiled.has_value());
            EXPECT_EQ(computed(compiled->preparedModel), std::vector<float>(4, value));
        }
    });
}

}  // namespace
}  // namespace nn::driver_compilation_cache_test
