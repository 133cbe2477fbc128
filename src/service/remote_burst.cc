// Client-side bursts.
#include <utility>

#include "base/no_throw.h"
#include "driver/memory/call_objects.h"
#include "nnapi/driver/default_burst.h"
#include "service/call_queues.h"
#include "service/remote_calls.h"

namespace nn::service {
namespace {

class RemoteBurst final : public driver::CallBurst,
                          public std::enable_shared_from_this<RemoteBurst> {
   public:
    RemoteBurst(RemoteObject object, SharedPreparedModel preparedModel,
                SharedOutputSignatures signatures)
        : mObject(std::move(object)),
          mPreparedModel(std::move(preparedModel)),
          mSignatures(std::move(signatures)),
          mQueues(CallQueues::open<rpc::Burst>(mObject, CallQueues::kOfBurst)) {}

    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override {
        if (memory == nullptr) return nullptr;
        try {
            // The server's hold, set when the reply arrives; the caller does not wait for it.
            auto id = std::make_shared<std::optional<uint64_t>>();
            mObject.connection().post([object = mObject, memory, id](Connection::State& state) {
                auto request = state.capability<rpc::Burst>(object.id()).cacheMemoryRequest();
                request.setMemory(state.share(memory));
                *id = state.retain(request.send().getHold());
            });
            return std::make_shared<const CacheHold>([object = mObject, id] {
                object.connection().post([id](Connection::State& state) {
                    if (*id) state.release(**id);
                });
            });
        } catch (...) {
            return nullptr;
        }
    }

    ExecutionResult<Executed> executeCall(const driver::ExecutionCall& call) const override {
        if (mQueues != nullptr) {
            auto executed = mQueues->execute(call, mSignatures);
            if (executed) return *std::move(executed);
        }
        return executeOn<rpc::Burst>("IBurst::execute", mObject, call, mSignatures);
    }

    GeneralResult<SharedExecution> makeExecution(const driver::ExecutionCall& call) const override {
        NNAPI_ASSIGN_OR_RETURN(execute, makeExecutionMessage(mObject.connection(), call));
        NNAPI_ASSIGN_OR_RETURN(made, createExecution<rpc::Burst>(mObject, execute, mSignatures));
        if (made == nullptr) {
            NNAPI_ASSIGN_OR_RETURN(
                    byCall, call.reusableOn(*std::make_shared<const DefaultBurst>(mPreparedModel)));
            made = std::move(byCall);
        }
        if (mQueues == nullptr) return made;
        return SharedExecution(std::make_shared<const QueuedExecution<CallQueues>>(
                mQueues, made, driver::OwnedCall(call), mSignatures));
    }

   private:
    RemoteObject mObject;
    SharedPreparedModel mPreparedModel;
    SharedOutputSignatures mSignatures;
    std::shared_ptr<const CallQueues> mQueues;  // null: calls only
};

}  // namespace

SharedBurst remoteBurst(RemoteObject object, SharedPreparedModel preparedModel,
                        SharedOutputSignatures signatures) {
    return std::make_shared<const RemoteBurst>(std::move(object), std::move(preparedModel),
                                               std::move(signatures));
}

}  // namespace nn::service
