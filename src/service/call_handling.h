// Handles a call on the server: arguments are read on the event loop, the driver is called on
// another thread, and the answer is sent from the event loop.
#pragma once

#include <utility>

#include "service/session.h"

namespace nn::service {

// The arguments, and then the work that they are for.
template <class R, class T, class Call>
kj::Promise<R> workWith(const SharedSession& session, Promised<T> arguments, Call call) {
    return arguments.then([session, call](GeneralResult<T>&& read) mutable -> kj::Promise<R> {
        if (!read.has_value()) return R(read.status());
        return session->work<R>([call, value = *std::move(read)] { return call(value); });
    });
}

// What a driver makes, within what the client may hold: the amounts are taken before the driver is
// called, and given back when its object is gone. Any thread.
template <class Shared, class Make>
GeneralResult<Shared> madeWithin(const std::shared_ptr<SessionLedger>& ledger,
                                 const Amounts& amounts, Make make) {
    NNAPI_ASSIGN_OR_RETURN(tokens, ledger->take(amounts));
    GeneralResult<Shared> made = make();
    if (!made.has_value()) return made;
    if (*made == nullptr) return error() << "the driver answers success with null";
    return keeping(*std::move(made), std::move(tokens));
}

// Gives the client an object that a driver has made.
template <class Results, class T, class Give>
void answer(Results results, GeneralResult<T>&& made, Give give) {
    if (!made.has_value()) return write(made.status(), results.initFailure());
    give(results, *std::move(made));
}

}  // namespace nn::service
