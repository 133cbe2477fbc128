// Overlapping arguments of applications: on each kind of device, in every way of executing, by
// address and in memories.
#include <cmath>

#include "runtime/c_api_objects.h"
#include "runtime/devices/configuration.h"
#include "temporary_folder.h"
#ifdef NNAPI_HAS_SERVICE
#include "nnapi/service/server.h"
#endif

namespace nn::c_api::overlap_test {
namespace {

constexpr uint32_t kCount = 16;
constexpr uint32_t kBytes = kCount * sizeof(float);
constexpr size_t kPage = 4096;
constexpr size_t kTotal = 2 * kPage;

// y0 = EXP(x), y1 = RELU(RELU(x)): on nnapi-host the interpreter executes the first, XNNPACK the
// others.
OwnedModel twoOutputs() {
    ModelBuilder model;
    const auto x = model.floats(kCount), y0 = model.floats(kCount), y1 = model.floats(kCount);
    const auto between = model.floats(kCount);
    model.operation(ANEURALNETWORKS_EXP, {x}, {y0});
    model.operation(ANEURALNETWORKS_RELU, {x}, {between});
    model.operation(ANEURALNETWORKS_RELU, {between}, {y1});
    return model.finish({x}, {y0, y1});
}

// The offsets of x, y0 and y1 in the bytes of a test.
struct Arrangement {
    const char* name;
    size_t x, y0, y1;
};
constexpr Arrangement kArrangements[] = {
        {"Apart", 0, kBytes, 2 * kBytes},
        {"FirstOverInput", kPage, kPage, 0},
        {"SecondOverInput", kPage, 0, kPage},
        {"BothOverInput", kPage, kPage, kPage},
        {"OutputsOverEachOther", 0, kPage, kPage},
        {"ShiftedDown", kPage + 16, kPage, 0},
        {"ShiftedUp", kPage, kPage + 16, kPage + 32},
        {"AcrossAPage", kPage - 32, kPage - 16, kPage},
};

enum class Place { ADDRESS, MEMORY, MEMORIES_OF_A_FILE, MEMORIES_OF_PARTS, BOTH };
constexpr Place kPlaces[] = {Place::ADDRESS, Place::MEMORY, Place::MEMORIES_OF_A_FILE,
                             Place::MEMORIES_OF_PARTS, Place::BOTH};

// Bytes that a test shares with the library.
class Bytes {
   public:
    Bytes() : mFd(memfd_create("test", MFD_CLOEXEC)) {
        EXPECT_EQ(ftruncate(mFd.get(), kTotal), 0);
        mBytes = static_cast<uint8_t*>(
                mmap(nullptr, kTotal, PROT_READ | PROT_WRITE, MAP_SHARED, mFd.get(), 0));
        EXPECT_NE(mBytes, MAP_FAILED);
        for (size_t at : {size_t{0}, size_t{0}, kPage}) {
            const UniqueFd other = duplicate(mFd.get());
            EXPECT_EQ(ANeuralNetworksMemory_createFromFd(kTotal - at, PROT_READ | PROT_WRITE,
                                                         other.get(), at,
                                                         mMemories.emplace_back().out()),
                      OK);
        }
    }
    ~Bytes() { munmap(mBytes, kTotal); }

    float* floats(size_t at) const { return reinterpret_cast<float*>(mBytes + at); }
    std::vector<float> all() const { return {floats(0), floats(0) + kTotal / sizeof(float)}; }

    // x = 1, 1.5, …; the other bytes are 0.
    void reset(const Arrangement& at) const {
        std::fill_n(floats(0), kTotal / sizeof(float), 0.0f);
        for (uint32_t i = 0; i < kCount; ++i) floats(at.x)[i] = x(i);
    }
    static float x(uint32_t i) { return 1 + static_cast<float>(i) / 2; }

    // The expected contents: the outputs written in their order, computed from the unmodified
    // input.
    std::vector<float> expected(const Arrangement& at) const {
        reset(at);
        for (uint32_t i = 0; i < kCount; ++i) floats(at.y0)[i] = std::exp(x(i));
        for (uint32_t i = 0; i < kCount; ++i) floats(at.y1)[i] = x(i);
        return all();
    }

    void set(ANeuralNetworksExecution* execution, const Arrangement& at, Place place) const {
        const auto memory = [&](size_t at,
                                int number) -> std::pair<ANeuralNetworksMemory*, size_t> {
            const bool isSecond = number % 2 != 0;
            if (place == Place::MEMORIES_OF_A_FILE) return {mMemories[isSecond ? 1 : 0], at};
            if (place == Place::MEMORIES_OF_PARTS && isSecond && at >= kPage) {
                return {mMemories[2], at - kPage};
            }
            return {mMemories[0], at};
        };
        const auto isAddress = [&](int number) {
            return place == Place::ADDRESS || (place == Place::BOTH && number % 2 != 0);
        };
        if (isAddress(0)) {
            EXPECT_EQ(
                    ANeuralNetworksExecution_setInput(execution, 0, nullptr, floats(at.x), kBytes),
                    OK);
        } else {
            const auto [from, offset] = memory(at.x, 0);
            EXPECT_EQ(ANeuralNetworksExecution_setInputFromMemory(execution, 0, nullptr, from,
                                                                  offset, kBytes),
                      OK);
        }
        for (const int i : {0, 1}) {
            const size_t y = i == 0 ? at.y0 : at.y1;
            if (isAddress(i + 1)) {
                EXPECT_EQ(ANeuralNetworksExecution_setOutput(execution, i, nullptr, floats(y),
                                                             kBytes),
                          OK);
                continue;
            }
            const auto [to, offset] = memory(y, i + 1);
            EXPECT_EQ(ANeuralNetworksExecution_setOutputFromMemory(execution, i, nullptr, to,
                                                                   offset, kBytes),
                      OK);
        }
    }

