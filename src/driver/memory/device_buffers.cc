#include "nnapi/driver/device_buffers.h"

#include <absl/algorithm/container.h>

#include <string_view>
#include <utility>

#include "base/plurals.h"
#include "base/process_mutex.h"
#include "nnapi/checked_math.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn {
namespace {

struct Role {
    std::weak_ptr<const void> preparedModel{};
    uint32_t index = 0;
    bool isOutput = false;

    // A prepared model that was released is the same as no other.
    bool operator==(const Role& other) const {
        return index == other.index && isOutput == other.isOutput &&
               !preparedModel.owner_before(other.preparedModel) &&
               !other.preparedModel.owner_before(preparedModel);
    }
};

std::string_view sideOf(bool isOutput) { return isOutput ? "outputs[" : "inputs["; }

ErrorBuilder wrongArgument(bool isOutput, size_t index) {
    return error(ErrorStatus::INVALID_ARGUMENT) << sideOf(isOutput) << index << "]: ";
}

Status checkSizes(std::string_view what, const SharedMemory& memory, size_t wanted) {
    if (memory.get() == nullptr) {
        return error(ErrorStatus::INVALID_ARGUMENT) << what << ": the memory is null";
    }
    if (size(memory) == wanted) return {};
    return error(ErrorStatus::INVALID_ARGUMENT)
           << what << ": the memory has " << size(memory) << " bytes, allowed " << wanted
           << " as the buffer has";
}

}  // namespace

struct DeviceBuffers::State {
    ProcessMutex mutex{};
    uint64_t bytesLeft = 0;
    std::vector<std::weak_ptr<const DeviceBuffer>> buffers{};  // by token, from 1
    std::vector<uint32_t> free{};                              // tokens; the last one is used first
};

DeviceBuffers::DeviceBuffers(uint64_t maxBytes) : mState(std::make_unique<State>()) {
    mState->bytesLeft = maxBytes;
}
DeviceBuffers::~DeviceBuffers() = default;

// A token and its bytes, until it is released.
class DeviceBuffers::Token {
   public:
    static Result<Token> take(std::shared_ptr<DeviceBuffers> owner, size_t bytes) {
        State& state = *owner->mState;
        const std::lock_guard lock(state.mutex);
        if (bytes > state.bytesLeft) {
            return Status(error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
                          << "a buffer of " << bytes << " bytes is wanted, allowed "
                          << state.bytesLeft << " beside those that there are");
        }
        if (state.free.empty()) {
            state.buffers.emplace_back();
            if (state.free.capacity() < state.buffers.capacity()) {
                state.free.reserve(state.buffers.capacity());  // so that releasing cannot fail
            }
            state.free.push_back(static_cast<uint32_t>(state.buffers.size()));
        }
        Token token;
        token.mNumber = state.free.back();
        token.mBytes = bytes;
        state.free.pop_back();
        state.bytesLeft -= bytes;
        token.mOwner = std::move(owner);
        return token;
    }
    Token(Token&&) noexcept = default;
    Token& operator=(Token&&) noexcept = delete;
    ~Token() {
        if (mOwner == nullptr) return;
        try {
            const std::lock_guard lock(mOwner->mState->mutex);
            mOwner->mState->free.push_back(mNumber);
            mOwner->mState->bytesLeft += mBytes;
        } catch (...) {  // the lock is lost with the parent process, and the token with it
        }
    }

    uint32_t number() const { return mNumber; }
    void name(const std::shared_ptr<const DeviceBuffer>& buffer) const {
        const std::lock_guard lock(mOwner->mState->mutex);
        mOwner->mState->buffers[mNumber - 1] = buffer;
    }

   private:
    Token() = default;

    std::shared_ptr<DeviceBuffers> mOwner{};
    uint32_t mNumber = 0;
    size_t mBytes = 0;
};

class DeviceBuffer final : public IBuffer {
   public:
    DeviceBuffer(DeviceBuffers::Token token, SharedMemory memory, Operand operand,
                 std::vector<Role> roles)
        : mToken(std::move(token)),
          mMemory(std::move(memory)),
          mOperand(std::move(operand)),
          mRoles(std::move(roles)) {}

    Request::MemoryDomainToken getToken() const override {
        return Request::MemoryDomainToken(mToken.number());
    }

