#include "service/session.h"

#include "driver/common/fences.h"
#include "nnapi/checked.h"
#include "service/contents_server.h"

namespace nn::service {
namespace {

Status notOurs(std::string_view what) {
    return error(ErrorStatus::INVALID_ARGUMENT)
           << what << " is of another connection, or of another kind";
}

// All of them, or the first failure.
template <class T>
Promised<std::vector<T>> all(kj::Array<Promised<T>> promises) {
    return kj::joinPromises(kj::mv(promises))
            .then([](kj::Array<GeneralResult<T>>&& results) -> GeneralResult<std::vector<T>> {
                std::vector<T> values;
                for (GeneralResult<T>& result : results) {
                    if (!result.has_value()) return result.status();
                    values.push_back(*std::move(result));
                }
                return values;
            });
}

template <class T, class List, class Make>
Promised<std::vector<T>> each(const List& list, Make make) {
    auto promises = kj::heapArrayBuilder<Promised<T>>(list.size());
    for (unsigned i = 0; i < list.size(); ++i) promises.add(make(list[i], i));
    return all<T>(promises.finish());
}

template <class T>
Promised<T> now(GeneralResult<T> value) {
    return kj::mv(value);
}

}  // namespace

// ---- places

Session::Place::Place(std::shared_ptr<Session> session, uint64_t bytes)
    : mSession(std::move(session)), mBytes(bytes) {
    ++mSession->mObjects;
    mSession->mBytes += bytes;
    ++mSession->mShared->objects;
    mSession->mShared->bytes += bytes;
}

Session::Place::~Place() {
    if (mSession == nullptr) return;
    --mSession->mObjects;
    mSession->mBytes -= mBytes;
    --mSession->mShared->objects;
    mSession->mShared->bytes -= mBytes;
}

Result<Session::Place> Session::place(uint64_t bytes) {
    if (mObjects >= options().objectsPerClient) {
        return Status(error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
                      << "this client holds " << mObjects << " objects, allowed "
                      << options().objectsPerClient);
    }
    const auto sum = checkedAdd<uint64_t>(mBytes, bytes);
    if (!sum || *sum > options().bytesPerClient) {
        return Status(error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
                      << "this client holds " << mBytes << " bytes and asks for " << bytes
                      << " more, allowed " << options().bytesPerClient);
    }
    return Place(shared_from_this(), bytes);
}

Result<std::shared_ptr<const void>> Session::queuePlace() {
    if (*mQueues >= options().queuesPerClient) {
        return Status(error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
                      << "this client has " << mQueues->load() << " bursts with queues, allowed "
                      << options().queuesPerClient);
    }
    ++*mQueues;
    return std::shared_ptr<const void>(mQueues.get(),
                                       [queues = mQueues](const void*) { --*queues; });
}

void Session::release(std::shared_ptr<const void> object) const {
    // What is captured goes with the task.
    mShared->threads->run([object = std::move(object), threads = mShared->threads] {});
}

// ---- what the client names

Promised<SharedMemory> Session::memory(rpc::Memory::Client capability) {
    auto named = kj::heap(kj::mv(capability));
    auto found = mMemories.getLocalServer(*named);
    return found
            .then([](const kj::Maybe<rpc::Memory::Server&>& server) -> GeneralResult<SharedMemory> {
                KJ_IF_MAYBE (ours, server) {
                    return dynamic_cast<MemoryServer&>(*ours).memory();
                }
                return notOurs("a memory");
            })
            .attach(kj::mv(named));
}

Promised<SharedPreparedModel> Session::preparedModel(rpc::PreparedModel::Client capability) {
    auto named = kj::heap(kj::mv(capability));
    auto found = mPreparedModels.getLocalServer(*named);
    return found
            .then([](const kj::Maybe<rpc::PreparedModel::Server&>& server)
                          -> GeneralResult<SharedPreparedModel> {
                KJ_IF_MAYBE (ours, server) {
                    return kj::downcast<PreparedModelServer>(*ours).model();
                }
                return notOurs("a prepared model");
            })
            .attach(kj::mv(named));
}

Promised<std::vector<SharedMemory>> Session::pools(capnp::List<rpc::Pool>::Reader from) {
    return each<SharedMemory>(from, [this](rpc::Pool::Reader pool, unsigned) {
        if (!pool.hasMemory()) return now<SharedMemory>(SharedMemory());
        return memory(pool.getMemory());
    });
}

Promised<std::vector<SharedHandle>> Session::handles(capnp::List<rpc::Descriptor>::Reader from) {
    auto promises = kj::heapArrayBuilder<Promised<SharedHandle>>(from.size());
    for (unsigned i = 0; i < from.size(); ++i) {
        auto named = kj::heap(from[i]);
        // As a signalled fence, and a handle that is null.
        if (capnp::ClientHook::from(*named)->isNull()) {
            promises.add(now<SharedHandle>(SharedHandle()));
            continue;
        }
        auto fd = named->getFd();
        promises.add(fd.then([](kj::Maybe<int> found) -> GeneralResult<SharedHandle> {
                           KJ_IF_MAYBE (number, found) {
                               UniqueFd own = duplicate(*number);
                               if (own.ok())
                                   return SharedHandle(
                                           std::make_shared<const Handle>(std::move(own)));
                               return error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
                                      << "the server has no descriptor left";
                           }
                           return error(ErrorStatus::INVALID_ARGUMENT) << "a descriptor is missing";
                       }).attach(kj::mv(named)));
    }
    return all<SharedHandle>(promises.finish());
}

Promised<std::vector<SharedHandle>> Session::cacheFiles(capnp::List<rpc::Contents>::Reader from) {
    return each<SharedHandle>(from, [this](rpc::Contents::Client file, unsigned) {
        auto named = kj::heap(rpc::Memory::Client(kj::mv(file)));
        auto found = mMemories.getLocalServer(*named);
        return found
                .then([](const kj::Maybe<rpc::Memory::Server&>& server)
                              -> GeneralResult<SharedHandle> {
                    KJ_IF_MAYBE (ours, server) {
                        const auto* contents = dynamic_cast<const ContentsServer*>(ours);
                        if (contents != nullptr) return contents->handle();
                    }
                    return notOurs("a file of a cache");
                })
                .attach(kj::mv(named));
    });
}

Promised<SyncFence> Session::fenceOf(rpc::Descriptor::Client capability) {
    // As a signalled fence, and a handle that is null.
    if (capnp::ClientHook::from(capability)->isNull()) {
        return now<SyncFence>(SyncFence::createAsSignaled());
    }
    if (mWaiting.get() == nullptr) {
        return now<SyncFence>(error(ErrorStatus::DEAD_OBJECT) << "the client is gone");
    }
    auto made = driver::OwnFence::create();
    if (!made.ok()) return now<SyncFence>(made.status());
    auto place = this->place();
    if (!place.ok()) return now<SyncFence>(place.status());
    const SyncFence fence = made->fence();
    // It fails with the client, or where the client's fails.
    auto own = kj::heap<driver::OwnFence>(*std::move(made));
    auto held = kj::heap<Place>(*std::move(place));
    auto& waiting = *own;
    mWaiting->add(capability.waitRequest()
                          .send()
                          .then([&waiting](auto&& answer) {
                              if (statusOf(answer.getFailure()).ok()) waiting.signal();
                          })
                          .attach(kj::mv(own))
                          .attach(kj::mv(held)));
    return now<SyncFence>(fence);
}

Promised<std::vector<SyncFence>> Session::fences(capnp::List<rpc::Descriptor>::Reader from) {
    if (from.size() > kMostDescriptors) {
        return GeneralResult<std::vector<SyncFence>>(
                error(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT)
                << "there are " << from.size() << " fences to wait for, allowed at most "
                << kMostDescriptors);
    }
    if (mIsRemote) {
        return each<SyncFence>(from, [this](rpc::Descriptor::Client fence, unsigned) {
            return fenceOf(kj::mv(fence));
        });
    }
    return handles(from).then([](GeneralResult<std::vector<SharedHandle>>&& handles)
                                      -> GeneralResult<std::vector<SyncFence>> {
        if (!handles.has_value()) return handles.status();
        std::vector<SyncFence> fences;
        for (const SharedHandle& handle : *handles) fences.emplace_back(handle);
        return fences;
    });
}

Promised<std::vector<Request::MemoryPool>> Session::pools(
        const IDevice* device, capnp::List<rpc::Request::Pool>::Reader from) {
    using Pool = Request::MemoryPool;
    return each<Pool>(from, [&](rpc::Request::Pool::Reader pool, unsigned) -> Promised<Pool> {
        switch (pool.which()) {
            case rpc::Request::Pool::NONE:
                return now<Pool>(Pool(SharedMemory()));
            case rpc::Request::Pool::MEMORY:
                return memory(pool.getMemory()).then([](GeneralResult<SharedMemory>&& memory) {
                    if (!memory.has_value()) return GeneralResult<Pool>(memory.status());
                    return GeneralResult<Pool>(Pool(*std::move(memory)));
                });
            case rpc::Request::Pool::BUFFER: {
                auto named = kj::heap(pool.getBuffer());
                auto found = mBuffers.getLocalServer(*named);
                return found
                        .then([device](const kj::Maybe<rpc::Buffer::Server&>& server)
                                      -> GeneralResult<Pool> {
                            KJ_IF_MAYBE (ours, server) {
                                const auto& buffer = kj::downcast<BufferServer>(*ours);
                                if (buffer.device() == device) return Pool(buffer.buffer());
                                return error(ErrorStatus::INVALID_ARGUMENT)
                                       << "a buffer is of another device";
                            }
                            return notOurs("a buffer");
                        })
                        .attach(kj::mv(named));
            }
            case rpc::Request::Pool::SLOT:
                return now<Pool>(error(ErrorStatus::INVALID_ARGUMENT)
                                 << "a slot names a memory in queues only");
            case rpc::Request::Pool::TOKEN: {
                // Others have buffers, too.
                const Request::MemoryDomainToken token{pool.getToken()};
                if (tokens.count({device, token}) > 0) return now<Pool>(Pool(token));
                return now<Pool>(error(ErrorStatus::INVALID_ARGUMENT)
                                 << "token " << pool.getToken() << " names no buffer");
            }
        }
        return now<Pool>(error(ErrorStatus::INVALID_ARGUMENT) << "a pool of an unknown kind");
    });
}

// ---- what it is given

rpc::Memory::Client Session::give(kj::Own<MemoryServer> server) {
    return mMemories.add(kj::mv(server));
}
rpc::PreparedModel::Client Session::give(kj::Own<PreparedModelServer> server) {
    return mPreparedModels.add(kj::mv(server));
}
rpc::Buffer::Client Session::give(kj::Own<BufferServer> server) {
    return mBuffers.add(kj::mv(server));
}

}  // namespace nn::service
