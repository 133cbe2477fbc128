#include "runtime/plan/preparation.h"

#include <algorithm>
#include <tuple>

#include "driver/cache/digest.h"
#include "driver/cache/files.h"
#include "nnapi/driver/invalid.h"
#include "nnapi/type_utils.h"
#include "runtime/plan/exception_guard.h"
#include "runtime/plan/failed_devices.h"
#include "types/extension_names.h"

namespace nn::runtime {
namespace {

// What is hashed, one after the other and without anything between.
class Text {
   public:
    void add(std::span<const uint8_t> bytes) {
        mBytes.insert(mBytes.end(), bytes.begin(), bytes.end());
    }
    void add(std::string_view text) {
        add(std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
    }
    template <class Number>
    requires(std::is_arithmetic_v<Number> || std::is_enum_v<Number>) void add(Number number) {
        add(std::span(reinterpret_cast<const uint8_t*>(&number), sizeof(number)));
    }
    std::span<const uint8_t> bytes() const { return mBytes; }

   private:
    std::vector<uint8_t> mBytes{};
};

// Prefixes differ from process to process, names do not.
void addHints(const PlanOptions& options, Text& text) {
    std::vector<std::tuple<std::string_view, uint16_t, std::span<const uint8_t>>> hints;
    for (const TokenValuePair& hint : options.hints) {
        const auto code = static_cast<uint32_t>(hint.token);
        hints.emplace_back(extensionNameOf(options.prefixes, code), getTypeWithinExtension(code),
                           hint.value);
    }
    std::sort(hints.begin(), hints.end(), [](const auto& a, const auto& b) {
        return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
    });
    for (const auto& [name, code, value] : hints) {
        text.add(name);
        text.add(code);
        text.add(value);
    }
}

bool wantsCache(const IDevice& device, const PlanOptions& options) {
    const auto [modelFiles, dataFiles] = device.getNumberOfCacheFilesNeeded();
    const bool hasPlace = !options.cacheDirectory.empty() || options.cacheFiles;
    return options.token && hasPlace && (modelFiles != 0 || dataFiles != 0);
}

void tellFailure(const IDevice& device, const PlanOptions& options, const Status& why) {
    if (options.onCacheFailure) options.onCacheFailure(device.getName(), why);
}

// What a device loads from and saves to: the files of the application, or those of its folder that
// have the name of the token.
class Cache {
   public:
    // False where there is nothing to load.
    bool load(const IDevice& device, const PlanOptions& options, bool isWholeModel,
              const CacheToken& token) {
        if (options.cacheFiles) {
            if (isWholeModel) mHandles = *options.cacheFiles;
            return isWholeModel;
        }
        auto opened = cache::openFiles(options.cacheDirectory, token,
                                       device.getNumberOfCacheFilesNeeded());
        if (!opened.ok()) {
            tellFailure(device, options, opened.status());
            return false;
        }
        mHasFolder = true;
        mHandles = {std::move(opened->model), std::move(opened->data)};
        return opened->areThere;
    }
    // Once nothing could be loaded.
    void begin(const IDevice& device, const PlanOptions& options, const CacheToken& token) {
        if (!mHasFolder) return;
        mHandles = {};
        auto made = cache::FilesToSave::create(options.cacheDirectory, token,
                                               device.getNumberOfCacheFilesNeeded());
        if (!made.ok()) return tellFailure(device, options, made.status());
        mToSave = *std::move(made);
        mHandles = {mToSave->files().model, mToSave->files().data};
    }
    // Once the model is prepared.
    void commit(const IDevice& device, const PlanOptions& options) {
        if (!mToSave) return;
        const Status saved = mToSave->commit();
        if (!saved.ok()) tellFailure(device, options, saved);
    }
    const CacheHandles& handles() const { return mHandles; }

   private:
    CacheHandles mHandles{};
    bool mHasFolder = false;
    std::optional<cache::FilesToSave> mToSave{};
};

GeneralResult<SharedPreparedModel> compile(const IDevice& device, const Model& model,
                                           const PlanOptions& options, const CacheHandles& files,
                                           const CacheToken& token) {
    return guardObject<const IPreparedModel>(device.getName() + " prepareModel", [&] {
        return device.prepareModel(model, options.preference, options.priority, options.deadline,
                                   files.model, files.data, token, options.hints, options.prefixes);
    });
}

// The model is at fault, not the time or the memory that there is now.
bool isRefusal(ErrorStatus code) {
    return code == ErrorStatus::INVALID_ARGUMENT || code == ErrorStatus::GENERAL_FAILURE;
}

}  // namespace

Result<CacheToken> cacheTokenFor(const IDevice& device, const PlanOptions& options,
                                 const std::optional<StepOrigin>& origin) {
    Text text;
    text.add(std::span<const uint8_t>(*options.token));
    if (origin) {
        text.add(origin->graph);
        for (const uint32_t operation : origin->operations) text.add(operation);
    }
    text.add(std::string_view(device.getName()));
    text.add(std::string_view(device.getVersionString()));
    text.add(options.preference);
    text.add(options.priority);
    addHints(options, text);
    return cache::sha256(text.bytes());
}

GeneralResult<Prepared> prepareOn(const PlanDevice& planDevice, const Model& model,
                                  const PlanOptions& options,
                                  const std::optional<StepOrigin>& origin) {
    const IDevice& device = *planDevice.device;
    Cache cache;
    CacheToken token{};
    if (!planDevice.isCpu && wantsCache(device, options)) {
        const auto hashed = cacheTokenFor(device, options, origin);
        if (hashed.ok()) {
            token = *hashed;
            if (cache.load(device, options, !origin, token)) {
                auto cached = guardObject<const IPreparedModel>("prepareModelFromCache", [&] {
                    return device.prepareModelFromCache(options.deadline, cache.handles().model,
                                                        cache.handles().data, token);
                });
                if (cached.has_value()) return Prepared{*std::move(cached), true};
            }
            cache.begin(device, options, token);
        }
    }
    auto prepared = compile(device, model, options, cache.handles(), token);
    if (prepared.has_value()) {
        cache.commit(device, options);
        return Prepared{*std::move(prepared), false};
    }
    if (!planDevice.isCpu || !options.refusesLate || !isRefusal(prepared.error().code)) {
        return failureOf(device.getName(), prepared.status());
    }
    return Prepared{
            std::make_shared<const hal::utils::InvalidPreparedModel>(prepared.error().message),
            false, prepared.status()};
}

GeneralResult<SharedPreparedModel> prepareOnCpu(const IDevice& cpu, const Model& model,
                                                const PlanOptions& options) {
    const PlanOptions plain{.preference = options.preference, .priority = options.priority};
    return compile(cpu, model, plain, {}, {});
}

}  // namespace nn::runtime
