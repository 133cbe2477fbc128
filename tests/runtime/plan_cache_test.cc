// Caches of plans: tokens, files of applications, and plans without a cache. caching_test.cc has
// those of steps, compilation_cache_test.cc invalid files.
#include "driver/cache/digest.h"
#include "driver/cache_files.h"
#include "runtime/plan/preparation.h"
#include "runtime/plan_models.h"
#include "temporary_folder.h"

namespace nn::runtime::plan_cache_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

CacheToken tokenOf(uint8_t first) {
    CacheToken token{};
    token[0] = first;
    token[31] = 0xC7;
    return token;
}

PlanOptions cached(const TemporaryFolder& folder, uint8_t token = 1) {
    PlanOptions options = withoutFallback();
    options.token = tokenOf(token);
    options.cacheDirectory = (folder / "").string();
    return options;
}

// Its key outlives the device.
SharedDevice cachingDevice() {
    return referenceDevice({.cacheKey = CacheKey(CacheKey::Bytes{1, 2, 3})});
}

std::vector<bool> fromCache(const Model& model, const std::vector<PlanDevice>& devices,
                            const PlanOptions& options) {
    const auto plan = makePlan(model, devices, options);
    EXPECT_TRUE(plan.has_value());
    std::vector<bool> are;
    for (const PlanStep& step : (*plan)->steps()) are.push_back(step.isFromCache);
    Floats values;
    EXPECT_TRUE(execute(*(*plan)->preparedModel(), values.request()).has_value());
    EXPECT_EQ(values.z, Floats::expected());
    return are;
}

// A token is the SHA-256 of all inputs of the preparation, each with its length or of a fixed one.
TEST(PlanCache, Tokens) {
    PlanOptions options{
            .preference = ExecutionPreference::SUSTAINED_SPEED,
            .priority = Priority::HIGH,
            .hints = {{.token = 0x20007, .value = {9}}, {.token = 0x10008, .value = {8}}},
            .prefixes = {{"com.b", 1}, {"com.a", 2}},
            .token = tokenOf(5)};
    const std::vector<uint32_t> operations = {3, 1};
    const StepOrigin step{2, operations};
    const auto token = [](const PlanOptions& of, const std::optional<StepOrigin>& origin,
                          std::string_view name = "npu", std::string_view version = "1.0") {
        return *compilationToken(*cacheRequestFor(of, origin), name, version, of.preference,
                                 of.priority);
    };
    std::vector<uint8_t> text(options.token->begin(), options.token->end());
    const auto add = [&](std::initializer_list<int> bytes) {
        for (const int byte : bytes) text.push_back(static_cast<uint8_t>(byte));
    };
    add({3, 0, 0, 0, 0, 0, 0, 0, 'n', 'p', 'u', 3, 0, 0, 0, 0, 0, 0, 0, '1', '.', '0'});
    add({2, 0, 0, 0, 2, 0, 0, 0});  // preference and priority
    add({1});                       // a digest: graph 2, operations 3 and 1
    const std::vector<uint8_t> origin = {2, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0};
    const cache::Digest digest = *cache::sha256(origin);
    for (const uint8_t byte : digest) add({byte});
    add({2, 0, 0, 0, 0, 0, 0, 0});  // hints
    add({5, 0, 0, 0, 0, 0, 0, 0, 'c', 'o', 'm', '.', 'a', 7, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9});
    add({5, 0, 0, 0, 0, 0, 0, 0, 'c', 'o', 'm', '.', 'b', 8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 8});
    const CacheToken same = token(options, step);
    EXPECT_EQ(same, *cache::sha256(text));
    // Each input changes the token.
    const auto other = [&](auto&& change) {
        PlanOptions changed = options;
        change(changed);
        return token(changed, step);
    };
    EXPECT_EQ(other([](PlanOptions&) {}), same);
    EXPECT_NE(other([](PlanOptions& o) { o.preference = ExecutionPreference::DEFAULT; }), same);
    EXPECT_NE(other([](PlanOptions& o) { o.priority = Priority::LOW; }), same);
    EXPECT_NE(other([](PlanOptions& o) { o.hints.pop_back(); }), same);
    EXPECT_NE(other([](PlanOptions& o) { o.token = tokenOf(6); }), same);
    EXPECT_NE(token(options, {}), same);
    EXPECT_NE(token(options, step, "gpu"), same);
}

// Files that the application opened are used only if one device executes the whole model.
TEST(PlanCache, OpenFilesAreForAPlanOfOneStep) {
    const driver_cache_files::Folder folder;
    const driver_cache_files::Cache files = driver_cache_files::cacheIn(folder);
    PlanOptions options = withoutFallback();
    options.token = tokenOf(1);
    options.cacheFiles = {.model = files.model, .data = files.data};
    const SharedDevice device = cachingDevice();
    EXPECT_THAT(fromCache(sumTimes(), addAndMul(device, device), options),
                ElementsAre(false, false));
    EXPECT_THAT(folder.read("m"), IsEmpty());
    const std::vector<PlanDevice> one = {{masked({.name = "A"}, device)}, cpu(2)};
    EXPECT_THAT(fromCache(sumTimes(), one, options), ElementsAre(false));
    EXPECT_FALSE(folder.read("m").empty());
    EXPECT_THAT(fromCache(sumTimes(), one, options), ElementsAre(true));
}

TEST(PlanCache, NothingIsAskedForWithoutNeed) {
    const TemporaryFolder folder;
    const auto device = masked({.name = "A"}, cachingDevice());
    const std::vector<PlanDevice> one = {{device}, cpu(2)};
    PlanOptions options = cached(folder);
    options.token.reset();
    EXPECT_THAT(fromCache(sumTimes(), one, options), ElementsAre(false));
    options = cached(folder);
    options.cacheDirectory.clear();
    EXPECT_THAT(fromCache(sumTimes(), one, options), ElementsAre(false));
    const std::vector<PlanDevice> without = {
            {masked({.name = "A"}, referenceDevice({.hasCache = false}))}, cpu(2)};
    EXPECT_THAT(fromCache(sumTimes(), without, cached(folder)), ElementsAre(false));
    // The CPU prepares quickly, so it does not cache.
    EXPECT_THAT(fromCache(sumTimes(), {cpu()}, cached(folder)), ElementsAre(false));
    EXPECT_THAT(folder.files(), IsEmpty());
    EXPECT_EQ(device->fromCache, 0);
}

// A null model from a cache is a failed load.
TEST(PlanCache, LoadsNull) {
    const TemporaryFolder folder;
    const auto faulty =
            nn::testing::faultyDevice(cachingDevice(), {nn::testing::DeviceFault::LOADS_NULL});
    const std::vector<PlanDevice> one = {{masked({.name = "A"}, *faulty)}, cpu(2)};
    EXPECT_THAT(fromCache(sumTimes(), one, cached(folder)), ElementsAre(false));
    EXPECT_THAT(fromCache(sumTimes(), one, cached(folder)), ElementsAre(false));
}

}  // namespace
}  // namespace nn::runtime::plan_cache_test
