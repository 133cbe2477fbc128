// Message queues: both ends in one process, and peers that write arbitrary data into the memory.
#include "nnapi/hal/hidl/message_queue.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <numeric>
#include <thread>

#include "nnapi/hal/v1_2.h"
#include "nnapi/memory.h"

namespace nn::message_queue_test {
namespace {

using hidl::EventFlag;
using hidl::FMQ_NOT_EMPTY;
using hidl::FMQ_NOT_FULL;
using hidl::GrantorDescriptor;
using hidl::hidl_handle;
using hidl::hidl_vec;
using hidl::native_handle_t;
using testing::ElementsAre;
using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;

template <class T>
using Queue = hidl::MessageQueue<T, hidl::kSynchronizedReadWrite>;
template <class T>
using Descriptor = hidl::MQDescriptorSync<T>;

constexpr int64_t kMillisecond = 1'000'000;

// The bytes of a queue, as a peer accesses them.
class Raw {
   public:
    template <class T>
    explicit Raw(const Descriptor<T>& descriptor)
        : mGrantors(descriptor.grantors()),
          mMapping(map(createSharedMemory(sizeOf(mGrantors), PROT_READ | PROT_WRITE,
                                          descriptor.handle()->data[0], 0)
                               .value())
                           .value()) {}
    std::atomic<uint64_t>& read() { return at<std::atomic<uint64_t>>(0); }
    std::atomic<uint64_t>& written() { return at<std::atomic<uint64_t>>(1); }
    uint8_t* elements() { return &at<uint8_t>(2); }
    std::atomic<uint32_t>& flag() { return at<std::atomic<uint32_t>>(3); }

