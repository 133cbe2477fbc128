// nnapi/hal/hidl/message_queue.h -- MessageQueue, a queue in shared memory.
//
//   MessageQueue<uint32_t, kSynchronizedReadWrite> queue(1024, /*configureEventFlagWord=*/true);
//   MessageQueue<uint32_t, kSynchronizedReadWrite> peer(*queue.getDesc(), /*resetPointers=*/false);
//   queue.writeBlocking(data, count);
//   peer.readBlocking(out, count);
//
// One thread writes and one reads. The peer may write anything into the memory at any time:
// counters are checked at each use, elements are copied before they are read, and any bytes become
// an element, if necessary a union with an unknown tag. Memory that its owner could shorten is
// rejected. In-place transactions (beginRead, beginWrite) and queues with several readers are not
// supported.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <variant>
#include <vector>

#include "nnapi/fields.h"
#include "nnapi/hal/hidl/queue_descriptor.h"
#include "nnapi/hal/hidl/return.h"

namespace nn::hidl {

namespace queue_internal {
class Ring;
}

// Bits of a word in shared memory on which threads of several processes can wait. Thread-safe.
class EventFlag {
   public:
    // NO_ERROR, or BAD_VALUE for null. The word must outlive the flag.
    static status_t createEventFlag(std::atomic<uint32_t>* word, EventFlag** flag);
    // Deletes a flag from createEventFlag and clears the pointer.
    static status_t deleteEventFlag(EventFlag** flag);

    // Sets bits and wakes threads that wait for any of them.
    status_t wake(uint32_t bits);
    // Waits for any of the bits, clears those that are set and returns them. TIMED_OUT after the
    // timeout in nanoseconds; 0 is no timeout. With retry, interruptions do not end the wait.
    status_t wait(uint32_t bits, uint32_t* state, int64_t timeoutNanoseconds = 0,
                  bool retry = true);

   private:
    friend class queue_internal::Ring;
    explicit EventFlag(std::atomic<uint32_t>* word) : mWord(word) {}

    std::atomic<uint32_t>* mWord;
};

enum EventFlagBits : uint32_t { FMQ_NOT_EMPTY = 1 << 0, FMQ_NOT_FULL = 1 << 1 };

namespace queue_internal {

// ---- elements: numbers, structs of the rows field by field, and unions as a tag and a member

enum class Kind : uint8_t { NUMBER, STRUCT, UNION, MEMBER };

template <class T>
consteval Kind kindOf() {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
        return Kind::NUMBER;
    } else if constexpr (HasFields<T>) {
        return Kind::STRUCT;
    } else if constexpr (requires(const T& value) { value.getDiscriminator(); }) {
        return Kind::UNION;
    } else {
        return Kind::MEMBER;
    }
}

template <class T, Kind kind = kindOf<T>()>
struct Element;

template <class T>
struct Element<T, Kind::NUMBER> {
    static constexpr size_t kSize = sizeof(T) < 4 ? 4 : sizeof(T);
    static void write(const T& value, uint8_t* bytes) {
        std::memset(bytes, 0, kSize);
        std::memcpy(bytes, &value, sizeof(T));
    }
    static void read(const uint8_t* bytes, T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            value = *bytes != 0;  // any other byte is no bool
        } else {
            std::memcpy(&value, bytes, sizeof(T));
        }
    }
};

template <class T>
struct Element<T, Kind::STRUCT> {
    template <class Visit>
    static constexpr size_t eachField(Visit&& visit) {
        size_t offset = 0;
        visitFields(std::type_identity<T>{}, [&](std::string_view, auto member) {
            using Field = std::remove_cvref_t<decltype(std::declval<T>().*member)>;
            visit(std::type_identity<Field>{}, member, offset);
            offset += Element<Field>::kSize;
        });
        return offset;
    }
    static constexpr size_t kSize = eachField([](auto, auto, size_t) {});
    static void write(const T& value, uint8_t* bytes) {
        eachField([&]<class Field>(std::type_identity<Field>, auto member, size_t offset) {
            Element<Field>::write(value.*member, bytes + offset);
        });
    }
    static void read(const uint8_t* bytes, T& value) {
        eachField([&]<class Field>(std::type_identity<Field>, auto member, size_t offset) {
            Element<Field>::read(bytes + offset, value.*member);
        });
    }
};

