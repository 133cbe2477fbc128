#include "service/session.h"

#include <kj/debug.h>

#include <variant>

#include "driver/fences/fences.h"
#include "service/contents_server.h"
#include "service/descriptors.h"
#include "service/event_loop.h"
#include "service/fences.h"

namespace nn::service {
namespace {

Status notOurs(std::string_view what) {
    return error(ErrorStatus::INVALID_ARGUMENT)
           << what << " is of another connection, or of another kind";
}

// Collects values one after the other; each comes at once or by a promise.
template <class T>
struct Gathering {
    using Next = std::variant<GeneralResult<T>, Promised<T>>;
    size_t count = 0;
    std::function<Next(size_t)> next{};
    std::vector<T> values{};
};

// All values, or the first failure.
template <class T>
Promised<std::vector<T>> gather(std::shared_ptr<Gathering<T>> from) {
    while (from->values.size() < from->count) {
        auto next = from->next(from->values.size());
        if (auto* promise = std::get_if<Promised<T>>(&next)) {
            return promise->then([from](GeneralResult<T>&& value) -> Promised<std::vector<T>> {
                if (!value.has_value()) return GeneralResult<std::vector<T>>(value.status());
                from->values.push_back(*std::move(value));
                return gather(from);
            });
        }
        auto& value = std::get<GeneralResult<T>>(next);
        if (!value.has_value()) return GeneralResult<std::vector<T>>(value.status());
        from->values.push_back(*std::move(value));
    }
    return GeneralResult<std::vector<T>>(std::move(from->values));
}

// Gathers over elements copied out of their message.
template <class T, class Element, class Next>
Promised<std::vector<T>> gatherOf(std::vector<Element> elements, Next next) {
    auto from = std::make_shared<Gathering<T>>();
    from->count = elements.size();
    from->values.reserve(elements.size());
    from->next = [elements = std::make_shared<std::vector<Element>>(std::move(elements)),
                  next](size_t i) -> typename Gathering<T>::Next { return next((*elements)[i]); };
    return gather(std::move(from));
}

template <class Client, class List>
std::vector<Client> clientsOf(const List& list) {
    std::vector<Client> clients;
    clients.reserve(list.size());
    for (unsigned i = 0; i < list.size(); ++i) clients.push_back(list[i]);
    return clients;
}

bool isNull(capnp::Capability::Client& capability) {
    return capnp::ClientHook::from(capability)->isNull();
}

}  // namespace

// ---- end of the client

void Session::end() {
    // First, since the end of a running call would start a waiting one.
    mServerState->scheduler->drop(*mQueue);
    mIsEnded->store(true);
    mWaiting = nullptr;  // its tasks own this session
}

OptionalTimePoint CallBounds::deadline(const OptionalTimePoint& proposed,
                                       const IDevice& device) const {
    if (device.getFeatureLevel().level < Version::Level::FEATURE_LEVEL_4) return proposed;
    return driver::earlier(proposed, makeDeadline(ceiling));
}

void Session::release(std::shared_ptr<const void> object) const {
    // The captured object is destroyed with the task.
    mServerState->scheduler->runUnqueued([object = std::move(object)] {});
}

// ---- resolving the client's capabilities

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

Promised<std::vector<KnownModel>> Session::preparedModels(
        capnp::List<rpc::PreparedModel>::Reader from) {
    return gatherOf<KnownModel>(
            clientsOf<rpc::PreparedModel::Client>(from),
            [this](rpc::PreparedModel::Client& named) -> Promised<KnownModel> {
                return mPreparedModels.getLocalServer(named).then(
                        [](const kj::Maybe<rpc::PreparedModel::Server&>& server)
                                -> GeneralResult<KnownModel> {
                            KJ_IF_MAYBE (ours, server) {
                                return kj::downcast<PreparedModelServer>(*ours).known();
                            }
                            return notOurs("a prepared model");
                        });
            });
}

Promised<std::vector<SharedMemory>> Session::pools(capnp::List<rpc::Pool>::Reader from) {
    std::vector<rpc::Memory::Client> elements;
    elements.reserve(from.size());
    for (const auto pool : from) elements.push_back(pool.getMemory());
    using Next = Gathering<SharedMemory>::Next;
    return gatherOf<SharedMemory>(std::move(elements), [this](rpc::Memory::Client& named) -> Next {
        if (isNull(named)) return GeneralResult<SharedMemory>(SharedMemory());
        return memory(named);
    });
}

Promised<SharedHandle> Session::handle(rpc::Descriptor::Client capability) {
    // A null capability is a signaled fence, or a null handle.
    if (isNull(capability)) return GeneralResult<SharedHandle>(SharedHandle());
    auto named = kj::heap(kj::mv(capability));
    auto found = named->getFd();
    return found
            .then([this](kj::Maybe<int> fd) -> GeneralResult<SharedHandle> {
                NNAPI_ASSIGN_OR_RETURN(tokens, mLedger->take({.descriptors = 1}));
                KJ_IF_MAYBE (number, fd) {
                    UniqueFd own = duplicate(*number);
                    if (!own.ok()) {
                        return error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
                               << "the server has no descriptor left";
                    }
                    return withAttachment(
                            SharedHandle(std::make_shared<const Handle>(std::move(own))),
                            std::move(tokens));
                }
                return error(ErrorStatus::INVALID_ARGUMENT) << "a descriptor is missing";
            })
            .attach(kj::mv(named));
}

Promised<std::vector<SharedHandle>> Session::handles(capnp::List<rpc::Descriptor>::Reader from) {
    return gatherOf<SharedHandle>(clientsOf<rpc::Descriptor::Client>(from),
                                  [this](rpc::Descriptor::Client& named) { return handle(named); });
}

Promised<std::vector<SharedHandle>> Session::cacheFiles(capnp::List<rpc::Contents>::Reader from) {
    return gatherOf<SharedHandle>(
            clientsOf<rpc::Memory::Client>(from),
            [this](rpc::Memory::Client& named) -> Promised<SharedHandle> {
                return mMemories.getLocalServer(named).then(
                        [](const kj::Maybe<rpc::Memory::Server&>& server)
                                -> GeneralResult<SharedHandle> {
                            KJ_IF_MAYBE (ours, server) {
                                const auto* contents = dynamic_cast<const ContentsServer*>(ours);
                                if (contents != nullptr) return contents->handle();
                            }
                            return notOurs("a file of a cache");
                        });
            });
}

Result<SyncFence> Session::fenceAfter(kj::Promise<void> signaled, size_t descriptors) {
    if (mWaiting.get() == nullptr) {
        return Status(error(ErrorStatus::DEAD_OBJECT) << "the client is gone");
    }
    NNAPI_ASSIGN_OR_RETURN(tokens, mLedger->take({.objects = 1, .descriptors = descriptors + 2}));
    NNAPI_ASSIGN_OR_RETURN(made, driver::OwnFence::create());
    SyncFence fence = made.fence();
    auto own = kj::heap<driver::OwnFence>(std::move(made));
    auto& waiting = *own;
    const auto ceiling = options().callCeiling.count() * kj::NANOSECONDS;
    mWaiting->add(mServerState->timer->timeoutAfter(ceiling, kj::mv(signaled))
                          .then([&waiting] { waiting.signal(); })
                          .attach(kj::mv(own))
                          .attach(kj::heap<Tokens>(std::move(tokens))));
    return fence;
}

// A local client sends its fence as a descriptor; for a remote one, a call ends when the fence is
// signaled.
Promised<SyncFence> Session::fence(rpc::Descriptor::Client capability) {
    if (isNull(capability)) return GeneralResult<SyncFence>(SyncFence::createAsSignaled());
    if (mIsRemote) {
        return GeneralResult<SyncFence>(
                fenceAfter(capability.waitRequest().send().then([](auto&& reply) {
                    if (!statusOf(reply.getFailure()).ok()) {
                        kj::throwFatalException(KJ_EXCEPTION(FAILED, "the fence has failed"));
                    }
                }),
                           0));
    }
    return handle(kj::mv(capability))
            .then([this](GeneralResult<SharedHandle>&& handle) -> GeneralResult<SyncFence> {
                if (!handle.has_value()) return handle.status();
                NNAPI_RETURN_IF_ERROR(checkFence((*handle)->get()));
                SyncFence theirs{*std::move(handle)};
                if (theirs.syncWait(Duration::zero()) != SyncFence::FenceState::ACTIVE) {
                    return theirs;
                }
                auto done =
                        signaled(*mServerState->port, theirs).then([](GeneralResult<void>&& ended) {
                            if (ended.has_value()) return;
                            kj::throwFatalException(KJ_EXCEPTION(FAILED, "the fence has failed"));
                        });
                return fenceAfter(kj::mv(done), 1);
            });
}

Promised<std::vector<SyncFence>> Session::fences(capnp::List<rpc::Descriptor>::Reader from) {
    return gatherOf<SyncFence>(clientsOf<rpc::Descriptor::Client>(from),
                               [this](rpc::Descriptor::Client& named) { return fence(named); });
}

namespace {

// A pool of a request, copied out of its message.
struct UnresolvedPool {
    rpc::Request::Pool::Which which = rpc::Request::Pool::NONE;
    rpc::Memory::Client memory = nullptr;
    rpc::Buffer::Client buffer = nullptr;
    Request::MemoryDomainToken token{};
};

UnresolvedPool unresolved(rpc::Request::Pool::Reader from) {
    UnresolvedPool pool{.which = from.which()};
    if (from.isMemory()) pool.memory = from.getMemory();
    if (from.isBuffer()) pool.buffer = from.getBuffer();
    if (from.isToken()) pool.token = Request::MemoryDomainToken{from.getToken()};
    return pool;
}

}  // namespace

Promised<std::vector<NamedPool>> Session::pools(const IDevice* device,
                                                capnp::List<rpc::Request::Pool>::Reader from) {
    using Next = Gathering<NamedPool>::Next;
    using Pool = GeneralResult<NamedPool>;
    std::vector<UnresolvedPool> elements;
    elements.reserve(from.size());
    for (const auto pool : from) elements.push_back(unresolved(pool));
    return gatherOf<NamedPool>(std::move(elements), [this, device](UnresolvedPool& pool) -> Next {
        switch (pool.which) {
            case rpc::Request::Pool::NONE:
                return Pool(NamedPool{SharedMemory(), {}});
            case rpc::Request::Pool::MEMORY:
                return memory(pool.memory).then([](GeneralResult<SharedMemory>&& memory) -> Pool {
                    if (!memory.has_value()) return memory.status();
                    return NamedPool{*std::move(memory), {}};
                });
            case rpc::Request::Pool::BUFFER:
                return mBuffers.getLocalServer(pool.buffer)
                        .then([device](const kj::Maybe<rpc::Buffer::Server&>& server) -> Pool {
                            KJ_IF_MAYBE (ours, server) {
                                const auto& buffer = kj::downcast<BufferServer>(*ours);
                                if (buffer.device() == device) {
                                    return NamedPool{buffer.buffer(), {}};
                                }
                                return error(ErrorStatus::INVALID_ARGUMENT)
                                       << "a buffer is of another device";
                            }
                            return notOurs("a buffer");
                        });
            case rpc::Request::Pool::SLOT:
                return Pool(error(ErrorStatus::INVALID_ARGUMENT)
                            << "a slot names a memory in queues only");
            case rpc::Request::Pool::TOKEN: {
                // A token is valid only for buffers of this client.
                const auto found = buffersByToken.find({device, pool.token});
                if (found != buffersByToken.end()) {
                    return Pool(NamedPool{pool.token, found->second->buffer()});
                }
                return Pool(error(ErrorStatus::INVALID_ARGUMENT)
                            << "token " << static_cast<uint32_t>(pool.token) << " names no buffer");
            }
        }
        return Pool(error(ErrorStatus::INVALID_ARGUMENT) << "a pool of an unknown kind");
    });
}

// ---- giving objects to the client

Tokens capabilityTokens(Session& session) {
    auto tokens = session.ledger()->take({.objects = 1});
    if (!tokens.ok()) {
        throwToPeer(kj::Exception::Type::OVERLOADED, messageOf(tokens.status()));
    }
    return *std::move(tokens);
}

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
