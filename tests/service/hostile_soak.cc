// A soak test of a server: malicious clients of many kinds attack it while a victim must be served
// in time, and at the end nothing of the attackers may remain.
//
//   nnapi_hostile_soak                            100000 connections of all kinds, mixed
//   nnapi_hostile_soak --connections 300 --seconds 5
//   nnapi_hostile_soak --kinds fences,bursts      only these kinds
//   nnapi_hostile_soak --each                     one kind after the other, each with a new server
//   nnapi_hostile_soak --list
//
// The server runs in a process of its own, with a Unix socket and a port of plain TCP. The
// attackers run in further processes, the victim in this one. The test fails if a reply to the
// victim takes longer than --within (1000 ms), if the server ends, if its memory exceeds the
// baseline by 512 MiB at any time, or if it has more descriptors or threads than the baseline at
// the end, or 32 MiB more resident memory. The baseline is measured after each kind has attacked
// twice.
#include <capnp/any.h>
#include <capnp/message.h>
#include <capnp/rpc.capnp.h>
#include <capnp/serialize.h>
#include <malloc.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "nnapi/driver/reference.h"
#include "nnapi/io.h"
#include "nnapi/memory.h"
#include "nnapi/service.capnp.h"
#include "nnapi/service/client.h"
#include "nnapi/service/server.h"