   private:
    static size_t sizeOf(const hidl_vec<GrantorDescriptor>& grantors) {
        uint64_t size = 0;
        for (const auto& each : grantors) size = std::max(size, each.offset + each.extent);
        return size;
    }
    template <class T>
    T& at(size_t grantor) {
        return *reinterpret_cast<T*>(mMapping.mutableData() + mGrantors[grantor].offset);
    }
    hidl_vec<GrantorDescriptor> mGrantors;
    Mapping mMapping;
};

// Two ends of one queue.
template <class T>
struct Ends {
    explicit Ends(size_t count, bool hasEventFlag = true)
        : near(count, hasEventFlag),
          far(*near.getDesc(), /*resetPointers=*/false),
          raw(*near.getDesc()) {
        EXPECT_TRUE(near.isValid() && far.isValid());
    }
    Queue<T> near, far;
    Raw raw;
};

TEST(MessageQueue, CarriesElementsAcrossItsEnds) {
    Ends<uint32_t> ends(4);
    EXPECT_EQ(ends.far.getQuantumCount(), 4u);
    EXPECT_EQ(ends.far.getQuantumSize(), 4u);
    const uint32_t given[] = {1, 2, 3};
    EXPECT_TRUE(ends.near.write(given, 3));
    EXPECT_EQ(ends.far.availableToRead(), 3u);
    EXPECT_EQ(ends.near.availableToWrite(), 1u);
    uint32_t found[3] = {};
    EXPECT_TRUE(ends.far.read(found, 3));
    EXPECT_THAT(found, ElementsAre(1, 2, 3));
    EXPECT_EQ(ends.near.availableToWrite(), 4u);
}

TEST(MessageQueue, IsFullAndEmpty) {
    Ends<uint32_t> ends(3);
    uint32_t values[4] = {1, 2, 3, 4};
    EXPECT_FALSE(ends.far.read(values, 1));
    EXPECT_FALSE(ends.near.write(values, 4)) << "more than it ever holds";
    EXPECT_TRUE(ends.near.write(values, 3));
    EXPECT_FALSE(ends.near.write(values, 1));
    EXPECT_FALSE(ends.far.read(values, 4));
    EXPECT_EQ(ends.far.availableToRead(), 3u) << "a read that fails takes nothing";
    EXPECT_TRUE(ends.far.read(values, 2));
    EXPECT_FALSE(ends.near.write(values, 3));
    EXPECT_TRUE(ends.near.write(values, 2));
    EXPECT_FALSE(ends.near.write(values, 0)) << "nothing is no element";
    EXPECT_FALSE(ends.far.read(values, 0));
    EXPECT_FALSE(ends.near.write(nullptr, 0));
}

TEST(MessageQueue, WrapsAround) {
    for (const size_t count : {1, 2, 3, 7, 8}) {
        Ends<uint32_t> ends(count);
        uint32_t next = 0, expected = 0;
        for (size_t round = 0; round < 50; ++round) {
            const size_t some = round % count + 1;
            std::vector<uint32_t> values(some);
            std::iota(values.begin(), values.end(), next);
            next += static_cast<uint32_t>(some);
            ASSERT_TRUE(ends.near.write(values.data(), some));
            std::vector<uint32_t> found(some);
            ASSERT_TRUE(ends.far.read(found.data(), some));
            for (const uint32_t value : found) ASSERT_EQ(value, expected++) << count;
        }
    }
}

TEST(MessageQueue, CountsPastTheEndOfTheCounters) {
    Ends<uint32_t> ends(4);  // the counters of a queue whose size is a power of two wrap seamlessly
    ends.raw.read() = UINT64_MAX - 1;
    ends.raw.written() = UINT64_MAX - 1;
    const uint32_t given[] = {1, 2, 3, 4};
    EXPECT_TRUE(ends.near.write(given, 4));
    EXPECT_EQ(ends.raw.written(), 2u);
    uint32_t found[4] = {};
    EXPECT_TRUE(ends.far.read(found, 4));
    EXPECT_THAT(found, ElementsAre(1, 2, 3, 4));
}

TEST(MessageQueue, IsEmptiedByResettingItsPointers) {
    Ends<uint32_t> ends(4);
    const uint32_t given[] = {1, 2, 3};
    EXPECT_TRUE(ends.near.write(given, 3));
    const Queue<uint32_t> kept(*ends.near.getDesc(), /*resetPointers=*/false);
    EXPECT_EQ(kept.availableToRead(), 3u);
    const Queue<uint32_t> reset(*ends.near.getDesc());
    EXPECT_EQ(reset.availableToRead(), 0u);
    EXPECT_EQ(ends.far.availableToRead(), 0u);
    EXPECT_EQ(ends.near.availableToWrite(), 4u);
    EXPECT_EQ(ends.raw.written(), 0u);
}

// ---- waiting

TEST(MessageQueue, WaitsForElementsAndForRoom) {
    Ends<uint32_t> ends(2);
    constexpr uint32_t kCount = 2000;
    std::thread writer([&] {
        for (uint32_t i = 0; i < kCount; ++i) {
            EXPECT_TRUE(ends.near.writeBlocking(&i, 1, 10'000 * kMillisecond));
        }
    });
    for (uint32_t i = 0; i < kCount; ++i) {
        uint32_t found = 0;
        ASSERT_TRUE(ends.far.readBlocking(&found, 1, 10'000 * kMillisecond));
        ASSERT_EQ(found, i);
    }
    writer.join();
}

TEST(MessageQueue, WaitsNoLongerThanAllowed) {
    Ends<uint32_t> ends(1);
    const auto start = std::chrono::steady_clock::now();
    uint32_t value = 0;
    EXPECT_FALSE(ends.far.readBlocking(&value, 1, 20 * kMillisecond));
    EXPECT_TRUE(ends.near.writeBlocking(&value, 1, 20 * kMillisecond));
    EXPECT_FALSE(ends.near.writeBlocking(&value, 1, 20 * kMillisecond));
    const auto passed = std::chrono::steady_clock::now() - start;
    EXPECT_GE(passed, std::chrono::milliseconds(40));
    EXPECT_LT(passed, std::chrono::seconds(5));
    EXPECT_FALSE(ends.far.readBlocking(&value, 2)) << "more than it ever holds, without a limit";
    EXPECT_FALSE(ends.far.readBlocking(&value, 0)) << "nothing, without a limit";
}

TEST(MessageQueue, WithoutAnEventFlagDoesNotWait) {
    Ends<uint32_t> ends(1, /*hasEventFlag=*/false);
    uint32_t value = 7;
    EXPECT_EQ(ends.near.getEventFlagWord(), nullptr);
    EXPECT_EQ(ends.near.getDesc()->countGrantors(), 3u);
    EXPECT_FALSE(ends.near.writeBlocking(&value, 1));
    EXPECT_FALSE(ends.far.readBlocking(&value, 1));
    EXPECT_TRUE(ends.near.write(&value));
    EXPECT_TRUE(ends.far.read(&value));
}

TEST(EventFlag, WakesAndWaits) {
    std::atomic<uint32_t> word = 0;
    EventFlag* flag = nullptr;
    ASSERT_EQ(EventFlag::createEventFlag(&word, &flag), hidl::NO_ERROR);
    uint32_t state = 0;
    EXPECT_EQ(flag->wake(FMQ_NOT_EMPTY | FMQ_NOT_FULL), hidl::NO_ERROR);
    EXPECT_EQ(flag->wait(FMQ_NOT_EMPTY, &state), hidl::NO_ERROR);
    EXPECT_EQ(state, FMQ_NOT_EMPTY);
    EXPECT_EQ(word, FMQ_NOT_FULL) << "bits without a waiter stay set";
    EXPECT_EQ(flag->wait(FMQ_NOT_EMPTY, &state, 5 * kMillisecond), hidl::TIMED_OUT);
    EXPECT_EQ(state, 0u);
    std::thread other([&] { flag->wake(FMQ_NOT_EMPTY); });
    EXPECT_EQ(flag->wait(FMQ_NOT_EMPTY, &state), hidl::NO_ERROR);
    other.join();
    EXPECT_EQ(flag->wake(0), hidl::NO_ERROR);
    EXPECT_EQ(flag->wait(0, &state), hidl::BAD_VALUE);
    EXPECT_EQ(flag->wait(1, nullptr), hidl::BAD_VALUE);
    EXPECT_EQ(EventFlag::deleteEventFlag(&flag), hidl::NO_ERROR);
    EXPECT_EQ(flag, nullptr);
    EXPECT_EQ(EventFlag::deleteEventFlag(&flag), hidl::BAD_VALUE);
    EXPECT_EQ(EventFlag::deleteEventFlag(nullptr), hidl::BAD_VALUE);
    EXPECT_EQ(EventFlag::createEventFlag(nullptr, &flag), hidl::BAD_VALUE);
    EXPECT_EQ(EventFlag::createEventFlag(&word, nullptr), hidl::BAD_VALUE);
}

// A peer that changes the word constantly, so that no thread falls asleep.
TEST(EventFlag, EndsItsWaitWhateverThePeerDoes) {
    std::atomic<uint32_t> word = 0;
    std::atomic<bool> isDone = false;
    std::thread peer([&] {
        while (!isDone) word.fetch_xor(1u << 31);
    });
    EventFlag* flag = nullptr;
    ASSERT_EQ(EventFlag::createEventFlag(&word, &flag), hidl::NO_ERROR);
    uint32_t state = 0;
    EXPECT_EQ(flag->wait(FMQ_NOT_EMPTY, &state, 20 * kMillisecond), hidl::TIMED_OUT);
    isDone = true;
    peer.join();
    EventFlag::deleteEventFlag(&flag);
}

// ---- elements

FmqRequestDatum inputInformation() {
    FmqRequestDatum datum;
    datum.inputOperandInformation({.hasNoValue = true,
                                   .location = {.poolIndex = 1, .offset = 2, .length = 3},
                                   .numberOfDimensions = 4});
    return datum;
}

TEST(MessageQueue, CarriesEveryKindOfDatum) {
    std::vector<FmqRequestDatum> requests(7);
    requests[0].packetInformation({1, 2, 3, UINT32_MAX});
    requests[1] = inputInformation();
    requests[2].inputOperandDimensionValue(5);
    requests[3].outputOperandInformation({false, {6, 7, 8}, 9});
    requests[4].outputOperandDimensionValue(10);
    requests[5].poolIdentifier(-11);
    requests[6].measureTiming(V1_2::MeasureTiming::YES);
    Ends<FmqRequestDatum> ends(8);
    std::vector<FmqRequestDatum> found(7);
    ASSERT_TRUE(ends.near.write(requests.data(), 7));
    ASSERT_TRUE(ends.far.read(found.data(), 7));
    EXPECT_EQ(found, requests);

    std::vector<FmqResultDatum> results(4);
    results[0].packetInformation({1, V1_0::ErrorStatus::INVALID_ARGUMENT, 2});
    results[1].operandInformation({true, 3});
    results[2].operandDimensionValue(4);
    results[3].executionTiming({5, UINT64_MAX});
    Ends<FmqResultDatum> back(4);
    std::vector<FmqResultDatum> received(4);
    ASSERT_TRUE(back.near.write(results.data(), 4));
    ASSERT_TRUE(back.far.read(received.data(), 4));
    EXPECT_EQ(received, results);
}

// Rule burst.padding.
TEST(MessageQueue, LeavesNothingOfItsMemoryInPadding) {
    Ends<FmqResultDatum> ends(2);
    const size_t size = ends.near.getQuantumSize();
    std::vector<FmqResultDatum> data(2);
    data[0].executionTiming({UINT64_MAX, UINT64_MAX});
    data[1].executionTiming({UINT64_MAX, UINT64_MAX});
    ASSERT_TRUE(ends.near.write(data.data(), 2));
    ASSERT_TRUE(ends.far.read(data.data(), 2));
    data[0].operandInformation({true, 0});
    data[1].operandDimensionValue(0);
    ASSERT_TRUE(ends.near.write(data.data(), 2));
    std::vector<uint8_t> expected(2 * size);
    expected[0] = 1;     // operandInformation
    expected[4] = 1;     // isSufficient
    expected[size] = 2;  // operandDimensionValue
    EXPECT_EQ(std::vector<uint8_t>(ends.raw.elements(), ends.raw.elements() + 2 * size), expected);
}

// Rule burst.hostile_queues.
TEST(MessageQueue, TakesAnyBytesForAnElement) {
    Ends<FmqRequestDatum> ends(1);
    FmqRequestDatum datum = inputInformation();
    for (const uint8_t byte : {0, 1, 2, 255}) {
        ASSERT_TRUE(ends.near.write(&datum));
        ends.raw.elements()[4] = byte;
        ASSERT_TRUE(ends.far.read(&datum));
        EXPECT_EQ(datum.inputOperandInformation().hasNoValue, byte != 0);
    }
    for (const uint8_t tag : {7, 8, 100, 255}) {
        ASSERT_TRUE(ends.near.write(&datum));
        ends.raw.elements()[0] = tag;
        FmqRequestDatum found;
        ASSERT_TRUE(ends.far.read(&found));
        EXPECT_EQ(static_cast<int>(found.getDiscriminator()), 7) << "of no kind";
    }
    datum.measureTiming(V1_2::MeasureTiming{77});
    ASSERT_TRUE(ends.near.write(&datum));
    ASSERT_TRUE(ends.far.read(&datum));
    EXPECT_EQ(static_cast<int>(datum.measureTiming()), 77) << "to be judged by the reader";
}

// ---- counters

struct CountersRow {
    const char* name;
    uint64_t read;
    uint64_t written;
};

// Rule burst.hostile_queues.
TEST(MessageQueue, RefusesCountersThatContradictEachOther) {
    const CountersRow kRows[] = {
            {"OneTooMany", 0, 5},
            {"FarTooMany", 0, UINT64_MAX / 2},
            {"All", 0, UINT64_MAX},
            {"ReadBeforeWritten", 1, 0},
            {"ReadFarBeforeWritten", UINT64_MAX / 2, 0},
            {"AroundTheEnd", UINT64_MAX, 4},
            {"ReadMoved", 1u << 20, 3},
    };
    for (const CountersRow& row : kRows) {
        Ends<uint32_t> ends(4);
        uint32_t values[4] = {1, 2, 3, 4};
        ASSERT_TRUE(ends.near.write(values, 2));
        ends.raw.read() = row.read;
        ends.raw.written() = row.written;
        for (Queue<uint32_t>* end : {&ends.near, &ends.far}) {
            EXPECT_EQ(end->availableToRead(), 0u) << row.name;
            EXPECT_EQ(end->availableToWrite(), 0u) << row.name;
            EXPECT_FALSE(end->read(values, 1)) << row.name;
            EXPECT_FALSE(end->write(values, 1)) << row.name;
            EXPECT_FALSE(end->readBlocking(values, 1)) << row.name << ", without a limit";
            EXPECT_FALSE(end->writeBlocking(values, 1)) << row.name << ", without a limit";
            EXPECT_FALSE(end->isValid()) << row.name;
        }
        ends.raw.read() = 0;
        ends.raw.written() = 2;
        EXPECT_FALSE(ends.far.isValid()) << row.name << ": for good";
        EXPECT_FALSE(ends.far.read(values, 1)) << row.name;
        EXPECT_EQ(ends.near.availableToWrite(), 0u) << row.name;
    }
}

TEST(MessageQueue, SurvivesCountersThatChangeAllTheTime) {
    for (uint64_t round = 0; round < 50; ++round) {  // a queue stays rejected
        Ends<FmqRequestDatum> ends(4);
        std::atomic<bool> isDone = false;
        std::thread peer([&] {
            for (uint64_t i = round; !isDone; i = i * 6364136223846793005u + 1442695040888963407u) {
                ends.raw.read() = i >> 62;
                ends.raw.written() = (i >> 62) + (i >> 60) % 4;
                ends.raw.elements()[i % 80] = static_cast<uint8_t>(i >> 32);
                ends.raw.flag() = static_cast<uint32_t>(i);
            }
        });
        FmqRequestDatum data[4];
        for (size_t i = 0; i < 200; ++i) {
            ends.far.read(data, 1 + i % 4);
            ends.near.write(data, 1 + i % 4);
            ends.far.readBlocking(data, 4, 10'000);
        }
        isDone = true;
        peer.join();
    }
}

TEST(MessageQueue, ReportsConsistentSizesToObservers) {
    Ends<uint32_t> ends(4);
    std::atomic<bool> isDone = false;
    std::thread looker([&] {
        while (!isDone) EXPECT_TRUE(ends.near.isValid() && ends.far.isValid());
    });
    std::thread writer([&] {
        for (uint32_t i = 0; i < 20'000; ++i) {
            EXPECT_TRUE(ends.near.writeBlocking(&i, 1, 10'000 * kMillisecond));
        }
    });
    uint32_t value = 0;
    for (uint32_t i = 0; i < 20'000; ++i) {
        EXPECT_TRUE(ends.far.readBlocking(&value, 1, 10'000 * kMillisecond));
    }
    writer.join();
    isDone = true;
    looker.join();
}

// ---- descriptors

// A descriptor to corrupt: of a queue of 4 uint32_t.
struct Parts {
    hidl_vec<GrantorDescriptor> grantors;
    hidl_handle handle;
    uint32_t quantum;
    uint32_t flags;
    std::vector<UniqueFd> files{};

    explicit Parts(const Queue<uint32_t>& queue)
        : grantors(queue.getDesc()->grantors()),
          handle(queue.getDesc()->handle()),
          quantum(queue.getDesc()->getQuantum()),
          flags(queue.getDesc()->getFlags()) {}
    void setFiles(std::vector<int> fds, std::vector<int> ints = {}) {
        auto* native = hidl::native_handle_create(static_cast<int>(fds.size()),
                                                  static_cast<int>(ints.size()));
        std::copy(ints.begin(), ints.end(),
                  std::copy(fds.begin(), fds.end(), native->data.begin()));
        handle.setTo(native, /*shouldOwn=*/true);
    }
    // Refers to the handle of this object.
    Descriptor<uint32_t> descriptor() const {
        return {grantors, handle.getNativeHandle(), quantum, flags};
    }
};

int memoryOf(size_t size, int seals) {
    const int fd = memfd_create("queue", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    EXPECT_EQ(ftruncate(fd, static_cast<off_t>(size)), 0);
    if (seals != 0) {
        EXPECT_EQ(fcntl(fd, F_ADD_SEALS, seals), 0);
    }
    return fd;
}

struct DescriptorRow {
    const char* name;
    std::function<void(Parts&)> spoil;
    bool isTaken = false;
};

// Rule burst.hostile_queues.
TEST(MessageQueue, RefusesDescriptorsThatAreNone) {
    const size_t kSize = 192 + 16;
    const DescriptorRow kRows[] = {
            {"AsItIs", [](Parts&) {}, true},
            {"NoGrantors", [](Parts& p) { p.grantors = {}; }},
            {"TwoGrantors", [](Parts& p) { p.grantors.resize(2); }},
            {"WithoutEventFlag", [](Parts& p) { p.grantors.resize(3); }, true},
            {"FiveGrantors",
             [](Parts& p) {
                 p.grantors.resize(5);
                 p.grantors[4] = {.offset = 132, .extent = 4};
             }},
            {"CounterTooShort", [](Parts& p) { p.grantors[0].extent = 7; }},
            {"CounterEmpty", [](Parts& p) { p.grantors[1].extent = 0; }},
            {"CounterBetweenWords", [](Parts& p) { p.grantors[1].offset = 12; }},
            {"CountersOverlap", [](Parts& p) { p.grantors[1].offset = 0; }},
            {"CounterInElements", [](Parts& p) { p.grantors[0].offset = 200; }},
            {"ElementsOverCounters", [](Parts& p) { p.grantors[2].offset = 0; }},
            {"FlagInElements", [](Parts& p) { p.grantors[3].offset = 196; }},
            {"FlagBetweenWords", [](Parts& p) { p.grantors[3].offset = 130; }},
            {"FlagTooShort", [](Parts& p) { p.grantors[3].extent = 3; }},
            {"OtherFile", [](Parts& p) { p.grantors[2].fdIndex = 1; }},
            {"NoElements", [](Parts& p) { p.grantors[2].extent = 0; }},
            {"PartOfAnElement", [](Parts& p) { p.grantors[2].extent = 14; }},
            {"ElementsPastTheEnd", [](Parts& p) { p.grantors[2].extent = 1 << 20; }},
            {"ElementsFarPastTheEnd", [](Parts& p) { p.grantors[2].extent = UINT64_MAX - 3; }},
            {"ElementsAroundTheEnd",
             [](Parts& p) { p.grantors[2].extent = UINT64_MAX - 191 + 4 * 40; }},
            {"CounterPastTheEnd", [](Parts& p) { p.grantors[0].offset = UINT32_MAX - 7; }},
            {"FewerElements", [](Parts& p) { p.grantors[2].extent = 8; }, true},
            {"QuantumZero", [](Parts& p) { p.quantum = 0; }},
            {"QuantumOfOthers", [](Parts& p) { p.quantum = 8; }},
            {"OtherFlavor", [](Parts& p) { p.flags = 2; }},
            {"NoHandle", [](Parts& p) { p.handle = {}; }},
            {"NoFile", [](Parts& p) { p.setFiles({}); }},
            {"NoFileButIntegers", [](Parts& p) { p.setFiles({}, {0}); }},
            {"ClosedFile", [](Parts& p) { p.setFiles({9999}); }},
            {"TwoFiles",
             [](Parts& p) {
                 p.setFiles({memoryOf(kSize, F_SEAL_SHRINK), memoryOf(kSize, F_SEAL_SHRINK)});
             }},
            {"AFile", [](Parts& p) { p.setFiles({memoryOf(kSize, F_SEAL_SHRINK)}); }, true},
            {"AFileThatShrinks", [](Parts& p) { p.setFiles({memoryOf(kSize, 0)}); }},
            {"AFileTooShort", [](Parts& p) { p.setFiles({memoryOf(kSize - 1, F_SEAL_SHRINK)}); }},
            {"AFileThatIsReadOnly",
             [](Parts& p) { p.setFiles({memoryOf(kSize, F_SEAL_SHRINK | F_SEAL_WRITE)}); }},
            {"APipe",
             [](Parts& p) {
                 int ends[2];
                 ASSERT_EQ(pipe(ends), 0);
                 close(ends[1]);
                 p.setFiles({ends[0]});
             }},
    };
    for (const DescriptorRow& row : kRows) {
        const Queue<uint32_t> queue(4, /*configureEventFlagWord=*/true);
        Parts parts(queue);
        row.spoil(parts);
        Queue<uint32_t> taken(parts.descriptor());
        EXPECT_EQ(taken.isValid(), row.isTaken) << row.name;
        uint32_t value = 0;
        if (row.isTaken) {
            EXPECT_TRUE(taken.write(&value)) << row.name;
        } else {
            EXPECT_EQ(taken.getDesc(), nullptr) << row.name;
            EXPECT_EQ(taken.getQuantumCount(), 0u) << row.name;
            EXPECT_EQ(taken.availableToRead() + taken.availableToWrite(), 0u) << row.name;
            EXPECT_EQ(taken.getEventFlagWord(), nullptr) << row.name;
            EXPECT_FALSE(taken.write(&value, 0) || taken.read(&value, 0)) << row.name;
            EXPECT_FALSE(taken.writeBlocking(&value, 1) || taken.readBlocking(&value, 1))
                    << row.name;
        }
    }
}

TEST(MessageQueue, ThatCannotBeMadeIsNotValid) {
    EXPECT_FALSE(Queue<uint32_t>(0).isValid());
    EXPECT_FALSE(Queue<uint32_t>(SIZE_MAX).isValid());
    EXPECT_FALSE(Queue<FmqRequestDatum>(SIZE_MAX / 8).isValid());
    EXPECT_EQ(Queue<uint32_t>(0).getDesc(), nullptr);
}

TEST(MessageQueue, OutlivesItsOtherEnd) {
    auto near = std::make_unique<Queue<uint32_t>>(4, true);
    Queue<uint32_t> far(*near->getDesc(), false);
    uint32_t value = 7;
    EXPECT_TRUE(near->write(&value));
    near.reset();
    value = 0;
    EXPECT_TRUE(far.read(&value));
    EXPECT_EQ(value, 7u);
    const Queue<uint32_t> another(*far.getDesc(), false);
    EXPECT_TRUE(another.isValid());
}

}  // namespace
}  // namespace nn::message_queue_test
