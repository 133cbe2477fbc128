#include "service/tls.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <kj/refcount.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <new>

#include "base/no_throw.h"
#include "base/printable.h"
#include "service/event_loop.h"

namespace nn::service {
namespace {

constexpr size_t kMaxFileBytes = size_t{1} << 20;
constexpr kj::Duration kLinger = 200 * kj::MILLISECONDS;

struct SharedStream final : kj::Refcounted {
    explicit SharedStream(kj::Own<kj::AsyncIoStream> s) : stream(kj::mv(s)) {}
    kj::Own<kj::AsyncIoStream> stream;
};

// Reads and discards until the other side has ended.
kj::Promise<void> drain(kj::AsyncIoStream& stream) {
    auto buffer = kj::heapArray<kj::byte>(4096);
    auto read = stream.tryRead(buffer.begin(), 1, buffer.size());
    return read.attach(kj::mv(buffer)).then([&stream](size_t size) -> kj::Promise<void> {
        if (size == 0) return kj::READY_NOW;
        return drain(stream);
    });
}

// The users that may have access to a file. Only its owner may have access to a key.
enum class Access { ANY, OWNER };

Status checkFile(const std::string& path, const struct stat& file, Access access) {
    if (!S_ISREG(file.st_mode)) {
        return error(ErrorStatus::INVALID_ARGUMENT) << printable(path) << " is not a regular file";
    }
    if (access == Access::ANY) return {};
    if (file.st_uid != geteuid() && file.st_uid != 0) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << printable(path) << " belongs to user " << file.st_uid << ", allowed user "
               << geteuid() << ", who this is, and root";
    }
    constexpr mode_t kOthers = S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
    if ((file.st_mode & kOthers) == 0) return {};
    return error(ErrorStatus::INVALID_ARGUMENT)
           << printable(path) << " can be read or written by others than its owner (mode "
           << fmt::format("{:04o}", file.st_mode & 07777) << "): allow its owner alone, chmod 600";
}

// Fails for more than 1 MiB. Opens without blocking, so that a FIFO can be rejected.
Result<std::string> readFile(const std::string& path, Access access) {
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat file {};
    const bool isOpen = fd.ok() && fstat(fd.get(), &file) == 0;
    if (isOpen) NNAPI_RETURN_IF_ERROR(checkFile(path, file, access));
    std::string text(isOpen ? kMaxFileBytes + 1 : 0, '\0');
    size_t size = 0;
    ssize_t got = isOpen ? 1 : -1;
    while (got > 0 && size < text.size()) {
        got = ::read(fd.get(), text.data() + size, text.size() - size);
        if (got > 0) size += static_cast<size_t>(got);
    }
    if (got < 0) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << printable(path) << ": " << std::strerror(errno));
    }
    if (size > kMaxFileBytes) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << printable(path) << " is longer than " << kMaxFileBytes << " bytes");
    }
    text.resize(size);
    return text;
}

kj::StringPtr pem(const std::string& text) { return {text.c_str(), text.size()}; }

// Calls kj to parse credentials, and returns its exceptions as errors; `what` names the
// credentials.
template <class Make>
auto use(const char* what, Make make) -> Result<decltype(make())> {
    try {
        return make();
    } catch (const kj::Exception& exception) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << what << " cannot be used: " << messageOf(failureOf(exception, "TLS")));
    }
}

// kj requires each certificate as a separate text.
std::vector<std::string> certificatesOf(const std::string& text) {
    constexpr std::string_view kBegin = "-----BEGIN";
    std::vector<std::string> all;
    size_t at = text.find(kBegin);
    while (at != std::string::npos) {
        const size_t next = text.find(kBegin, at + kBegin.size());
        all.push_back(text.substr(at, next == std::string::npos ? next : next - at));
        at = next;
    }
    return all;
}

struct Parts {
    kj::TlsKeypair own;
    std::vector<kj::TlsCertificate> authorities;
};

// The SSL_CTX inside kj's context, which kj does not expose: access checks do not apply to names in
// explicit instantiations.
SSL_CTX* nativeContext(kj::TlsContext& context);
template <auto kMember>
struct MemberAccess {
    friend SSL_CTX* nativeContext(kj::TlsContext& context) {
        return static_cast<SSL_CTX*>(context.*kMember);
    }
};
template struct MemberAccess<&kj::TlsContext::ctx>;