   private:
    UniqueFd mFd;
    uint8_t* mBytes = nullptr;
    std::vector<OwnedMemory> mMemories{};
};

void expectNear(const std::vector<float>& found, const std::vector<float>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
        ASSERT_NEAR(found[i], expected[i], 1e-5f * std::abs(expected[i])) << "at " << i;
    }
}

class Overlaps : public testing::Test {
   protected:
    void SetUp() override {
        runtime::Configuration configuration;
        configuration.devices = {{.spec = NNAPI_PLUGINS "/nnapi_plugin_odd.so:good"},
                                 {.spec = "nnapi-sample_all@1.3"},
                                 {.spec = "nnapi-sample_float_fast@1.2"}};
#ifdef NNAPI_HAS_SERVICE
        for (const char* address : {"unix:", "127.0.0.1:0"}) {
            const bool isUnix = *address == 'u';
            auto made = service::serve({referenceDevice({.name = isUnix ? "remote" : "remote-tcp",
                                                         .fencedThreads = 1})},
                                       isUnix ? address + (mFolder / "s").string() : address,
                                       {.insecurePlainTcp = true});
            ASSERT_TRUE(made.has_value()) << made.error().message;
            mServers.push_back(*std::move(made));
            configuration.devices.push_back(
                    {.spec = mServers.back()->address(), .insecurePlainTcp = true});
        }
#endif
        runtime::setRuntime(runtime::Runtime::create(configuration));
    }
    void TearDown() override { useDevices({}); }  // before the servers end

    TemporaryFolder mFolder{};
#ifdef NNAPI_HAS_SERVICE
    std::vector<std::unique_ptr<service::Server>> mServers{};
#endif
};

TEST_F(Overlaps, GiveTheValuesOfArgumentsThatLieApart) {
    const OwnedModel model = twoOutputs();
    const Bytes bytes;
    size_t devices = 0;
    for (const auto& device : runtime::runtime().devices()) {
        ++devices;
        const bool isOwn = device->name == "nnapi-host" || device->name == "nnapi-reference";
        const OwnedCompilation compilation = compilationFor(model, {device.get()});
        ASSERT_EQ(ANeuralNetworksCompilation_finish(compilation), OK) << device->name;
        for (const Arrangement& at : kArrangements) {
            const std::vector<float> expected = bytes.expected(at);
            for (const Place place : kPlaces) {
                // For drivers, the runtime cannot match addresses with memories.
                if (place == Place::BOTH && !isOwn) continue;
                for (const ExecutionMode mode : kModes) {
                    for (const bool isReusable : {false, true}) {
                        SCOPED_TRACE(testing::Message()
                                     << device->name << " " << at.name << " place " << int(place)
                                     << " mode " << int(mode) << " reusable " << isReusable);
                        const OwnedExecution execution = executionOf(compilation);
                        EXPECT_EQ(ANeuralNetworksExecution_setReusable(execution, isReusable), OK);
                        bytes.set(execution, at, place);
                        for (int time = 0; time < (isReusable ? 2 : 1); ++time) {
                            bytes.reset(at);
                            ASSERT_EQ(executeIn(mode, compilation, execution), OK);
                            ASSERT_NO_FATAL_FAILURE(expectNear(bytes.all(), expected));
                        }
                    }
                }
            }
        }
    }
#ifdef NNAPI_HAS_SERVICE
    EXPECT_EQ(devices, 7u);
#endif
}

// nnapi-host and nnapi-reference do not wait in a launch, even if arguments overlap: the launching
// thread may write the inputs afterwards and signal.
TEST_F(Overlaps, OfALaunchAreReadWhenItsFenceIsSignaled) {
    const OwnedModel model = twoOutputs();
    const Bytes bytes;
    for (const auto& device : runtime::runtime().devices()) {
        if (device->name != "nnapi-host" && device->name != "nnapi-reference") continue;
        const OwnedCompilation compilation = compilationFor(model, {device.get()});
        ASSERT_EQ(ANeuralNetworksCompilation_finish(compilation), OK);
        for (const Arrangement& at : kArrangements) {
            const std::vector<float> expected = bytes.expected(at);
            for (const Place place : kPlaces) {
                SCOPED_TRACE(testing::Message()
                             << device->name << " " << at.name << " place " << int(place));
                const OwnedExecution execution = executionOf(compilation);
                bytes.set(execution, at, place);
                std::fill_n(bytes.floats(0), kTotal / sizeof(float), 0.0f);
                const Pipe pipe;
                const OwnedEvent before = eventOf(pipe);
                const OwnedEvent event = startedAfter(execution, {before});
                bytes.reset(at);
                pipe.signal();
                ASSERT_EQ(ANeuralNetworksEvent_wait(event), OK);
                ASSERT_NO_FATAL_FAILURE(expectNear(bytes.all(), expected));
            }
        }
    }
}

}  // namespace
}  // namespace nn::c_api::overlap_test
