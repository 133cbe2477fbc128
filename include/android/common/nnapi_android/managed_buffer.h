// nnapi_android/managed_buffer.h -- Memory of a device that clients name by tokens, for drivers
// that write the protocol of memory domains themselves.
//
//   auto buffer = ManagedBuffer::create(size, roles, operand);           // in allocate
//   std::unique_ptr<BufferTracker::Token> token = tracker->add(buffer);
//   auto buffer = tracker->get(pool.token());                            // in an execution
//   if (buffer->validateRequest(poolIndex, request, this) != ErrorStatus::NONE) ...
//
// The aliases are in BufferTracker.h, HalBufferTracker.h and AidlBufferTracker.h: a driver's
// prepared models differ by the types of the HAL. Unlike nnapi/driver/device_buffers.h, the driver
// queries the state, and copies and records itself. Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "nnapi_android/helper_types.h"
#include "nnapi_android/memory_pools.h"

namespace nnapi_android {

// The bytes of a device memory and the state of its value.
class DomainMemory {
   public:
    // One argument of a request that is in the memory.
    struct Use {
        IOType type = IOType::INPUT;
        uint32_t index = 0;
        std::vector<uint32_t> dimensions{};
    };
    // Returns whether the memory may be that argument of the prepared model.
    using HasRole = std::function<bool(IOType type, uint32_t index)>;

    // Null for the type of an extension, whose size only the driver has, and without memory.
    static std::unique_ptr<DomainMemory> create(uint32_t size, ::nn::OperandType type,
                                                std::vector<uint32_t> dimensions);

    ::android::nn::RunTimePoolInfo pool() const;
    uint8_t* bytes() const { return mBytes.get(); }
    uint32_t size() const { return mSize; }

    // INVALID_ARGUMENT for an argument without the role, for dimensions that conflict, and for one
    // that is an output and anything else; GENERAL_FAILURE for an input without a value.
    ::nn::ErrorStatus validateUses(const std::vector<Use>& uses, const HasRole& hasRole) const;

    // INVALID_ARGUMENT for another size, and for dimensions that are not known or conflict.
    ::nn::ErrorStatus validateCopyFrom(const std::vector<uint32_t>& dimensions,
                                       uint32_t size) const;
    // INVALID_ARGUMENT for another size; GENERAL_FAILURE without a value.
    ::nn::ErrorStatus validateCopyTo(uint32_t size) const;

    // Records the dimensions of a value; false where they conflict with those of the memory.
    bool updateDimensions(const std::vector<uint32_t>& dimensions);
    void setInitialized(bool initialized);

   private:
    DomainMemory(std::unique_ptr<uint8_t[]> bytes, uint32_t size, ::nn::OperandType type,
                 std::vector<uint32_t> dimensions);

    ::nn::ErrorStatus validateInput(const Use& use) const;

    const std::unique_ptr<uint8_t[]> mBytes;
    const uint32_t mSize;
    const ::nn::OperandType mType;
    const std::vector<uint32_t> mDimensions;  // as allocated
    mutable std::mutex mMutex{};
    std::vector<uint32_t> mValueDimensions;
    bool mHasValue = false;
};

// The kind of a pool and an argument, in each family of types.
inline bool isToken(const ::nn::V1_3::Request::MemoryPool& pool) {
    return pool.getDiscriminator() == ::nn::V1_3::Request::MemoryPool::hidl_discriminator::token;
}
inline bool isToken(const ::nn::Request::MemoryPool& pool) {
    return std::holds_alternative<::nn::Request::MemoryDomainToken>(pool);
}
inline bool isToken(const ::nn::aidl_hal::RequestMemoryPool& pool) {
    return pool.getTag() == ::nn::aidl_hal::RequestMemoryPool::Tag::token;
}
template <class Argument>
bool hasPool(const Argument& argument) {
    if constexpr (requires { argument.hasNoValue; }) {
        return !argument.hasNoValue;
    } else {
        return argument.lifetime == ::nn::Request::Argument::LifeTime::POOL;
    }
}
template <class Dimensions>
std::vector<uint32_t> canonicalDimensions(const Dimensions& dimensions) {
    return std::vector<uint32_t>(dimensions.begin(), dimensions.end());
}

// A memory with the roles that it was allocated for.
template <class Types>
class BasicManagedBuffer {
    using ErrorStatus = typename Types::ErrorStatus;
    using Operand = typename Types::Operand;
    using Request = typename Types::Request;
    using Roles = BasicPreparedModelRoles<Types>;

   public:
    // Null for the operand of an extension, and where there is no memory.
    static std::shared_ptr<BasicManagedBuffer> create(uint32_t size, Roles roles,
                                                      const Operand& operand) {
        auto memory = DomainMemory::create(size, static_cast<::nn::OperandType>(operand.type),
                                           canonicalDimensions(operand.dimensions));
        if (memory == nullptr) return nullptr;
        return std::make_shared<BasicManagedBuffer>(std::move(memory), std::move(roles));
    }
    BasicManagedBuffer(std::unique_ptr<DomainMemory> memory, Roles roles)
        : mMemory(std::move(memory)), mRoles(std::move(roles)) {}

