#include "runtime/objects/compilation_builder.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "nnapi/driver/registry.h"
#include "runtime/objects/runtime.h"
#include "runtime/observe/telemetry.h"

namespace nn::runtime {

ApiStatus Hints::add(const std::string& extension, uint16_t code, const void* data, size_t length) {
    const auto prefix = runtime().types().getExtensionPrefix(extension);
    if (!prefix.has_value()) return badData(prefix.error().message);
    const auto token = static_cast<int32_t>((uint32_t{*prefix} << kExtensionTypeBits) | code);
    if (absl::c_any_of(values, [&](const TokenValuePair& value) { return value.token == token; })) {
        return badData(fmt::format("attribute {} of {} has a value already", code, extension));
    }
    const auto* bytes = static_cast<const uint8_t*>(data);
    values.push_back({.token = token, .value{bytes, bytes + length}});
    if (absl::c_none_of(prefixes, [&](const auto& each) { return each.prefix == *prefix; })) {
        prefixes.push_back({.name = extension, .prefix = *prefix});
    }
    return {};
}

CompilationBuilder::CompilationBuilder(std::shared_ptr<const FinishedModel> model,
                                       std::vector<PlanDevice> devices, bool isExplicit)
    : mModel(std::move(model)), mDevices(std::move(devices)), mIsExplicit(isExplicit) {}

ApiStatus CompilationBuilder::checkOpen() const {
    return mState == State::BUILDING ? ApiStatus() : badState("the compilation is finished");
}

ApiStatus CompilationBuilder::setPreference(int32_t preference) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOpen());
    if (preference < ANEURALNETWORKS_PREFER_LOW_POWER ||
        preference > ANEURALNETWORKS_PREFER_SUSTAINED_SPEED) {
        return badData(fmt::format("the preference is {}, allowed 0 to 2", preference));
    }
    mPreference = static_cast<ExecutionPreference>(preference);
    return {};
}

ApiStatus CompilationBuilder::setPriority(int priority) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOpen());
    const auto known = priorityOf(priority);
    if (!known) return badData(fmt::format("the priority is {}, allowed 90, 100, 110", priority));
    mPriority = *known;
    return {};
}

ApiStatus CompilationBuilder::setTimeout(uint64_t duration) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOpen());
    if (!hasOneExplicitDevice()) return badData("the compilation was not made for one device");
    mTimeout = durationOf(duration);
    return {};
}

ApiStatus CompilationBuilder::setCaching(const char* folder, const uint8_t* token) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOpen());
    if (*folder == '\0') return badData("the folder of the cache has no name");
    mCacheFolder = folder;
    mCacheFiles.reset();
    setToken(token);
    return {};
}

void CompilationBuilder::setToken(const uint8_t* token) {
    mToken.emplace();
    std::copy_n(token, mToken->size(), mToken->begin());
}

ApiStatus CompilationBuilder::setCachingFromFds(std::span<const int> modelFiles,
                                                std::span<const int> dataFiles,
                                                const uint8_t* token) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOpen());
    if (!hasOneExplicitDevice()) return badData("the compilation was not made for one device");
    const auto [models, data] = mDevices.front().device->getNumberOfCacheFilesNeeded();
    if (modelFiles.size() != models || dataFiles.size() != data) {
        return badData(fmt::format("there are {} and {} files, allowed {} and {}",
                                   modelFiles.size(), dataFiles.size(), models, data));
    }
    CacheHandles handles;
    for (const auto& [files, list] :
         {std::pair(modelFiles, &handles.model), std::pair(dataFiles, &handles.data)}) {
        for (const int file : files) {
            UniqueFd own = duplicate(file);
            if (!own.ok()) return badData("a descriptor of a cache is not open");
            list->push_back(std::make_shared<const Handle>(std::move(own)));
        }
    }
    mCacheFiles = std::move(handles);
    mCacheFolder.clear();
    setToken(token);
    return {};
}

