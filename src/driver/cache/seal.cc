// The first model file begins with a header, and then all files are the bytes that were saved:
//
//   8 bytes    "NNAPICC" and 0
//   uint32     version of the format, 1
//   uint32     number of model files
//   uint32     number of data files
//   for each   uint64 length, without the header; 32 bytes of SHA-256
//   32 bytes   HMAC-SHA-256 of all above, then of name and version of the device, each after its
//              length (uint32), and of the token
//
// The reader builds a header from the lengths and digests in the file; a file whose header differs
// is invalid. So nothing else is read before the header is verified.
#include <absl/algorithm/container.h>

#include <set>
#include <string_view>

#include "base/no_throw.h"
#include "base/plurals.h"
#include "driver/cache/bytes.h"
#include "driver/cache/digest.h"
#include "driver/cache/files.h"
#include "nnapi/checked_math.h"
#include "nnapi/driver/cache.h"

namespace nn {
namespace {

using cache::ByteReader;
using cache::ByteWriter;
using cache::Digest;
using cache::FileId;

constexpr std::string_view kSealMagic{"NNAPICC\0", 8};
constexpr uint32_t kSealFormat = 1;
constexpr size_t kFixedBytes = kSealMagic.size() + 3 * sizeof(uint32_t);
constexpr size_t kEntryBytes = sizeof(uint64_t) + sizeof(Digest);

// "modelCache[0]: why"
Status within(size_t file, size_t modelFiles, const Status& status) {
    const bool isModel = file < modelFiles;
    return error(errorStatus(status))
           << (isModel ? "modelCache[" : "dataCache[") << (isModel ? file : file - modelFiles)
           << "]: " << std::string(status.message());
}

std::vector<int> descriptors(const CacheFiles& files) {
    std::vector<int> all;
    for (const auto* list : {&files.model, &files.data}) {
        for (const SharedHandle& handle : *list) {
            all.push_back(handle == nullptr ? -1 : handle->get());
        }
    }
    return all;
}

Status notOurs(std::string_view why) {
    return error() << "this device did not write it for this token, or somebody changed it: "
                   << why;
}

// Empties files again, unless all of it was written.
class Emptying {
   public:
    explicit Emptying(const std::vector<int>& fds) : mFds(fds) {}
    Emptying(const Emptying&) = delete;
    Emptying& operator=(const Emptying&) = delete;
    ~Emptying() {
        for (size_t i = 0; !mIsDone && i < mFds.size(); ++i) {
            cache::tryToEmpty(mFds[i]);
        }
    }
    void done() { mIsDone = true; }

   private:
    const std::vector<int>& mFds;
    bool mIsDone = false;
};

}  // namespace

struct CacheSeal::Entry {
    uint64_t length = 0;
    Digest digest{};
};

Status CacheSeal::checkCounts(const CacheFiles& files) const {
    if (mCounts.model == 0 || mCounts.model > kMaxNumberOfCacheFiles ||
        mCounts.data > kMaxNumberOfCacheFiles) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "a seal of " << mCounts.model << " model and " << mCounts.data
               << " data files, allowed 1 to " << kMaxNumberOfCacheFiles << " and 0 to "
               << kMaxNumberOfCacheFiles;
    }
    if (files.model.size() == mCounts.model && files.data.size() == mCounts.data) return {};
    return error(ErrorStatus::INVALID_ARGUMENT)
           << "the cache has " << files.model.size() << " model and " << files.data.size()
           << " data files, allowed " << mCounts.model << " and " << mCounts.data;
}

Result<std::vector<uint8_t>> CacheSeal::header(std::span<const Entry> entries,
                                               const CacheToken& token) const {
    ByteWriter header;
    header.put(cache::bytesOf(kSealMagic));
    header.put(kSealFormat);
    header.put(mCounts.model);
    header.put(mCounts.data);
    for (const Entry& entry : entries) {
        header.put(entry.length);
        header.put(entry.digest);
    }
    ByteWriter sealed = header;
    sealed.putText(mDeviceName);
    sealed.putText(mVersionString);
    sealed.put(token);
    NNAPI_ASSIGN_OR_RETURN(code, cache::hmacSha256(mKey.bytes(), sealed.bytes()));
    header.put(code);
    return std::move(header).bytes();
}

