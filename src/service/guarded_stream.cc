#include "service/guarded_stream.h"

#include <absl/container/inlined_vector.h>
#include <capnp/rpc.capnp.h>
#include <capnp/serialize.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "nnapi/driver/result.h"
#include "nnapi/service.capnp.h"
#include "service/event_loop.h"

namespace nn::service {
namespace {

namespace engine = capnp::rpc;

// Words beyond a message's size that reading it once may cost. Lists of zero-sized elements cost a
// word per element, and so do the words of a list that is pointed to twice.
constexpr uint64_t kExtraReadWords = 65536;

// Limit of the capabilities in a message, and of the path to a promised one.
constexpr uint32_t kMaxCapabilities = 2 * rpc::MOST_POOLS;
constexpr uint32_t kMaxTransformSteps = 16;

[[noreturn]] void fail(std::string_view why) { throwToPeer(kj::Exception::Type::FAILED, why); }

void checkCount(std::string_view what, size_t found, size_t allowed) {
    if (found <= allowed) return;
    fail(fmt::format("{}: {}, allowed at most {}", what, found, allowed));
}

// Most messages have one segment.
using SegmentList = absl::InlinedVector<kj::ArrayPtr<const capnp::word>, 4>;

SegmentList segmentsOf(capnp::MessageReader& message) {
    SegmentList segments;
    for (unsigned i = 0;; ++i) {
        const auto segment = message.getSegment(i);
        if (segment == nullptr) return segments;
        segments.push_back(segment);
    }
}

uint64_t wordsOf(kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>> segments) {
    uint64_t words = 0;
    for (const auto& segment : segments) words += segment.size();
    return words;
}

void checkTarget(engine::MessageTarget::Reader target) {
    if (!target.isPromisedAnswer()) return;
    const auto steps = target.getPromisedAnswer().getTransform().size();
    checkCount("steps to a promised answer", steps, kMaxTransformSteps);
}

void checkCapabilities(capnp::List<engine::CapDescriptor>::Reader capabilities) {
    checkCount("capabilities of a message", capabilities.size(), kMaxCapabilities);
    for (const auto each : capabilities) {
        if (!each.isReceiverAnswer()) continue;
        const auto steps = each.getReceiverAnswer().getTransform().size();
        checkCount("steps to a promised answer", steps, kMaxTransformSteps);
    }
}

void checkPayload(engine::Payload::Reader payload, const StructBounds* bounds) {
    checkCapabilities(payload.getCapTable());
    if (bounds == nullptr || !payload.getContent().isStruct()) return;
    const Status status = checkBounds(payload.getContent().getAs<capnp::AnyStruct>(), *bounds);
    if (!status.ok()) fail(messageOf(status));
}

std::string whyMalformed(std::string_view why) {
    if (why.find("traversal limit") == std::string_view::npos) return printable(why);
    return "the lists of a message claim more than it has bytes for";
}

}  // namespace

bool GuardedStream::hasRoom() const {
    return mClient == nullptr || (mClient->unsent() <= mClient->bounds.unsentBytes &&
                                  mClient->ledger->held().messages <= mClient->bounds.messageBytes);
}

void GuardedStream::refuse(const std::string& why) const {
    if (mClient != nullptr) mClient->cutOff(why);
    fail(why);
}

// Polls, since other threads also free space.
kj::Promise<void> GuardedStream::waitForRoom(kj::TimePoint giveUp, size_t unsent) {
    if (hasRoom()) return kj::READY_NOW;
    const size_t now = mClient->unsent();
    // The timeout restarts when the client reads some of its replies, or has read all.
    if (now < unsent || now == 0) giveUp = mClient->timer.now() + mClient->bounds.patience;
    if (mClient->timer.now() >= giveUp) refuse("the client does not read its replies");
    return mClient->timer.afterDelay(5 * kj::MILLISECONDS).then([this, giveUp, now] {
        return waitForRoom(giveUp, now);
    });
}

kj::Promise<kj::Maybe<capnp::MessageReaderAndFds>> GuardedStream::tryReadMessage(
        kj::ArrayPtr<kj::AutoCloseFd> fdSpace, capnp::ReaderOptions options,
        kj::ArrayPtr<capnp::word> scratchSpace) {
    using Read = kj::Promise<kj::Maybe<Message>>;
    if (!hasRoom()) {
        // Detects immediately if the client disconnects during the wait.
        auto gone = mBytes.whenWriteDisconnected().then(
                [] { kj::throwFatalException(KJ_EXCEPTION(DISCONNECTED, "the client is gone")); });
        return waitForRoom(mClient->timer.now() + mClient->bounds.patience, mClient->unsent())
                .exclusiveJoin(kj::mv(gone))
                .then([this, fdSpace, options, scratchSpace]() -> Read {
                    return tryReadMessage(fdSpace, options, scratchSpace);
                });
    }
    return noteEnd([&] { return mStream->tryReadMessage(fdSpace, options, scratchSpace); })
            .then([this](kj::Maybe<Message>&& read) -> kj::Maybe<Message> {
                KJ_IF_MAYBE (message, read) {
                    try {
                        check(*message->reader, message->fds.size());
                    } catch (const kj::Exception& exception) {
                        refuse(whyMalformed(exception.getDescription().cStr()));
                    }
                    admit(*message);
                } else {
                    mIsPeerGone = true;
                    if (mClient != nullptr) mClient->cutOff("");
                }
                return kj::mv(read);
            });
}

void GuardedStream::check(capnp::MessageReader& message, size_t descriptors) {
    const auto segments = segmentsOf(message);
    const kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>> all(segments.data(), segments.size());
    // A reader with its own limit: reading counts against the message's limit.
    capnp::SegmentArrayMessageReader reader(
            all, {.traversalLimitInWords = wordsOf(all) + kExtraReadWords, .nestingLimit = 64});
    const auto root = reader.getRoot<engine::Message>();
    if (!root.isCall()) checkCount("descriptors that do not come with a call", descriptors, 0);
    switch (root.which()) {
        case engine::Message::BOOTSTRAP:
            return countCall(root.getBootstrap().getQuestionId(), /*isWait=*/false);
        case engine::Message::CALL: {
            const auto call = root.getCall();
            const auto* method =
                    MessageBounds::get().find(call.getInterfaceId(), call.getMethodId());
            checkTarget(call.getTarget());
            checkPayload(call.getParams(), method == nullptr ? nullptr : method->params);
            const bool isWait = call.getInterfaceId() == capnp::typeId<rpc::Fenced>() &&
                                call.getMethodId() == 0;
            return countCall(call.getQuestionId(), isWait);
        }
        case engine::Message::RETURN: {
            const auto reply = root.getReturn();
            const auto question = std::find_if(
                    mQuestions.begin(), mQuestions.end(),
                    [&](const auto& each) { return each.first == reply.getAnswerId(); });
            const StructBounds* bounds = nullptr;
            if (question != mQuestions.end()) {
                bounds = question->second;
                *question = mQuestions.back();
                mQuestions.pop_back();
            }
            if (reply.isResults()) checkPayload(reply.getResults(), bounds);
            return;
        }
        case engine::Message::FINISH:
            if (mReplies > 0) --mReplies;
            return;
        case engine::Message::RESOLVE:
        case engine::Message::RELEASE:
        case engine::Message::DISEMBARGO:
        case engine::Message::ABORT:
        case engine::Message::UNIMPLEMENTED:
        case engine::Message::OBSOLETE_SAVE:
        case engine::Message::OBSOLETE_DELETE:
        case engine::Message::PROVIDE:
        case engine::Message::ACCEPT:
        case engine::Message::JOIN:
            return;
    }
}

void GuardedStream::countCall(uint32_t id, bool isWait) {
    if (mClient == nullptr) return;
    const Bounds& bounds = mClient->bounds;
    if (isWait) {
        mWaits.insert(id);
    } else {
        mCalls.push_back(id);
    }
    ++mReplies;
    checkCount("calls under way", mCalls.size(), bounds.calls);
    checkCount("calls that wait for fences", mWaits.size(), bounds.waits);
    checkCount("replies that the client keeps", mReplies, bounds.replies);
}

// Counts the message as long as Cap'n Proto keeps it. Closes descriptors beyond the client's share;
// they are missing when a call needs them.
void GuardedStream::admit(Message& message) {
    if (mClient == nullptr) return;
    SessionLedger& ledger = *mClient->ledger;
    const auto segments = segmentsOf(*message.reader);
    Amounts amounts{.messages = wordsOf({segments.data(), segments.size()}) * sizeof(capnp::word)};
    auto bytes = ledger.note(amounts);
    message.reader = message.reader.attach(kj::mv(bytes));
    if (message.fds.size() == 0) return;
    auto descriptors = ledger.take({.descriptors = message.fds.size()});
    if (descriptors.ok()) {
        message.reader = message.reader.attach(*std::move(descriptors));
    } else {
        for (kj::AutoCloseFd& fd : message.fds) fd = nullptr;
    }
}

void GuardedStream::noteSent(Segments segments) {
    capnp::SegmentArrayMessageReader reader(
            segments, {.traversalLimitInWords = kj::maxValue, .nestingLimit = 64});
    const auto root = reader.getRoot<engine::Message>();
    if (root.isCall()) {
        const auto call = root.getCall();
        const auto* method = MessageBounds::get().find(call.getInterfaceId(), call.getMethodId());
        if (method != nullptr) mQuestions.emplace_back(call.getQuestionId(), method->results);
    } else if (root.isReturn()) {
        const uint32_t id = root.getReturn().getAnswerId();
        const auto call = std::find(mCalls.begin(), mCalls.end(), id);
        if (call == mCalls.end()) {
            mWaits.erase(id);
        } else {
            *call = mCalls.back();
            mCalls.pop_back();
        }
    }
}

kj::Promise<void> GuardedStream::writeMessage(kj::ArrayPtr<const int> fds, Segments segments) {
    noteSent(segments);
    return noteEnd([&] { return mStream->writeMessage(fds, segments); });
}

kj::Promise<void> GuardedStream::writeMessages(kj::ArrayPtr<Segments> messages) {
    for (const Segments& segments : messages) noteSent(segments);
    return noteEnd([&] { return mStream->writeMessages(messages); });
}

}  // namespace nn::service
