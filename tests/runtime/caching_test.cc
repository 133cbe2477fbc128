// End-to-end tests of caches: an application compiles with a folder and a token, and drivers
// prepare a model or load one that they have prepared earlier.
#include <atomic>
#include <fstream>
#include <thread>

#include "fakes/hooked_device.h"
#include "nnapi/driver/compilation_cache.h"
#include "runtime/c_api_objects.h"
#include "temporary_folder.h"
#ifdef NNAPI_HAS_SERVICE
#include "nnapi/service/client.h"
#include "service/server_process.h"
#endif

namespace nn::c_api::caching_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::SizeIs;

struct Calls {
    int prepared = 0;   // calls of prepareModel
    int loaded = 0;     // successful calls of prepareModelFromCache
    int notLoaded = 0;  // failed calls of prepareModelFromCache
    bool operator==(const Calls&) const = default;
};
constexpr Calls kPrepared{.prepared = 1}, kLoaded{.loaded = 1},
        kPreparedAfterAll{.prepared = 1, .notLoaded = 1};

std::ostream& operator<<(std::ostream& to, const Calls& calls) {
    return to << calls.prepared << " prepared, " << calls.loaded << " loaded, " << calls.notLoaded
              << " not loaded";
}

// Its key outlives the device, and so do its caches.
SharedDevice reference(const std::string& name, const std::string& version = "1") {
    return referenceDevice(
            {.name = name,
             .versionString = version,
             .capabilities = runtime::sameForAll({.execTime = 0.5f, .powerUsage = 0.5f}),
             .fencedThreads = 2,
             .cacheKey = CacheKey(CacheKey::Bytes{1, 2, 3})});
}

// A driver that counts its calls, and supports only some operations.
class CachingDevice final : public parts::DevicePart {
   public:
    explicit CachingDevice(SharedDevice device, std::vector<OperationType> operations = {})
        : DevicePart(std::move(device)), mOperations(std::move(operations)) {}

    mutable Calls calls{};
    mutable CacheToken token{};  // of the last preparation
    mutable int files = 0;       // of the last preparation

    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        auto supported = ForwardingDevice::getSupportedOperations(model);
        if (!supported.has_value() || mOperations.empty()) return supported;
        for (size_t i = 0; i < supported->size(); ++i) {
            const OperationType type = model.main.operations[i].type;
            (*supported)[i] =
                    std::find(mOperations.begin(), mOperations.end(), type) != mOperations.end();
        }
        return supported;
    }

   protected:
    parts::Prepared prepare(const parts::Preparation& preparation) const override {
        ++calls.prepared;
        token = preparation.token;
        files = static_cast<int>(preparation.modelCache.size() + preparation.dataCache.size());
        return preparation.on(*inner());
    }
    parts::Prepared load(const parts::Loading& loading) const override {
        token = loading.token;
        auto loaded = loading.on(*inner());
        ++(loaded.has_value() ? calls.loaded : calls.notLoaded);
        return loaded;
    }

   private:
    std::vector<OperationType> mOperations;
};
using Drivers = std::vector<std::shared_ptr<const CachingDevice>>;

// Uses these drivers, followed by nnapi-reference.
void use(const Drivers& drivers) {
    std::vector<runtime::PlanDevice> devices;
    for (const auto& driver : drivers) devices.push_back({driver, false});
    devices.push_back({referenceDevice({.hasCache = false}), true});
    runtime::setRuntime(std::make_unique<const runtime::Runtime>(std::move(devices),
                                                                 runtime::Runtime::Options{}));
}

// The arguments of an application's compilation.
struct How {
    uint8_t token = 1;
    int preference = ANEURALNETWORKS_PREFER_FAST_SINGLE_ANSWER;
    int priority = ANEURALNETWORKS_PRIORITY_MEDIUM;
    std::vector<uint32_t> devices = {0};
};

std::array<uint8_t, ANEURALNETWORKS_BYTE_SIZE_OF_CACHE_TOKEN> tokenOf(uint8_t first) {
    return {first, 2, 3};
}