    GeneralResult<void> copyTo(const SharedMemory& dst) const override {
        constexpr std::string_view kCall = "copyTo";
        NNAPI_RETURN_IF_ERROR(checkSizes(kCall, dst, size(mMemory)));
        const std::lock_guard lock(mMutex);
        if (!mHasValue) return error() << kCall << ": nothing was written to the buffer yet";
        return copied(kCall, mMemory, dst);
    }

    GeneralResult<void> copyFrom(const SharedMemory& src,
                                 const Dimensions& dimensions) const override {
        constexpr std::string_view kCall = "copyFrom";
        NNAPI_RETURN_IF_ERROR(checkSizes(kCall, src, size(mMemory)));
        if (!dimensions.empty() && dimensions != mOperand.dimensions) {
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << kCall << ": the dimensions are " << toString(DimensionList{dimensions})
                   << ", allowed [] or " << toString(DimensionList{mOperand.dimensions})
                   << " as the buffer has";
        }
        const std::lock_guard lock(mMutex);
        const Status status = copied(kCall, src, mMemory);
        mHasValue = status.ok();
        return status;
    }

    const SharedMemory& memory() const { return mMemory; }
    const Operand& operand() const { return mOperand; }
    bool has(const Role& role) const { return absl::c_linear_search(mRoles, role); }

    bool hasValue() const {
        const std::lock_guard lock(mMutex);
        return mHasValue;
    }
    void setHasValue(bool hasValue) const {
        const std::lock_guard lock(mMutex);
        mHasValue = hasValue;
    }

   private:
    static Status copied(std::string_view call, const SharedMemory& from, const SharedMemory& to) {
        constexpr size_t kMaxChunk = size_t{1} << 18;
        std::vector<uint8_t> bytes(std::min(size(from), kMaxChunk));
        for (size_t done = 0; done < size(from); done += bytes.size()) {
            const std::span part(bytes.data(), std::min(bytes.size(), size(from) - done));
            Status status = readMemory(from, done, part);
            if (status.ok()) status = writeMemory(to, done, part);
            if (!status.ok()) return error() << call << ": " << std::string(status.message());
        }
        return {};
    }

    friend DeviceBuffers;

    DeviceBuffers::Token mToken;
    SharedMemory mMemory;
    Operand mOperand;  // type and dimensions, all known
    std::vector<Role> mRoles;

    mutable ProcessMutex mMutex{};
    mutable bool mHasValue = false;
};

GeneralResult<SharedBuffer> DeviceBuffers::allocate(const BufferDesc& desc,
                                                    std::span<const BufferUser> users,
                                                    const std::vector<BufferRole>& inputRoles,
                                                    const std::vector<BufferRole>& outputRoles) {
    NNAPI_RETURN_IF_ERROR(validate(desc).status());
    std::vector<const Model*> models;
    models.reserve(users.size());
    for (size_t i = 0; i < users.size(); ++i) {
        if (users[i].model == nullptr) {
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << "prepared model " << i << " is null or another device's";
        }
        models.push_back(users[i].model);
    }
    NNAPI_ASSIGN_OR_RETURN(operand, validateMemoryDesc(desc, models, inputRoles, outputRoles));
    const auto bytes = isExtension(operand.type) ? std::nullopt : operandSize(operand);
    // A place in a request has a length of 32 bits.
    const auto length = bytes ? checkedCast<uint32_t>(*bytes) : std::nullopt;
    if (!length || *length == 0) {
        return error() << "a buffer of " << toString(operand.type) << " "
                       << toString(DimensionList{operand.dimensions})
                       << " has no size that is known beforehand";
    }
    NNAPI_ASSIGN_OR_RETURN(token, Token::take(shared_from_this(), *length));
    NNAPI_ASSIGN_OR_RETURN(memory, createSharedMemory(*length));

    std::vector<Role> roles;
    for (const BufferRole& role : inputRoles) {
        roles.push_back({users[role.modelIndex].preparedModel, role.ioIndex, false});
    }
    for (const BufferRole& role : outputRoles) {
        roles.push_back({users[role.modelIndex].preparedModel, role.ioIndex, true});
    }
    const auto buffer = std::make_shared<const DeviceBuffer>(std::move(token), std::move(memory),
                                                             std::move(operand), std::move(roles));
    buffer->mToken.name(buffer);
    return SharedBuffer(buffer);
}
std::shared_ptr<const DeviceBuffer> DeviceBuffers::find(Request::MemoryDomainToken token) const {
    const auto index = static_cast<uint32_t>(token);
    const std::lock_guard lock(mState->mutex);
    if (index == 0 || index > mState->buffers.size()) return nullptr;
    return mState->buffers[index - 1].lock();
}