namespace nn::hostile_soak {
namespace {

using namespace std::chrono_literals;
namespace rpc = service::rpc;
using capnp::rpc::Call;

constexpr int kAttackers = 2;  // processes
constexpr long kMaxMemory = 512;
constexpr long kMaxMemoryLeft = 32;  // MiB

// y = x + c, with this many floats; c optionally lies in a pool of its own.
Model addition(uint32_t floats, bool hasPool = false) {
    using LifeTime = Operand::LifeTime;
    const auto tensor = OperandType::TENSOR_FLOAT32;
    const uint32_t bytes = floats * 4;
    Model model;
    if (hasPool) model.pools.push_back(*createSharedMemory(bytes));
    model.main.operands = {
            {.type = tensor, .dimensions = {floats}, .lifetime = LifeTime::SUBGRAPH_INPUT},
            {.type = tensor,
             .dimensions = {floats},
             .lifetime = hasPool ? LifeTime::CONSTANT_REFERENCE : LifeTime::SUBGRAPH_INPUT,
             .location = hasPool ? DataLocation{.length = bytes} : DataLocation{}},
            {.type = OperandType::INT32,
             .lifetime = LifeTime::CONSTANT_COPY,
             .location = {.length = 4}},
            {.type = tensor, .dimensions = {floats}, .lifetime = LifeTime::SUBGRAPH_OUTPUT}};
    model.operandValues = Model::OperandValues(std::vector<uint8_t>(4));
    model.main.operations = {{.type = OperationType::ADD, .inputs = {0, 1, 2}, .outputs = {3}}};
    model.main.inputIndexes = hasPool ? std::vector<uint32_t>{0} : std::vector<uint32_t>{0, 1};
    model.main.outputIndexes = {3};
    return model;
}
Request requestOf(uint32_t floats) {
    const uint32_t bytes = floats * 4;
    return {.inputs = {{.location = {.length = bytes}}, {.location = {.length = bytes}}},
            .outputs = {{.location = {.offset = bytes, .length = bytes}}},
            .pools = {*createSharedMemory(size_t{2} * bytes)}};
}
auto prepare(const SharedDevice& device, const Model& model) {
    return device->prepareModel(model, {}, {}, {}, {}, {}, {}, {}, {});
}

struct Addresses {
    std::string unixPath{};
    uint16_t port = 0;
    std::string of(bool isTcp) const {
        return isTcp ? "127.0.0.1:" + std::to_string(port) : "unix:" + unixPath;
    }
};
service::ClientOptions clientOptions() {
    return {.connectTimeout = 20s, .heartbeat = 60s, .insecurePlainTcp = true};
}
// Options of an attacker, with short timeouts.
service::ClientOptions hastyOptions() {
    return {.connectTimeout = 2s, .heartbeat = 1s, .ceiling = 2s, .insecurePlainTcp = true};
}

// ---- attackers: raw bytes on a socket, or messages of the RPC engine

using Random = std::mt19937_64;

class Raw {
   public:
    Raw(const Addresses& to, bool isTcp) {
        mFd = UniqueFd(socket(isTcp ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_un local{};
        local.sun_family = AF_UNIX;
        to.unixPath.copy(local.sun_path, sizeof local.sun_path - 1);
        sockaddr_in remote{};
        remote.sin_family = AF_INET;
        remote.sin_port = htons(to.port);
        remote.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        // Attack from other addresses than the victim's: clients with one address share its quota.
        static std::atomic<uint32_t> number{0};
        sockaddr_in own{};
        own.sin_family = AF_INET;
        own.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + number++ % 8);
        if (isTcp) {
            (void)bind(mFd.get(), reinterpret_cast<const sockaddr*>(&own), sizeof own);
        }
        (void)connect(mFd.get(),
                      isTcp ? reinterpret_cast<const sockaddr*>(&remote)
                            : reinterpret_cast<const sockaddr*>(&local),
                      isTcp ? sizeof remote : sizeof local);
        // Do not block when the server stops reading.
        const timeval most{.tv_sec = 0, .tv_usec = 200'000};
        (void)setsockopt(mFd.get(), SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    }
    bool send(const std::string& bytes, int fd = -1) const {
        iovec part{const_cast<char*>(bytes.data()), bytes.size()};
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        if (fd >= 0) {
            message.msg_control = control;
            message.msg_controllen = sizeof control;
            cmsghdr* head = CMSG_FIRSTHDR(&message);
            head->cmsg_level = SOL_SOCKET;
            head->cmsg_type = SCM_RIGHTS;
            head->cmsg_len = CMSG_LEN(sizeof(int));
            *reinterpret_cast<int*>(CMSG_DATA(head)) = fd;
        }
        return sendmsg(mFd.get(), &message, MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
    }
    // Reads until no byte arrives for this long or the server closes the connection.
    void drain(int milliseconds) const {
        char bytes[4096];
        pollfd ready{.fd = mFd.get(), .events = POLLIN, .revents = 0};
        while (poll(&ready, 1, milliseconds) == 1 && read(mFd.get(), bytes, sizeof bytes) > 0) {
        }
    }

   private:
    UniqueFd mFd{};
};

std::string bytesOf(capnp::MessageBuilder& message) {
    const auto words = capnp::messageToFlatArray(message);
    const auto bytes = words.asBytes();
    return {reinterpret_cast<const char*>(bytes.begin()), bytes.size()};
}

std::string bootstrap() {
    capnp::MallocMessageBuilder message;
    message.initRoot<capnp::rpc::Message>().initBootstrap().setQuestionId(0);
    return bytesOf(message);
}

// Starts a call of a method of pointer `field` in the result of a question; -1 is the result
// itself.
template <class Interface>
Call::Builder initCall(capnp::MessageBuilder& message, uint32_t question, uint32_t target,
                       int field, uint16_t method) {
    auto call = message.initRoot<capnp::rpc::Message>().initCall();
    call.setQuestionId(question);
    auto of = call.initTarget().initPromisedAnswer();
    of.setQuestionId(target);
    if (field >= 0) of.initTransform(1)[0].setGetPointerField(static_cast<uint16_t>(field));
    call.setInterfaceId(capnp::typeId<Interface>());
    call.setMethodId(method);
    return call;
}

enum : uint16_t { DEVICES, SHARE, PING, MAKE_CONTENTS };        // of a Service
enum : uint16_t { WAIT, SUPPORTED_OPERATIONS, PREPARE_MODEL };  // of a Device
enum : uint16_t { WRITE, READ };                                // of Contents

// Makes a memory as the result of a question.
std::string makeContents(uint32_t question, uint64_t size, rpc::MemoryInfo::Kind kind = {}) {
    capnp::MallocMessageBuilder message;
    auto call = initCall<rpc::Service>(message, question, 0, -1, MAKE_CONTENTS);
    auto memory =
            call.initParams().getContent().initAs<rpc::Service::MakeContentsParams>().initMemory();
    memory.setSize(size);
    memory.setKind(kind);
    return bytesOf(message);
}

std::string ask(uint32_t question, uint16_t method) {
    capnp::MallocMessageBuilder message;
    initCall<rpc::Service>(message, question, 0, -1, method).initParams();
    return bytesOf(message);
}

// A call of the capability that the server has exported under this number; devices are the second.
Call::Builder initDeviceCall(capnp::MessageBuilder& message, uint32_t question, uint16_t method) {
    auto call = message.initRoot<capnp::rpc::Message>().initCall();
    call.setQuestionId(question);
    call.initTarget().setImportedCap(1);
    call.setInterfaceId(capnp::typeId<rpc::Device>());
    call.setMethodId(method);
    return call;
}

// A placeholder; the message's capability table states the actual object.
struct NoMemory final : rpc::Memory::Server {};
struct NoDescriptor final : rpc::Descriptor::Server {};

std::string supportedOperations(uint32_t question, unsigned emptyPools, bool hasPromise) {
    capnp::MallocMessageBuilder message;
    auto params = initDeviceCall(message, question, SUPPORTED_OPERATIONS).initParams();
    auto model = params.getContent().initAs<rpc::Device::SupportedOperationsParams>().initModel();
    const auto file = serializeModel(addition(4), Format::BINARY);
    model.setMessage({reinterpret_cast<const kj::byte*>(file->data()), file->size()});
    if (emptyPools > 0) {
        capnp::AnyStruct::Builder any(capnp::toAny(model));
        any.getPointerSection()[1].initAsListOfAnyStruct(0, 0, emptyPools);
    }
    if (hasPromise) {  // which is never fulfilled
        model.setValues(kj::heap<NoMemory>());
        params.initCapTable(1)[0].setSenderPromise(question);
    }
    return bytesOf(message);
}

// The messages that a well-behaved client sends until it has its device.
std::string greetingOf(uint32_t& question) {
    question = 2;
    return bootstrap() + ask(1, DEVICES);
}

std::string goodSession(Random& random) {
    uint32_t question = 0;
    std::string bytes = greetingOf(question) + ask(question++, PING);
    bytes += makeContents(question++, 1 + random() % 100000);
    bytes += supportedOperations(question++, 0, false);
    bytes += supportedOperations(question, static_cast<unsigned>(random() % 4), false);
    return bytes;
}

struct Attack {
    const Addresses& to;
    Random& random;
    std::deque<Raw>& kept;  // connections that stay open for a while
    bool isTcp = false;

    Raw raw() const { return Raw(to, isTcp); }
    Raw rawWithDevice(uint32_t& question) const {
        Raw connection = raw();
        connection.send(greetingOf(question));
        connection.drain(20);
        return connection;
    }
    void keep(Raw connection) const {
        kept.push_back(std::move(connection));
        if (kept.size() > 24) kept.pop_front();
    }
    // Use the Unix socket, where the server distinguishes processes: over TCP this client would
    // have the victim's address.
    SharedDevice device() const {
        auto connected = service::connect(to.of(/*isTcp=*/false), hastyOptions());
        return connected.has_value() ? *connected : nullptr;
    }
};

struct Kind {
    const char* name;
    std::function<void(const Attack&)> run;
};

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = {
            {"random",
             [](const Attack& attack) {
                 std::string bytes(1 + attack.random() % 4096, '\0');
                 for (char& byte : bytes) byte = static_cast<char>(attack.random());
                 attack.raw().send(attack.random() % 2 == 0 ? bytes : bootstrap() + bytes);
             }},
            {"truncated",
             [](const Attack& attack) {
                 std::string bytes = goodSession(attack.random);
                 bytes.resize(attack.random() % bytes.size());
                 attack.raw().send(bytes);
             }},
            {"mutated",
             [](const Attack& attack) {
                 std::string bytes = goodSession(attack.random);
                 for (uint64_t i = 0; i <= attack.random() % 8; ++i) {
                     bytes[bootstrap().size() + attack.random() % (bytes.size() - 48)] ^=
                             static_cast<char>(1 << attack.random() % 8);
                 }
                 const Raw connection = attack.raw();
                 connection.send(bytes);
                 connection.drain(5);
             }},
            {"lists",
             [](const Attack& attack) {  // a few bytes that claim a million elements
                 uint32_t question = 0;
                 const Raw connection = attack.rawWithDevice(question);
                 connection.send(supportedOperations(question, 1'000'000, false));
                 connection.drain(5);
             }},
            {"silent", [](const Attack& attack) { attack.keep(attack.raw()); }},
            {"slow",
             [](const Attack& attack) {
                 Raw connection = attack.raw();
                 connection.send(bootstrap().substr(0, 1 + attack.random() % 40));
                 attack.keep(std::move(connection));
             }},
            {"noread",
             [](const Attack& attack) {  // 800 MiB of results that the client never reads
                 const Raw connection = attack.raw();
                 connection.send(bootstrap() + makeContents(1, 1 << 20));
                 for (uint32_t i = 0; i < 800; ++i) {
                     capnp::MallocMessageBuilder message;
                     auto call = initCall<rpc::Contents>(message, 2 + i, 1, 0, READ);
                     call.initParams()
                             .getContent()
                             .initAs<rpc::Contents::ReadParams>()
                             .initRanges(1)[0]
                             .setLength(1 << 20);
                     if (!connection.send(bytesOf(message))) break;
                 }
             }},
            {"midcall",
             [](const Attack& attack) {
                 uint32_t question = 0;
                 const Raw connection = attack.raw();
                 std::string bytes = greetingOf(question);
                 for (int i = 0; i < 20; ++i) bytes += supportedOperations(question++, 0, false);
                 connection.send(bytes);
                 connection.drain(static_cast<int>(attack.random() % 3));
             }},
            {"fences",
             [](const Attack& attack) {  // fences that are never signaled
                 const SharedDevice device = attack.device();
                 if (device == nullptr) return;
                 const auto model = prepare(device, addition(4));
                 if (!model.has_value()) return;
                 for (int i = 0; i < 20; ++i) {
                     const auto never = SyncFence::create(UniqueFd(eventfd(0, EFD_CLOEXEC)));
                     if (!(*model)->executeFenced(requestOf(4), {never}, {}, {}, {}, {}, {}, {})
                                  .has_value())
                         return;
                 }
             }},
            {"capabilities",
             [](const Attack& attack) {  // of memories that the server rejects
                 const Raw connection = attack.raw();
                 std::string bytes = bootstrap();
                 for (uint32_t i = 1; i <= 4000; ++i) {
                     bytes += makeContents(i, 16, rpc::MemoryInfo::Kind::UNKNOWN);
                 }
                 connection.send(bytes);
                 connection.drain(5);
             }},
            {"pending",
             [](const Attack& attack) {  // calls that wait for a promise
                 uint32_t question = 0;
                 const Raw connection = attack.rawWithDevice(question);
                 std::string bytes;
                 for (int i = 0; i < 2000; ++i) bytes += supportedOperations(question++, 0, true);
                 connection.send(bytes);
                 connection.drain(5);
             }},
            {"pipeline",
             [](const Attack& attack) {  // calls of the results of results that have not returned
                 const Raw connection = attack.raw();
                 std::string bytes = bootstrap() + makeContents(1, 4096);
                 for (uint32_t i = 2; i < 500; ++i) {
                     capnp::MallocMessageBuilder message;
                     const auto target = attack.random() % 4 == 0
                                                 ? 1u
                                                 : static_cast<uint32_t>(attack.random() % i);
                     initCall<rpc::Contents>(message, i, target,
                                             static_cast<int>(attack.random() % 3) - 1,
                                             static_cast<uint16_t>(attack.random() % 4))
                             .initParams();
                     bytes += bytesOf(message);
                 }
                 connection.send(bytes);
                 connection.drain(5);
             }},
            {"bursts",
             [](const Attack& attack) {  // with queues, in the middle of executions
                 SharedDevice device = attack.device();
                 if (device == nullptr) return;
                 constexpr uint32_t kFloats = 1 << 18;
                 const auto model = prepare(device, addition(kFloats));
                 if (!model.has_value()) return;
                 std::vector<std::thread> threads;
                 for (int i = 0; i < 4; ++i) {
                     threads.emplace_back([&] {
                         const auto burst = (*model)->configureExecutionBurst();
                         if (!burst.has_value()) return;
                         (void)(*burst)->execute(requestOf(kFloats), {}, Clock::now() + 1ms, {}, {},
                                                 {});
                     });
                 }
                 for (std::thread& thread : threads) thread.join();
             }},
            {"constants",
             [](const Attack& attack) {
                 const SharedDevice device = attack.device();
                 if (device != nullptr) (void)prepare(device, addition(1 << 22, true));
             }},
            {"descriptors",
             [](const Attack& attack) {  // one descriptor, listed 190 times, in 6 memories
                 const Raw connection(attack.to, /*isTcp=*/false);
                 connection.send(bootstrap());
                 const UniqueFd fd(memfd_create("soak", MFD_CLOEXEC));
                 for (uint32_t i = 1; i <= 6; ++i) {
                     capnp::MallocMessageBuilder message;
                     auto call = initCall<rpc::Service>(message, i, 0, -1, SHARE);
                     auto params = call.initParams();
                     auto info =
                             params.getContent().initAs<rpc::Service::ShareParams>().initMemory();
                     info.setKind(rpc::MemoryInfo::Kind::UNKNOWN);
                     info.setSize(1);
                     auto list = info.initDescriptors(190);
                     auto given = params.initCapTable(list.size());
                     for (unsigned d = 0; d < list.size(); ++d) {
                         list.set(d, kj::heap<NoDescriptor>());
                         given[d].setSenderHosted(i);
                     }
                     given[0].setAttachedFd(0);
                     connection.send(bytesOf(message), fd.get());
                 }
                 connection.drain(20);
             }},
    };
    return all;
}

// ---- resources of the server

struct Taken {
    long descriptors = 0;
    long threads = 0;
    long memory = 0;  // MiB
    long most = 0;    // MiB, the peak
};

Taken takenBy(pid_t process) {
    const std::string folder = "/proc/" + std::to_string(process);
    Taken taken;
    std::error_code gone;
    for (std::filesystem::directory_iterator at(folder + "/fd", gone), end; !gone && at != end;
         at.increment(gone)) {
        ++taken.descriptors;
    }
    std::ifstream status(folder + "/status");
    for (std::string line; std::getline(status, line);) {
        const auto number = [&](const char* name, long& to, long divisor) {
            if (line.starts_with(name)) to = std::atol(line.c_str() + line.find(':') + 1) / divisor;
        };
        number("Threads:", taken.threads, 1);
        number("VmRSS:", taken.memory, 1024);
        number("VmHWM:", taken.most, 1024);
    }
    return taken;
}

// ---- the three processes

// Serves until its parent ends. Writes its addresses to the file.
int serve(const std::string& unixPath, const std::string& file) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Protects the machine from a server that allocates without bound.
    const rlimit most{.rlim_cur = rlim_t{6} << 30, .rlim_max = rlim_t{6} << 30};
    setrlimit(RLIMIT_AS, &most);
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);  // like `nnapi serve`
    const service::ServeOptions options{.bytesPerClient = uint64_t{256} << 20,
                                        .insecurePlainTcp = true};
    auto local = service::serve({referenceDevice()}, "unix:" + unixPath, options);
    auto remote = service::serve({referenceDevice()}, "127.0.0.1:0", options);
    if (!local.has_value() || !remote.has_value()) return 1;
    std::ofstream(file + ".new") << (*remote)->address();
    std::filesystem::rename(file + ".new", file);
    while (true) pause();
}

// Attacks this many times or for this long.
void attack(const Addresses& to, const std::vector<const Kind*>& chosen, long connections,
            TimePoint until, uint64_t seed) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    Random random(seed);
    std::deque<Raw> kept;
    for (long i = 0; i < connections && Clock::now() < until; ++i) {
        const size_t kind = static_cast<size_t>(i) < 2 * chosen.size()
                                    ? static_cast<size_t>(i) % chosen.size()
                                    : random() % chosen.size();
        chosen[kind]->run({to, random, kept, random() % 2 == 0});
    }
}

// Call this before the process has threads: it forks.
pid_t attackerOf(const Addresses& to, const std::vector<const Kind*>& chosen, long connections,
                 TimePoint until, uint64_t seed) {
    const pid_t child = fork();
    if (child != 0) return child;
    attack(to, chosen, connections, until, seed);
    _exit(0);
}

// A well-behaved client; keeps one connection and opens another each second.
class Victim {
   public:
    explicit Victim(const Addresses& to) : mTo(to) {}