// Whether the certificate's subject alternative name has the name, or the address if it is one.
// Other fields do not count, and wildcards stand for whole labels of names (RFC 9525).
bool hasName(X509* certificate, const char* name) {
    in6_addr address;  // the larger one
    const bool isAddress =
            inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1;
    const unsigned flags =
            X509_CHECK_FLAG_NEVER_CHECK_SUBJECT |
            (isAddress ? X509_CHECK_FLAG_NO_WILDCARDS : X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return X509_check_host(certificate, name, 0, flags, nullptr) == 1 ||
           (isAddress && X509_check_ip_asc(certificate, name, 0) == 1);
}

// Versions of kj disagree about addresses: its checks of the name are replaced. The name is the one
// that the client sends to the server.
int verifyServer(X509_STORE_CTX* store, void* /*unused*/) {
    X509_VERIFY_PARAM* parameters = X509_STORE_CTX_get0_param(store);
    X509_VERIFY_PARAM_set1_host(parameters, nullptr, 0);
    X509_VERIFY_PARAM_set1_ip(parameters, nullptr, 0);
    if (X509_verify_cert(store) != 1) return 0;
    const auto* connection = static_cast<const SSL*>(
            X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
    const char* name = SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name);
    if (name != nullptr && hasName(X509_STORE_CTX_get0_cert(store), name)) return 1;
    X509_STORE_CTX_set_error(store, X509_V_ERR_HOSTNAME_MISMATCH);
    return 0;
}

Result<std::shared_ptr<kj::TlsContext>> contextOf(const Parts& parts, bool isServer) {
    return use("the key and the certificate", [&] {
        kj::TlsContext::Options options;
        options.useSystemTrustStore = false;
        options.verifyClients = isServer;
        options.trustedCertificates = {parts.authorities.data(), parts.authorities.size()};
        options.defaultKeypair = parts.own;
        options.minVersion = kj::TlsVersion::TLS_1_2;
        auto context = std::make_shared<kj::TlsContext>(kj::mv(options));
        if (!isServer) {
            SSL_CTX_set_cert_verify_callback(nativeContext(*context), verifyServer, nullptr);
        }
        return context;
    });
}

// kj does not check that key and certificate match.
Status checkPair(const Credentials& credentials) {
    const auto open = [](const std::string& text) {
        return std::unique_ptr<BIO, decltype(&BIO_free)>(
                BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free);
    };
    // Never prompts for a password.
    const auto noPassword = [](char*, int, int, void*) { return 0; };
    const std::unique_ptr<X509, decltype(&X509_free)> certificate(
            PEM_read_bio_X509(open(credentials.certificate).get(), nullptr, noPassword, nullptr),
            X509_free);
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
            PEM_read_bio_PrivateKey(open(credentials.key).get(), nullptr, noPassword, nullptr),
            EVP_PKEY_free);
    const bool fit = certificate != nullptr && key != nullptr &&
                     X509_check_private_key(certificate.get(), key.get()) == 1;
    ERR_clear_error();
    if (fit) return {};
    return error(ErrorStatus::INVALID_ARGUMENT)
           << "the key is not that of the certificate, or is encrypted";
}

Result<Parts> partsOf(const Credentials& credentials) {
    NNAPI_ASSIGN_OR_RETURN(key, use("the key", [&] {
                               return std::make_unique<kj::TlsPrivateKey>(pem(credentials.key));
                           }));
    NNAPI_ASSIGN_OR_RETURN(
            certificate, use("the certificate", [&] {
                return std::make_unique<kj::TlsCertificate>(pem(credentials.certificate));
            }));
    NNAPI_RETURN_IF_ERROR(checkPair(credentials));
    Parts parts{{std::move(*key), std::move(*certificate)}, {}};
    for (const std::string& text : certificatesOf(credentials.authorities)) {
        NNAPI_ASSIGN_OR_RETURN(authority, use("the authorities' certificate", [&] {
                                   return std::make_unique<kj::TlsCertificate>(pem(text));
                               }));
        parts.authorities.push_back(std::move(*authority));
    }
    if (!parts.authorities.empty()) return parts;
    return Status(error(ErrorStatus::INVALID_ARGUMENT)
                  << "there is no authority, whom nobody's certificate can be signed by");
}

struct Reason {
    std::string_view fragment;  // of a message of kj or OpenSSL
    std::string_view explanation;
};

// The first match wins.
constexpr std::array kReasons = std::to_array<Reason>({
        {"hostname mismatch",
         "the server's certificate does not name this host as a subject alternative name: connect "
         "by a name that it has there, give that name with tls-name, or sign a certificate with "
         "subjectAltName=DNS:NAME or IP:ADDRESS; a common name does not count"},
        {"reason = certificate has expired", "the server's certificate has expired: renew it"},
        {"reason = certificate is not yet valid",
         "the server's certificate is not valid yet: look at the clocks of both machines"},
        {"not trusted",
         "the server's certificate is not signed by an authority of tls-ca: use the authority "
         "that has signed it"},
        {"alert certificate required",
         "the server asks for a certificate: give tls-cert and tls-key"},
        {"alert unknown ca",
         "the server does not know the authority that has signed this client's certificate: use a "
         "certificate of an authority that its tls-ca has"},
        {"alert certificate expired", "this client's certificate has expired: renew it"},
        {"alert", "the server refuses this client's certificate"},
        {"peer did not return a certificate", "it shows no certificate"},
        {"certificate verify failed",
         "its certificate is not signed by an authority of tls-ca, or has expired"},
        {"wrong version number", "it does not speak TLS"},
        {"http request", "it does not speak TLS"},
        {"Connection refused", "nobody listens there"},
        {"Peer disconnected",
         "it has ended the connection: it may ask for certificates, or have too many clients"},
        {"unexpected eof", "it has ended the connection in the handshake"},
        {"DISCONNECTED", "it has ended the connection in the handshake"},
});

}  // namespace

