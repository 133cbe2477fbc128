// Messages corrupted in transit: the outcome for the call, for later calls, and for other clients.
#include <sys/mman.h>

#include <cstring>
#include <future>
#include <random>
#include <thread>

#include "nnapi/service.capnp.h"
#include "nnapi/service/client.h"
#include "nnapi/service/server.h"
#include "service/corrupting_proxy.h"
#include "service/pooled_request.h"
#include "service/server_process.h"

namespace nn::service_spoilt_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using enum ErrorStatus;

constexpr auto kNo = MeasureTiming::NO;
using Message = capnp::rpc::Message::Builder;

Spoiler changing(std::function<void(Message)> edit) {
    return [edit = std::move(edit)](WireMessage& frame) {
        frame.change(edit);
        return Fate{};
    };
}

Fate asItIs(WireMessage&) { return {}; }
Fate garbage(WireMessage& frame) {
    EXPECT_TRUE(frame.isOneSegment());
    std::mt19937_64 numbers(frame.words.size());
    for (size_t i = 1; i < frame.words.size(); ++i) frame.words[i] = numbers();
    return {};
}
Fate garbageTable(WireMessage& frame) {
    frame.words[0] = 0x0123456789abcdef;
    return {};
}
Fate shortened(WireMessage& frame) {
    EXPECT_TRUE(frame.isOneSegment());
    frame.words.resize(1 + (frame.words.size() - 1) / 2);
    frame.words[0] = uint64_t{frame.words.size() - 1} << 32;
    return {};
}
Fate cut(WireMessage& frame) {
    frame.words.resize(frame.words.size() / 2);
    return {.copies = 1, .isCut = true};
}
Fate tooLarge(WireMessage& frame) {
    frame.words[0] = uint64_t{1} << 62;
    return {};
}
Fate late(WireMessage&) {
    std::this_thread::sleep_for(500ms);
    return {};
}
Fate twice(WireMessage&) { return {.copies = 2, .isCut = false}; }

enum class Method : uint8_t { EXECUTE, PREPARE };
enum class Later : uint8_t { WORKS, IS_DEAD };

struct Row {
    const char* name;
    Spoiler spoiler;
    ErrorStatus code;  // the outcome of the call
    Later later;       // the outcome of later calls
    bool hasDeadline = false;
    std::vector<Method> method{
            Method::EXECUTE, Method::PREPARE};  // the method whose messages are corrupted this way
};

const Row kReplies[] = {
        {"as it is", asItIs, NONE, Later::WORKS},
        {"garbage", garbage, GENERAL_FAILURE, Later::IS_DEAD},
        {"a table of segments that is garbage", garbageTable, GENERAL_FAILURE, Later::IS_DEAD},
        {"shortened", shortened, GENERAL_FAILURE, Later::IS_DEAD},
        {"cut off, and the connection with it", cut, DEAD_OBJECT, Later::IS_DEAD},
        {"too large", tooLarge, GENERAL_FAILURE, Later::IS_DEAD},
        {"another type",
         changing([](Message message) {
             message.getReturn().getResults().getContent().setAs<capnp::Text>("not a struct");
         }),
         GENERAL_FAILURE,
         Later::WORKS,
         false,
         {Method::EXECUTE}},
        {"a status code that no result has",
         changing([](Message message) {
             message.getReturn()
                     .getResults()
                     .getContent()
                     .initAs<service::rpc::PreparedModel::ExecuteResults>()
                     .initExecuted()
                     .initFailure()
                     .setCode(4711);
         }),
         GENERAL_FAILURE,
         Later::WORKS,
         false,
         {Method::EXECUTE}},
        {"a result that lies elsewhere",
         changing([](Message message) { message.getReturn().setResultsSentElsewhere(); }),
         GENERAL_FAILURE, Later::IS_DEAD},
        {"another question",
         changing([](Message message) { message.getReturn().setAnswerId(4711); }), GENERAL_FAILURE,
         Later::IS_DEAD},
        {"a call that was cancelled",
         changing([](Message message) { message.getReturn().setCanceled(); }), GENERAL_FAILURE,
         Later::IS_DEAD},
        {"a call that was cancelled, and the connection cut afterwards",
         [](WireMessage& frame) {
             frame.change([](Message message) { message.getReturn().setCanceled(); });
             return Fate{.copies = 1, .isCut = true};
         },
         GENERAL_FAILURE, Later::IS_DEAD},
        {"late", late, NONE, Later::WORKS},
        {"later than the deadline", late, MISSED_DEADLINE_TRANSIENT, Later::WORKS, true},
        {"twice", twice, NONE, Later::IS_DEAD},
};

