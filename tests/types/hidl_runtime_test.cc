// The runtime that replaces libhidl: counted references, results of calls, and the common methods
// of interfaces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "nnapi/hal/v1_3_interfaces.h"

namespace nn::hidl_runtime_test {
namespace {

using hidl::hidl_string;
using hidl::hidl_vec;
using hidl::RefBase;
using hidl::Return;
using hidl::sp;
using hidl::Void;
using hidl::wp;
using testing::ElementsAre;

// The events of an object, in order.
struct Log {
    std::atomic<int> firsts = 0;
    std::atomic<int> lasts = 0;
    std::atomic<int> deaths = 0;
};

class Counted : public RefBase {
   public:
    explicit Counted(Log& log) : mLog(log) {}
    ~Counted() override {
        EXPECT_EQ(getStrongCount(), 0);
        ++mLog.deaths;
    }
    void onFirstRef() override {
        EXPECT_EQ(mLog.firsts++, 0);
        const sp<Counted> self(this);  // as in objects that register themselves
        EXPECT_GE(getStrongCount(), 2) << "other threads may have promoted theirs";
    }
    void onLastStrongRef(const void*) override {
        EXPECT_EQ(mLog.deaths, 0);
        ++mLog.lasts;
    }

   private:
    Log& mLog;
};
class Derived : public Counted {
   public:
    using Counted::Counted;
};

TEST(StrongPointer, CountsAndDeletes) {
    Log log;
    {
        sp<Counted> first = sp<Counted>::make(log);
        EXPECT_EQ(first->getStrongCount(), 1);
        EXPECT_EQ(log.firsts, 1);
        sp<Counted> second = first;
        sp<Counted> third(first.get());
        EXPECT_EQ(first->getStrongCount(), 3);
        sp<Counted> moved = std::move(third);
        EXPECT_EQ(third, nullptr);
        EXPECT_EQ(first->getStrongCount(), 3);
        second.clear();
        moved = first;
        moved = *&moved;
        EXPECT_EQ(first->getStrongCount(), 2);
        EXPECT_TRUE(first == moved);
        EXPECT_TRUE(first == first.get());
        EXPECT_TRUE(static_cast<bool>(first));
        EXPECT_EQ(log.deaths, 0);
    }
    EXPECT_EQ(log.firsts, 1);
    EXPECT_EQ(log.lasts, 1);
    EXPECT_EQ(log.deaths, 1);
}

TEST(StrongPointer, ConvertsUpTheHierarchy) {
    Log log;
    sp<Derived> derived = new Derived(log);
    sp<Counted> base = derived;
    sp<RefBase> root = base;
    EXPECT_EQ(derived->getStrongCount(), 3);
    EXPECT_TRUE(base == derived);
    sp<Counted> moved = std::move(derived);
    EXPECT_EQ(derived, nullptr);
    EXPECT_EQ(base->getStrongCount(), 3);
    const sp<Counted> null = sp<Derived>();
    EXPECT_EQ(null, nullptr);
    static_assert(!std::convertible_to<sp<Counted>, sp<Derived>>);
    static_assert(!std::convertible_to<sp<Counted>, sp<Log>>);
}

TEST(StrongPointer, GivesUpItsReference) {
    Log log;
    sp<Counted> object = sp<Counted>::make(log);
    Counted* released = object.release();
    EXPECT_EQ(log.deaths, 0);
    EXPECT_EQ(released->getStrongCount(), 1);
    released->decStrong(nullptr);
    EXPECT_EQ(log.deaths, 1);
}

TEST(WeakPointer, DoesNotKeepAlive) {
    Log log;
    sp<Counted> object = sp<Counted>::make(log);
    const wp<Counted> weak = object;
    const wp<Counted> other = weak;
    EXPECT_EQ(weak.promote(), object);
    EXPECT_TRUE(weak == object);
    object.clear();
    EXPECT_EQ(log.deaths, 1);
    EXPECT_EQ(weak.promote(), nullptr);
    EXPECT_TRUE(weak == other) << "the same object, although it is gone";
    EXPECT_FALSE(weak == wp<Counted>());
    EXPECT_FALSE(weak < other);
    EXPECT_EQ(wp<Counted>().promote(), nullptr);
    EXPECT_EQ(wp<Counted>(nullptr).promote(), nullptr);
}

TEST(WeakPointer, BeforeTheFirstStrongOne) {
    Log log;
    auto* object = new Counted(log);
    wp<Counted> weak = object;
    EXPECT_EQ(log.firsts, 0);
    EXPECT_EQ(object->getStrongCount(), 0);
    sp<Counted> strong = weak.promote();
    EXPECT_EQ(strong.get(), object);
    EXPECT_EQ(log.firsts, 1);
    EXPECT_EQ(object->getStrongCount(), 1);
    strong.clear();
    EXPECT_EQ(log.deaths, 1);
}

TEST(WeakPointer, ToAnObjectThatNoStrongOneEverHad) {
    Log log;
    wp<Counted> weak;
    {
        Counted onTheStack(log);
        weak = wp<Counted>(&onTheStack);
    }
    EXPECT_EQ(weak.promote(), nullptr);
    EXPECT_EQ(log.lasts, 0);
}

TEST(WeakPointer, ConvertsUpTheHierarchy) {
    Log log;
    sp<Derived> derived = sp<Derived>::make(log);
    const wp<Derived> weak = derived;
    const wp<Counted> base = weak;
    EXPECT_EQ(base.promote(), derived);
    derived.clear();
    const wp<Counted> late = weak;
    EXPECT_EQ(late.promote(), nullptr);
    EXPECT_TRUE(late == base);
    // Converting to a virtual base requires a living object.
    static_assert(!std::convertible_to<wp<hidl::IBase>, wp<RefBase>>);
    static_assert(std::convertible_to<wp<V1_3::IDevice>, wp<hidl::IBase>>);
    static_assert(!std::convertible_to<wp<hidl::IBase>, wp<V1_3::IDevice>>);
}

// Threads that promote, copy and drop, while the last strong pointer is released.
TEST(WeakPointer, IsPromotedByManyThreads) {
    for (int round = 0; round < 200; ++round) {
        Log log;
        std::atomic<int> promoted = 0;
        std::atomic<bool> isStarted = false;
        sp<Counted> object = sp<Counted>::make(log);
        const wp<Counted> weak = object;
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&] {
                while (!isStarted) std::this_thread::yield();
                for (int k = 0; k < 20; ++k) {
                    const sp<Counted> strong = weak.promote();
                    if (strong == nullptr) break;
                    const sp<Counted> copy = strong;
                    EXPECT_GE(copy->getStrongCount(), 1);
                    ++promoted;
                }
            });
        }
        isStarted = true;
        while (promoted == 0) std::this_thread::yield();
        object.clear();
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(weak.promote(), nullptr);
        EXPECT_EQ(log.firsts, 1);
        EXPECT_EQ(log.lasts, 1);
        EXPECT_EQ(log.deaths, 1);
    }
}