// ---- use

bool BufferUse::hasBuffers(const Request& request) {
    return absl::c_any_of(request.pools, [](const Request::MemoryPool& pool) {
        return !std::holds_alternative<SharedMemory>(pool);
    });
}

Result<BufferUse> BufferUse::make(const DeviceBuffers& buffers,
                                  const std::weak_ptr<const void>& preparedModel,
                                  const Request& request) {
    BufferUse use;
    use.mRequest = request;
    for (size_t i = 0; i < request.pools.size(); ++i) {
        const Request::MemoryPool& pool = request.pools[i];
        use.mByPool.emplace_back();
        if (std::holds_alternative<SharedMemory>(pool)) continue;
        const auto* own = std::get_if<SharedBuffer>(&pool);
        const auto token =
                own != nullptr ? (*own)->getToken() : std::get<Request::MemoryDomainToken>(pool);
        const auto buffer = buffers.find(token);
        if (buffer == nullptr || (own != nullptr && own->get() != buffer.get())) {
            return Status(error(ErrorStatus::INVALID_ARGUMENT)
                          << "pools[" << i << "]: the device has no buffer with token "
                          << static_cast<uint32_t>(token));
        }
        use.mRequest.pools[i] = buffer->memory();
        use.mByPool.back() = buffer;
    }
    NNAPI_RETURN_IF_ERROR(use.addArguments(preparedModel, /*areOutputs=*/false));
    NNAPI_RETURN_IF_ERROR(use.addArguments(preparedModel, /*areOutputs=*/true));
    return use;
}

Status BufferUse::addArguments(const std::weak_ptr<const void>& preparedModel, bool areOutputs) {
    auto& arguments = areOutputs ? mRequest.outputs : mRequest.inputs;
    for (size_t i = 0; i < arguments.size(); ++i) {
        Request::Argument& argument = arguments[i];
        if (argument.lifetime != Request::Argument::LifeTime::POOL) continue;
        const auto& buffer = mByPool[argument.location.poolIndex];
        if (buffer == nullptr) continue;
        if (!buffer->has({preparedModel, static_cast<uint32_t>(i), areOutputs})) {
            return wrongArgument(areOutputs, i)
                   << "the buffer was not allocated for this role of this prepared model";
        }
        const Dimensions& dimensions = buffer->operand().dimensions;
        if (!argument.dimensions.empty() &&
            combineDimensions(argument.dimensions, dimensions) != dimensions) {
            return wrongArgument(areOutputs, i)
                   << "the dimensions are " << toString(DimensionList{argument.dimensions})
                   << ", allowed " << toString(DimensionList{dimensions}) << " as the buffer has";
        }
        const bool isWritten = absl::c_any_of(
                mOutputs, [&](const Output& output) { return output.buffer == buffer; });
        if (areOutputs && (isWritten || absl::c_linear_search(mInputs, buffer))) {
            return wrongArgument(areOutputs, i)
                   << "the buffer is an input or another output of the same request, allowed for "
                      "inputs alone";
        }
        argument.dimensions = dimensions;
        argument.location.length = static_cast<uint32_t>(size(buffer->memory()));
        if (areOutputs) {
            mOutputs.push_back({i, buffer});
        } else {
            mInputs.push_back(buffer);
        }
    }
    return {};
}

Result<Request> BufferUse::begin() const {
    for (const auto& buffer : mInputs) {
        if (buffer->hasValue()) continue;
        return Status(error() << "the buffer with token "
                              << static_cast<uint32_t>(buffer->getToken())
                              << " is an input, and nothing was written to it yet");
    }
    return mRequest;
}

ExecutionResult<Executed> BufferUse::end(ExecutionResult<Executed> executed) const {
    for (const Output& output : mOutputs) output.buffer->setHasValue(executed.has_value());
    if (executed.has_value()) return executed;
    const auto failure = executed.error();
    if (failure.code != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) return executed;
    for (const Output& output : mOutputs) {
        if (output.index < failure.outputShapes.size() &&
            !failure.outputShapes[output.index].isSufficient) {
            return error() << "outputs[" << output.index << "]: the result has dimensions "
                           << toString(DimensionList{failure.outputShapes[output.index].dimensions})
                           << ", its buffer has "
                           << toString(DimensionList{output.buffer->operand().dimensions});
        }
    }
    return executed;
}

}  // namespace nn