    ::android::nn::RunTimePoolInfo createRunTimePoolInfo() const { return mMemory->pool(); }
    uint8_t* getPointer() const { return mMemory->bytes(); }
    uint32_t getSize() const { return mMemory->size(); }

    // Checks the arguments of a request that are in pool `poolIndex`, which names this buffer.
    ErrorStatus validateRequest(uint32_t poolIndex, const Request& request,
                                const typename Types::IPreparedModel* preparedModel) const {
        if (poolIndex >= request.pools.size()) return ErrorStatus::INVALID_ARGUMENT;
        if (!isToken(request.pools[poolIndex])) return ErrorStatus::INVALID_ARGUMENT;
        std::vector<DomainMemory::Use> uses;
        addUses(uses, IOType::INPUT, argumentsOf(request, IOType::INPUT), poolIndex);
        addUses(uses, IOType::OUTPUT, argumentsOf(request, IOType::OUTPUT), poolIndex);
        return codeOf(mMemory->validateUses(uses, [&](IOType type, uint32_t index) {
            return mRoles.count({preparedModel, type, index}) != 0;
        }));
    }

    // `size` is that of the memory that is given to copyFrom or copyTo.
    template <class Dimensions>
    ErrorStatus validateCopyFrom(const Dimensions& dimensions, uint32_t size) const {
        return codeOf(mMemory->validateCopyFrom(canonicalDimensions(dimensions), size));
    }
    ErrorStatus validateCopyTo(uint32_t size) const {
        return codeOf(mMemory->validateCopyTo(size));
    }

    template <class Dimensions>
    bool updateDimensions(const Dimensions& dimensions) {
        return mMemory->updateDimensions(canonicalDimensions(dimensions));
    }
    void setInitialized(bool initialized) { mMemory->setInitialized(initialized); }

   private:
    static ErrorStatus codeOf(::nn::ErrorStatus code) { return static_cast<ErrorStatus>(code); }

    static const auto& argumentsOf(const Request& request, IOType type) {
        if constexpr (requires { request.inputs; }) {
            return type == IOType::INPUT ? request.inputs : request.outputs;
        } else {
            return type == IOType::INPUT ? request.inputOperands : request.outputOperands;
        }
    }
    template <class Arguments>
    static void addUses(std::vector<DomainMemory::Use>& uses, IOType type,
                        const Arguments& arguments, uint32_t poolIndex) {
        for (uint32_t i = 0; i < arguments.size(); ++i) {
            const auto& argument = arguments[i];
            if (!hasPool(argument)) continue;
            if (static_cast<uint32_t>(argument.location.poolIndex) != poolIndex) continue;
            uses.push_back({type, i, canonicalDimensions(argument.dimensions)});
        }
    }

    const std::unique_ptr<DomainMemory> mMemory;
    const Roles mRoles;
};

// Numbers for things that clients name by tokens: from 1, and the one that was freed last first.
class Tokens {
   public:
    uint32_t take();
    void give(uint32_t token);

   private:
    uint32_t mNext = 1;
    std::vector<uint32_t> mFree{};
};

// All buffers of a device, by token. Owned by a std::shared_ptr, which its tokens share.
template <class Buffer, class Number = uint32_t>
class BasicBufferTracker : public std::enable_shared_from_this<BasicBufferTracker<Buffer, Number>> {
   public:
    // Frees the number, and the tracker's share of the buffer, when it is destroyed.
    class Token {
       public:
        Token(Number token, std::shared_ptr<BasicBufferTracker> tracker)
            : mToken(token), mTracker(std::move(tracker)) {}
        Token(const Token&) = delete;
        Token& operator=(const Token&) = delete;
        ~Token() { mTracker->free(mToken); }

        Number get() const { return mToken; }

       private:
        const Number mToken;
        const std::shared_ptr<BasicBufferTracker> mTracker;
    };

    static std::shared_ptr<BasicBufferTracker> create() {
        return std::make_shared<BasicBufferTracker>();
    }
    BasicBufferTracker() = default;
    BasicBufferTracker(const BasicBufferTracker&) = delete;
    BasicBufferTracker& operator=(const BasicBufferTracker&) = delete;

    // Null for null.
    std::unique_ptr<Token> add(std::shared_ptr<Buffer> buffer) {
        if (buffer == nullptr) return nullptr;
        const std::lock_guard lock(mMutex);
        const auto token = static_cast<Number>(mTokens.take());
        mBuffers.emplace(token, std::move(buffer));
        return std::make_unique<Token>(token, this->shared_from_this());
    }
    // Null for a token that none has.
    std::shared_ptr<Buffer> get(Number token) const {
        const std::lock_guard lock(mMutex);
        const auto found = mBuffers.find(token);
        return found == mBuffers.end() ? nullptr : found->second;
    }

   private:
    void free(Number token) {
        std::shared_ptr<Buffer> freed;  // released without the lock
        const std::lock_guard lock(mMutex);
        const auto found = mBuffers.find(token);
        if (found == mBuffers.end()) return;
        freed = std::move(found->second);
        mBuffers.erase(found);
        mTokens.give(static_cast<uint32_t>(token));
    }

    mutable std::mutex mMutex{};
    Tokens mTokens{};
    std::map<Number, std::shared_ptr<Buffer>> mBuffers{};
};

}  // namespace nnapi_android
