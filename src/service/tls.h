// TLS for TCP connections; both sides present certificates.
#pragma once

#include <kj/async-io.h>
#include <kj/compat/tls.h>

#include <optional>
#include <string>

#include "nnapi/service/credentials.h"
#include "service/address.h"

namespace nn::service {

// Wraps TCP streams in TLS. Without credentials streams stay plain TCP, which must be requested
// explicitly.
class Tls {
   public:
    // INVALID_ARGUMENT if there are no credentials and plain TCP was not requested, or if the
    // credentials cannot be used.
    static Result<Tls> create(const Address& address, const std::optional<Credentials>& credentials,
                              bool insecurePlainTcp);

    bool isPlain() const { return mServer == nullptr; }

    // A rejected client has a moment to read the reason.
    kj::Promise<kj::Own<kj::AsyncIoStream>> asServer(kj::Own<kj::AsyncIoStream> stream,
                                                     kj::Timer& timer) const;
    kj::Promise<kj::Own<kj::AsyncIoStream>> asClient(kj::Own<kj::AsyncIoStream> stream) const;

   private:
    std::string mServerName{};
    // Null for plain TCP. The client's context also lets handshakes with untrusted servers proceed
    // until it can report the reason, so the two differ.
    std::shared_ptr<kj::TlsContext> mServer{};
    std::shared_ptr<kj::TlsContext> mClient{};
};

// A stream that stores why reading failed. A server that rejects a client's certificate reports
// that only after the client has completed its part of the handshake.
class WatchedStream final : public kj::AsyncIoStream {
   public:
    WatchedStream(kj::Own<kj::AsyncIoStream> stream, kj::Timer& timer)
        : mStream(kj::mv(stream)), mTimer(timer) {}

    // An actionable explanation; empty if nothing has failed.
    const std::string& whyFailed() const { return mWhy; }

    kj::Promise<size_t> tryRead(void* to, size_t least, size_t most) override;
    kj::Promise<void> write(const void* from, size_t size) override {
        return withReadError(mStream->write(from, size));
    }
    kj::Promise<void> write(kj::ArrayPtr<const kj::ArrayPtr<const kj::byte>> pieces) override {
        return withReadError(mStream->write(pieces));
    }
    kj::Promise<void> whenWriteDisconnected() override { return mStream->whenWriteDisconnected(); }
    void shutdownWrite() override { mStream->shutdownWrite(); }
    void abortRead() override { mStream->abortRead(); }

   private:
    // If writing fails, reads for the reason.
    kj::Promise<void> withReadError(kj::Promise<void> written);

    kj::Own<kj::AsyncIoStream> mStream;
    kj::Timer& mTimer;
    std::string mWhy{};
};

// Explains why a handshake or a stream failed, and suggests a remedy.
std::string whyRefused(std::string_view why);

}  // namespace nn::service
