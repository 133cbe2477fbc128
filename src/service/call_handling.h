// Handles a call on the server: arguments are read on the event loop, the driver is called on
// another thread, and the reply is sent from the event loop.
#pragma once

#include <utility>

#include "service/session.h"

namespace nn::service {

// Waits for the arguments, then calls the driver with them on another thread.
template <class R, class T, class Call>
kj::Promise<R> readThenWork(const SharedSession& session, Promised<T> arguments, Call call) {
    return arguments.then([session, call](GeneralResult<T>&& read) mutable -> kj::Promise<R> {
        if (!read.has_value()) return R(read.status());
        return session->work<R>([call, value = *std::move(read)] { return call(value); });
    });
}

// Calls a driver to create an object within the client's limits: reserves the amounts before the
// call and returns them when the object is destroyed. Any thread.
template <class Shared, class Make>
GeneralResult<Shared> makeWithinLimits(const std::shared_ptr<SessionLedger>& ledger,
                                       const Amounts& amounts, Make make) {
    NNAPI_ASSIGN_OR_RETURN(tokens, ledger->take(amounts));
    GeneralResult<Shared> made = make();
    if (!made.has_value()) return made;
    if (*made == nullptr) return error() << "the driver reports success with null";
    return withAttachment(*std::move(made), std::move(tokens));
}

// Replies with an object that a driver made, or with the failure.
template <class Results, class T, class Give>
void replyWith(Results results, GeneralResult<T>&& made, Give give) {
    if (!made.has_value()) return write(made.status(), results.initFailure());
    give(results, *std::move(made));
}

}  // namespace nn::service