    // Makes the server start all threads that call drivers.
    void warmUp() {
        for (const bool isTcp : {false, true}) {
            const SharedDevice device = client(isTcp);
            std::vector<std::thread> threads;
            for (int i = 0; i < 8 && device != nullptr; ++i) {
                threads.emplace_back([&device] {
                    for (int n = 0; n < 50; ++n) (void)prepare(device, addition(4));
                });
            }
            for (std::thread& thread : threads) thread.join();
        }
    }

    // Returns the longest time of any operation while the processes live.
    Duration watch(std::vector<pid_t> processes) {
        Duration worst{};
        const auto timed = [&](const char* what, const auto& call) {
            const TimePoint start = Clock::now();
            if (!call()) fail(what);
            worst = std::max<Duration>(worst, Clock::now() - start);
        };
        TimePoint next = Clock::now();
        while (!processes.empty()) {
            for (const bool isTcp : {false, true}) {
                if (Clock::now() >= next) {
                    timed("a new client", [&] { return client(isTcp) != nullptr; });
                }
                timed("a client", [&] {
                    if (mDevices[isTcp] == nullptr) mDevices[isTcp] = client(isTcp);
                    if (mDevices[isTcp] == nullptr) return false;
                    const bool hasReplied =
                            mDevices[isTcp]->getSupportedOperations(addition(4)).has_value();
                    if (!hasReplied) mDevices[isTcp] = nullptr;
                    return hasReplied;
                });
            }
            if (Clock::now() >= next) next = Clock::now() + 1s;
            std::this_thread::sleep_for(20ms);
            std::erase_if(processes,
                          [](pid_t process) { return waitpid(process, nullptr, WNOHANG) != 0; });
        }
        return worst;
    }
    long failures() const { return mFailures; }

