// Buffers of a server.
#include "service/chunked_transfer.h"
#include "service/remote.h"
#include "types/no_throw.h"

namespace nn::service {
namespace {

// Copies between a buffer and a memory.
template <class Make>
GeneralResult<void> copyBy(std::string_view call, const Held& held, const SharedMemory& memory,
                           bool isFrom, Make make) {
    if (memory == nullptr) {
        return error(ErrorStatus::INVALID_ARGUMENT) << call << ": the memory is null";
    }
    const Connection& connection = held.connection();
    if (connection.isRemote()) {
        NNAPI_RETURN_IF_ERROR(checkTravels(memory));
        if (isFrom) NNAPI_RETURN_IF_ERROR(uploadAll(connection, memory).status());
        if (!isFrom) connection.sent().drop(memory, wholeOf(*memory));
    }
    return connection.call<GeneralResult<void>>(
            call, {}, [held, memory, isFrom, make](Connection::State& state) {
                auto request = make(state);
                request.setMemory(state.share(memory));
                return sendWithinBounds(request).then([held, &state, memory, isFrom](auto&& answer)
                                                              -> kj::Promise<GeneralResult<void>> {
                    if (!isFrom && held.connection().isRemote()) {
                        held.connection().sent().drop(memory, wholeOf(*memory));
                    }
                    GeneralResult<void> ended = statusOf(answer.getFailure());
                    if (isFrom || !held.connection().isRemote() || !ended.has_value()) {
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
    return copyBy("copyTo", mHeld, dst, /*isFrom=*/false, [held = mHeld](Connection::State& state) {
        return state.held<rpc::Buffer>(held.id()).copyToRequest();
    });
}
NNAPI_CATCH

GeneralResult<void> RemoteBuffer::copyFrom(const SharedMemory& src,
                                           const Dimensions& dimensions) const NNAPI_TRY {
    return copyBy("copyFrom", mHeld, src, /*isFrom=*/true,
                  [held = mHeld, dimensions](Connection::State& state) {
                      auto request = state.held<rpc::Buffer>(held.id()).copyFromRequest();
                      writeNumbers(request.initDimensions(count(dimensions.size())), dimensions);
                      return request;
                  });
}
NNAPI_CATCH

}  // namespace nn::service
