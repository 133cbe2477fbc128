// ANeuralNetworksCompilation, until it is finished.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/process_mutex.h"
#include "runtime/compiled/compiled_model.h"
#include "runtime/objects/codes.h"

namespace nn::runtime {

// Adds the value of an attribute of an extension. BAD_DATA for an extension that no device has, and
// for an attribute that has a value.
struct Hints {
    std::vector<TokenValuePair> values{};
    std::vector<ExtensionNameAndPrefix> prefixes{};

    ApiStatus add(const std::string& extension, uint16_t code, const void* data, size_t length);
};

// Methods correspond to the C API functions of the same names; pointers must not be null.
// Thread-safe.
class CompilationBuilder {
   public:
    CompilationBuilder(std::shared_ptr<const FinishedModel> model, std::vector<PlanDevice> devices,
                       bool isExplicit);

    ApiStatus setPreference(int32_t preference);
    ApiStatus setPriority(int priority);
    ApiStatus setTimeout(uint64_t duration);
    ApiStatus setCaching(const char* folder, const uint8_t* token);
    ApiStatus setCachingFromFds(std::span<const int> modelFiles, std::span<const int> dataFiles,
                                const uint8_t* token);
    ApiStatus addExtensionAttribute(const std::string& extension, uint16_t code, const void* data,
                                    size_t length);
    ApiStatus finish();

    // BAD_STATE before a successful finish.
    ApiStatus compiled(std::shared_ptr<const Compiled>& compiled) const;

   private:
    enum class State { BUILDING, FINISHING, COMPLETED, FAILED };

    ApiStatus checkOpen() const;
    void setToken(const uint8_t* token);
    // Adds the plan. Called without the lock.
    ApiStatus complete(PlanOptions options, Compiled& compiled);
    bool hasOneExplicitDevice() const { return mIsExplicit && mDevices.size() == 1; }

    const std::shared_ptr<const FinishedModel> mModel;
    const std::vector<PlanDevice> mDevices;
    const bool mIsExplicit;

    mutable ProcessMutex mMutex{};
    State mState = State::BUILDING;
    ExecutionPreference mPreference = ExecutionPreference::DEFAULT;
    Priority mPriority = Priority::DEFAULT;
    OptionalDuration mTimeout{};
    std::string mCacheFolder{};
    std::optional<CacheHandles> mCacheFiles{};
    std::optional<CacheToken> mToken{};
    Hints mHints{};
    std::shared_ptr<const Compiled> mCompiled{};
};

}  // namespace nn::runtime