   private:
    SharedDevice client(bool isTcp) {
        auto connected = service::connect(mTo.of(isTcp), clientOptions());
        if (connected.has_value()) return *connected;
        mWhy = connected.error().message;
        return nullptr;
    }
    void fail(const char* what) {
        if (++mFailures <= 3) std::printf("  %s is not served: %s\n", what, mWhy.c_str());
    }

    const Addresses& mTo;
    SharedDevice mDevices[2]{};
    std::string mWhy{};
    long mFailures = 0;
};

struct Options {
    long connections = 100000;
    long seconds = 3600;
    long within = 1000;  // milliseconds
    uint64_t seed = 1;
};

// Runs the whole test with a new server. Returns false if a check failed.
bool soak(const char* name, const std::vector<const Kind*>& chosen, const Options& options) {
    char folder[] = "/tmp/nnapi-soak-XXXXXX";
    if (mkdtemp(folder) == nullptr) return false;
    Addresses to{.unixPath = std::string(folder) + "/socket"};
    const std::string file = std::string(folder) + "/address";
    const pid_t server = fork();
    if (server == 0) {
        execl("/proc/self/exe", "nnapi_hostile_soak", "--serve", to.unixPath.c_str(), file.c_str(),
              nullptr);
        _exit(2);
    }
    for (int i = 0; i < 2000 && !std::filesystem::exists(file); ++i) {
        std::this_thread::sleep_for(10ms);
    }
    std::string address;
    std::ifstream(file) >> address;
    to.port = static_cast<uint16_t>(std::atoi(address.c_str() + address.rfind(':') + 1));

    const auto run = [&](long connections, long seconds, uint64_t seed, Victim* victim) {
        const TimePoint until = Clock::now() + std::chrono::seconds(seconds);
        std::vector<pid_t> attackers;
        for (int i = 0; i < kAttackers; ++i) {
            attackers.push_back(attackerOf(to, chosen, connections / kAttackers, until,
                                           seed * kAttackers + static_cast<uint64_t>(i)));
        }
        if (victim != nullptr) return victim->watch(attackers);
        for (const pid_t attacker : attackers) waitpid(attacker, nullptr, 0);
        return Duration{};
    };
    // The baseline: each attacker has run each kind twice and disconnected.
    Victim(to).warmUp();
    run(static_cast<long>(2 * kAttackers * chosen.size()), 120, options.seed + 1, nullptr);
    std::this_thread::sleep_for(2s);
    const Taken before = takenBy(server);
    Duration worst{};
    long failures = 0;
    {
        Victim victim(to);
        worst = run(options.connections, options.seconds, options.seed, &victim);
        failures = victim.failures();
    }
    const auto left = [&] {
        const Taken now = takenBy(server);
        return Taken{.descriptors = now.descriptors - before.descriptors,
                     .threads = now.threads - before.threads,
                     .memory = now.memory - before.memory,
                     .most = now.most - before.memory};
    };
    const auto isClean = [&](const Taken& taken) {
        return taken.descriptors <= 0 && taken.threads <= 0 && taken.memory <= kMaxMemoryLeft;
    };
    for (int i = 0; i < 60 && !isClean(left()); ++i) std::this_thread::sleep_for(100ms);
    const Taken end = left();
    const bool lives = waitpid(server, nullptr, WNOHANG) == 0;
    const long worstMs = std::chrono::duration_cast<std::chrono::milliseconds>(worst).count();
    const bool holds = lives && failures == 0 && worstMs <= options.within && isClean(end) &&
                       end.most <= kMaxMemory;
    std::printf(
            "%-6s %-13s victim: worst %ld ms, %ld refused; peak +%ld MiB; left: %+ld "
            "descriptors, %+ld threads, %+ld MiB%s\n",
            holds ? "ok" : "FAILED", name, worstMs, failures, end.most, end.descriptors,
            end.threads, end.memory, lives ? "" : "; THE SERVER HAS ENDED");
    std::fflush(stdout);
    if (lives) {
        kill(server, SIGKILL);
        waitpid(server, nullptr, 0);
    }
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    return holds;
}

int usage() {
    std::fprintf(
            stderr,
            "usage: nnapi_hostile_soak [--connections N] [--seconds N] [--within MILLISECONDS] "
            "[--seed N] [--kinds A,B...] [--each] [--list]\n");
    return 2;
}

int run(const std::vector<std::string>& words) {
    Options options;
    std::set<std::string> names;
    bool isEach = false;
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--list") {
            for (const Kind& kind : kinds()) std::printf("%s\n", kind.name);
            return 0;
        }
        if (word == "--each") {
            isEach = true;
            continue;
        }
        if (i + 1 == words.size()) return usage();
        const std::string& value = words[++i];
        if (word == "--connections") {
            options.connections = std::atol(value.c_str());
        } else if (word == "--seconds") {
            options.seconds = std::atol(value.c_str());
        } else if (word == "--within") {
            options.within = std::atol(value.c_str());
        } else if (word == "--seed") {
            options.seed = std::strtoull(value.c_str(), nullptr, 10);
        } else if (word == "--kinds") {
            for (size_t at = 0; at <= value.size();) {
                const size_t comma = std::min(value.find(',', at), value.size());
                names.insert(value.substr(at, comma - at));
                at = comma + 1;
            }
        } else {
            return usage();
        }
    }
    std::vector<const Kind*> chosen;
    for (const Kind& kind : kinds()) {
        if (names.empty() || names.erase(kind.name) > 0) chosen.push_back(&kind);
    }
    if (!names.empty()) {
        std::fprintf(stderr, "there is no kind %s; --list prints the kinds\n",
                     names.begin()->c_str());
        return 2;
    }
    if (!isEach) return soak("mixed", chosen, options) ? 0 : 1;
    bool hold = true;
    for (const Kind* kind : chosen) hold &= soak(kind->name, {kind}, options);
    return hold ? 0 : 1;
}

}  // namespace
}  // namespace nn::hostile_soak

int main(int argc, char** argv) {
    if (argc == 4 && std::string_view(argv[1]) == "--serve") {
        return nn::hostile_soak::serve(argv[2], argv[3]);
    }
    signal(SIGPIPE, SIG_IGN);
    return nn::hostile_soak::run({argv + 1, argv + argc});
}
