// What the calls of all objects of a server share: arguments are read on the loop, the driver is
// called on another thread, and answered on the loop again.
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

// An object that the driver has made, as the client gets it: by a place of its own.
template <class Results, class T, class Give>
void answer(const SharedSession& session, Results results, GeneralResult<T>&& made, uint64_t bytes,
            Give give) {
    if (!made.has_value()) return write(made.status(), results.initFailure());
    if constexpr (requires { *made == nullptr; }) {
        if (*made == nullptr) {
            const Status status = error() << "the driver answers success with null";
            return write(status, results.initFailure());
        }
    }
    auto place = session->place(bytes);
    if (!place.ok()) return write(place.status(), results.initFailure());
    give(results, *std::move(made), *std::move(place));
}

}  // namespace nn::service