template <>
struct Element<std::monostate, Kind::MEMBER> {
    static constexpr size_t kSize = 0;
    static void write(std::monostate, uint8_t*) {}
    static void read(const uint8_t*, std::monostate&) {}
};

template <class... Members>
struct Element<std::variant<Members...>, Kind::MEMBER> {
    using Variant = std::variant<Members...>;
    static constexpr size_t kSize = 4 + std::max({Element<Members>::kSize...});
    static void write(const Variant& value, uint8_t* bytes) {
        std::memset(bytes, 0, kSize);
        bytes[0] = static_cast<uint8_t>(value.index());
        std::visit([&]<class Member>(
                           const Member& member) { Element<Member>::write(member, bytes + 4); },
                   value);
    }
    // The last member, which is empty, for a tag that no member has.
    static void read(const uint8_t* bytes, Variant& value) {
        value.template emplace<sizeof...(Members) - 1>();
        readMember(bytes, value, std::make_index_sequence<sizeof...(Members)>());
    }
    template <size_t... I>
    static void readMember(const uint8_t* bytes, Variant& value, std::index_sequence<I...>) {
        ((bytes[0] == I ? Element<Members>::read(bytes + 4, value.template emplace<I>()) : void()),
         ...);
    }
};

template <class T>
struct Element<T, Kind::UNION> {
    using Variant = std::remove_cvref_t<decltype(UnionValue::of(std::declval<const T&>()))>;
    static constexpr size_t kSize = Element<Variant>::kSize;
    static void write(const T& value, uint8_t* bytes) {
        Element<Variant>::write(UnionValue::of(value), bytes);
    }
    static void read(const uint8_t* bytes, T& value) {
        Element<Variant>::read(bytes, UnionValue::of(value));
    }
};

// Memory of a queue of fixed-size elements. Null if it cannot be created or used.
class Ring {
   public:
    static std::unique_ptr<Ring> create(size_t quantum, size_t count, bool hasEventFlag);
    static std::unique_ptr<Ring> open(const hidl_vec<GrantorDescriptor>& grantors,
                                      const native_handle_t* handle, size_t quantum,
                                      bool resetPointers);
    size_t count() const { return mCount; }
    size_t quantum() const { return mQuantum; }
    const hidl_vec<GrantorDescriptor>& grantors() const { return mGrantors; }
    const hidl_handle& handle() const { return mHandle; }
    std::atomic<uint32_t>* eventFlagWord() const { return mEventFlag; }

    // 0 if the counters contradict each other, now or earlier; areSound() distinguishes that from
    // an empty queue.
    size_t availableToRead() const;
    size_t availableToWrite() const;
    bool areSound() const;
    // All or nothing.
    bool write(const uint8_t* bytes, size_t count);
    bool read(uint8_t* bytes, size_t count);

    // As write and read, but wait for free space or elements; false after the timeout in
    // nanoseconds (0:
    // none), and for impossible counts.
    bool writeBlocking(const uint8_t* bytes, size_t count, int64_t timeoutNanoseconds);
    bool readBlocking(uint8_t* bytes, size_t count, int64_t timeoutNanoseconds);

   private:
    Ring() = default;

    template <class Transfer>
    bool transferBlocking(uint32_t awaited, uint32_t announced, int64_t timeoutNanoseconds,
                          const Transfer& transfer);

    std::shared_ptr<const void> mOwner{};
    hidl_handle mHandle{};
    hidl_vec<GrantorDescriptor> mGrantors{};
    std::atomic<uint64_t>* mRead = nullptr;
    std::atomic<uint64_t>* mWritten = nullptr;
    uint8_t* mElements = nullptr;
    std::atomic<uint32_t>* mEventFlag = nullptr;
    size_t mQuantum = 0;
    size_t mCount = 0;
    mutable std::atomic<bool> mIsBroken{false};
};

}  // namespace queue_internal