TEST(WeakPointer, IsPromotedFirstByManyThreads) {
    for (int round = 0; round < 200; ++round) {
        Log log;
        const wp<Counted> weak = new Counted(log);
        std::vector<sp<Counted>> strong(8);
        std::vector<std::thread> threads;
        for (sp<Counted>& each : strong) {
            threads.emplace_back([&] { each = weak.promote(); });
        }
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(log.firsts, 1);
        EXPECT_EQ(strong[0]->getStrongCount(), 8);
        strong.clear();
        EXPECT_EQ(log.deaths, 1);
    }
}

// ---- results of calls

struct StatusRow {
    const char* name;
    hidl::Status status;
    bool isOk;
    bool isDead;
    const char* description;
};

TEST(HidlStatus, ReportsOutcomeOfCall) {
    using hidl::Status;
    const StatusRow kRows[] = {
            {"Ok", Status::ok(), true, false, "no error"},
            {"NoError", Status::fromStatusT(hidl::OK), true, false, "no error"},
            {"Dead", Status::fromStatusT(hidl::DEAD_OBJECT), false, true, "dead object"},
            {"Failed", Status::fromStatusT(hidl::TIMED_OUT), false, false,
             "transaction failed with status -110"},
            {"Exception", Status::fromExceptionCode(Status::EX_NULL_POINTER, "no model"), false,
             false, "exception -4: no model"},
            {"Transaction", Status::fromExceptionCode(Status::EX_TRANSACTION_FAILED, "x"), false,
             false, "transaction failed with status -2147483646: x"},
            {"NoException", Status::fromExceptionCode(Status::EX_NONE), true, false, "no error"},
    };
    EXPECT_EQ(kRows[4].status.exceptionCode(), Status::EX_NULL_POINTER);
    EXPECT_STREQ(kRows[4].status.exceptionMessage(), "no model");
    for (const StatusRow& row : kRows) {
        EXPECT_EQ(row.status.isOk(), row.isOk) << row.name;
        const Return<void> call = row.status;
        EXPECT_EQ(call.isOk(), row.isOk) << row.name;
        EXPECT_EQ(call.isDeadObject(), row.isDead) << row.name;
        EXPECT_EQ(row.status.description(), row.description) << row.name;
    }
}

