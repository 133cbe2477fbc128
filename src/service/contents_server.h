// Server-side memories and cache files whose bytes travel. Lives on the server's event loop.
#pragma once

#include "service/chunks.h"
#include "service/session.h"

namespace nn::service {

class ContentsServer final : public MemoryServer, public virtual rpc::Contents::Server {
   public:
    // Zeros, within what the client may hold.
    static kj::Own<ContentsServer> create(Session& session, rpc::MemoryInfo::Reader info,
                                          bool isCacheFile);
    ContentsServer(GeneralResult<SharedMemory> memory, bool isCacheFile, Tokens capability)
        : MemoryServer(std::move(memory), std::move(capability)), mIsCacheFile(isCacheFile) {}

    // A descriptor of its own; fails for what is not a file of a cache.
    GeneralResult<SharedHandle> handle() const;

   protected:
    kj::Promise<void> write(WriteContext context) override;
    kj::Promise<void> read(ReadContext context) override;
    kj::Promise<void> size(SizeContext context) override;

   private:
    Status writeAll(capnp::List<rpc::Piece>::Reader pieces) const;
    Result<std::vector<Bytes>> readAll(capnp::List<rpc::Range>::Reader ranges) const;

    bool mIsCacheFile;
};

}  // namespace nn::service