Status CacheSeal::save(const CacheFiles& files, std::span<const std::span<const uint8_t>> model,
                       std::span<const std::span<const uint8_t>> data) const NNAPI_TRY {
    NNAPI_RETURN_IF_ERROR(checkCounts(files));
    if (model.size() != mCounts.model || data.size() != mCounts.data) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << model.size() << " model and " << data.size() << " data contents for "
               << mCounts.model << " and " << mCounts.data << " files";
    }
    const std::vector<int> fds = descriptors(files);
    std::vector<int> emptied;
    emptied.reserve(fds.size());
    Emptying emptying(emptied);
    std::set<FileId> distinct;
    Status status;
    for (size_t i = 0; i < fds.size(); ++i) {
        const Result<FileId> id = cache::regularFile(fds[i]);
        Status found = id.ok() ? cache::emptyFile(fds[i]) : id.status();
        if (found.ok()) {
            emptied.push_back(fds[i]);
            if (!distinct.insert(*id).second) found = error() << "it is the file of another one";
        }
        if (status.ok() && !found.ok()) status = within(i, mCounts.model, found);
    }
    NNAPI_RETURN_IF_ERROR(status);

    std::vector<std::span<const uint8_t>> contents(model.begin(), model.end());
    contents.insert(contents.end(), data.begin(), data.end());
    std::vector<Entry> entries;
    for (const auto& bytes : contents) {
        NNAPI_ASSIGN_OR_RETURN(digest, cache::sha256(bytes));
        entries.push_back({bytes.size(), digest});
    }
    NNAPI_ASSIGN_OR_RETURN(head, header(entries, files.token));
    for (size_t i = 0; i < fds.size(); ++i) {
        const std::span<const uint8_t> first = i == 0 ? head : std::span<const uint8_t>();
        Status written = cache::writeFile(fds[i], 0, first);
        if (written.ok()) written = cache::writeFile(fds[i], first.size(), contents[i]);
        if (!written.ok()) return within(i, mCounts.model, written);
    }
    emptying.done();
    return {};
}
NNAPI_CATCH

Result<CacheContents> CacheSeal::load(const CacheFiles& files) const NNAPI_TRY {
    NNAPI_RETURN_IF_ERROR(checkCounts(files));
    const std::vector<int> fds = descriptors(files);
    std::vector<uint64_t> sizes(fds.size());
    for (size_t i = 0; i < fds.size(); ++i) {
        const Result<FileId> found = cache::regularFile(fds[i], &sizes[i]);
        if (!found.ok()) return within(i, mCounts.model, found.status());
    }

    std::vector<uint8_t> head(kFixedBytes + fds.size() * kEntryBytes + sizeof(Digest));
    if (sizes[0] < head.size()) {
        return within(0, mCounts.model,
                      notOurs("it has " + toString(Plural{sizes[0], "bytes"}) +
                              ", and a header alone has " + std::to_string(head.size())));
    }
    Status read = cache::readFile(fds[0], 0, head);
    if (!read.ok()) return within(0, mCounts.model, read);
    std::vector<Entry> entries(fds.size());
    ByteReader reader(std::span<const uint8_t>(head).subspan(kFixedBytes));
    for (Entry& entry : entries) {
        reader.take(entry.length);
        absl::c_copy(*reader.takeBytes(entry.digest.size()), entry.digest.begin());
    }
    NNAPI_ASSIGN_OR_RETURN(wanted, header(entries, files.token));
    if (!cache::areEqual(head, wanted)) {
        return within(0, mCounts.model, notOurs("its header is not the one that is expected"));
    }

    CacheContents contents;
    for (size_t i = 0; i < fds.size(); ++i) {
        const uint64_t begin = i == 0 ? head.size() : 0;
        const auto length = checkedCast<size_t>(entries[i].length);
        if (!length || sizes[i] != checkedAdd<uint64_t>(begin, entries[i].length)) {
            return within(
                    i, mCounts.model,
                    notOurs("its length is " + std::to_string(sizes[i]) + ", allowed " +
                            std::to_string(begin) + " + " + std::to_string(entries[i].length)));
        }
        std::vector<uint8_t> bytes(*length);
        read = cache::readFile(fds[i], begin, bytes);
        if (!read.ok()) return within(i, mCounts.model, read);
        NNAPI_ASSIGN_OR_RETURN(digest, cache::sha256(bytes));
        if (digest != entries[i].digest) {
            return within(i, mCounts.model, notOurs("its digest is another one"));
        }
        (i < mCounts.model ? contents.model : contents.data).push_back(std::move(bytes));
    }
    return contents;
}
NNAPI_CATCH

}  // namespace nn