TEST(HidlReturn, IsAValueOrAFailure) {
    const Return<int> seven = 7;
    EXPECT_TRUE(seven.isOk());
    EXPECT_EQ(static_cast<int>(seven), 7);
    EXPECT_EQ(seven.withDefault(1), 7);
    EXPECT_EQ(seven.description(), "no error");

    Return<int> dead = hidl::Status::fromStatusT(hidl::DEAD_OBJECT);
    EXPECT_FALSE(dead.isOk());
    EXPECT_TRUE(dead.isDeadObject());
    EXPECT_EQ(dead.withDefault(1), 1);

    const Return<int64_t> wider = std::move(dead);
    EXPECT_TRUE(wider.isDeadObject());
    EXPECT_EQ(wider.withDefault(1), 1);
    EXPECT_EQ(Return<int64_t>(Return<int>(7)).withDefault(0), 7);
    EXPECT_TRUE(Void().isOk());
    EXPECT_EQ((Return<std::vector<int>>({1, 2}).withDefault({})), (std::vector{1, 2}));
}

#ifndef NNAPI_STRICT_HAL
TEST(HidlReturn, HasADefaultValueWhereACallFailed) {
    const Return<int> dead = hidl::Status::fromStatusT(hidl::DEAD_OBJECT);
    EXPECT_EQ(static_cast<int>(dead), 0) << "a value that was never sent";
    EXPECT_EQ(dead.status().transactionError(), hidl::DEAD_OBJECT);
}
#endif

// ---- interfaces

class Callback : public V1_2::IExecutionCallback {
   public:
    Return<void> notify(V1_0::ErrorStatus) override { return Void(); }
    Return<void> notify_1_2(V1_0::ErrorStatus, const hidl_vec<V1_2::OutputShape>&,
                            const V1_2::Timing&) override {
        return Void();
    }
};

// Returns a scripted interface chain.
class Odd final : public Callback {
   public:
    explicit Odd(hidl::Status status, bool isSilent = false)
        : mStatus(std::move(status)), mIsSilent(isSilent) {}
    Return<void> interfaceChain(interfaceChain_cb callback) override {
        if (!mIsSilent) callback({hidl_string(V1_2::IExecutionCallback::descriptor)});
        return mStatus;
    }

   private:
    hidl::Status mStatus;
    bool mIsSilent;
};

