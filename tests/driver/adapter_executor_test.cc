// A canonical device as a driver: the threads that run its tasks. The numbers are rules on
// adapters.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <set>
#include <stdexcept>
#include <thread>

#include "driver/adapter_fakes.h"
#include "driver/threads/thread_pool.h"
#include "heap.h"
#include "held_by_process.h"

namespace nn::driver_adapter_executor_test {
namespace {

using namespace driver_adapter_fakes;
using namespace std::chrono_literals;
using hal::adapter::adapt;
using hal::adapter::Task;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int32_t kNone = 0;
constexpr int32_t kGeneralFailure = 2;

// ---- executors supplied by the user

// How an executor treats a task, and the expected outcome.
struct ExecutorRow {
    const char* name;
    // Tasks stored in the second argument outlive the call.
    std::function<void(Task, std::vector<Task>&)> execute;
    std::function<void(std::vector<Task>&)> afterwards;
    int32_t returned;
    size_t notifiedAtOnce;
    int32_t status;
};

void forget(std::vector<Task>& kept) { kept.clear(); }

const ExecutorRow kExecutors[] = {
        {"Inline", [](const Task& task, auto&) { task(); }, forget, kNone, 1, kNone},
        {"Late", [](Task task, auto& kept) { kept.push_back(std::move(task)); },
         [](auto& kept) { kept.at(0)(); }, kNone, 0, kNone},
        {"Twice",
         [](const Task& task, auto&) {
             task();
             task();
         },
         forget, kNone, 1, kNone},
        {"Copies",
         [](const Task& task, auto& kept) {
             kept.push_back(task);
             kept.push_back(task);
         },
         [](auto& kept) {
             kept.at(1)();
             kept.clear();
         },
         kNone, 0, kNone},
        {"Throws", [](const Task&, auto&) { throw std::runtime_error("no"); }, forget,
         kGeneralFailure, 1, kGeneralFailure},
        {"ThrowsAfterIt",
         [](const Task& task, auto&) {
             task();
             throw 7;
         },
         forget, kNone, 1, kNone},
        {"ThrowsAndRunsLater",
         [](Task task, auto& kept) {
             kept.push_back(std::move(task));
             throw 7;
         },
         [](auto& kept) { kept.at(0)(); }, kGeneralFailure, 1, kGeneralFailure},
        {"Drops", [](const Task&, auto&) {}, forget, kGeneralFailure, 1, kGeneralFailure},
        {"DropsLate", [](Task task, auto& kept) { kept.push_back(std::move(task)); }, forget, kNone,
         0, kGeneralFailure},
        {"OnAnotherThread", [](Task task, auto&) { std::thread(std::move(task)).join(); }, forget,
         kNone, 1, kNone},
};

// Rules hidl.failed_launch, hidl.successful_launch, adapter.launched_preparation,
// adapter.refusing_executor and adapter.dropped_task.
TEST(AdapterExecutor, NotifiesOnceForEveryTask) {
    for (const ExecutorRow& row : kExecutors) {
        std::vector<Task> kept;
        bool isScripted = false;
        const auto device = adapted(std::make_shared<Script>(), [&](Task task, const auto&) {
            isScripted ? row.execute(std::move(task), kept) : task();
        });
        const auto preparedModel = preparedOn(*device);
        isScripted = true;
        const auto expectOne = [&](const auto& client, int32_t returned, const char* by) {
            EXPECT_EQ(returned, row.returned);
            EXPECT_THAT(client->log.now(), SizeIs(row.notifiedAtOnce));
            row.afterwards(kept);
            kept.clear();
            ASSERT_THAT(client->log.now(), ElementsAre(Notifies(by, row.status)));
        };
        for (const PrepareMethod& method : prepareMethods()) {
            SCOPED_TRACE(std::string(row.name) + " " + method.name);
            const auto client = sp<PreparationClient>::make();
            expectOne(client, method.call(*device, {}, client), method.notify);
            EXPECT_EQ(client->log.now().at(0).preparedModel != nullptr, row.status == kNone);
            EXPECT_EQ(client->getStrongCount(), 1);
        }
        for (const ExecuteMethod& method : executeMethods()) {
            SCOPED_TRACE(std::string(row.name) + " " + method.name);
            const auto client = sp<ExecutionClient>::make();
            const ExecuteArguments in{.request = PooledSum().request()};
            expectOne(client, method.call(*preparedModel, in, client), method.notify);
            EXPECT_EQ(client->getStrongCount(), 1);
        }
    }
}

// Rule adapter.dropped_task: the executor is destroyed with tasks in its queue, after the device.
TEST(AdapterExecutor, NotifiesWhenTheExecutorIsDestroyed) {
    const auto client = sp<PreparationClient>::make();
    {
        Late late;
        {
            const auto device = adapted(std::make_shared<Script>(), late.executor());
            for (const PrepareMethod& method : prepareMethods()) {
                EXPECT_EQ(method.call(*device, {}, client), kNone);
            }
        }
        EXPECT_THAT(client->log.now(), IsEmpty());
    }
    const std::vector<Notification> notifications = client->log.now();
    ASSERT_EQ(notifications.size(), prepareMethods().size());
    for (const Notification& each : notifications) EXPECT_EQ(each.status, kGeneralFailure);
}

// Counts its notifications without allocating memory.
class CountingPreparation final : public parts::PreparationCallback<CountingPreparation> {
   public:
    Return<void> notified(HalVersion, auto status, const sp<V1_0::IPreparedModel>& preparedModel) {
        ++times;
        notifiedStatus = static_cast<V1_3::ErrorStatus>(status);
        EXPECT_EQ(preparedModel != nullptr, notifiedStatus == V1_3::ErrorStatus::NONE);
        return hidl::Void();
    }
    int times = 0;
    V1_3::ErrorStatus notifiedStatus{};
};

class CountingExecution final : public parts::ExecutionCallback<CountingExecution> {
   public:
    Return<void> notified(HalVersion, auto status, const Shapes&, const V1_2::Timing&) {
        ++times;
        notifiedStatus = static_cast<V1_3::ErrorStatus>(status);
        return hidl::Void();
    }
    int times = 0;
    V1_3::ErrorStatus notifiedStatus{};
};

// Repeats the call and fails each allocation in turn until none fails. Each time the client must be
// notified once, and a call that fails must return the notified code.
template <class Client>
void expectOneNotification(
        const std::function<Return<V1_3::ErrorStatus>(const sp<Client>&)>& call) {
    for (const bool lasting : {false, true}) {
        for (size_t n = 1;; ++n) {
            ASSERT_LT(n, 1000u);
            const auto client = sp<Client>::make();
            heap::failAt(n, lasting);
            const V1_3::ErrorStatus returned = call(client);
            heap::failAt(0);
            ASSERT_EQ(client->times, 1) << "allocation " << n;
            if (returned != V1_3::ErrorStatus::NONE) {
                EXPECT_EQ(returned, client->notifiedStatus) << n;
            }
            if (client->notifiedStatus == V1_3::ErrorStatus::NONE) break;
        }
    }
}

// Rules hidl.one_notification, hidl.failed_launch and adapter.refusing_executor.
TEST(AdapterExecutor, NotifiesOnceForEveryTaskWhereMemoryRunsOut) {
    if (!heap::kCanFail) GTEST_SKIP() << "without exceptions the program ends";
    const auto device = adapted(std::make_shared<Script>());
    const auto model = halModel<HalVersion::V1_3>(addition());
    const auto preference = V1_1::ExecutionPreference::LOW_POWER;
    const auto priority = V1_3::Priority::LOW;
    const hidl_vec<hidl_handle> kFiles = {openHandle()};
    expectOneNotification<CountingPreparation>([&](const sp<CountingPreparation>& client) {
        return device->prepareModel_1_3(model, preference, priority, {}, kFiles, kFiles, {},
                                        client);
    });
    expectOneNotification<CountingPreparation>([&](const sp<CountingPreparation>& client) {
        return device->prepareModelFromCache_1_3({}, kFiles, kFiles, {}, client);
    });
    const auto request = V1_3::utils::convert(PooledSum().request()).value();
    for (const bool fromCache : {false, true}) {
        const auto preparedModel = preparedOn(*device, fromCache);
        expectOneNotification<CountingExecution>([&](const sp<CountingExecution>& client) {
            return preparedModel->execute_1_3(request, {}, {}, {}, client);
        });
    }
}

// ---- the executor of the device

// Rule adapter.executor.
TEST(OwnExecutor, HasNoMoreThreadsThanItMay) {
    const size_t before = held::stayingThreads();
    for (const size_t most : {0u, 1u, 3u}) {
        const auto fake = std::make_shared<Script>();
        std::mutex mutex;
        std::set<std::thread::id> seen;
        std::atomic<size_t> active = 0;
        std::atomic<size_t> maxActive = 0;
        fake->prepare = [&](const PrepareCall&) -> GeneralResult<SharedPreparedModel> {
            const size_t now = ++active;
            size_t old = maxActive;
            while (old < now && !maxActive.compare_exchange_weak(old, now)) {
            }
            {
                const std::lock_guard lock(mutex);
                seen.insert(std::this_thread::get_id());
            }
            std::this_thread::sleep_for(2ms);
            --active;
            return error() << "no";
        };
        {
            const auto device =
                    adapt(std::make_shared<const FakeDevice>(fake), {.numberOfThreads = most})
                            .value();
            EXPECT_LE(held::settled(held::threads, before),
                      before);  // no threads before there is work
            std::vector<sp<PreparationClient>> clients;
            for (int i = 0; i < 20; ++i) {
                clients.push_back(sp<PreparationClient>::make());
                EXPECT_EQ(prepareMethods()[3].call(*device, {}, clients.back()), kNone);
            }
            for (const auto& client : clients) EXPECT_THAT(client->log.wait(), SizeIs(1));
        }
        EXPECT_LE(seen.size(), std::max<size_t>(most, 1));
        EXPECT_EQ(maxActive, std::max<size_t>(most, 1));
        EXPECT_FALSE(seen.contains(std::this_thread::get_id()));
        EXPECT_LE(held::settled(held::threads, before), before);
    }
}

// Rule adapter.executor: releasing the device does not cancel launched tasks.
TEST(OwnExecutor, FinishesWhatWasLaunched) {
    const size_t before = held::stayingThreads();
    const auto fake = std::make_shared<Script>();
    fake->prepare = [&](const PrepareCall&) -> GeneralResult<SharedPreparedModel> {
        std::this_thread::sleep_for(1ms);
        return SharedPreparedModel(std::make_shared<const FakePreparedModel>(fake));
    };
    std::vector<sp<PreparationClient>> clients;
    {
        const auto device =
                adapt(std::make_shared<const FakeDevice>(fake), {.numberOfThreads = 2}).value();
        for (int i = 0; i < 20; ++i) {
            clients.push_back(sp<PreparationClient>::make());
            EXPECT_EQ(prepareMethods()[3].call(*device, {}, clients.back()), kNone);
        }
    }
    for (const auto& client : clients) {
        const std::vector<Notification> notifications = client->log.wait();
        ASSERT_THAT(notifications, SizeIs(1));
        EXPECT_EQ(notifications[0].status, kNone);
    }
    clients.clear();
    EXPECT_LE(held::settled(held::threads, before), before);
}

// Rule adapter.executor: a callback on a thread of the device releases the last reference.
TEST(OwnExecutor, EndsOnItsOwnThread) {
    const size_t before = held::stayingThreads();
    for (int i = 0; i < 200; ++i) {
        const auto fake = std::make_shared<Script>();
        auto device =
                adapt(std::make_shared<const FakeDevice>(fake), {.numberOfThreads = 3}).value();
        auto client = sp<PreparationClient>::make();
        std::atomic<bool> isHere = false;
        client->result = [&] {
            while (!isHere) std::this_thread::yield();
            device.clear();
            return hidl::Void();
        };
        sp<V1_3::IDevice> used = device;
        EXPECT_EQ(prepareMethods()[i % 6].call(*used, {}, client), kNone);
        used.clear();
        isHere = true;
        EXPECT_THAT(client->log.wait(), SizeIs(1));
        while (client->getStrongCount() != 1) std::this_thread::yield();
    }
    EXPECT_LE(held::settled(held::threads, before), before);
}

// At exit, the program waits for a thread that has released its pool, unless that thread called
// exit().
TEST(OwnExecutor, ProgramsEndAfterThreadsThatLeave) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto end = [](bool byThread) {
        auto* const pool = new driver::ThreadPool(1);
        std::promise<void> released;
        pool->run([&] {
            delete pool;
            if (byThread) std::exit(0);
            released.set_value();
            std::this_thread::sleep_for(100ms);
            std::fputs("done", stderr);
        });
        released.get_future().wait();
        std::exit(0);
    };
    EXPECT_EXIT(end(true), ::testing::ExitedWithCode(0), "");
    EXPECT_EXIT(end(false), ::testing::ExitedWithCode(0), "done");
}

// A pool's thread must not wait for the end of another pool that it releases, since that pool may
// be releasing the first one.
TEST(OwnExecutor, PoolsReleaseEachOther) {
    const size_t before = held::stayingThreads();
    for (int i = 0; i < 200; ++i) {
        auto a = std::make_shared<driver::ThreadPool>(1);
        auto b = std::make_shared<driver::ThreadPool>(1);
        std::atomic<int> here = 0;
        const auto meet = [&here] {
            ++here;
            while (here < 2) std::this_thread::yield();
        };
        std::atomic<int> done = 0;
        const auto release = [&](std::shared_ptr<driver::ThreadPool> other) {
            return [&, other = std::move(other)]() mutable {
                meet();
                other.reset();
                ++done;
            };
        };
        a->run(release(b));
        b->run(release(a));
        a.reset();
        b.reset();
        while (done < 2) std::this_thread::yield();
    }
    driver::ThreadPool(1).run([] {});
    EXPECT_LE(held::settled(held::threads, before), before);
}

// A pool with patience starts a thread for the task that the others wait for.
TEST(OwnExecutor, TasksThatWaitForALaterOneEnd) {
    constexpr int kTasks = 12;
    const size_t before = held::stayingThreads();
    {
        driver::ThreadPool pool(/*most=*/3, /*keep=*/1, Duration(1ms));
        std::atomic<int> begun = 0, ended = 0;
        for (int i = 0; i < kTasks; ++i) {
            pool.run([&] {
                ++begun;
                while (begun < kTasks) std::this_thread::yield();
                ++ended;
            });
        }
        while (ended < kTasks) std::this_thread::yield();
        EXPECT_EQ(held::settled(held::threads, before + 1), before + 1);  // the kept thread
    }
    EXPECT_LE(held::settled(held::threads, before), before);
}

// The reserve is for tasks that no thread takes: short tasks need no more threads than the maximum.
// The end of the pool does not wait for the reserve either.
TEST(OwnExecutor, PatienceIsNotLostOnTasksThatEnd) {
    driver::ThreadPool pool(/*most=*/2, /*keep=*/2, Duration(1h));
    std::mutex mutex;
    std::set<std::thread::id> seen;
    std::atomic<int> ended = 0;
    for (int i = 0; i < 100; ++i) {
        pool.run([&] {
            std::this_thread::sleep_for(100us);
            const std::lock_guard lock(mutex);
            seen.insert(std::this_thread::get_id());
            ++ended;
        });
    }
    while (ended < 100) std::this_thread::yield();
    EXPECT_LE(seen.size(), 2u);
}

// Runs many tasks for longer than a pool of two waits before it starts its reserve, and returns the
// number of their threads.
size_t threadsOfManyTasks() {
    constexpr int kTasks = 600;
    std::mutex mutex;
    std::set<std::thread::id> seen;
    std::atomic<int> ended = 0;
    driver::ThreadPool pool(/*most=*/2, /*keep=*/2, Duration(1s));
    for (int i = 0; i < kTasks; ++i) {
        pool.run([&] {
            std::this_thread::sleep_for(4ms);
            const std::lock_guard lock(mutex);
            seen.insert(std::this_thread::get_id());
            ++ended;
        });
    }
    while (ended < kTasks) std::this_thread::sleep_for(1ms);
    return seen.size();
}

// The reserve is not started, however long the tasks run. On a busy machine both threads may stall
// for a second, but not in each attempt.
TEST(OwnExecutor, TheReserveStaysWhileOthersTakeTasks) {
    size_t threads = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
        threads = threadsOfManyTasks();
        if (threads <= 2) return;
    }
    ADD_FAILURE() << threads << " threads";
}

// The reserve starts only if all threads are busy and a task waits.
TEST(OwnExecutor, HasAReserveOfAPoolWithPatience) {
    const struct {
        size_t most;
        OptionalDuration patience;
        int tasks;
        size_t threads;
    } rows[] = {
            {1, std::nullopt, 3, 1},
            {2, std::nullopt, 3, 2},
            {3, Duration(1h), 2, 2},
            {2, Duration(1h), 3, 3},
    };
    const size_t before = held::stayingThreads();
    for (const auto& row : rows) {
        std::promise<void> end;
        const std::shared_future<void> ended = end.get_future().share();
        driver::ThreadPool pool(row.most, /*keep=*/row.most, row.patience);
        for (int i = 0; i < row.tasks; ++i) pool.run([ended] { ended.wait(); });
        EXPECT_EQ(held::settled(held::threads, before + row.threads), before + row.threads)
                << row.most << " " << row.tasks;
        end.set_value();
    }
    EXPECT_LE(held::settled(held::threads, before), before);
}

}  // namespace
}  // namespace nn::driver_adapter_executor_test