template <class T, MQFlavor flavor>
class MessageQueue {
    using Element = queue_internal::Element<T>;

   public:
    using Descriptor = MQDescriptor<T, flavor>;

    explicit MessageQueue(size_t numElementsInQueue, bool configureEventFlagWord = false)
        : mRing(queue_internal::Ring::create(Element::kSize, numElementsInQueue,
                                             configureEventFlagWord)) {
        if (mRing != nullptr) {
            mDescriptor = Descriptor(mRing->grantors(), mRing->handle(), Element::kSize);
        }
    }
    // With resetPointers, empties the queue, also for the peer.
    explicit MessageQueue(const Descriptor& descriptor, bool resetPointers = true)
        : mRing(descriptor.getQuantum() != Element::kSize || descriptor.getFlags() != flavor
                        ? nullptr
                        : queue_internal::Ring::open(descriptor.grantors(), descriptor.handle(),
                                                     Element::kSize, resetPointers)) {
        if (mRing != nullptr) {
            mDescriptor = Descriptor(mRing->grantors(), mRing->handle(), Element::kSize);
        }
    }
    MessageQueue(const MessageQueue&) = delete;
    MessageQueue& operator=(const MessageQueue&) = delete;

    // False if the queue could not be created or used, and permanently once its counters contradict
    // each other.
    bool isValid() const { return mRing != nullptr && mRing->areSound(); }
    const Descriptor* getDesc() const { return mRing == nullptr ? nullptr : &mDescriptor; }
    size_t getQuantumSize() const { return Element::kSize; }
    size_t getQuantumCount() const { return mRing == nullptr ? 0 : mRing->count(); }
    std::atomic<uint32_t>* getEventFlagWord() const {
        return mRing == nullptr ? nullptr : mRing->eventFlagWord();
    }

    size_t availableToRead() const { return mRing == nullptr ? 0 : mRing->availableToRead(); }
    size_t availableToWrite() const { return mRing == nullptr ? 0 : mRing->availableToWrite(); }

    // All elements or none; false for zero elements.
    bool write(const T* data, size_t count = 1) {
        if (!canTransfer(count)) return false;
        const uint8_t* bytes = encode(data, count);
        return mRing->write(bytes, count);
    }
    bool read(T* data, size_t count = 1) {
        if (!canTransfer(count)) return false;
        return mRing->read(room(mReading, count), count) && decode(data, count);
    }

    // As above, but waits for free space or elements and notifies the peer; false after the timeout
    // in nanoseconds (0: none), and without an event flag.
    bool writeBlocking(const T* data, size_t count, int64_t timeoutNanoseconds = 0) {
        if (!canTransfer(count)) return false;
        const uint8_t* bytes = encode(data, count);
        return mRing->writeBlocking(bytes, count, timeoutNanoseconds);
    }
    bool readBlocking(T* data, size_t count, int64_t timeoutNanoseconds = 0) {
        if (!canTransfer(count)) return false;
        return mRing->readBlocking(room(mReading, count), count, timeoutNanoseconds) &&
               decode(data, count);
    }

   private:
    bool canTransfer(size_t count) const { return count != 0 && count <= getQuantumCount(); }
    static uint8_t* room(std::vector<uint8_t>& bytes, size_t count) {
        if (bytes.size() < count * Element::kSize) bytes.resize(count * Element::kSize);
        return bytes.data();
    }
    const uint8_t* encode(const T* data, size_t count) {
        uint8_t* bytes = room(mWriting, count);
        for (size_t i = 0; i < count; ++i) Element::write(data[i], bytes + i * Element::kSize);
        return bytes;
    }
    bool decode(T* data, size_t count) const {
        const uint8_t* bytes = mReading.data();
        for (size_t i = 0; i < count; ++i) Element::read(bytes + i * Element::kSize, data[i]);
        return true;
    }

    std::unique_ptr<queue_internal::Ring> mRing;
    Descriptor mDescriptor{};
    std::vector<uint8_t> mWriting{};  // of the thread that writes
    std::vector<uint8_t> mReading{};  // of the thread that reads
};

}  // namespace nn::hidl