// Compiles and executes; returns the calls of each driver.
std::vector<Calls> compile(const Drivers& drivers, ANeuralNetworksModel* model,
                           const std::string& folder, const How& how = {},
                           const std::array<float, 4>& expected = Values::kSum) {
    for (const auto& driver : drivers) driver->calls = {};
    std::vector<const ANeuralNetworksDevice*> devices;
    for (const uint32_t index : how.devices) devices.push_back(deviceAt(index));
    const OwnedCompilation compilation = compilationFor(model, devices);
    const auto token = tokenOf(how.token);
    EXPECT_EQ(ANeuralNetworksCompilation_setCaching(compilation, folder.c_str(), token.data()), OK);
    EXPECT_EQ(ANeuralNetworksCompilation_setPreference(compilation, how.preference), OK);
    EXPECT_EQ(ANeuralNetworksCompilation_setPriority(compilation, how.priority), OK);
    EXPECT_EQ(ANeuralNetworksCompilation_finish(compilation), OK);
    const OwnedExecution execution = executionOf(compilation);
    Values values;
    values.set(execution);
    EXPECT_EQ(ANeuralNetworksExecution_compute(execution), OK);
    EXPECT_EQ(values.z, expected);
    std::vector<Calls> calls;
    for (const auto& driver : drivers) calls.push_back(driver->calls);
    return calls;
}

// (x + y) * y, which two drivers share.
OwnedModel sumTimes() {
    ModelBuilder model;
    const auto x = model.floats(4), y = model.floats(4);
    const auto none = model.scalar(ANEURALNETWORKS_FUSED_NONE);
    const auto sum = model.floats(4), product = model.floats(4);
    model.operation(ANEURALNETWORKS_ADD, {x, y, none}, {sum});
    model.operation(ANEURALNETWORKS_MUL, {sum, y, none}, {product});
    return model.finish({x, y}, {product});
}
constexpr std::array<float, 4> kProduct = {110, 440, 990, 1760};

class Caching : public testing::Test {
   protected:
    void TearDown() override { useDevices({}); }
    std::string path() const { return (folder / "").string(); }

    TemporaryFolder folder{};
    OwnedModel model = addition();
};

TEST_F(Caching, TheSecondCompilationLoads) {
    const Drivers drivers = {std::make_shared<const CachingDevice>(reference("npu"))};
    use(drivers);
    EXPECT_THAT(compile(drivers, model, path()), ElementsAre(kPrepared));
    const CacheToken prepared = drivers[0]->token;
    EXPECT_THAT(compile(drivers, model, path()), ElementsAre(kLoaded));
    EXPECT_EQ(drivers[0]->token, prepared);

    // PlanCache.Tokens has the bytes of a token.
    std::vector<std::string> names;
    for (const CacheFileKind kind : {CacheFileKind::MODEL, CacheFileKind::DATA}) {
        names.push_back(cacheFileName(prepared, kind, 0));
    }
    EXPECT_EQ(folder.files(), names);

    // A path without a trailing '/' is the same folder, and another process uses the same names.
    use(drivers);
    EXPECT_THAT(compile(drivers, model, path().substr(0, path().size() - 1)), ElementsAre(kLoaded));
}

TEST_F(Caching, UsesSeparateCacheForOtherArguments) {
    const Drivers drivers = {std::make_shared<const CachingDevice>(reference("npu")),
                             std::make_shared<const CachingDevice>(reference("dsp"))};
    use(drivers);
    compile(drivers, model, path());
    const struct {
        const char* name;
        How how;
        std::vector<Calls> first;
        std::vector<Calls> second;
    } kRows[] = {
            {"the same", {}, {kLoaded, {}}, {kLoaded, {}}},
            {"another token", {.token = 2}, {kPrepared, {}}, {kLoaded, {}}},
            {"another preference",
             {.preference = ANEURALNETWORKS_PREFER_LOW_POWER},
             {kPrepared, {}},
             {kLoaded, {}}},
            {"another priority",
             {.priority = ANEURALNETWORKS_PRIORITY_HIGH},
             {kPrepared, {}},
             {kLoaded, {}}},
            {"another device", {.devices = {1}}, {{}, kPrepared}, {{}, kLoaded}},
            // The first device supports all operations, so it prepares the same model.
            {"a longer list", {.devices = {0, 1}}, {kLoaded, {}}, {kLoaded, {}}},
    };
    for (const auto& row : kRows) {
        EXPECT_EQ(compile(drivers, model, path(), row.how), row.first) << row.name;
        EXPECT_EQ(compile(drivers, model, path(), row.how), row.second) << row.name;
    }
    EXPECT_EQ(compile(drivers, model, path()), (std::vector<Calls>{kLoaded, {}}));
}

