// Bursts over message queues: both ends together, and each with a peer that is scripted. Numbers
// are those of the rules on bursts.
#include "nnapi/driver/burst.h"

#include <algorithm>
#include <future>

#include "driver/burst_peers.h"
#include "driver/memory/burst_channel.h"
#include "heap.h"
#include "held_by_process.h"
#include "in_threads.h"

namespace nn::driver_burst_test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using enum ErrorStatus;
using HalStatus = V1_0::ErrorStatus;
using V1_2::utils::deserialize;
using V1_2::utils::serialize;

const SharedPreparedModel& adder() {
    static const SharedPreparedModel model = prepareOn(*referenceDevice(), addition()).value();
    return model;
}

SharedBurst burstOf(const SharedPreparedModel& model, microseconds window = {},
                    WrapOptions options = {}) {
    return V1_2::utils::Burst::create(model, serving(*model->configureExecutionBurst(), window),
                                      window, std::move(options))
            .value();
}

// addition() with its values in pools.
Request pooled(Sum& sum) {
    return convertRequestFromPointerToShared(sum.request()).value().request;
}

// Mappings of it cost no memory, but each takes addresses.
TEST(BurstChannel, RefusesQueuesThatSpanMoreThanABurstNeeds) {
    constexpr uint64_t kLarge = uint64_t{1} << 36;
    const SharedMemory memory = createSharedMemory(2 * kLarge).value();
    const auto opens = [&](uint64_t extentOfCounter) {
        hidl::native_handle_t* native = hidl::native_handle_create(1, 0);
        native->data[0] = duplicate(std::get<Memory::Ashmem>(memory->handle).fd.get()).release();
        hidl::hidl_handle handle;
        handle.setTo(native, /*shouldOwn=*/true);
        const hidl::hidl_vec<hidl::GrantorDescriptor> parts = {
                {.offset = 1024, .extent = extentOfCounter},
                {.offset = 64, .extent = 8},
                {.offset = 192, .extent = 512},
                {.offset = 128, .extent = 4}};
        return driver::BurstChannel<uint64_t>::open({parts, handle, sizeof(uint64_t)}) != nullptr;
    };
    EXPECT_TRUE(opens(8));
    EXPECT_FALSE(opens(kLarge));
}

// ---- packets

V1_0::Request halRequest() {
    return {.inputs = {{.location = {0, 1, 2}, .dimensions = {3, 4}}, {.hasNoValue = true}},
            .outputs = {{.location = {1, 5, 6}, .dimensions = {7}}}};
}
RequestPacket requestPacket() { return serialize(halRequest(), V1_2::MeasureTiming::YES, {8, 9}); }
ResultPacket resultPacket() {
    return serialize(HalStatus::OUTPUT_INSUFFICIENT_SIZE, {{{1, 2}, false}, {{}, true}}, {3, 4});
}

template <class Datum>
std::vector<int> tagsOf(const std::vector<Datum>& packet) {
    std::vector<int> tags;
    for (const Datum& datum : packet) tags.push_back(static_cast<int>(datum.getDiscriminator()));
    return tags;
}

// Rules burst.packets and burst.packet_format.
TEST(BurstPackets, HaveAllInOrder) {
    const RequestPacket request = requestPacket();
    EXPECT_THAT(tagsOf(request), ElementsAre(0, 1, 2, 2, 1, 3, 4, 5, 5, 6));
    const FmqRequestDatum::PacketInformation header{10, 2, 1, 2};
    EXPECT_EQ(request[0].packetInformation(), header);
    EXPECT_EQ(request.size(), 2 + 3 + 3 + 2u) << "2 + arguments + dimensions + pools";
    const auto read = deserialize(request).value();
    EXPECT_EQ(read.request, halRequest());
    EXPECT_THAT(read.slots, ElementsAre(8, 9));
    EXPECT_EQ(read.measure, V1_2::MeasureTiming::YES);

    const ResultPacket result = resultPacket();
    EXPECT_THAT(tagsOf(result), ElementsAre(0, 1, 2, 2, 1, 3));
    const FmqResultDatum::PacketInformation resultHeader{6, HalStatus::OUTPUT_INSUFFICIENT_SIZE, 2};
    EXPECT_EQ(result[0].packetInformation(), resultHeader);
    const auto readBack = deserialize(result).value();
    EXPECT_EQ(readBack.status, HalStatus::OUTPUT_INSUFFICIENT_SIZE);
    EXPECT_EQ(serialize(readBack.status, readBack.outputShapes, readBack.timing), result);

    EXPECT_EQ(serialize(V1_0::Request{}, V1_2::MeasureTiming::NO, {}).size(), 2u);
    EXPECT_EQ(serialize(HalStatus::NONE, {}, kNoTiming).size(), 2u);
}

constexpr FmqRequestDatum::PacketInformation kLargest{10, UINT32_MAX, UINT32_MAX, UINT32_MAX};

