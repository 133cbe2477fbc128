// TLS for TCP connections; both sides present certificates.
#pragma once

#include <kj/async-io.h>
#include <kj/compat/tls.h>

#include <optional>
#include <string>

#include "nnapi/service/credentials.h"
#include "service/address.h"

namespace nn::service {

// What makes a stream of TCP one of TLS. Without credentials, as it is: for those who want no
// protection.
class Tls {
   public:
    // INVALID_ARGUMENT where there are no credentials and plain TCP is not wished for, or where
    // they cannot be used.
    static Result<Tls> create(const Address& address, const std::optional<Credentials>& credentials,
                              bool insecurePlainTcp);

    bool isPlain() const { return mServer == nullptr; }

    // Who is refused is given a moment to read why.
    kj::Promise<kj::Own<kj::AsyncIoStream>> asServer(kj::Own<kj::AsyncIoStream> stream,
                                                     kj::Timer& timer) const;
    kj::Promise<kj::Own<kj::AsyncIoStream>> asClient(kj::Own<kj::AsyncIoStream> stream) const;

   private:
    std::string mServerName{};
    // Null for plain TCP. A client also goes on with a server that it does not trust until it can
    // say why, so that the two differ.
    std::shared_ptr<kj::TlsContext> mServer{};
    std::shared_ptr<kj::TlsContext> mClient{};
};

// A stream that remembers why it could not be read: a server that refuses a client's certificate
// says so when the client believes the handshake done.
class WatchedStream final : public kj::AsyncIoStream {
   public:
    WatchedStream(kj::Own<kj::AsyncIoStream> stream, kj::Timer& timer)
        : mStream(kj::mv(stream)), mTimer(timer) {}

    // In words that say what to do; empty where nothing has failed.
    const std::string& whyFailed() const { return mWhy; }

    kj::Promise<size_t> tryRead(void* to, size_t least, size_t most) override;
    kj::Promise<void> write(const void* from, size_t size) override {
        return afterReading(mStream->write(from, size));
    }
    kj::Promise<void> write(kj::ArrayPtr<const kj::ArrayPtr<const kj::byte>> pieces) override {
        return afterReading(mStream->write(pieces));
    }
    kj::Promise<void> whenWriteDisconnected() override { return mStream->whenWriteDisconnected(); }
    void shutdownWrite() override { mStream->shutdownWrite(); }
    void abortRead() override { mStream->abortRead(); }

   private:
    // Where writing fails, what there is to read tells why.
    kj::Promise<void> afterReading(kj::Promise<void> written);

    kj::Own<kj::AsyncIoStream> mStream;
    kj::Timer& mTimer;
    std::string mWhy{};
};

// Why a handshake, or a stream after it, has failed, in words that say what to do.
std::string whyRefused(std::string_view why);

}  // namespace nn::service