const Row kCalls[] = {
        {"as it is", asItIs, NONE, Later::WORKS},
        {"garbage", garbage, DEAD_OBJECT, Later::IS_DEAD},
        {"a table of segments that is garbage", garbageTable, DEAD_OBJECT, Later::IS_DEAD},
        {"shortened", shortened, DEAD_OBJECT, Later::IS_DEAD},
        {"cut off, and the connection with it", cut, DEAD_OBJECT, Later::IS_DEAD},
        {"too large", tooLarge, DEAD_OBJECT, Later::IS_DEAD},
        {"another type",
         changing([](Message message) {
             message.getCall().getParams().getContent().setAs<capnp::Text>("not a struct");
         }),
         GENERAL_FAILURE,
         Later::WORKS,
         false,
         {Method::PREPARE}},
        {"another method", changing([](Message message) { message.getCall().setMethodId(99); }),
         GENERAL_FAILURE, Later::WORKS},
        {"another interface",
         changing([](Message message) { message.getCall().setInterfaceId(7); }), GENERAL_FAILURE,
         Later::WORKS},
        {"an object that is not there",
         changing([](Message message) { message.getCall().getTarget().setImportedCap(4711); }),
         DEAD_OBJECT, Later::IS_DEAD},
        {"later than the deadline", late, MISSED_DEADLINE_TRANSIENT, Later::WORKS, true},
};

class Spoilt : public testing::Test {
   protected:
    void SetUp() override {
        auto made = service::serve({referenceDevice()}, "unix:" + path);
        ASSERT_TRUE(made.has_value()) << made.error().message;
        server = *std::move(made);
    }
    static SharedDevice connect(const std::string& to) {
        auto device = service::connect("unix:" + to,
                                       {.connectTimeout = 60s, .heartbeat = 60s, .ceiling = 60s});
        EXPECT_TRUE(device.has_value()) << device.error().message;
        return device.has_value() ? *device : nullptr;
    }

    void expectRow(const Row& row, bool isReply, Method method) {
        SCOPED_TRACE(testing::Message()
                     << row.name << (isReply ? ", reply" : ", call")
                     << (method == Method::EXECUTE ? " of execute" : " of prepareModel"));
        const std::string between = folder / ("proxy" + std::to_string(++proxies));
        SpoilingProxy proxy(between, path);
        const SharedDevice device = connect(between);
        const auto model = prepareOn(*device, addition());
        ASSERT_TRUE(model.has_value()) << model.error().message;
        const Pooled pooled;
        const auto ask = [&](const OptionalTimePoint& deadline) {
            return method == Method::EXECUTE
                           ? (*model)->execute(pooled.request, kNo, deadline, {}, {}, {})
                                     .error()
                                     .code
                           : device->prepareModel(addition(), ExecutionPreference::DEFAULT,
                                                  Priority::DEFAULT, deadline, {}, {}, {}, {}, {})
                                     .error()
                                     .code;
        };
        // An intact execution on the same connection first; the server knows the pool afterwards.
        ASSERT_EQ(ask({}), NONE);
        EXPECT_THAT(pooled.result(), method == Method::EXECUTE ? ElementsAre(11, 22, 33, 44)
                                                               : ElementsAre(0, 0, 0, 0));
        proxy.spoilNext(isReply, row.spoiler);
        const TimePoint start = Clock::now();
        EXPECT_EQ(ask(row.hasDeadline ? OptionalTimePoint(makeDeadline(100ms)) : std::nullopt),
                  row.code);
        EXPECT_LT(Clock::now() - start, 10s);
        for (int i = 0; i < 1000 && !proxy.hasSpoilt(isReply); ++i) {
            std::this_thread::sleep_for(5ms);
        }
        EXPECT_TRUE(proxy.hasSpoilt(isReply));
        if (row.later == Later::IS_DEAD) {
            // The client may take a moment to notice.
            ErrorStatus code = ask({});
            for (int i = 0; i < 1000 && code != DEAD_OBJECT; ++i) code = ask({});
            EXPECT_EQ(code, DEAD_OBJECT);
        } else {
            EXPECT_EQ(ask({}), NONE);
        }
        // Other clients are unaffected, and this client can reconnect.
        const Pooled others;
        EXPECT_TRUE((*prepareOn(*bystander, addition()))
                            ->execute(others.request, kNo, {}, {}, {}, {})
                            .has_value());
        EXPECT_TRUE(connect(path)->wait().has_value());
    }

