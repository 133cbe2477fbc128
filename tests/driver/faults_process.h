// faults_process.h -- The process of a driver with fault injection; see faults_driver.h.
//
// All objects of a driver belong to one process: when it dies, its calls fail with a dead object,
// all recipients are notified, and callbacks receive nothing more.
#pragma once

#include <any>
#include <atomic>
#include <stdexcept>
#include <tuple>

#include "driver/fake_driver.h"
#include "driver/faults_schedule.h"

namespace nn::driver_faults {

using hidl::hidl_handle;
using hidl::hidl_memory;
using hidl::hidl_string;
using hidl::hidl_vec;
using hidl::Return;
using hidl::sp;

template <class Client>
struct PostFor;  // its callback of a client

class Process : public std::enable_shared_from_this<Process> {
   public:
    explicit Process(SharedSchedule w) : schedule(std::move(w)) {}
    ~Process() {
        if (!isDead && !mLinks.empty())
            schedule->accuse("wrapper.link_to_death: links to death are left");
    }

    const SharedSchedule schedule;
    std::atomic<bool> isDead{false};

    void die() {
        std::vector<Link> links;
        {
            const std::lock_guard lock(mMutex);
            isDead = true;
            links.swap(mLinks);
        }
        for (const Link& link : links) link.tell();
    }
    // A link of a recipient to an object; false if the object rejects it.
    struct Link {
        const void* object = nullptr;
        const void* recipient = nullptr;
        std::function<void()> tell{};
    };
    Return<bool> link(Link link) {
        if (!isDead && schedule->fire("LINK_FALSE")) return false;
        if (!isDead && schedule->fire("LINK_TRANSPORT")) return fake::lost();
        if (!isDead && schedule->fire("LINK_DEAD")) die();
        const std::lock_guard lock(mMutex);
        if (isDead) return fake::dead();
        mLinks.push_back(std::move(link));
        return true;
    }
    Return<bool> unlink(const void* object, const void* recipient) {
        const std::lock_guard lock(mMutex);
        if (isDead) return fake::dead();
        return std::erase_if(mLinks, [&](const Link& link) {
                   return link.object == object && link.recipient == recipient;
               }) != 0;
    }
    // A dead process keeps its references until its death has been notified.
    void bury(std::any client) {
        const std::lock_guard lock(mMutex);
        mBuried.push_back(std::move(client));
    }

    // Fails a call before it reaches the target object; nothing if the call may proceed.
    std::optional<hidl::Status> enter(uint32_t call) {
        if (isDead) return fake::dead();
        if (schedule->fire("TRANSPORT", call)) return fake::lost();
        if (schedule->fire("THROWS", call)) throw std::runtime_error("the driver throws");
        if (!schedule->fire("DEAD_BEFORE", call)) return std::nullopt;
        die();
        return fake::dead();
    }
    // Fails a call after the target object has returned.
    std::optional<hidl::Status> leave(uint32_t call) {
        if (schedule->fire("TRANSPORT_AFTER", call)) return fake::lost();
        if (!schedule->fire("DEAD_IN", call)) return std::nullopt;
        die();
        return fake::dead();
    }

    // A method that passes its results to a function: behind(results) calls the target object, and
    // spoil(*this, status, values...) injects faults into them.
    template <class Status, class... Parameters, class Behind>
    Return<void> ask(uint32_t call, const std::function<void(Status, Parameters...)>& results,
                     const Behind& behind) {
        using Values = std::tuple<std::remove_cvref_t<Parameters>...>;
        const auto fail = [&](Status code) {
            std::apply([&](const auto&... none) { results(code, none...); }, Values());
        };
        if (schedule->skips(call)) call = NOWHERE;
        if (const auto failure = enter(call); failure) return *failure;
        if (schedule->fire("NO_RESULT", call)) return hidl::Void();
        if (schedule->fire("STATUS", call)) {
            fail(static_cast<Status>(schedule->code()));
            return hidl::Void();
        }
        Status status{};
        Values values{};
        expectOk(behind([&](Status code, const auto&... all) {
            status = code;
            values = Values(all...);
        }));
        std::apply(
                [&](auto&... all) {
                    if (status == Status::NONE && call != NOWHERE) spoil(*this, status, all...);
                    results(status, all...);
                },
                values);
        if (schedule->fire("TWICE", call)) fail(Status::GENERAL_FAILURE);
        if (schedule->fire("DEAD_AFTER", call)) die();
        if (const auto failure = leave(call); failure) return *failure;
        return hidl::Void();
    }

