// Compilation caches.
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <mutex>

#include "device_test/bugs/parts.h"

namespace nn::bugs {
namespace caching {
namespace {

// For every model, of a driver that ignores the client's.
constexpr CacheToken kToken{1, 2, 3};

int descriptorOf(const SharedHandle& handle) { return handle == nullptr ? -1 : handle->get(); }

std::vector<uint8_t> contentOf(int fd) {
    struct stat status = {};
    if (fstat(fd, &status) != 0) return {};
    std::vector<uint8_t> bytes(static_cast<size_t>(status.st_size));
    const ssize_t count = pread(fd, bytes.data(), bytes.size(), 0);
    bytes.resize(static_cast<size_t>(std::max<ssize_t>(count, 0)));
    return bytes;
}

class CachePart final : public DevicePart {
   public:
    using DevicePart::DevicePart;

    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        const auto needed = inner()->getNumberOfCacheFilesNeeded();
        if (!has(Bug::cache_count_differs)) return needed;
        return {needed.first + mQuestions++ % 2, needed.second};
    }

   protected:
    Prepared prepare(const Preparation& preparation) const override {
        const Handles& files = preparation.modelCache;
        if (files.empty()) return preparation.on(*inner());
        Preparation changed = preparation;
        if (has(Bug::cache_ignores_token)) changed.token = kToken;
        std::vector<std::vector<uint8_t>> before;
        std::vector<off_t> offsets;
        for (const SharedHandle& file : files) {
            before.push_back(contentOf(descriptorOf(file)));
            offsets.push_back(lseek(descriptorOf(file), 0, SEEK_CUR));
        }
        const bool isKept = has(Bug::cache_first_model) && !before.front().empty();
        hasCacheFailed() = false;
        auto prepared = (isKept ? changed.withoutCache() : changed).on(*inner());
        if (!prepared.has_value()) return prepared;
        if (has(Bug::cache_failure_fails) && hasCacheFailed()) {
            return error() << "the cache cannot be saved";
        }
        for (size_t i = 0; i < files.size(); ++i) {
            const int fd = descriptorOf(files[i]);
            const std::vector<uint8_t> saved = contentOf(fd);
            if (has(Bug::cache_not_truncated) && before[i].size() > saved.size()) {
                (void)!pwrite(fd, before[i].data() + saved.size(), before[i].size() - saved.size(),
                              static_cast<off_t>(saved.size()));
            }
            if (has(Bug::cache_offset) && offsets[i] > 0) {
                (void)!ftruncate(fd, 0);
                (void)!pwrite(fd, saved.data(), saved.size(), offsets[i]);
            }
        }
        if (has(Bug::cache_ignores_corruption)) {
            const std::lock_guard lock(mMutex);
            mSaved[preparation.token] = std::make_shared<const Model>(preparation.model);
        }
        return prepared;
    }

    Prepared load(const Loading& loading) const override {
        if (has(Bug::cache_truncated_crash)) {
            constexpr size_t kHeader = 64;
            for (const Handles* files : {&loading.modelCache, &loading.dataCache}) {
                for (const SharedHandle& file : *files) {
                    const int fd = descriptorOf(file);
                    if (fd >= 0 && contentOf(fd).size() < kHeader) crash();
                }
            }
        }
        if (has(Bug::cache_ignores_corruption)) {
            const std::shared_ptr<const Model> model = savedUnder(loading.token);
            if (model != nullptr) {
                return inner()->prepareModel(*model, ExecutionPreference::DEFAULT,
                                             Priority::DEFAULT, loading.deadline, {}, {}, {}, {},
                                             {});
            }
        }
        Loading changed = loading;
        if (has(Bug::cache_ignores_token)) changed.token = kToken;
        return changed.on(*inner());
    }

   private:
    std::shared_ptr<const Model> savedUnder(const CacheToken& token) const {
        const std::lock_guard lock(mMutex);
        const auto found = mSaved.find(token);
        return found == mSaved.end() ? nullptr : found->second;
    }

    mutable std::mutex mMutex{};
    mutable std::map<CacheToken, std::shared_ptr<const Model>> mSaved{};
    mutable std::atomic<uint32_t> mQuestions = 0;
};

}  // namespace
}  // namespace caching

SharedDevice withCacheBugs(SharedDevice device, Bug bug) {
    if (rowOf(bug).family != "CACHE") return device;
    return std::make_shared<const caching::CachePart>(std::move(device), bug);
}

}  // namespace nn::bugs