    const TemporaryFolder folder{};
    const std::string path = folder / "socket";
    std::unique_ptr<service::Server> server{};
    SharedDevice bystander{};
    int proxies = 0;
};

TEST_F(Spoilt, EndsRepliesAsTabulated) {
    bystander = connect(path);
    for (const Row& row : kReplies) {
        for (const Method method : row.method) expectRow(row, true, method);
    }
}

TEST_F(Spoilt, EndsCallsAsTabulated) {
    bystander = connect(path);
    for (const Row& row : kCalls) {
        for (const Method method : row.method) expectRow(row, false, method);
    }
}

// ---- queues of bursts

// The memory of a queue: two counters, a flag, and the words.
struct QueueMemory {
    static constexpr size_t kWritten = 64, kWords = 192, kSize = kWords + 1024 * 8;
    uint8_t* bytes = nullptr;

    explicit QueueMemory(int fd)
        : bytes(static_cast<uint8_t*>(
                  mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0))) {}
    QueueMemory(const QueueMemory&) = delete;
    QueueMemory& operator=(const QueueMemory&) = delete;
    ~QueueMemory() { munmap(bytes, kSize); }

    void put(const std::vector<uint64_t>& words) const {
        std::memcpy(bytes + kWords, words.data(), words.size() * 8);
        setWritten(words.size());
    }
    void setWritten(uint64_t count) const {
        reinterpret_cast<std::atomic<uint64_t>*>(bytes + kWritten)->store(count);
    }
};

struct QueueRow {
    const char* name;
    std::function<void(const QueueMemory&)> spoil;
    ErrorStatus code;
};

const QueueRow kQueues[] = {
        {"garbage",
         [](const QueueMemory& queue) {
             queue.put({4, 1, ~0ull, ~0ull});
         },
         GENERAL_FAILURE},
        {"a packet without a message",
         [](const QueueMemory& queue) {
             queue.put({2, 1});
         },
         GENERAL_FAILURE},
        {"a packet that is longer than the queue",
         [](const QueueMemory& queue) {
             queue.put({1 << 20, 1, 0, 0});
         },
         GENERAL_FAILURE},
        {"half a packet", [](const QueueMemory& queue) { queue.put({1}); }, GENERAL_FAILURE},
        {"counters that contradict each other",
         [](const QueueMemory& queue) { queue.setWritten(uint64_t{1} << 40); }, GENERAL_FAILURE},
        {"the result of another execution, and then none",
         [](const QueueMemory& queue) {
             queue.put({3, 7, 0});
         },
         MISSED_DEADLINE_TRANSIENT},
};

// The driver is still in the execution, so it cannot write a result itself.
TEST(SpoiltQueues, EndAsTheTableSays) {
    for (const QueueRow& row : kQueues) {
        SCOPED_TRACE(row.name);
        const TemporaryFolder folder;
        const ServerProcess server(folder / "socket", "burst");
        ASSERT_TRUE(server.says('+'));
        SpoilingProxy proxy(folder / "proxy", folder / "socket");
        const auto device = service::connect("unix:" + (folder / "proxy").string(),
                                             {.connectTimeout = 20s, .heartbeat = 1s});
        ASSERT_TRUE(device.has_value()) << device.error().message;
        const auto model = prepareOn(**device, addition());
        ASSERT_TRUE(model.has_value()) << model.error().message;
        const auto burst = (*model)->configureExecutionBurst();
        ASSERT_TRUE(burst.has_value()) << burst.error().message;
        const std::vector<int> queues = proxy.sentOf(QueueMemory::kSize);
        ASSERT_EQ(queues.size(), 2u);
        const QueueMemory results(queues[1]);
        const Pooled pooled;
        const OptionalTimePoint deadline = row.code == MISSED_DEADLINE_TRANSIENT
                                                   ? OptionalTimePoint(makeDeadline(1s))
                                                   : std::nullopt;
        auto code = std::async(std::launch::async, [&] {
            return (*burst)->execute(pooled.request, kNo, deadline, {}, {}, {}).error().code;
        });
        ASSERT_TRUE(server.says('!'));
        row.spoil(results);
        EXPECT_EQ(code.get(), row.code);
        EXPECT_THAT(*(*device)->getSupportedOperations(addition()), ElementsAre(true));
        EXPECT_TRUE((*model)->execute(pooled.request, kNo, {}, {}, {}, {}).has_value());
        EXPECT_THAT(pooled.result(), ElementsAre(11, 22, 33, 44));
    }
}

}  // namespace
}  // namespace nn::service_spoilt_test
