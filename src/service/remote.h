// A server's objects as canonical devices, prepared models, executions, bursts and buffers.
#pragma once

#include <memory>

#include "driver/memory/execution_call.h"
#include "driver/memory/shared_arguments.h"
#include "driver/wrap/result_checks.h"
#include "nnapi/driver/interfaces.h"
#include "service/connection.h"

namespace nn::service {

using SharedOutputSignatures = std::shared_ptr<const std::vector<driver::OutputSignature>>;

class RemoteBuffer final : public IBuffer {
   public:
    RemoteBuffer(RemoteObject object, Request::MemoryDomainToken token)
        : mObject(std::move(object)), mToken(token) {}
    const RemoteObject& object() const { return mObject; }

    Request::MemoryDomainToken getToken() const override { return mToken; }
    GeneralResult<void> copyTo(const SharedMemory& dst) const override;
    GeneralResult<void> copyFrom(const SharedMemory& src,
                                 const Dimensions& dimensions) const override;

   private:
    RemoteObject mObject;
    Request::MemoryDomainToken mToken;
};

// Writes everything but the pools.
void write(const driver::ExecutionCall& call, rpc::Execute::Builder to);

// The arguments of an execution as sent over a connection: without pointers, and with the server's
// objects for its pools. Shared, since the call may outlive the caller's wait.
struct Execute {
    driver::OwnedCall call{};
    driver::SharedArguments moved{};
    std::vector<std::shared_ptr<const RemoteBuffer>> buffers{};  // by pool; null for other pools

    void write(Connection::State& state, const OptionalTimePoint& deadline,
               rpc::Execute::Builder to) const;

    // For servers that descriptors cannot reach: inputs are sent before an execution, and outputs
    // fetched after it, as far as the shapes and the model determine their sizes.
    Status checkTravels() const;
    std::shared_ptr<const Execute> memoriesAlone() const;  // does not keep the connection open
    GeneralResult<void> sendInputs(const Connection& connection,
                                   const OptionalTimePoint& deadline) const;
    kj::Promise<Status> sendInputs(const std::shared_ptr<const Connection>& connection) const;
    kj::Promise<Status> fetchOutputs(Connection::State& state,
                                     const std::vector<OutputShape>& shapes,
                                     const SharedOutputSignatures& signatures) const;
    void forgetOutputs(const Connection& connection) const;
};
using SharedExecutionMessage = std::shared_ptr<const Execute>;

// INVALID_ARGUMENT for a buffer that is not of this connection.
Result<SharedExecutionMessage> makeExecutionMessage(
        const Connection& connection, const driver::ExecutionCall& call,
        const MakePool& makePool = MappedMemory::create);

// Names for driver::checkExecutionResult() in messages about a server's replies.
inline constexpr driver::ResultNames kServerResults{"", "the server reports times that cannot be"};

// A prepared model of the server. Null signatures: the model is not known.
SharedPreparedModel remotePreparedModel(RemoteObject object, SharedOutputSignatures signatures);

// The server's object behind a prepared model; empty if it is not of this connection.
std::optional<RemoteObject> remoteObjectOf(const SharedPreparedModel& preparedModel,
                                           const Connection& connection);

SharedBurst remoteBurst(RemoteObject object, SharedPreparedModel preparedModel,
                        SharedOutputSignatures signatures);

SharedDevice remoteDevice(RemoteObject object, DeviceInfo info);

}  // namespace nn::service