ApiStatus CompilationBuilder::addExtensionAttribute(const std::string& extension, uint16_t code,
                                                    const void* data, size_t length) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOpen());
    if (!hasOneExplicitDevice()) return badData("the compilation was not made for one device");
    return mHints.add(extension, code, data, length);
}

ApiStatus CompilationBuilder::finish() {
    const TimePoint start = Clock::now();
    PlanOptions options{.partitioning = runtime().partitioning(),
                        .isExplicit = mIsExplicit,
                        .defersErrors = !mIsExplicit};
    Compiled compiled{.model = mModel, .devices = mDevices, .isExplicit = mIsExplicit};
    {
        const std::lock_guard lock(mMutex);
        NNAPI_API_RETURN_IF_ERROR(checkOpen());
        mState = State::FINISHING;
        options.preference = mPreference;
        options.priority = mPriority;
        if (mTimeout) options.deadline = makeDeadline(*mTimeout);
        options.hints = mHints.values;
        options.prefixes = mHints.prefixes;
        options.token = mToken;
        options.cacheDirectory = mCacheFolder;
        options.cacheFiles = mCacheFiles;
        compiled.isCachingEnabled = mToken.has_value();
    }
    ApiStatus status;
    try {
        status = complete(std::move(options), compiled);
    } catch (...) {
        const std::lock_guard lock(mMutex);
        mState = State::FAILED;
        throw;
    }
    if (hasTelemetry()) {
        const auto time = static_cast<uint64_t>((Clock::now() - start).count());
        reportTelemetry(ANeuralNetworksDiagnosticCompilationInfo{
                diagnose(compiled), static_cast<int32_t>(status.code), time});
    }
    return status;
}

ApiStatus CompilationBuilder::complete(PlanOptions options, Compiled& compiled) {
    // Without the lock, since drivers may take long.
    const SharedLog& log = runtime().log();
    options.onFallback = [&log](std::string_view device, const Status& why) {
        NNAPI_VLOG(log, COMPILATION)
                << "falls back from " << (device.empty() ? "the plan itself" : device) << ": "
                << std::string(why.message());
        if (Report* report = runtime().report()) report->addFallback(device, why);
    };
    options.onCacheFailure = [&log](std::string_view device, const Status& why) {
        NNAPI_LOG(log, WARNING) << printable(device)
                                << " has no cache: " << std::string(why.message());
    };
    auto plan = makePlan(mModel->model, mDevices, options);
    if (!plan.has_value()) {
        if (Report* report = runtime().report()) report->addRefused(mDevices, plan.status());
        const std::lock_guard lock(mMutex);
        mState = State::FAILED;
        return plan.status();
    }
    if (const Status& refusal = (*plan)->refusal(); !refusal.ok()) {
        NNAPI_VLOG(log, COMPILATION) << "each execution will fail, since " << kReferenceDeviceName
                                     << " refuses: " << std::string(refusal.message());
        if (Report* report = runtime().report()) report->addFallback(kReferenceDeviceName, refusal);
    }
    if (Report* report = runtime().report()) report->add(mModel->model, mDevices, **plan);
    compiled.plan = *plan;
    compiled.prepared = (*plan)->preparedModel();
    if (const IRecorder* recorder = runtime().recorder()) {
        compiled.prepared =
                recorder->record({mModel, &mModel->model}, std::move(compiled.prepared));
    }
    compiled.outputs = driver::outputSignatures(mModel->model);
    const std::lock_guard lock(mMutex);
    mCompiled = std::make_shared<const Compiled>(compiled);
    mState = State::COMPLETED;
    return {};
}

ApiStatus CompilationBuilder::compiled(std::shared_ptr<const Compiled>& compiled) const {
    const std::lock_guard lock(mMutex);
    if (mState == State::FAILED) return badState("finishing the compilation has failed");
    if (mState != State::COMPLETED) return badState("the compilation is not finished");
    compiled = mCompiled;
    return {};
}

}  // namespace nn::runtime