GeneralResult<Credentials> readCredentials(const CredentialFiles& files) NNAPI_TRY {
    if (files.certificate.empty() || files.key.empty() || files.authorities.empty()) {
        return error(ErrorStatus::INVALID_ARGUMENT) << "tls-cert, tls-key and tls-ca go together: "
                                                    << (files.certificate.empty() ? "tls-cert"
                                                        : files.key.empty()       ? "tls-key"
                                                                                  : "tls-ca")
                                                    << " is missing";
    }
    NNAPI_ASSIGN_OR_RETURN(certificate, readFile(files.certificate, Access::ANY));
    NNAPI_ASSIGN_OR_RETURN(key, readFile(files.key, Access::OWNER));
    NNAPI_ASSIGN_OR_RETURN(authorities, readFile(files.authorities, Access::ANY));
    return Credentials{.certificate = std::move(certificate),
                       .key = std::move(key),
                       .authorities = std::move(authorities)};
}
NNAPI_CATCH

Result<Tls> Tls::create(const Address& address, const std::optional<Credentials>& credentials,
                        bool insecurePlainTcp) {
    if (credentials && insecurePlainTcp) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << address.text()
                      << ": there are credentials, which plain TCP does not look at: leave one of "
                      << "them out");
    }
    Tls tls;
    if (insecurePlainTcp) return tls;
    if (!credentials) {
        return Status(error(ErrorStatus::INVALID_ARGUMENT)
                      << address.text()
                      << " is reached over TCP, which requires credentials (tls-cert, tls-key and "
                      << "tls-ca of a command or a configuration file) or, in a network where "
                      << "everyone may read, change and use everything, insecure-plain-tcp");
    }
    NNAPI_ASSIGN_OR_RETURN(parts, partsOf(*credentials));
    NNAPI_ASSIGN_OR_RETURN(server, contextOf(parts, /*isServer=*/true));
    NNAPI_ASSIGN_OR_RETURN(client, contextOf(parts, /*isServer=*/false));
    tls.mServer = std::move(server);
    tls.mClient = std::move(client);
    tls.mServerName = credentials->serverName.empty() ? address.host : credentials->serverName;
    return tls;
}

kj::Promise<kj::Own<kj::AsyncIoStream>> Tls::asServer(kj::Own<kj::AsyncIoStream> stream,
                                                      kj::Timer& timer) const {
    using Stream = kj::Promise<kj::Own<kj::AsyncIoStream>>;
    if (mServer == nullptr) return kj::mv(stream);
    // The raw stream must outlive the TLS stream: closing a socket with unread bytes would discard
    // those being sent.
    auto& raw = *stream;
    auto own = kj::refcounted<SharedStream>(kj::mv(stream));
    auto safe = mServer->wrapServer(kj::Own<kj::AsyncIoStream>(&raw, kj::NullDisposer::instance));
    return safe.then(
            [own = kj::addRef(*own)](kj::Own<kj::AsyncIoStream>&& made) mutable -> Stream {
                return made.attach(kj::mv(own));
            },
            [own = kj::addRef(*own), &timer](kj::Exception&& why) mutable -> Stream {
                auto& closing = *own->stream;
                closing.shutdownWrite();
                return timer.timeoutAfter(kLinger, drain(closing))
                        .then([] {}, [](kj::Exception&&) {})
                        .then([why = kj::mv(why)]() mutable -> kj::Own<kj::AsyncIoStream> {
                            kj::throwFatalException(kj::mv(why));
                        })
                        .attach(kj::mv(own));
            });
}

kj::Promise<kj::Own<kj::AsyncIoStream>> Tls::asClient(kj::Own<kj::AsyncIoStream> stream) const {
    if (mClient == nullptr) return kj::mv(stream);
    return mClient->wrapClient(kj::mv(stream), pem(mServerName));
}

kj::Promise<void> WatchedStream::withReadError(kj::Promise<void> written) {
    return written.catch_([this](kj::Exception&& exception) -> kj::Promise<void> {
        return mTimer.afterDelay(kLinger).then([exception = kj::mv(exception)]() mutable {
            kj::throwFatalException(kj::mv(exception));
        });
    });
}

kj::Promise<size_t> WatchedStream::tryRead(void* to, size_t least, size_t most) {
    return mStream->tryRead(to, least, most).catch_([this](kj::Exception&& exception) -> size_t {
        mWhy = whyRefused(messageOf(failureOf(exception, "the connection")));
        kj::throwFatalException(kj::mv(exception));
    });
}

std::string whyRefused(std::string_view why) {
    if (why.ends_with("the server is gone"))
        why = "Peer disconnected";  // whichever side noticed it first
    for (const Reason& reason : kReasons) {
        if (why.find(reason.fragment) != std::string_view::npos)
            return std::string(reason.explanation);
    }
    return std::string(why);
}

}  // namespace nn::service
