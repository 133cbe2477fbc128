// Wraps a driver of any version as a canonical device. A row describes the interface of its
// version:
//
//   template <> struct DeviceRow<HalVersion::V1_3> {
//       using Driver = sp<V1_3::IDevice>;       how a wrapper holds it
//       using PreparedModels = ...;             a list for allocate(), of
//       using PreparedModel = ...;              what prepared models wrap
//       using PreparedModelAnswer = ...;        what a preparation owes
//       using CacheArguments, PrepareArguments; the arguments of preparations
//       static Status ping(const Driver&);
//       static Result<...> getCapabilities(const Driver&);   and so on: each method by a function
//   };                                          that answers what the driver says, or its failure
#pragma once

#include <algorithm>
#include <any>
#include <utility>

#include "driver/fences/deadlines.h"
#include "driver/observe/logged_call.h"
#include "driver/wrap/answer_checks.h"
#include "driver/wrap/interface_features.h"
#include "driver/wrap/loss_reporter.h"
#include "driver/wrap/output_shapes.h"
#include "driver/wrap/pending_answer.h"
#include "nnapi/relocation.h"
#include "nnapi/validate.h"
#include "passes/pointers.h"
#include "types/no_throw.h"

namespace nn::driver {

using hal::utils::DeathHandler;

template <HalVersion V>
struct DeviceRow;

// What a device says of itself, asked once.
struct Metadata {
    std::string versionString = "UNKNOWN";
    DeviceType type = DeviceType::OTHER;
    std::vector<Extension> extensions{};
    Capabilities capabilities{};
    std::pair<uint32_t, uint32_t> numberOfCacheFilesNeeded{};
};

// Constants behind pointers are moved to shared memory.
template <HalVersion V>
Result<HalType<Model, V>> convertModel(const Model& model, Losses* losses) {
    if (!hasPointers(model)) return convertTo<V>(model, losses);
    Model flushed = model;
    NNAPI_RETURN_IF_ERROR(flushDataFromPointerToShared(&flushed));
    return convertTo<V>(std::move(flushed), losses);
}

template <HalVersion V>
Result<typename DeviceRow<V>::CacheArguments> convertCache(
        const std::vector<SharedHandle>& modelCache, const std::vector<SharedHandle>& dataCache,
        const CacheToken& token) {
    NNAPI_ASSIGN_OR_RETURN(model, convertTo<V>(modelCache));
    NNAPI_ASSIGN_OR_RETURN(data, convertTo<V>(dataCache));
    NNAPI_ASSIGN_OR_RETURN(halToken, convertTo<V>(token));
    return typename DeviceRow<V>::CacheArguments{std::move(model), std::move(data),
                                                 std::move(halToken)};
}

template <HalVersion V>
class DeviceWrapper final : public IDevice {
    using Row = DeviceRow<V>;
    using Driver = typename Row::Driver;
    using PrepareArguments = typename Row::PrepareArguments;

   public:
    static GeneralResult<SharedDevice> create(std::string name, Driver driver,
                                              WrapOptions options) {
        if (name.empty()) return error(ErrorStatus::INVALID_ARGUMENT) << "the name is empty";
        if (driver == nullptr) return error(ErrorStatus::INVALID_ARGUMENT) << "the driver is null";
        NNAPI_ASSIGN_OR_RETURN(metadata, askForMetadata(driver));
        auto death = DeathHandler::create(driver);
        if (!death.has_value()) return death.status();
        return SharedDevice(std::make_shared<const DeviceWrapper>(
                std::move(name), std::move(driver), std::move(options), std::move(metadata),
                *std::move(death)));
    }

    DeviceWrapper(std::string name, Driver driver, WrapOptions options, Metadata metadata,
                  DeathHandler death)
        : mName(std::move(name)),
          mDriver(std::move(driver)),
          mOptions(std::move(options)),
          mMetadata(std::move(metadata)),
          mDeath(std::move(death)) {}

