// A queue in memory that two processes share; elements are copied as bytes.
#pragma once

#include <fmq/EventFlag.h>
#include <hidl/MQDescriptor.h>
#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <memory>

namespace android::hardware {

template <class T, MQFlavor flavor>
class MessageQueue {
   public:
    using Descriptor = MQDescriptor<T, flavor>;
    enum EventFlagBits : uint32_t { FMQ_NOT_EMPTY = 1 << 0, FMQ_NOT_FULL = 1 << 1 };

    explicit MessageQueue(size_t numElementsInQueue, bool configureEventFlagWord = false) {
        const size_t elements = numElementsInQueue * sizeof(T);
        const size_t size = kFirstElement + elements;
        const int file = memfd_create("queue", MFD_CLOEXEC);
        if (file < 0 || ftruncate(file, static_cast<off_t>(size)) != 0) return;
        native_handle_t* handle = native_handle_create(1, 0);
        handle->data[0] = file;
        std::vector<GrantorDescriptor> grantors = {
                {0, 0, kReadCounter, sizeof(uint64_t)},
                {0, 0, kWriteCounter, sizeof(uint64_t)},
                {0, 0, kFirstElement, elements},
        };
        if (configureEventFlagWord) grantors.push_back({0, 0, kEventFlag, sizeof(uint32_t)});
        mDescriptor = std::make_unique<Descriptor>(grantors, handle, sizeof(T));
        map(/*resetPointers=*/true);
    }
    explicit MessageQueue(const Descriptor& descriptor, bool resetPointers = true)
        : mDescriptor(std::make_unique<Descriptor>(descriptor)) {
        if (descriptor.isHandleValid() && descriptor.countGrantors() >= 3) map(resetPointers);
    }
    MessageQueue(const MessageQueue&) = delete;
    MessageQueue& operator=(const MessageQueue&) = delete;
    ~MessageQueue() {
        if (mEventFlag != nullptr) EventFlag::deleteEventFlag(&mEventFlag);
        if (mMemory != nullptr) munmap(mMemory, kFirstElement + mDescriptor->getSize());
    }

    bool isValid() const { return mMemory != nullptr; }
    const Descriptor* getDesc() const { return mDescriptor.get(); }
    size_t getQuantumSize() const { return mDescriptor->getQuantum(); }
    size_t getQuantumCount() const { return mDescriptor->getSize() / mDescriptor->getQuantum(); }
    std::atomic<uint32_t>* getEventFlagWord() const {
        return mEventFlag == nullptr ? nullptr : at<std::atomic<uint32_t>>(kEventFlag);
    }

    size_t availableToRead() const { return (writeCounter() - readCounter()) / sizeof(T); }
    size_t availableToWrite() const { return getQuantumCount() - availableToRead(); }

    bool write(const T* data, size_t count = 1) {
        if (count > availableToWrite()) return false;
        const uint64_t begin = writeCounter() / sizeof(T);
        for (size_t i = 0; i < count; ++i) memcpy(element(begin + i), &data[i], sizeof(T));
        writeCounter() += count * sizeof(T);
        return true;
    }
    bool read(T* data, size_t count = 1) {
        if (count > availableToRead()) return false;
        const uint64_t begin = readCounter() / sizeof(T);
        for (size_t i = 0; i < count; ++i) {
            memcpy(static_cast<void*>(&data[i]), element(begin + i), sizeof(T));
        }
        readCounter() += count * sizeof(T);
        return true;
    }
    bool writeBlocking(const T* data, size_t count, int64_t timeOutNanos = 0) {
        return transfer([&] { return write(data, count); }, FMQ_NOT_FULL, FMQ_NOT_EMPTY,
                        timeOutNanos);
    }
    bool readBlocking(T* data, size_t count, int64_t timeOutNanos = 0) {
        return transfer([&] { return read(data, count); }, FMQ_NOT_EMPTY, FMQ_NOT_FULL,
                        timeOutNanos);
    }

   private:
    static constexpr uint32_t kReadCounter = 0;
    static constexpr uint32_t kWriteCounter = 8;
    static constexpr uint32_t kEventFlag = 16;
    static constexpr uint32_t kFirstElement = 64;

    void map(bool resetPointers) {
        void* memory = mmap(nullptr, kFirstElement + mDescriptor->getSize(), PROT_READ | PROT_WRITE,
                            MAP_SHARED, mDescriptor->handle()->data[0], 0);
        if (memory == MAP_FAILED) return;
        mMemory = static_cast<uint8_t*>(memory);
        if (resetPointers) readCounter() = writeCounter() = 0;
        if (mDescriptor->countGrantors() > Descriptor::EVFLAGWORDPOS) {
            EventFlag::createEventFlag(at<std::atomic<uint32_t>>(kEventFlag), &mEventFlag);
        }
    }
    template <class Transfer>
    bool transfer(const Transfer& tryToTransfer, uint32_t awaited, uint32_t announced,
                  int64_t timeOutNanos) {
        if (mEventFlag == nullptr) return false;
        while (!tryToTransfer()) {
            uint32_t state = 0;
            if (mEventFlag->wait(awaited, &state, timeOutNanos) != NO_ERROR) return false;
        }
        mEventFlag->wake(announced);
        return true;
    }
    template <class Part>
    Part* at(size_t offset) const {
        return reinterpret_cast<Part*>(mMemory + offset);
    }
    std::atomic<uint64_t>& readCounter() const { return *at<std::atomic<uint64_t>>(kReadCounter); }
    std::atomic<uint64_t>& writeCounter() const {
        return *at<std::atomic<uint64_t>>(kWriteCounter);
    }
    uint8_t* element(uint64_t i) const {
        return mMemory + kFirstElement + i % getQuantumCount() * sizeof(T);
    }

    std::unique_ptr<Descriptor> mDescriptor;
    uint8_t* mMemory = nullptr;
    EventFlag* mEventFlag = nullptr;
};

}  // namespace android::hardware
