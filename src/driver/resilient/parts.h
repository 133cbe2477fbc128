// The parts of resilient objects, and the buffers that their requests name.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/process_mutex.h"
#include "driver/resilient/recoverable.h"
#include "nnapi/driver/resilient.h"

namespace nn::driver {

// The recoverable buffers of a device. Each has a token that stays the same when the device assigns
// another. Thread-safe.
class BufferTable {
   public:
    explicit BufferTable(SharedRecoverable<IDevice> device) : mDevice(std::move(device)) {}

    Request::MemoryDomainToken add(const SharedRecoverable<IBuffer>& buffer) const;
    void remove(Request::MemoryDomainToken token) const;

    // The buffer with this token; INVALID_ARGUMENT if there is none.
    GeneralResult<SharedRecoverable<IBuffer>> find(Request::MemoryDomainToken token) const;

    // A buffer of the table on a device, which must be the current one; DEAD_OBJECT otherwise.
    GeneralResult<SharedBuffer> on(const Recoverable<IBuffer>& buffer, const void* device) const;

   private:
    const SharedRecoverable<IDevice> mDevice;
    mutable ProcessMutex mMutex;
    mutable std::map<Request::MemoryDomainToken, std::weak_ptr<const Recoverable<IBuffer>>>
            mBuffers{};
    mutable uint32_t mLast = 0;
};

using SharedBufferTable = std::shared_ptr<const BufferTable>;  // null if no buffers are wrapped

// An entry of a table for the lifetime of this object.
class Registration {
   public:
    Registration(SharedBufferTable table, const SharedRecoverable<IBuffer>& buffer)
        : mTable(std::move(table)), mToken(mTable->add(buffer)) {}
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;
    ~Registration() { mTable->remove(mToken); }

    const BufferTable& table() const { return *mTable; }
    Request::MemoryDomainToken token() const { return mToken; }

   private:
    SharedBufferTable mTable;
    Request::MemoryDomainToken mToken;
};

// A request in the form that a device's prepared model or burst receives.
class KnownRequest {
   public:
    // request must live as long.
    static GeneralResult<KnownRequest> on(const void* device, const Request& request,
                                          const BufferTable* buffers);

    const Request& operator*() const { return mReplaced ? *mReplaced : *mRequest; }

    // Checks whether a buffer that it names has been recreated; null if it names none.
    std::shared_ptr<const std::function<bool()>> isOutdated() const;

   private:
    struct Use {
        std::weak_ptr<const Recoverable<IBuffer>> buffer;
        SharedBuffer was;  // keeps its token from being reused meanwhile
    };

    explicit KnownRequest(const Request& request) : mRequest(&request) {}
    Status replace(size_t pool, const SharedRecoverable<IBuffer>& buffer, const BufferTable& table,
                   const void* device, bool byToken);
    void replace(size_t pool, Request::MemoryPool by);

    const Request* mRequest;
    std::optional<Request> mReplaced{};
    std::vector<Use> mUses{};
};

// call(current object, request with the buffers of its device), with the recovery of
// Recoverable::protect. Parent is a prepared model or a burst.
template <class Returned, class Parent, class Call>
Returned forwardRequest(const Recoverable<Parent>& parent, const BufferTable* buffers,
                        const Request& request, const OptionalTimePoint& deadline,
                        const Call& call) {
    return parent.protect(
            [&](const Instance<Parent>& on) -> Returned {
                const auto known = KnownRequest::on(on.device.get(), request, buffers);
                if (!known.has_value()) return known.status();
                return call(*on.object, **known);
            },
            /*isBlocking=*/false, deadline);
}

}  // namespace nn::driver

namespace nn::hal::utils {

struct ResilientDevice::Parts {
    // The properties that must not change when a device comes back.
    struct Identity {
        std::string name;
        std::string versionString;
        Version featureLevel;
        DeviceType type;
        std::vector<Extension> extensions;
        Capabilities capabilities;
        std::pair<uint32_t, uint32_t> numberOfCacheFilesNeeded;
    };

    driver::SharedRecoverable<IDevice> engine;
    ResilientOptions options;
    std::shared_ptr<const Identity> identity;
    driver::SharedBufferTable buffers;
};

struct ResilientPreparedModel::Parts {
    driver::SharedRecoverable<IPreparedModel> engine;
    ResilientOptions options;
    driver::SharedBufferTable buffers;
};

struct ResilientExecution::Parts {
    driver::SharedRecoverable<IExecution> engine;
};

struct ResilientBurst::Parts {
    driver::SharedRecoverable<IBurst> engine;
    ResilientOptions options;
    driver::SharedBufferTable buffers;
};

struct ResilientBuffer::Parts {
    driver::SharedRecoverable<IBuffer> engine;
    std::shared_ptr<const driver::Registration> registration;  // null without a token of its own
};

}  // namespace nn::hal::utils

namespace nn::driver {

// Makes a reusable execution of a prepared model or burst; with wrapResults one that recovers.
template <class Parent>
GeneralResult<SharedExecution> reusableExecution(const SharedRecoverable<Parent>& parent,
                                                 const hal::utils::ResilientOptions& options,
                                                 const SharedBufferTable& buffers,
                                                 const Request& request,
                                                 const ExecutionConfig& config) NNAPI_TRY {
    const auto create = [](const Parent& on, const Request& known, const ExecutionConfig& as) {
        return on.createReusableExecution(known, as.measureTiming, as.loopTimeoutDuration,
                                          as.executionHints, as.extensionNameToPrefix);
    };
    if (!options.wrapResults) {
        return forwardRequest<GeneralResult<SharedExecution>>(
                *parent, buffers.get(), request, {},
                [&](const Parent& on, const Request& known) { return create(on, known, config); });
    }
    const auto makeOn = [=](const Instance<Parent>& on) -> GeneralResult<Instance<IExecution>> {
        const auto known = KnownRequest::on(on.device.get(), request, buffers.get());
        if (!known.has_value()) return known.status();
        auto execution = create(*on.object, **known, config);
        if (!execution.has_value()) return execution.status();
        return Instance<IExecution>{.object = *std::move(execution),
                                    .isOutdated = known->isOutdated()};
    };
    auto engine = recoverableChild<IExecution>(parent, makeOn, options.recoveryTimeout);
    if (!engine.has_value()) return engine.status();
    return std::make_shared<const hal::utils::ResilientExecution>(
            std::make_shared<const hal::utils::ResilientExecution::Parts>(
                    hal::utils::ResilientExecution::Parts{.engine = *std::move(engine)}));
}
NNAPI_CATCH

// The object of a Instance, without its parent and device.
template <class I>
GeneralResult<std::shared_ptr<const I>> objectOf(const GeneralResult<Instance<I>>& made) {
    if (!made.has_value()) return made.status();
    return made->object;
}

}  // namespace nn::driver