void write(const fs::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

// Names that are replaced between the check and the open.
TEST_F(Caching, OpensNoFileThatIsPutThereMeanwhile) {
    const Drivers drivers = {std::make_shared<const CachingDevice>(reference("npu"))};
    use(drivers);
    compile(drivers, model, path());
    const std::vector<std::string> names = folder.files();
    const TemporaryFolder elsewhere;
    const fs::path precious = elsewhere / "precious";
    write(precious, "precious");
    std::atomic<bool> isOver = false;
    std::thread attacker([&] {
        for (int i = 0; !isOver; ++i) {
            const fs::path file = folder / names[i % names.size()];
            std::error_code ignored;
            fs::remove(file, ignored);
            if (i % 3 == 0) fs::create_symlink(precious, file, ignored);
            if (i % 3 == 1) fs::create_hard_link(precious, file, ignored);
        }
    });
    for (int i = 0; i < 300; ++i) compile(drivers, model, path());
    isOver = true;
    attacker.join();
    EXPECT_EQ(contentsOf(precious), "precious");
}

// Each step has a token and files of its own.
TEST_F(Caching, LoadsStepsIndependently) {
    const Drivers drivers = {std::make_shared<const CachingDevice>(reference("npu"),
                                                                   std::vector{OperationType::ADD}),
                             std::make_shared<const CachingDevice>(
                                     reference("dsp"), std::vector{OperationType::MUL})};
    use(drivers);
    const OwnedModel both = sumTimes();
    const auto calls = [&](const How& how = {.devices = {0, 1}}) {
        return compile(drivers, both, path(), how, kProduct);
    };
    EXPECT_THAT(calls(), ElementsAre(kPrepared, kPrepared));
    EXPECT_THAT(folder.files(), SizeIs(4));
    EXPECT_THAT(calls(), ElementsAre(kLoaded, kLoaded));
    EXPECT_THAT(calls({.token = 2, .devices = {0, 1}}), ElementsAre(kPrepared, kPrepared));
    EXPECT_THAT(calls({.devices = {1, 0}}), ElementsAre(kLoaded, kLoaded));
    // nnapi-reference prepares faster than it loads, so it does not cache.
    EXPECT_THAT(calls({.devices = {0, 2}}), ElementsAre(kLoaded, Calls{}));
    EXPECT_THAT(folder.files(), SizeIs(8));
    // Damaging one step's file does not affect the other step.
    const CacheToken first = drivers[0]->token;
    write(folder / cacheFileName(first, CacheFileKind::DATA, 0), "spoilt");
    EXPECT_THAT(calls(), ElementsAre(kPreparedAfterAll, kLoaded));
    EXPECT_THAT(calls(), ElementsAre(kLoaded, kLoaded));
    // The same operation as a whole model is not this step.
    EXPECT_THAT(compile(drivers, model, path()), ElementsAre(kPrepared, Calls{}));
}

#ifdef NNAPI_HAS_SERVICE
// A cache of a server in another process, whose key lives as long as the server.
TEST_F(Caching, ThroughAServiceInAnotherProcess) {
    using Transport = ServerProcess::Transport;
    for (const Transport transport : {Transport::UNIX, Transport::TCP}) {
        const TemporaryFolder files;
        const auto ask = [&](const ServerProcess& server) {
            service::ClientOptions options{.connectTimeout = std::chrono::minutes(1),
                                           .heartbeat = std::chrono::minutes(1)};
            if (transport == Transport::TCP) {
                options.credentials = Certificates::get().of("client");
            }
            const auto device = service::connect(server.address(), options);
            EXPECT_TRUE(device.has_value()) << device.error().message;
            const Drivers drivers = {std::make_shared<const CachingDevice>(*device)};
            use(drivers);
            const auto calls = compile(drivers, model, (files / "").string());
            useDevices({});  // closes the connection
            return calls[0];
        };
        const TemporaryFolder socket;
        {
            const ServerProcess server(socket, transport, "none");
            ASSERT_TRUE(server.says('+'));
            EXPECT_EQ(ask(server), kPrepared);
            EXPECT_EQ(ask(server), kLoaded);
            for (const std::string& name : files.files()) write(files / name, "spoilt");
            EXPECT_EQ(ask(server), kPreparedAfterAll);
            EXPECT_EQ(ask(server), kLoaded);
        }
        const ServerProcess another(socket, transport, "none");
        ASSERT_TRUE(another.says('+'));
        EXPECT_EQ(ask(another), kPreparedAfterAll);
        EXPECT_EQ(ask(another), kLoaded);
    }
}
#endif

}  // namespace
}  // namespace nn::c_api::caching_test