// Rules burst.packet_format and burst.untrusted_counts.
TEST(BurstPackets, SayWhereTheyAreIllFormed) {
    const struct {
        const char* name;
        std::function<void(RequestPacket&)> spoil;
        const char* message;
    } kRows[] = {
            {"Empty", [](auto& p) { p.clear(); },
             "the packet ends after 0 data, allowed packetInformation next"},
            {"NoHeader", [](auto& p) { p.erase(p.begin()); },
             "datum 0 of 9 is inputOperandInformation, allowed packetInformation"},
            {"Size", [](auto& p) { p[0].packetInformation().packetSize = 9; },
             "packetSize is 9, allowed 10, the number of data"},
            {"FourBillionInputs",
             [](auto& p) { p[0].packetInformation().numberOfInputOperands = 4'000'000'000; },
             "datum 0 of 10 announces 4000000003 operands and pools, allowed at most 9"},
            {"FourBillionOfAll", [](auto& p) { p[0].packetInformation(kLargest); },
             "datum 0 of 10 announces 12884901885 operands and pools, allowed at most 9"},
            {"FourBillionDimensions",
             [](auto& p) { p[1].inputOperandInformation().numberOfDimensions = 4'000'000'000; },
             "datum 1 of 10 announces 4000000000 dimensions, allowed at most 8"},
            {"AllThatFollowsAreDimensions",
             [](auto& p) { p[1].inputOperandInformation().numberOfDimensions = 8; },
             "datum 4 of 10 is inputOperandInformation, allowed inputOperandDimensionValue"},
            {"OneDimensionMore",
             [](auto& p) { p[5].outputOperandInformation().numberOfDimensions = 2; },
             "datum 7 of 10 is poolIdentifier, allowed outputOperandDimensionValue"},
            {"OneInputMore", [](auto& p) { p[0].packetInformation().numberOfInputOperands = 3; },
             "datum 5 of 10 is outputOperandInformation, allowed inputOperandInformation"},
            {"OnePoolLess", [](auto& p) { p[0].packetInformation().numberOfPools = 1; },
             "datum 8 of 10 is poolIdentifier, allowed measureTiming"},
            {"NoMeasure",
             [](auto& p) {
                 p.pop_back();
                 p[0].packetInformation().packetSize = 9;
             },
             "the packet ends after 9 data, allowed measureTiming next"},
            {"Measure", [](auto& p) { p[9].measureTiming(V1_2::MeasureTiming{2}); },
             "measureTiming is 2, allowed 0 (NO) or 1 (YES)"},
            {"Left",
             [](auto& p) {
                 p.emplace_back();
                 p[0].packetInformation().packetSize = 11;
             },
             "1 data follow measureTiming, allowed none"},
            {"UnknownTag", [](auto& p) { hidl::UnionValue::of(p[3]).template emplace<7>(); },
             "datum 3 of 10 is of no known kind, allowed inputOperandDimensionValue"},
    };
    for (const auto& row : kRows) {
        RequestPacket packet = requestPacket();
        row.spoil(packet);
        Result<V1_2::utils::RequestPacket> read = deserialize(requestPacket());
        EXPECT_LT(heap::peakOf([&] { read = deserialize(packet); }), 16'384u) << row.name;
        ASSERT_FALSE(read.ok()) << row.name;
        EXPECT_EQ(errorStatus(read.status()), INVALID_ARGUMENT) << row.name;
        EXPECT_EQ(std::string(read.status().message()), row.message) << row.name;
    }
}

// Rules burst.packet_format and burst.untrusted_counts.
TEST(BurstPackets, OfResultsSayWhereTheyAreIllFormed) {
    const struct {
        const char* name;
        std::function<void(ResultPacket&)> spoil;
        const char* message;
    } kRows[] = {
            {"Empty", [](auto& p) { p.clear(); },
             "the packet ends after 0 data, allowed packetInformation next"},
            {"Size", [](auto& p) { p[0].packetInformation().packetSize = 0; },
             "packetSize is 0, allowed 6, the number of data"},
            {"FourBillion",
             [](auto& p) { p[0].packetInformation().numberOfOperands = 4'000'000'000; },
             "datum 0 of 6 announces 4000000000 operands, allowed at most 5"},
            {"FourBillionDimensions",
             [](auto& p) { p[1].operandInformation().numberOfDimensions = 4'000'000'000; },
             "datum 1 of 6 announces 4000000000 dimensions, allowed at most 4"},
            {"OneDimensionLess", [](auto& p) { p[1].operandInformation().numberOfDimensions = 1; },
             "datum 3 of 6 is operandDimensionValue, allowed operandInformation"},
            {"Left",
             [](auto& p) {
                 p.emplace_back();
                 p[0].packetInformation().packetSize = 7;
             },
             "1 data follow executionTiming, allowed none"},
    };
    for (const auto& row : kRows) {
        ResultPacket packet = resultPacket();
        row.spoil(packet);
        Result<V1_2::utils::ResultPacket> read = deserialize(resultPacket());
        EXPECT_LT(heap::peakOf([&] { read = deserialize(packet); }), 16'384u) << row.name;
        ASSERT_FALSE(read.ok()) << row.name;
        EXPECT_EQ(std::string(read.status().message()), row.message) << row.name;
    }
}

// One datum of each kind; none is right anywhere.
std::vector<FmqRequestDatum> wrongData(const FmqRequestDatum*) {
    std::vector<FmqRequestDatum> data(7);
    data[0].packetInformation({1234, 5, 6, 7});
    data[1].inputOperandInformation({false, {77, 0, 16}, 1});
    data[2].inputOperandDimensionValue(999);
    data[3].outputOperandInformation({false, {77, 0, 16}, 1});
    data[4].outputOperandDimensionValue(999);
    data[5].poolIdentifier(77);
    data[6].measureTiming(V1_2::MeasureTiming{77});
    return data;
}
std::vector<FmqResultDatum> wrongData(const FmqResultDatum*) {
    std::vector<FmqResultDatum> data(7);
    data[0].packetInformation({1234, HalStatus::NONE, 5});
    data[1].operandInformation({false, 1});
    data[2].operandInformation({true, 5});
    data[3].operandDimensionValue(999);
    data[4].executionTiming({7, 6});  // more on the device than in the driver
    data[5].packetInformation({6, HalStatus{77}, 2});
    hidl::UnionValue::of(data[6]).emplace<4>();
    return data;
}

// Every way to spoil a packet by one datum, each with the size that the header has and with the one
// that it should have.
template <class Datum>
std::vector<std::vector<Datum>> spoilt(const std::vector<Datum>& good) {
    std::vector<std::vector<Datum>> all;
    const auto keep = [&](std::vector<Datum> packet) {
        if (packet == good || packet.empty()) return;
        all.push_back(packet);
        if (packet[0].getDiscriminator() == Datum::hidl_discriminator::packetInformation &&
            packet.size() != good.size()) {
            packet[0].packetInformation().packetSize = static_cast<uint32_t>(packet.size());
            all.push_back(packet);
        }
    };
    const auto wrong = wrongData(static_cast<const Datum*>(nullptr));
    for (size_t i = 0; i <= good.size(); ++i) {
        const auto at = static_cast<ptrdiff_t>(i);
        for (const Datum& datum : wrong) {
            auto added = good;
            added.insert(added.begin() + at, datum);
            keep(added);
            if (i == good.size()) continue;
            auto changed = good;
            changed[i] = datum;
            keep(changed);
        }
        if (i == good.size()) continue;
        auto removed = good;
        removed.erase(removed.begin() + at);
        keep(removed);
    }
    return all;
}

// ---- both ends together

// Rules burst.queues and burst.polling.
TEST(Burst, ExecutesWithAnyPollingWindow) {
    for (const microseconds window : {microseconds(0), microseconds(-5), microseconds(200)}) {
        const SharedBurst burst = burstOf(adder(), window);
        Sum sum;
        ASSERT_TRUE(executeOn(*burst, sum.request()).has_value());
        EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    }
}

// Arguments of any size in the caller's memory, together with others in pools.
TEST(Burst, CarriesArgumentsOfTheCaller) {
    for (const uint32_t size : {1u, 4u, 1000u, 300'000u, 2u, 5000u}) {
        const SharedPreparedModel model = prepareOn(*referenceDevice(), addition(size)).value();
        const SharedBurst burst = burstOf(model);
        Sum sum{std::vector<float>(size, 1), std::vector<float>(size, 2), std::vector<float>(size)};
        Request request = sum.request();
        const SharedMemory pool = createSharedMemory(size * 4 + 64).value();
        request.inputs[1] = {.location = {.poolIndex = 0, .offset = 64, .length = size * 4}};
        request.pools = {pool};
        std::memcpy(map(pool)->mutableData() + 64, sum.y.data(), size * 4);
        for (float x = 1; x < 4; ++x) {
            sum.x.assign(size, x);
            const auto executed = executeOn(*burst, request);
            ASSERT_TRUE(executed.has_value()) << executed.error().message;
            EXPECT_THAT(sum.z, Each(x + 2));
        }
    }
}

// Rules server.reconnection and burst.dead_client.
TEST(Burst, LeavesNothingBehind) {
    Sum sum;
    burstOf(adder());  // the first one makes it permanently
    const size_t threads = held::stayingThreads(), files = held::descriptors();
    for (int i = 0; i < 10'000; ++i) {
        const SharedBurst burst = burstOf(adder());
        if (i % 16 != 0) continue;
        ASSERT_TRUE(executeOn(*burst, sum.request()).has_value());
    }
    EXPECT_LE(held::settled(held::threads, threads), threads);
    EXPECT_EQ(held::descriptors(), files);
}

TEST(Burst, AllocatesNothingToExecuteAgain) {
    ScriptedBurst scripted([](const auto&) { return success(); });
    Sum sum;
    const Request request = sum.request();
    const auto reusable = scripted.reusable(request);
    const auto allocationsOf = [](auto&& f) {
        f();
        const size_t before = heap::allocations;
        f();
        return heap::allocations - before;
    };
    EXPECT_EQ(allocationsOf([&] { EXPECT_TRUE(scripted.execute(request).has_value()); }), 0u);
    EXPECT_EQ(allocationsOf([&] { EXPECT_TRUE(reusable->compute({}).has_value()); }), 0u);
}

// ---- the client's end

// Rules burst.queues, burst.packets and burst.client_slots.
TEST(BurstClient, SendsWholePackets) {
    RequestPacket sent;
    ScriptedBurst scripted([&](const RequestPacket& packet) {
        sent = packet;
        return success();
    });
    EXPECT_EQ(scripted.server->requests->getQuantumCount(), 1024u);
    EXPECT_EQ(scripted.server->results->getQuantumCount(), 1024u);
    EXPECT_NE(scripted.server->requests->getEventFlagWord(), nullptr);
    EXPECT_NE(scripted.server->results->getEventFlagWord(), nullptr);

    const SharedMemory pool = createSharedMemory(64).value();
    float x = 3, z = 0;
    const Request request = {
            .inputs = {{.location = {.poolIndex = 0, .offset = 4, .length = 8}, .dimensions = {2}},
                       {.lifetime = Request::Argument::LifeTime::NO_VALUE},
                       pointerTo(&x, 4, {1}),
                       pointerTo(&x, 2)},
            .outputs = {pointerTo(&z, 4)},
            .pools = {pool},
    };
    ASSERT_TRUE(scripted.execute(request, MeasureTiming::YES).has_value());
    const V1_0::Request expected = {
            .inputs = {{.location = {0, 4, 8}, .dimensions = {2}},
                       {.hasNoValue = true},
                       {.location = {1, 0, 4}, .dimensions = {1}},
                       {.location = {1, 64, 2}}},
            .outputs = {{.location = {2, 0, 4}}},
    };
    const auto read = deserialize(sent).value();
    EXPECT_EQ(read.request, expected) << "inputs, then outputs, each at a multiple of 64";
    EXPECT_THAT(read.slots, SizeIs(3));
    EXPECT_EQ(read.measure, V1_2::MeasureTiming::YES);
}

// Rules burst.wrong_datum and burst.hostile_queues.
TEST(BurstClient, RejectsIllFormedRepliesAndGoesOn) {
    std::atomic<size_t> next = 0;
    const ResultPacket good = success({{{4}, true}, {{2, 2}, true}}, {5, 6});
    const std::vector<ResultPacket> bad = spoilt(good);
    ASSERT_GT(bad.size(), 100u);
    ScriptedBurst scripted([&](const RequestPacket&) {
        const size_t i = next++;
        return i % 2 == 0 ? bad[i / 2] : good;
    });
    Sum sum;
    Request request = sum.request();
    std::vector<float> second(4);
    request.outputs.push_back(pointerTo(second, {2, 2}));
    request.outputs[0].dimensions = {4};
    for (size_t i = 0; i < bad.size(); ++i) {
        const auto refused = scripted.execute(request, MeasureTiming::YES);
        ASSERT_FALSE(refused.has_value()) << i;
        EXPECT_EQ(refused.error().code, GENERAL_FAILURE) << i << refused.error().message;
        EXPECT_THAT(refused.error().outputShapes, IsEmpty()) << i;
        const auto executed = scripted.execute(request, MeasureTiming::YES);
        ASSERT_TRUE(executed.has_value()) << i << executed.error().message;
        EXPECT_THAT(executed->first, SizeIs(2));
    }
}

// Rule burst.large_request.
TEST(BurstClient, SendsWhatIsTooLargeTheOrdinaryWay) {
    ScriptedBurst scripted([](const auto&) { return success(); });
    Request request;
    request.inputs.resize(1022, {.lifetime = Request::Argument::LifeTime::NO_VALUE});
    EXPECT_TRUE(scripted.execute(request).has_value());
    EXPECT_EQ(scripted.ordinary->executions, 0) << "1024 data fit";
    request.inputs.push_back(request.inputs[0]);
    EXPECT_TRUE(scripted.execute(request).has_value());
    EXPECT_EQ(scripted.ordinary->executions, 1);
    EXPECT_EQ(scripted.server->requests->availableToRead(), 0u);

    const auto reusable = scripted.reusable(request);
    EXPECT_EQ(reusable->compute({}).error().code, GENERAL_FAILURE);
    EXPECT_EQ(reusable->compute({}).error().message,
              "the request is 1025 data, allowed 1024 in a burst");
    EXPECT_EQ(scripted.ordinary->executions, 1);
}

// Rule burst.uncarried_request.
TEST(BurstClient, SendsWhatIsNewerTheOrdinaryWay) {
    ScriptedBurst scripted([](const auto&) { return success(); });
    Request request;
    request.pools = {Request::MemoryDomainToken{1}};
    EXPECT_TRUE(scripted.execute(request).has_value());
    EXPECT_EQ(scripted.ordinary->executions, 1);
    const auto reusable = scripted.reusable(request);
    EXPECT_TRUE(reusable->compute({}).has_value());
    EXPECT_EQ(scripted.ordinary->executions, 2);
    EXPECT_EQ(reusable->computeFenced({}, {}, {}).error().code, GENERAL_FAILURE);
    EXPECT_EQ(scripted.execute(request, MeasureTiming{7}).error().code, INVALID_ARGUMENT);
}

// Rule burst.uncarried_arguments.
TEST(BurstClient, TellsWhatItCannotCarry) {
    std::vector<std::string> told;
    ScriptedBurst scripted([](const auto&) { return success(); },
                           {.onLoss = [&](std::string_view call, const Losses& losses) {
                               for (const Loss& loss : losses) {
                                   told.push_back(std::string(call) + ": " + loss.path);
                               }
                           }});
    Sum sum;
    const Request request = sum.request();
    EXPECT_TRUE(scripted.execute(request).has_value());
    EXPECT_THAT(told, IsEmpty());

    Request padded = pooled(sum);
    padded.inputs[0].location.padding = 1;
    EXPECT_TRUE(scripted.burst
                        ->execute(padded, MeasureTiming::NO, Clock::now() + std::chrono::minutes(1),
                                  Duration(5), {{1, {}}}, {{.name = "a.b", .prefix = 1}})
                        .has_value());
    EXPECT_THAT(std::exchange(told, {}),
                ElementsAre("IBurst::execute: inputs[0].location.padding",
                            "IBurst::execute: deadline", "IBurst::execute: loopTimeoutDuration",
                            "IBurst::execute: hints", "IBurst::execute: extensionNameToPrefix"));
    const auto reusable = *scripted.burst->createReusableExecution(request, MeasureTiming::NO,
                                                                   Duration(5), {}, {});
    EXPECT_THAT(std::exchange(told, {}), ElementsAre("IBurst::execute: loopTimeoutDuration"));
    EXPECT_TRUE(reusable->compute(Clock::now() + std::chrono::minutes(1)).has_value());
    EXPECT_THAT(told, ElementsAre("IBurst::execute: deadline"));
}

// Rules wrapper.silent_driver, wrapper.local_deadline and burst.uncarried_arguments.
TEST(BurstClient, WaitsNoLongerThanAllowed) {
    std::atomic<bool> isSilent = true;
    RequestPacket last;
    ScriptedBurst scripted(
            [&](const RequestPacket&) {
                return isSilent ? std::nullopt : std::optional(success());
            },
            {.ceiling = kSoon});
    Sum sum;
    const Request request = sum.request();
    const auto past = scripted.execute(request, MeasureTiming::NO, Clock::now());
    EXPECT_EQ(past.error().code, MISSED_DEADLINE_PERSISTENT);
    EXPECT_EQ(scripted.server->requests->availableToRead(), 0u);

    const auto missed = scripted.execute(request, MeasureTiming::NO, soon());
    EXPECT_EQ(missed.error().code, MISSED_DEADLINE_TRANSIENT);
    EXPECT_EQ(missed.error().message, "the driver has not replied before the deadline");
    // The next one waits for that result first.
    const auto ceiling = scripted.execute(request);
    EXPECT_EQ(ceiling.error().code, GENERAL_FAILURE);
    EXPECT_EQ(ceiling.error().message, "the driver has not replied in 100 ms");
    EXPECT_EQ(scripted.reusable(request)->compute(soon()).error().code, MISSED_DEADLINE_TRANSIENT);

    isSilent = false;
    sum.z = {7, 7, 7, 7};
    scripted.server->send(failure(HalStatus::INVALID_ARGUMENT));
    const auto executed = scripted.execute(request);
    EXPECT_TRUE(executed.has_value())
            << "not the reply to the previous request: " << executed.error().message;
}

// A memory that a late execution may still use keeps its slot until the driver has replied.
TEST(BurstClient, KeepsMemoriesOfWhatItGaveUp) {
    std::atomic<bool> isSilent = true;
    ScriptedBurst scripted([&](const RequestPacket&) {
        return isSilent ? std::nullopt : std::optional(success());
    });
    Sum sum;
    const Request request = pooled(sum);
    EXPECT_EQ(codeOf(scripted.execute(request, MeasureTiming::NO, soon())),
              MISSED_DEADLINE_TRANSIENT);
    EXPECT_THAT(scripted.server->takeFreed(), IsEmpty());
    EXPECT_EQ(scripted.server->ask({0, 1}).first, HalStatus::NONE);
    isSilent = false;
    scripted.server->send(success());
    const Request none;
    EXPECT_TRUE(scripted.execute(none).has_value());
    EXPECT_THAT(scripted.server->takeFreed(), SizeIs(2));
}

TEST(BurstClient, DropsWhatNobodyAskedFor) {
    ScriptedBurst scripted([](const auto&) { return success(); });
    scripted.server->send(failure(HalStatus::INVALID_ARGUMENT));
    EXPECT_TRUE(scripted.execute({}).has_value());
}

// Rules wrapper.failed_outputs and burst.released_slot.
TEST(BurstClient, CopiesBackAfterSuccessAlone) {
    std::atomic<HalStatus> status = HalStatus::NONE;
    sp<ScriptedServer> server;
    ScriptedBurst scripted([&](const RequestPacket& packet) {
        const auto read = deserialize(packet).value();
        const auto [ok, memories] = server->ask(read.slots);
        const auto memory = nn::convert(memories.back()).value();
        map(memory)->mutableData()[3] = 0x41;  // 8.0f
        return serialize(status, {}, kNoTiming);
    });
    server = scripted.server;
    Sum sum;
    const auto reusable = scripted.reusable(sum.request());
    for (const HalStatus failed : {HalStatus::GENERAL_FAILURE, HalStatus::INVALID_ARGUMENT,
                                   HalStatus::OUTPUT_INSUFFICIENT_SIZE}) {
        status = failed;
        EXPECT_FALSE(scripted.execute(sum.request()).has_value());
        EXPECT_FALSE(reusable->compute({}).has_value());
        EXPECT_THAT(sum.z, ElementsAre(0, 0, 0, 0));
    }
    status = HalStatus::NONE;
    EXPECT_TRUE(scripted.execute(sum.request()).has_value());
    EXPECT_EQ(std::exchange(sum.z[0], 0), 8);
    EXPECT_TRUE(reusable->compute({}).has_value());
    EXPECT_EQ(sum.z[0], 8);
    handOver();
    server = nullptr;
}

// ---- slots

// Rules burst.client_slots and burst.released_slot.
TEST(BurstClient, GivesEachMemoryASlotWhileItIsHeld) {
    std::vector<std::vector<int32_t>> sent;
    ScriptedBurst scripted([&](const RequestPacket& packet) {
        sent.push_back(deserialize(packet)->slots);
        return success();
    });
    const auto memory = [] { return createSharedMemory(8).value(); };
    const SharedMemory a = memory(), b = memory(), c = memory(), d = memory();
    const auto send = [&](std::vector<Request::MemoryPool> pools) {
        const auto executed = scripted.execute({.pools = std::move(pools)});
        EXPECT_TRUE(executed.has_value()) << executed.error().message;
        return sent.back();
    };
    auto holdA = scripted.burst->cacheMemory(a);
    const auto again = scripted.burst->cacheMemory(a);
    EXPECT_EQ(holdA, again) << "one entry for one memory";
    auto holdB = scripted.burst->cacheMemory(b);
    EXPECT_THAT(send({b, a, b}), ElementsAre(1, 0, 1));
    EXPECT_THAT(send({c, d}), ElementsAre(2, 3));
    EXPECT_THAT(scripted.server->takeFreed(), ElementsAre(2, 3));
    EXPECT_THAT(send({d, c}), ElementsAre(3, 2)) << "the last freed is the first reused";
    scripted.server->takeFreed();
    holdB.reset();
    EXPECT_THAT(scripted.server->takeFreed(), ElementsAre(1));
    holdA.reset();
    EXPECT_THAT(scripted.server->takeFreed(), IsEmpty()) << "held twice";
    EXPECT_THAT(send({c, a}), ElementsAre(1, 0));
    // The same file, but another object.
    EXPECT_THAT(
            send({std::make_shared<const Memory>(Memory{Memory::Ashmem{
                    .fd = duplicate(std::get<Memory::Ashmem>(a->handle).fd.get()), .size = 8}})}),
            ElementsAre(1));
    EXPECT_EQ(scripted.burst->cacheMemory(nullptr), nullptr);
    // A hold that outlives the burst does nothing.
    scripted.burst = nullptr;
    scripted.server->takeFreed();
}

// Rule burst.released_slot: a slot that the driver may not know to be free is not taken again.
TEST(BurstClient, RetiresASlotThatItCouldNotFree) {
    std::vector<int32_t> sent;
    ScriptedBurst scripted([&](const RequestPacket& packet) {
        sent = deserialize(packet)->slots;
        return success();
    });
    const auto execute = [&] {
        return scripted.execute({.pools = {createSharedMemory(8).value()}}).has_value();
    };
    EXPECT_TRUE(execute());
    EXPECT_THAT(sent, ElementsAre(0));
    scripted.server->freeFailure = kBroken;
    EXPECT_TRUE(execute());
    EXPECT_THAT(sent, ElementsAre(0));
    scripted.server->freeFailure = {};
    EXPECT_TRUE(execute());
    EXPECT_THAT(sent, ElementsAre(1));
}

// Rule burst.client_slots.
TEST(BurstClient, EntersAMemoryAnewWhileItIsFreed) {
    ScriptedBurst scripted([](const auto&) { return success(); });
    const SharedMemory memory = createSharedMemory(8).value();
    std::promise<void> isFreeing, mayFree;
    scripted.server->onFree = [&](int32_t slot) {
        if (slot != 0) return;
        isFreeing.set_value();
        mayFree.get_future().wait();
    };
    auto hold = scripted.burst->cacheMemory(memory);
    std::thread freeing([&] { hold.reset(); });
    isFreeing.get_future().wait();
    auto anew = scripted.burst->cacheMemory(memory);
    EXPECT_EQ(scripted.server->ask({1}).first, HalStatus::NONE);
    EXPECT_EQ(scripted.server->ask({0}).first, HalStatus::INVALID_ARGUMENT);
    mayFree.set_value();
    freeing.join();
    EXPECT_EQ(scripted.burst->cacheMemory(memory), anew);
    EXPECT_EQ(scripted.server->ask({1}).first, HalStatus::NONE);
    scripted.server->takeFreed();
    anew.reset();
    EXPECT_THAT(scripted.server->takeFreed(), ElementsAre(1));
}

TEST(BurstClient, CachesFromManyThreads) {
    ScriptedBurst scripted([](const auto&) { return success(); });
    const SharedMemory shared = createSharedMemory(8).value();
    inThreads(8, [&](int) {
        for (int k = 0; k < 200; ++k) {
            const auto first = scripted.burst->cacheMemory(shared);
            const auto second = scripted.burst->cacheMemory(createSharedMemory(8).value());
            EXPECT_TRUE(first && second);
        }
    });
    EXPECT_EQ(scripted.server->ask({0}).first, HalStatus::INVALID_ARGUMENT) << "all are free";
}

// Rule burst.get_memories.
TEST(BurstClient, ProvidesItsMemories) {
    ScriptedBurst scripted([](const auto&) { return success(); });
    const SharedMemory memory = createSharedMemory(8).value();
    const auto hold = scripted.burst->cacheMemory(memory);
    const auto [status, memories] = scripted.server->ask({0, 0});
    EXPECT_EQ(status, HalStatus::NONE);
    ASSERT_THAT(memories, SizeIs(2));
    EXPECT_TRUE(nn::convert(memories[1]).value() == memory);
    EXPECT_THAT(scripted.server->ask({}).second, SizeIs(0));
    for (const hidl_vec<int32_t>& slots :
         {hidl_vec<int32_t>{1}, {0, 1}, {-1}, {INT32_MIN}, {INT32_MAX}}) {
        const auto [refused, none] = scripted.server->ask(slots);
        EXPECT_EQ(refused, HalStatus::INVALID_ARGUMENT);
        EXPECT_THAT(none, SizeIs(0));
    }
    const auto many = scripted.server->ask(std::vector<int32_t>(1'000'000, 0));
    EXPECT_EQ(many.first, HalStatus::INVALID_ARGUMENT) << "each would need a file descriptor";

    scripted.burst = nullptr;
    const auto [gone, none] = scripted.server->ask({0});
    EXPECT_EQ(gone, HalStatus::GENERAL_FAILURE);
    EXPECT_THAT(none, SizeIs(0));
}

// ---- death and hostility

// Rule burst.second_execution.
TEST(BurstClient, RefusesASecondExecutionAtOnce) {
    std::promise<void> isExecuting, mayEnd;
    ScriptedBurst scripted([&](const RequestPacket&) {
        isExecuting.set_value();
        mayEnd.get_future().wait();
        return success();
    });
    Sum sum;
    const auto reusable = scripted.reusable(sum.request());
    std::thread first([&] { EXPECT_TRUE(scripted.execute({}).has_value()); });
    isExecuting.get_future().wait();
    const auto second = scripted.execute({});
    EXPECT_EQ(second.error().code, GENERAL_FAILURE);
    EXPECT_EQ(second.error().message, "the burst executes already, allowed one at a time");
    EXPECT_EQ(reusable->compute({}).error().code, GENERAL_FAILURE);
    EXPECT_NE(scripted.reusable(sum.request()), nullptr) << "which is no execution yet";
    mayEnd.set_value();
    first.join();
}

// Rules death.server and burst.dead_server.
TEST(BurstClient, LearnsOfTheDeathOfTheDriver) {
    for (const bool isContext : {true, false}) {
        for (const microseconds window : {microseconds(0), microseconds(10'000'000)}) {
            std::promise<void> isExecuting;
            ScriptedBurst scripted(
                    [&](const RequestPacket&) {
                        isExecuting.set_value();
                        return std::nullopt;
                    },
                    {}, window);
            Sum sum;
            const auto reusable = scripted.reusable(sum.request());
            std::thread dying([&] {
                isExecuting.get_future().wait();
                isContext ? scripted.server->die() : scripted.driver->die();
            });
            const auto start = std::chrono::steady_clock::now();
            const auto blocked = scripted.execute(sum.request());
            EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
            dying.join();
            EXPECT_EQ(blocked.error().code, DEAD_OBJECT);
            EXPECT_EQ(blocked.error().message, "the driver of the burst is dead");
            EXPECT_EQ(scripted.execute(sum.request()).error().code, DEAD_OBJECT);
            EXPECT_EQ(reusable->compute({}).error().code, DEAD_OBJECT);
            EXPECT_EQ(reusableOn(*scripted.burst, sum.request()).error().code, DEAD_OBJECT);
            EXPECT_EQ(scripted.ordinary->executions, 0);
        }
    }
}

// Rule burst.hostile_queues.
TEST(BurstClient, RefusesQueuesThatTheDriverSpoils) {
    for (const int which : {0, 1, 2}) {
        sp<ScriptedServer> server;
        const auto spoil = [](const auto& queue) {
            auto* const word = reinterpret_cast<uint8_t*>(queue.getEventFlagWord());
            // Our queues keep the counter of written elements there.
            reinterpret_cast<std::atomic<uint64_t>*>(word - 64)->store(UINT64_MAX / 2);
        };
        ScriptedBurst scripted([&](const RequestPacket&) -> std::optional<ResultPacket> {
            if (which == 0) spoil(*server->results);
            if (which == 1) spoil(*server->requests);
            return which == 0 ? std::nullopt : std::optional(success());
        });
        server = scripted.server;
        if (which == 2) spoil(*server->requests);
        const auto first = scripted.execute({});
        if (which == 1) {
            EXPECT_TRUE(first.has_value());
        } else {
            EXPECT_EQ(first.error().code, GENERAL_FAILURE);
        }
        for (int i = 0; i < 2; ++i) {
            const auto later = scripted.execute({});
            EXPECT_EQ(later.error().code, GENERAL_FAILURE);
            EXPECT_EQ(later.error().message, "the driver has spoilt the queues of the burst");
        }
        EXPECT_EQ(scripted.ordinary->executions, 0);
        server = nullptr;
    }
}

// Rules wrapper.link_to_death, callback.synchronous and burst.configuration.
TEST(BurstClient, IsCreatedFromTheDriversResult) {
    const auto kNoLink = [](hidl::Status failure) {
        return [=](const sp<V1_2::IBurstContext>& context, const auto& cb) {
            static_cast<ScriptedServer*>(context.get())->linkResult = false;
            static_cast<ScriptedServer*>(context.get())->replies["linkToDeath"].transport = failure;
            cb(HalStatus::NONE, context);
            return Void();
        };
    };
    const auto kGives = [](HalStatus status, bool hasContext) {
        return [=](const sp<V1_2::IBurstContext>& context, const auto& cb) {
            cb(status, hasContext ? context : nullptr);
            return Void();
        };
    };
    const struct {
        const char* name;
        std::function<Return<void>(const sp<V1_2::IBurstContext>&,
                                   const V1_2::IPreparedModel::configureExecutionBurst_cb&)>
                configure;
        ErrorStatus code;
    } kRows[] = {
            {"Context", kGives(HalStatus::NONE, true), NONE},
            {"TheFirstResultCounts",
             [](const auto& context, const auto& cb) {
                 cb(HalStatus::NONE, context);
                 cb(HalStatus::INVALID_ARGUMENT, nullptr);
                 return Void();
             },
             NONE},
            {"Status", kGives(HalStatus::INVALID_ARGUMENT, false), INVALID_ARGUMENT},
            {"StatusWithAContext", kGives(HalStatus::DEVICE_UNAVAILABLE, true), DEVICE_UNAVAILABLE},
            {"UnknownStatus", kGives(HalStatus{9}, false), GENERAL_FAILURE},
            {"NullContext", kGives(HalStatus::NONE, false), GENERAL_FAILURE},
            {"NoResult", [](const auto&, const auto&) { return Void(); }, GENERAL_FAILURE},
            {"Transport", [](const auto&, const auto&) { return Return<void>(kBroken); },
             GENERAL_FAILURE},
            {"Dead", [](const auto&, const auto&) { return Return<void>(kDead); }, DEAD_OBJECT},
            {"NoLink", kNoLink({}), GENERAL_FAILURE},
            {"LinkFails", kNoLink(kBroken), GENERAL_FAILURE},
            {"LinkIsDead", kNoLink(kDead), DEAD_OBJECT},
    };
    const auto model = std::make_shared<const OrdinaryModel>();
    for (const auto& row : kRows) {
        const auto server = sp<ScriptedServer>::make([](const auto&) { return success(); });
        const auto driver =
                sp<Driver>::make([&](const auto&, const auto&, const auto&, const auto& cb) {
                    return row.configure(server, cb);
                });
        auto burst = V1_2::utils::Burst::create(model, driver, {});
        EXPECT_EQ(burst.error().code, row.code) << row.name << ": " << burst.error().message;
        EXPECT_EQ(burst.has_value(), row.code == NONE) << row.name;
        EXPECT_EQ(driver->links(), burst.has_value() ? 1u : 0u) << row.name;
        burst = error();
        EXPECT_EQ(driver->links() + server->links(), 0u) << row.name << ": unlinked";
        EXPECT_EQ(server->getStrongCount(), 1) << row.name;
        EXPECT_EQ(driver->getStrongCount(), 1) << row.name;
    }
    EXPECT_EQ(codeOf(V1_2::utils::Burst::create(nullptr, serving(succeeding()), {})),
              GENERAL_FAILURE);
    EXPECT_EQ(V1_2::utils::Burst::create(model, nullptr, {}).error().code, GENERAL_FAILURE);
    const auto unlinked = serving(succeeding());
    unlinked->replies["linkToDeath"].transport = kDead;
    EXPECT_EQ(V1_2::utils::Burst::create(model, unlinked, {}).error().code, DEAD_OBJECT);
}

// ---- the driver's end

// A burst that keeps the pools of its last request.
std::shared_ptr<const TestBurst> keeping(std::vector<Request::MemoryPool>& pools) {
    return std::make_shared<const TestBurst>([&](const Request& request, auto) {
        pools = request.pools;
        return Executed{};
    });
}

// Rule burst.wrong_datum: remove, add, change any datum.
TEST(BurstServer, RefusesIllFormedRequestsAndGoesOn) {
    ScriptedClient client(*adder()->configureExecutionBurst());
    client.addMemory(96);
    client.addMemory(16);
    const V1_0::Request request = {
            .inputs = {{.location = {0, 0, 16}, .dimensions = {4}},
                       {.location = {0, 64, 16}, .dimensions = {4}}},
            .outputs = {{.location = {1, 0, 16}, .dimensions = {4}}},
    };
    const RequestPacket good = serialize(request, V1_2::MeasureTiming::NO, {0, 1});
    const std::vector<RequestPacket> bad = spoilt(good);
    EXPECT_GT(bad.size(), 200u);
    ASSERT_EQ(statusOf(client.ask(good)), HalStatus::NONE);
    for (size_t i = 0; i < bad.size(); ++i) {
        const auto reply = client.ask(bad[i]);
        ASSERT_TRUE(reply.has_value()) << i;
        const auto read = deserialize(*reply).value();
        EXPECT_NE(read.status, HalStatus::NONE) << i;
        EXPECT_THAT(read.outputShapes, SizeIs(0)) << i;
        EXPECT_EQ(read.timing, kNoTiming) << i;
        ASSERT_EQ(statusOf(client.ask(good)), HalStatus::NONE) << i;
    }
}

// Rules adapter.synchronous_execution and burst.large_result: more dimensions than the queue can
// hold.
TEST(BurstServer, RepliesWithWhatFitsIntoTheQueue) {
    std::atomic<size_t> rank = 0;
    const auto burst = std::make_shared<const TestBurst>([&](const Request&, MeasureTiming) {
        return Executed{{{std::vector<uint32_t>(rank, 1), true}},
                        {.timeOnDevice = Duration(1000), .timeInDriver = Duration(2000)}};
    });
    ScriptedClient client(burst);
    const V1_0::Request request{.outputs = {{.hasNoValue = true}}};
    const auto ask = [&](size_t dimensions) {
        rank = dimensions;
        const auto found = client.ask(serialize(request, V1_2::MeasureTiming::YES, {}));
        return deserialize(found.value()).value();
    };
    EXPECT_EQ(ask(1021).status, HalStatus::NONE);
    const auto large = ask(1022);
    EXPECT_EQ(large.status, HalStatus::GENERAL_FAILURE);
    EXPECT_THAT(large.outputShapes, SizeIs(0));
    EXPECT_EQ(large.timing, kNoTiming);
}

// Shapes are for outputs that are too small.
TEST(BurstServer, TellsNoShapesOfOtherFailures) {
    ErrorStatus code{};
    const auto burst = std::make_shared<const TestBurst>(
            [&](const Request&, MeasureTiming) -> ExecutionResult<Executed> {
                return ExecutionError{"no", code, {{{9}, false}}};
            });
    ScriptedClient client(burst);
    const V1_0::Request request{.outputs = {{.hasNoValue = true}}};
    for (const auto& [failed, shapes] :
         {std::pair(INVALID_ARGUMENT, 0u), std::pair(OUTPUT_INSUFFICIENT_SIZE, 1u)}) {
        code = failed;
        const auto reply = client.ask(serialize(request, V1_2::MeasureTiming::NO, {}));
        EXPECT_THAT(deserialize(reply.value()).value().outputShapes, SizeIs(shapes));
    }
}

TEST(BurstServer, SurvivesABurstThatThrows) {
    const auto burst = std::make_shared<const TestBurst>(
            [](const Request&, MeasureTiming) -> ExecutionResult<Executed> {
                throw std::runtime_error("a bug of the driver");
            });
    ScriptedClient client(burst);
    EXPECT_EQ(statusOf(client.ask(requestFor({}))), HalStatus::GENERAL_FAILURE);
    EXPECT_EQ(statusOf(client.ask(requestFor({}))), HalStatus::GENERAL_FAILURE);
}

// Rules burst.unknown_slots and burst.server_cache.
TEST(BurstServer, AsksForEachSlotOnce) {
    std::vector<Request::MemoryPool> given;
    const auto burst = keeping(given);
    ScriptedClient client(burst);
    for (int i = 0; i < 3; ++i) client.addMemory(8);
    const auto memory = [&](size_t i) {
        return Request::MemoryPool(nn::convert(client.memories[i]).value());
    };
    EXPECT_EQ(statusOf(client.ask(requestFor({2, 0, 2, 0}))), HalStatus::NONE);
    EXPECT_THAT(client.callback->takeAsked(), ElementsAre(ElementsAre(2, 0)));
    EXPECT_EQ(given, (std::vector{memory(2), memory(0), memory(2), memory(0)}));
    EXPECT_EQ(statusOf(client.ask(requestFor({0, 1, 2}))), HalStatus::NONE);
    EXPECT_THAT(client.callback->takeAsked(), ElementsAre(ElementsAre(1)));
    EXPECT_EQ(given, (std::vector{memory(0), memory(1), memory(2)}));
    EXPECT_EQ(statusOf(client.ask(requestFor({0, 1, 2}))), HalStatus::NONE);
    EXPECT_THAT(client.callback->takeAsked(), IsEmpty());
    EXPECT_EQ(burst->holds, 3);

    for (const int32_t slot : {1, 1, 99, -1}) EXPECT_TRUE(client.context->freeMemory(slot).isOk());
    EXPECT_EQ(burst->holds, 2);
    client.memories[1] = client.memories[0];
    EXPECT_EQ(statusOf(client.ask(requestFor({1}))), HalStatus::NONE);
    EXPECT_THAT(client.callback->takeAsked(), ElementsAre(ElementsAre(1)));
    EXPECT_EQ(given, (std::vector{memory(0)})) << "the slot means another memory now";
    given.clear();
    client.context = nullptr;
    EXPECT_EQ(burst->holds, 0);
    EXPECT_EQ(burst.use_count(), 1);
}

// Rule burst.server_cache: a client may name any number of slots. Memories beyond the bound are
// requested each time, and kept once a slot is free.
TEST(BurstServer, KeepsABoundedNumberOfMemories) {
    constexpr int32_t kMaxSlots = 256;
    constexpr int32_t kNamed = 300;
    std::vector<Request::MemoryPool> given;
    const auto burst = keeping(given);
    ScriptedClient client(burst);
    for (int32_t i = 0; i < kNamed; ++i) client.addMemory(8);
    const auto memory = [&](int32_t i) {
        return Request::MemoryPool(nn::convert(client.memories[static_cast<size_t>(i)]).value());
    };
    for (int32_t i = 0; i < kNamed; ++i) {
        ASSERT_EQ(statusOf(client.ask(requestFor({i}))), HalStatus::NONE) << i;
        EXPECT_EQ(given, (std::vector{memory(i)})) << i;
        EXPECT_EQ(burst->holds, std::min(i + 1, kMaxSlots));
    }
    client.callback->takeAsked();
    EXPECT_EQ(statusOf(client.ask(requestFor({0, 299, kMaxSlots - 1, 298, 299}))), HalStatus::NONE);
    EXPECT_THAT(client.callback->takeAsked(), ElementsAre(ElementsAre(299, 298)));
    EXPECT_EQ(given, (std::vector{memory(0), memory(299), memory(kMaxSlots - 1), memory(298),
                                  memory(299)}));
    EXPECT_EQ(burst->holds, kMaxSlots);

    EXPECT_TRUE(client.context->freeMemory(0).isOk());
    EXPECT_EQ(statusOf(client.ask(requestFor({298, 299}))), HalStatus::NONE);
    EXPECT_EQ(statusOf(client.ask(requestFor({298, 299}))), HalStatus::NONE);
    EXPECT_THAT(client.callback->takeAsked(), ElementsAre(ElementsAre(298, 299), ElementsAre(299)));
    EXPECT_EQ(burst->holds, kMaxSlots);
    // All of one packet.
    EXPECT_TRUE(client.context->freeMemory(1).isOk());
    std::vector<int32_t> all;
    for (int32_t i = 0; i < kNamed; ++i) all.push_back(i);
    EXPECT_EQ(statusOf(client.ask(requestFor(all))), HalStatus::NONE);
    ASSERT_EQ(given.size(), all.size());
    for (const int32_t i : all) EXPECT_EQ(given[static_cast<size_t>(i)], memory(i)) << i;
    EXPECT_EQ(burst->holds, kMaxSlots);
}

// Our client may keep more memories than our server.
TEST(BurstServer, ServesAClientThatKeepsMore) {
    std::vector<Request::MemoryPool> given;
    const auto burst = keeping(given);
    const auto client =
            V1_2::utils::Burst::create(std::make_shared<const OrdinaryModel>(), serving(burst), {})
                    .value();
    std::vector<SharedMemory> memories;
    std::vector<IBurst::OptionalCacheHold> holds;
    for (size_t i = 0; i < 300; ++i) {
        memories.push_back(createSharedMemory(8 + i).value());
        holds.push_back(client->cacheMemory(memories.back()));
    }
    for (int round = 0; round < 2; ++round) {
        for (const SharedMemory& memory : memories) {
            Request request{.outputs = {{.lifetime = Request::Argument::LifeTime::NO_VALUE}},
                            .pools = {memory}};
            handOver();
            ASSERT_TRUE(executeOn(*client, request).has_value());
            handOver();
            ASSERT_EQ(given.size(), 1u);
            EXPECT_EQ(size(std::get<SharedMemory>(given[0])), size(memory));
        }
    }
    EXPECT_EQ(burst->holds, 256);
    holds.clear();
    EXPECT_EQ(burst->holds, 0);
}

// Rule burst.server_cache: a memory that was freed is not kept by the server's own scratch.
TEST(BurstServer, LetsGoOfAMemoryThatIsFreed) {
    const auto burst = succeeding();
    ScriptedClient client(burst);
    client.addMemory(8);
    const size_t files = held::descriptors();
    EXPECT_EQ(statusOf(client.ask(requestFor({0}))), HalStatus::NONE);
    EXPECT_EQ(held::descriptors(), files + 1);
    EXPECT_TRUE(client.context->freeMemory(0).isOk());
    EXPECT_EQ(held::settled(held::descriptors, files), files);
}

// Rule burst.unknown_slots.
TEST(BurstServer, RefusesMemoriesThatAreNone) {
    const hidl_memory good = V1_2::utils::unvalidatedConvert(createSharedMemory(8).value()).value();
    const auto returning = [](HalStatus status, std::vector<hidl_memory> memories) {
        return [=](const auto&, const auto& cb) {
            cb(status, memories);
            return Void();
        };
    };
    const std::pair<const char*, ScriptedCallback::Script> kRows[] = {
            {"Error", returning(HalStatus::GENERAL_FAILURE, {})},
            {"ErrorWithMemories", returning(HalStatus::INVALID_ARGUMENT, {good, good})},
            {"TooFew", returning(HalStatus::NONE, {good})},
            {"None", returning(HalStatus::NONE, {})},
            {"TooMany", returning(HalStatus::NONE, {good, good, good})},
            {"Empty", returning(HalStatus::NONE, {good, {}})},
            {"NoFile", returning(HalStatus::NONE, {good, {"ashmem", nullptr, 8}})},
            {"NoResult", [](const auto&, const auto&) { return Void(); }},
            {"Transport", [](const auto&, const auto&) { return Return<void>(kBroken); }},
            {"Dead", [](const auto&, const auto&) { return Return<void>(kDead); }},
    };
    const auto burst = succeeding();
    ScriptedClient client(burst);
    for (const auto& [name, script] : kRows) {
        client.callback->script = script;
        EXPECT_EQ(statusOf(client.ask(requestFor({0, 1}))), HalStatus::GENERAL_FAILURE) << name;
        EXPECT_THAT(client.callback->takeAsked(), ElementsAre(ElementsAre(0, 1)))
                << name << ": nothing is cached";
        EXPECT_EQ(burst->executions, 0) << name;
        EXPECT_EQ(burst->holds, 0) << name;
    }
    // The first reply counts.
    client.callback->script = [&](const auto&, const auto& cb) {
        cb(HalStatus::NONE, {good, good});
        cb(HalStatus::GENERAL_FAILURE, {});
        return Void();
    };
    EXPECT_EQ(statusOf(client.ask(requestFor({0, 1}))), HalStatus::NONE);
}

// Rule burst.validation.
TEST(BurstServer, ChecksARequestAgainstItsPools) {
    const auto burst = succeeding();
    ScriptedClient client(burst);
    client.addMemory(8);
    const auto statusFor = [&](V1_0::DataLocation location) {
        const V1_0::Request request{.inputs = {{.location = location}}};
        return statusOf(client.ask(serialize(request, V1_2::MeasureTiming::NO, {0})));
    };
    EXPECT_EQ(statusFor({0, 0, 8}), HalStatus::NONE);
    EXPECT_EQ(statusFor({0, 1, 8}), HalStatus::INVALID_ARGUMENT);
    EXPECT_EQ(statusFor({1, 0, 8}), HalStatus::INVALID_ARGUMENT);
    EXPECT_EQ(statusFor({0, UINT32_MAX, UINT32_MAX}), HalStatus::INVALID_ARGUMENT);
    EXPECT_EQ(burst->executions, 1);
}

// Rules prepared_model.release and burst.dead_client.
TEST(BurstServer, EndsWithItsClient) {
    for (const microseconds window : {microseconds(0), microseconds(10'000'000)}) {
        const auto burst = succeeding();
        ScriptedClient client(burst, window);
        client.addMemory(8);
        EXPECT_EQ(statusOf(client.ask(requestFor({0}))), HalStatus::NONE);
        EXPECT_EQ(burst->holds, 1);
        EXPECT_EQ(client.callback->links(), 1u);
        client.callback->die();
        EXPECT_TRUE(eventually([&] { return burst->holds == 0; }));
        client.context = nullptr;
        EXPECT_EQ(burst.use_count(), 1);
        EXPECT_EQ(client.callback->links(), 0u);
        EXPECT_EQ(client.callback->getStrongCount(), 1);
    }
}

// Rule burst.dead_client: the last reference goes on the worker's own thread.
TEST(BurstServer, EndsFromItsOwnThread) {
    const auto burst = succeeding();
    {
        ScriptedClient client(burst);
        const hidl_memory good =
                V1_2::utils::unvalidatedConvert(createSharedMemory(8).value()).value();
        std::atomic<bool> isDropped = false;
        client.callback->script = [&](const auto&, const auto& cb) {
            client.context = nullptr;
            cb(HalStatus::NONE, {good});
            isDropped = true;
            return Void();
        };
        const RequestPacket packet = requestFor({0});
        handOver();
        EXPECT_TRUE(client.requests.writeBlocking(packet.data(), packet.size(), 1'000'000'000));
        EXPECT_TRUE(eventually([&] { return isDropped.load(); }));
        EXPECT_TRUE(eventually([&] { return burst.use_count() == 1; }));
    }
    EXPECT_EQ(burst->holds, 0);
}

// Rules adapter.burst and burst.hostile_queues.
TEST(BurstServer, RefusesWhatIsNoBurst) {
    const auto burst = succeeding();
    const auto callback = sp<ScriptedCallback>::make();
    const RequestQueue requests(1024, true), unflagged(1024, false), huge(1 << 20, true);
    const ResultQueue results(1024, true), unflaggedResults(1024, false);
    const auto make = [&](const sp<V1_2::IBurstCallback>& client, const RequestQueue& a,
                          const ResultQueue& b, SharedBurst canonical) {
        return hal::adapter::makeBurstContext(client, *a.getDesc(), *b.getDesc(),
                                              std::move(canonical), {})
                .error();
    };
    EXPECT_EQ(make(nullptr, requests, results, burst).message, "callback is null");
    EXPECT_EQ(make(callback, requests, results, nullptr).message, "burst is null");
    EXPECT_EQ(make(callback, unflagged, results, burst).message,
              "requestChannel is not a queue with an event flag");
    EXPECT_EQ(make(callback, huge, results, burst).code, GENERAL_FAILURE);
    EXPECT_EQ(make(callback, requests, unflaggedResults, burst).message,
              "resultChannel is not a queue with an event flag");
    EXPECT_EQ(codeOf(hal::adapter::makeBurstContext(callback, {}, {}, burst, {})), GENERAL_FAILURE);
    callback->linkResult = false;
    EXPECT_EQ(make(callback, requests, results, burst).code, GENERAL_FAILURE);
    callback->replies["linkToDeath"].transport = kDead;
    EXPECT_EQ(make(callback, requests, results, burst).message, "linkToDeath: dead object");
    EXPECT_EQ(burst.use_count(), 1);
}

// Rule burst.hostile_queues.
TEST(BurstServer, EndsWhereTheClientSpoilsTheQueue) {
    const auto burst = succeeding();
    ScriptedClient client(burst);
    client.addMemory(8);
    EXPECT_EQ(statusOf(client.ask(requestFor({0}))), HalStatus::NONE);
    auto* const flag = client.requests.getEventFlagWord();
    auto* const bytes = reinterpret_cast<uint8_t*>(flag);
    reinterpret_cast<std::atomic<uint64_t>*>(bytes - 64)->store(UINT64_MAX / 2);
    hidl::EventFlag* wake = nullptr;
    ASSERT_EQ(hidl::EventFlag::createEventFlag(flag, &wake), hidl::NO_ERROR);
    wake->wake(hidl::FMQ_NOT_EMPTY);
    hidl::EventFlag::deleteEventFlag(&wake);
    EXPECT_EQ(statusOf(client.receive()), HalStatus::GENERAL_FAILURE);
    EXPECT_TRUE(eventually([&] { return burst->holds == 0; }));
}

// Rules burst.dead_client and burst.hostile_queues: a client that clears and sets the bits as it
// likes keeps no thread.
TEST(BurstServer, EndsWhateverTheClientDoesToTheEventFlag) {
    for (int i = 0; i < 20; ++i) {
        ScriptedClient client(succeeding());
        std::atomic<bool> isDone = false;
        std::thread hostile([&] {
            auto* const word = client.requests.getEventFlagWord();
            for (uint32_t k = 0; !isDone; ++k) word->store(k);
        });
        const auto start = std::chrono::steady_clock::now();
        client.context = nullptr;
        EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
        isDone = true;
        hostile.join();
    }
}

// A client that never reads its results.
TEST(BurstServer, DropsResultsThatNobodyReads) {
    const auto burst = succeeding();
    ScriptedClient client(burst);
    const RequestPacket packet = requestFor({});
    for (int i = 0; i < 2000; ++i) {
        ASSERT_TRUE(client.requests.writeBlocking(packet.data(), packet.size(), 1'000'000'000));
        ASSERT_TRUE(eventually([&] { return client.requests.availableToRead() == 0; }));
    }
    EXPECT_TRUE(eventually([&] { return client.results.availableToWrite() < 2; }));
    EXPECT_EQ(client.results.availableToRead(), 1024u);
}

}  // namespace
}  // namespace nn::driver_burst_test
