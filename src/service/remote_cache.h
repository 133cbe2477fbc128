// The cache files of a preparation, as sent to a server.
#pragma once

#include <memory>
#include <vector>

#include "service/chunked_transfer.h"

namespace nn::service {

struct RemoteCache {
    std::vector<SharedHandle> model{};
    std::vector<SharedHandle> data{};
    CacheToken token{};
    // The server's files, if descriptors cannot reach it: those of the model, then those of data.
    std::vector<RemoteObject> remote{};

    Status check() const {
        if (model.size() + data.size() <= 2 * size_t{kMaxNumberOfCacheFiles}) return {};
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "there are " << model.size() + data.size() << " cache files, allowed at most "
               << 2 * kMaxNumberOfCacheFiles;
    }

    std::vector<SharedHandle> files() const {
        std::vector<SharedHandle> all = model;
        all.insert(all.end(), data.begin(), data.end());
        return all;
    }

    Status makeRemote(const std::shared_ptr<const Connection>& connection, bool hasContents,
                      const OptionalTimePoint& deadline) {
        if (!connection->isRemote()) return {};
        NNAPI_ASSIGN_OR_RETURN(made, makeCacheFiles(connection, files(), hasContents, deadline));
        remote = std::move(made);
        return {};
    }

    void write(Connection::State& state, rpc::Cache::Builder to) const {
        to.setToken(bytesOf(token));
        if (!remote.empty()) {
            write(state, 0, to.initModelContents(count(model.size())));
            write(state, model.size(), to.initDataContents(count(data.size())));
            return;
        }
        write(model, to.initModel(count(model.size())));
        write(data, to.initData(count(data.size())));
    }

   private:
    static void write(const std::vector<SharedHandle>& handles,
                      capnp::List<rpc::Descriptor>::Builder to) {
        for (unsigned i = 0; i < to.size(); ++i) {
            if (handles[i] == nullptr) continue;
            to.set(i, kj::heap<DescriptorServer>(handles[i]->get()));
        }
    }
    void write(Connection::State& state, size_t first,
               capnp::List<rpc::Contents>::Builder to) const {
        for (unsigned i = 0; i < to.size(); ++i) {
            to.set(i, state.capability<rpc::Contents>(remote[first + i].id()));
        }
    }
};

}  // namespace nn::service