    const std::string& getName() const override { return mName; }
    const std::string& getVersionString() const override { return mMetadata.versionString; }
    Version getFeatureLevel() const override { return toVersion(V); }
    DeviceType getType() const override { return mMetadata.type; }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return mMetadata.extensions;
    }
    const Capabilities& getCapabilities() const override { return mMetadata.capabilities; }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        return mMetadata.numberOfCacheFilesNeeded;
    }

    GeneralResult<void> wait() const override NNAPI_TRY { return Row::ping(mDriver); }
    NNAPI_CATCH

    GeneralResult<std::vector<bool>> getSupportedOperations(
            const Model& model) const override NNAPI_TRY {
        constexpr std::string_view kCall = Row::kGetSupportedOperations;
        LossReporter reporter(V, mOptions.onLoss);
        NNAPI_ASSIGN_OR_RETURN(converted, convertModel<V>(model, reporter.list()));
        reporter.tell(kCall);
        NNAPI_ASSIGN_OR_RETURN(supported, Row::getSupportedOperations(mDriver, converted));
        if (supported.size() != model.main.operations.size()) {
            return error() << kCall << ": the driver answers for " << supported.size()
                           << " operations, allowed " << model.main.operations.size()
                           << ", those of the main graph";
        }
        return std::vector<bool>(supported.begin(), supported.end());
    }
    NNAPI_CATCH

    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const override NNAPI_TRY {
        constexpr std::string_view kCall = Row::kPrepareModel;
        LossReporter reporter(V, mOptions.onLoss);
        NNAPI_ASSIGN_OR_RETURN(converted, convertModel<V>(model, reporter.list()));
        auto outputs =
                std::make_shared<const std::vector<OutputSignature>>(outputSignatures(model));

        PrepareArguments arguments;
        NNAPI_RETURN_IF_ERROR(validate(preference).status());
        NNAPI_RETURN_IF_ERROR(validate(priority).status());
        if constexpr (V >= since::kPreference) {
            NNAPI_ASSIGN_OR_RETURN(value, convertTo<V>(preference, reporter.list()));
            arguments.preference = value;
        } else {
            reporter.drop("preference", preference, ExecutionPreference::DEFAULT,
                          "has no preference");
        }
        if constexpr (V >= since::kPriority) {
            NNAPI_ASSIGN_OR_RETURN(value, convertTo<V>(priority, reporter.list()));
            arguments.priority = value;
        } else {
            reporter.drop("priority", priority, Priority::DEFAULT, "has no priority");
        }
        NNAPI_RETURN_IF_ERROR(putDeadline(deadline, arguments, reporter));
        // Without cache files the token has no meaning.
        if (!modelCache.empty() || !dataCache.empty()) {
            putCache(modelCache, dataCache, token, arguments, reporter);
            NNAPI_VLOG(mOptions.log, COMPILATION)
                    << mName << " " << kCall << ": cache of " << modelCache.size() << " + "
                    << dataCache.size() << " files";
        }
        if constexpr (V >= since::kHints) {
            NNAPI_ASSIGN_OR_RETURN(values, convertTo<V>(hints, reporter.list()));
            NNAPI_ASSIGN_OR_RETURN(names, convertTo<V>(extensionNameToPrefix, reporter.list()));
            arguments.hints = std::move(values);
            arguments.extensionNameToPrefix = std::move(names);
        } else {
            reporter.drop("hints", hints, "has no hints");
            reporter.drop("extensionNameToPrefix", extensionNameToPrefix,
                          "has no hints of extensions");
        }

        return prepare(kCall, deadline, std::move(outputs), reporter, [&](const auto& answer) {
            return Row::prepareModel(mDriver, converted, std::move(arguments), answer);
        });
    }
    NNAPI_CATCH

    GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache,
            const CacheToken& token) const override NNAPI_TRY {
        if constexpr (V >= since::kCaching) {
            LossReporter reporter(V, mOptions.onLoss);
            PrepareArguments arguments;
            NNAPI_RETURN_IF_ERROR(putDeadline(deadline, arguments, reporter));
            NNAPI_ASSIGN_OR_RETURN(cache, convertCache<V>(modelCache, dataCache, token));
            arguments.cache = std::move(cache);
            return prepare(Row::kPrepareModelFromCache, deadline, nullptr, reporter,
                           [&](const auto& answer) {
                               return Row::prepareModelFromCache(mDriver, arguments, answer);
                           });
        } else {
            return error() << titleOf(V) << " has no caching";
        }
    }
    NNAPI_CATCH

    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override NNAPI_TRY {
        if constexpr (V >= since::kMemoryDomains) {
            constexpr std::string_view kCall = "allocate";
            LossReporter reporter(V, mOptions.onLoss);
            NNAPI_ASSIGN_OR_RETURN(halDesc, convertTo<V>(desc, reporter.list()));
            NNAPI_ASSIGN_OR_RETURN(halModels, unwrapped(preparedModels));
            NNAPI_ASSIGN_OR_RETURN(halInputs, convertTo<V>(inputRoles, reporter.list()));
            NNAPI_ASSIGN_OR_RETURN(halOutputs, convertTo<V>(outputRoles, reporter.list()));
            reporter.tell(kCall);
            NNAPI_ASSIGN_OR_RETURN(
                    answer, Row::allocate(mDriver, halDesc, halModels, halInputs, halOutputs));
            auto& [buffer, token] = answer;
            return Row::wrapBuffer(std::move(buffer),
                                   static_cast<Request::MemoryDomainToken>(token), mOptions);
        } else {
            return error() << titleOf(V) << " has no memory of devices";
        }
    }
    NNAPI_CATCH

   private:
    static GeneralResult<Metadata> askForMetadata(const Driver& driver) {
        Metadata metadata;
        if constexpr (V >= since::kMetadata) {
            NNAPI_ASSIGN_OR_RETURN(version, Row::getVersionString(driver));
            metadata.versionString = std::move(version);
            if (metadata.versionString.empty()) {
                return error() << "getVersionString: the driver answers an empty string";
            }
            NNAPI_ASSIGN_OR_RETURN(type, Row::getType(driver));
            NNAPI_ASSIGN_OR_RETURN(canonicalType, convert(type));
            metadata.type = canonicalType;
            NNAPI_ASSIGN_OR_RETURN(extensions, Row::getSupportedExtensions(driver));
            NNAPI_ASSIGN_OR_RETURN(canonicalExtensions, convert(extensions));
            metadata.extensions = std::move(canonicalExtensions);
        }
        NNAPI_ASSIGN_OR_RETURN(capabilities, Row::getCapabilities(driver));
        NNAPI_ASSIGN_OR_RETURN(canonicalCapabilities, convert(capabilities));
        metadata.capabilities = std::move(canonicalCapabilities);
        if constexpr (V >= since::kCaching) {
            NNAPI_ASSIGN_OR_RETURN(files, Row::getNumberOfCacheFilesNeeded(driver));
            const auto [model, data] = files;
            if (const Status wrong = validateNumberOfCacheFiles(model, data); !wrong.ok()) {
                return wrongAnswer("getNumberOfCacheFilesNeeded", wrong);
            }
            metadata.numberOfCacheFilesNeeded = {model, data};
        }
        return metadata;
    }

    static Status putDeadline(const OptionalTimePoint& deadline, PrepareArguments& arguments,
                              LossReporter& reporter) {
        if constexpr (V >= since::kDeadline) {
            NNAPI_ASSIGN_OR_RETURN(value, convertTo<V>(deadline, reporter.list()));
            arguments.deadline = value;
        } else {
            reporter.drop("deadline", deadline, "has no deadlines; the caller's side honours it");
        }
        return {};
    }

    // What is wrong with cache files makes no preparation fail: the model is prepared without them.
    static void putCache(const std::vector<SharedHandle>& modelCache,
                         const std::vector<SharedHandle>& dataCache, const CacheToken& token,
                         PrepareArguments& arguments, LossReporter& reporter) {
        std::string why = "has no caching";
        if constexpr (V >= since::kCaching) {
            auto cache = convertCache<V>(modelCache, dataCache, token);
            if (cache.ok()) {
                arguments.cache = *std::move(cache);
                return;
            }
            why = "does not carry them: " + std::string(cache.status().message());
        }
        reporter.drop("modelCache", modelCache, why);
        reporter.drop("dataCache", dataCache, why);
        reporter.drop("token", token, why);
    }

    // Launches a preparation and waits for its end. `launch` is given the answer that is owed.
    template <class Launch>
    GeneralResult<SharedPreparedModel> prepare(std::string_view call,
                                               const OptionalTimePoint& deadline,
                                               SharedOutputSignatures outputs,
                                               const LossReporter& reporter,
                                               Launch&& launch) const {
        return logged(mOptions.log, VlogTag::COMPILATION, mName, call, [&] {
            return prepareUnlogged(call, deadline, std::move(outputs), reporter, launch);
        });
    }
    template <class Launch>
    GeneralResult<SharedPreparedModel> prepareUnlogged(std::string_view call,
                                                       const OptionalTimePoint& deadline,
                                                       SharedOutputSignatures outputs,
                                                       const LossReporter& reporter,
                                                       const Launch& launch) const {
        constexpr bool kSendsDeadline = V >= since::kDeadline;
        if constexpr (!kSendsDeadline) NNAPI_RETURN_IF_ERROR(checkDeadlineBefore(call, deadline));
        reporter.tell(call);
        const PendingAnswer<typename Row::PreparedModelAnswer> pending(mDeath);
        NNAPI_RETURN_IF_ERROR(launch(pending.answer()));
        NNAPI_VLOG(mOptions.log, DRIVER) << mName << " " << call << ": launched";
        auto prepared = pending.take(deadline, mOptions.ceiling, call);
        if (!prepared.has_value()) return prepared.status();
        if constexpr (!kSendsDeadline) NNAPI_RETURN_IF_ERROR(checkDeadlineAfter(call, deadline));
        return Row::wrapPreparedModel(*prepared, mOptions, std::move(outputs));
    }

    static GeneralResult<typename Row::PreparedModels> unwrapped(
            const std::vector<SharedPreparedModel>& preparedModels) {
        typename Row::PreparedModels drivers;
        for (size_t i = 0; i < preparedModels.size(); ++i) {
            if (preparedModels[i] == nullptr) {
                return error(ErrorStatus::INVALID_ARGUMENT)
                       << "preparedModels[" << i << "] is null";
            }
            const std::any resource = preparedModels[i]->getUnderlyingResource();
            const auto* driver = std::any_cast<typename Row::PreparedModel>(&resource);
            if (driver == nullptr) {
                return error(ErrorStatus::INVALID_ARGUMENT)
                       << "preparedModels[" << i << "] does not wrap one of " << titleOf(V);
            }
            drivers.push_back({*driver});
        }
        return drivers;
    }

    std::string mName;
    Driver mDriver;
    WrapOptions mOptions;
    Metadata mMetadata;
    DeathHandler mDeath;
};

}  // namespace nn::driver