    // A method that launches work and notifies a callback when it ends: behind(callback) calls the
    // target object.
    template <class Status, class Client, class Behind>
    Return<Status> launch(uint32_t call, const sp<Client>& client, const Behind& behind) {
        if (const auto failure = enter(call); failure) return *failure;
        const auto code = static_cast<Status>(schedule->code());
        if (schedule->fire("STATUS", call)) return code;
        if (schedule->fire("STATUS_KEPT", call)) {
            schedule->keep([client] {});
            return code;
        }
        const auto post = sp<typename PostFor<Client>::type>::make(shared_from_this(), client);
        const Return<Status> returned = behind(post);
        expectOk(returned);
        const Status status = returned;
        post->expectStatus(static_cast<int32_t>(status));
        if (const auto failure = leave(call); failure) return *failure;
        if (status == Status::NONE && schedule->fire("STATUS_LIES", call)) return code;
        return status;
    }

   private:
    template <class Returned>
    void expectOk(const Returned& returned) {
        if (!returned.isOk()) schedule->accuse("the adapter fails: " + returned.description());
    }

    std::mutex mMutex{};
    std::vector<Link> mLinks{};
    std::vector<std::any> mBuried{};
};
using SharedProcess = std::shared_ptr<Process>;

// Common parts of all objects of a process.
template <class Interface>
class Object : public Interface {
   public:
    Object(SharedProcess process, sp<Interface> inner)
        : mProcess(std::move(process)), mInner(std::move(inner)) {}

    Return<void> ping() override {
        if (const auto failure = mProcess->enter(PING); failure) return *failure;
        if (const auto failure = mProcess->leave(PING); failure) return *failure;
        return hidl::Void();
    }
    Return<bool> linkToDeath(const sp<hidl::hidl_death_recipient>& recipient,
                             uint64_t cookie) override {
        return mProcess->link({this, recipient.get(),
                               [recipient, cookie] { recipient->serviceDied(cookie, nullptr); }});
    }
    Return<bool> unlinkToDeath(const sp<hidl::hidl_death_recipient>& recipient) override {
        return mProcess->unlink(this, recipient.get());
    }
    const sp<Interface>& inner() const { return mInner; }

   protected:
    template <class Results, class Behind>
    Return<void> call(std::string_view method, const Results& results, const Behind& behind,
                      const auto&...) {
        return mProcess->ask(callOf(method), results,
                             [&](const auto& last) { return behind(*mInner, last); });
    }
    template <class Status, class Client, class Behind>
    Return<Status> launch(std::string_view method, const sp<Client>& client, const Behind& behind,
                          const auto&...) {
        return mProcess->template launch<Status>(
                callOf(method), client, [&](const auto& last) { return behind(*mInner, last); });
    }
    bool fire(std::string_view fault) const { return mProcess->schedule->fire(fault); }

    const SharedProcess mProcess;

   private:
    const sp<Interface> mInner;
};
template <class Wire, class Interface, class... More>
sp<Interface> wire(const SharedProcess& process, const sp<Interface>& behind, More... more) {
    if (behind == nullptr) return nullptr;
    return sp<Wire>::make(process, behind, more...);
}
template <class Wire, class Interface>
sp<Interface> wireOrNull(Process& process, const sp<Interface>& behind) {
    if (process.schedule->fire("NULL_RESULT")) return nullptr;
    return wire<Wire>(process.shared_from_this(), behind);
}

}  // namespace nn::driver_faults