TEST(Interface, ReportsItsChain) {
    const sp<Callback> callback = sp<Callback>::make();
    hidl_vec<hidl_string> chain;
    EXPECT_TRUE(callback->interfaceChain([&](const auto& all) { chain = all; }).isOk());
    EXPECT_THAT(chain, ElementsAre("android.hardware.neuralnetworks@1.2::IExecutionCallback",
                                   "android.hardware.neuralnetworks@1.0::IExecutionCallback",
                                   "android.hidl.base@1.0::IBase"));
    hidl_string own;
    EXPECT_TRUE(callback->interfaceDescriptor([&](const auto& text) { own = text; }).isOk());
    EXPECT_EQ(own, V1_2::IExecutionCallback::descriptor);
    EXPECT_TRUE(hidl::hasInterface(*callback, V1_0::IExecutionCallback::descriptor));
    EXPECT_FALSE(hidl::hasInterface(*callback, V1_3::IExecutionCallback::descriptor));
    EXPECT_TRUE(callback->ping().isOk());
    EXPECT_FALSE(callback->isRemote());
}

// Rule wrapper.prepared_model_version.
TEST(Interface, IsCastByDescriptor) {
    const sp<Callback> callback = sp<Callback>::make();
    const sp<V1_0::IExecutionCallback> older = callback;
    const sp<hidl::IBase> base = callback;

    const sp<V1_2::IExecutionCallback> newer = V1_2::IExecutionCallback::castFrom(older);
    EXPECT_EQ(newer.get(), callback.get());
    EXPECT_EQ(sp<V1_2::IExecutionCallback>(V1_2::IExecutionCallback::castFrom(base)).get(),
              callback.get());
    EXPECT_EQ(sp<V1_0::IExecutionCallback>(V1_0::IExecutionCallback::castFrom(callback)), older)
            << "towards the older one without a question";
    EXPECT_EQ(sp<V1_3::IExecutionCallback>(V1_3::IExecutionCallback::castFrom(older)), nullptr);
    EXPECT_EQ(sp<V1_0::IDevice>(V1_0::IDevice::castFrom(base)), nullptr);
    EXPECT_EQ(sp<hidl::IBase>(hidl::IBase::castFrom(base)), base);
    EXPECT_TRUE(base == callback);

    const sp<V1_0::IExecutionCallback> null;
    const auto cast = V1_2::IExecutionCallback::castFrom(null);
    EXPECT_TRUE(cast.isOk());
    EXPECT_EQ(sp<V1_2::IExecutionCallback>(cast), nullptr);
}

TEST(Interface, IsNotCastIfQueryFails) {
    const sp<V1_0::IExecutionCallback> kRows[] = {
            sp<Odd>::make(hidl::Status::fromStatusT(hidl::DEAD_OBJECT)),
            sp<Odd>::make(hidl::Status::fromExceptionCode(hidl::Status::EX_SECURITY)),
            sp<Odd>::make(hidl::Status::ok(), /*isSilent=*/true),
    };
    for (const auto& odd : kRows) {
        EXPECT_EQ(sp<V1_2::IExecutionCallback>(V1_2::IExecutionCallback::castFrom(odd)), nullptr);
    }
    const sp<V1_0::IExecutionCallback> honest = sp<Odd>::make(hidl::Status::ok());
    EXPECT_NE(sp<V1_2::IExecutionCallback>(V1_2::IExecutionCallback::castFrom(honest)), nullptr);
}

class Recipient final : public hidl::hidl_death_recipient {
   public:
    void serviceDied(uint64_t, const wp<hidl::IBase>&) override { ADD_FAILURE() << "it lives"; }
};

// Rule hidl.death_recipient.
TEST(Interface, InThisProcessNeverDies) {
    sp<Callback> callback = sp<Callback>::make();
    const sp<Recipient> recipient = sp<Recipient>::make();
    EXPECT_TRUE(callback->linkToDeath(recipient, 1));
    EXPECT_EQ(recipient->getStrongCount(), 1) << "the link keeps nothing";
    EXPECT_TRUE(callback->unlinkToDeath(recipient));
    EXPECT_FALSE(callback->linkToDeath(nullptr, 1));
    EXPECT_FALSE(callback->unlinkToDeath(nullptr));
    EXPECT_TRUE(callback->linkToDeath(recipient, 2));
    callback.clear();
}

}  // namespace
}  // namespace nn::hidl_runtime_test
