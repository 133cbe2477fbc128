// Client-side buffers.
#include "base/no_throw.h"
#include "service/chunked_transfer.h"
#include "service/remote.h"

namespace nn::service {
namespace {

// Copies between a buffer and a memory.
template <class Make>
GeneralResult<void> copyBy(std::string_view call, const RemoteObject& object,
                           const SharedMemory& memory, bool isFrom, Make make) {
    if (memory == nullptr) {
        return error(ErrorStatus::INVALID_ARGUMENT) << call << ": the memory is null";
    }
    const Connection& connection = object.connection();
    if (connection.isRemote()) {
        NNAPI_RETURN_IF_ERROR(checkTravels(memory));
        if (isFrom) NNAPI_RETURN_IF_ERROR(uploadAll(connection, memory).status());
        if (!isFrom) connection.sent().drop(memory, wholeOf(*memory));
    }
    return connection.call<GeneralResult<void>>(
            call, {}, [object, memory, isFrom, make](Connection::State& state) {
                auto request = make(state);
                request.setMemory(state.share(memory));
                return sendWithinBounds(request).then([object, &state, memory, isFrom](auto&& reply)
                                                              -> kj::Promise<GeneralResult<void>> {
                    if (!isFrom && object.connection().isRemote()) {
                        object.connection().sent().drop(memory, wholeOf(*memory));
                    }
                    GeneralResult<void> ended = statusOf(reply.getFailure());
                    if (isFrom || !object.connection().isRemote() || !ended.has_value()) {
                        return ended;
                    }
                    return download(state, memory, {wholeOf(*memory)}).then([](Status&& status) {
                        return GeneralResult<void>(std::move(status));
                    });
                });
            });
}

}  // namespace

GeneralResult<void> RemoteBuffer::copyTo(const SharedMemory& dst) const NNAPI_TRY {
    return copyBy("copyTo", mObject, dst, /*isFrom=*/false,
                  [object = mObject](Connection::State& state) {
                      return state.capability<rpc::Buffer>(object.id()).copyToRequest();
                  });
}
NNAPI_CATCH

GeneralResult<void> RemoteBuffer::copyFrom(const SharedMemory& src,
                                           const Dimensions& dimensions) const NNAPI_TRY {
    return copyBy("copyFrom", mObject, src, /*isFrom=*/true,
                  [object = mObject, dimensions](Connection::State& state) {
                      auto request = state.capability<rpc::Buffer>(object.id()).copyFromRequest();
                      writeNumbers(request.initDimensions(count(dimensions.size())), dimensions);
                      return request;
                  });
}
NNAPI_CATCH

}  // namespace nn::service
