// Wraps a driver of any version as a canonical device. `Driver` is a family's device, HidlDevice or
// AidlDevice, which calls the methods of its version:
//
//   static constexpr HalVersion kNewest     a version with the types of all arguments
//   PreparedModel, PreparedModels           objects of prepared models; a list of them for allocate
//   PendingPreparedModel                    the pending result of a preparation
//   CacheArguments, PrepareArguments        the arguments of preparations
//   version(), object()                     the driver; null if there is none
//   wrapped()                               both, for other clients
//   Status ping(); Result<Capabilities> getCapabilities(); ...
//                                           each returns the driver's result or its error
#pragma once

#include <any>
#include <utility>

#include "base/no_throw.h"
#include "driver/fences/deadlines.h"
#include "driver/observe/logged_call.h"
#include "driver/wrap/output_shapes.h"
#include "driver/wrap/protected_result.h"
#include "driver/wrap/result_checks.h"
#include "driver/wrap/versioned_arguments.h"
#include "driver/wrap/wrapped_driver.h"

namespace nn::driver {

using hal::utils::DeathHandler;

// Properties that a device reports; read once.
struct Metadata {
    std::string versionString = "UNKNOWN";
    DeviceType type = DeviceType::OTHER;
    std::vector<Extension> extensions{};
    Capabilities capabilities{};
    std::pair<uint32_t, uint32_t> numberOfCacheFilesNeeded{};
};

template <class Driver>
class DeviceWrapper final : public IDevice, public WrapsDriver {
    using PrepareArguments = typename Driver::PrepareArguments;
    using CacheArguments = typename Driver::CacheArguments;
    static constexpr HalVersion kNewest = Driver::kNewest;

   public:
    static GeneralResult<SharedDevice> create(std::string name, Driver driver,
                                              WrapOptions options) {
        if (name.empty()) return error(ErrorStatus::INVALID_ARGUMENT) << "the name is empty";
        if (driver.object() == nullptr)
            return error(ErrorStatus::INVALID_ARGUMENT) << "the driver is null";
        NNAPI_ASSIGN_OR_RETURN(metadata, askForMetadata(driver));
        auto death = DeathHandler::create(driver.object());
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

    WrappedDriver wrappedDriver() const override { return mDriver.wrapped(); }

    const std::string& getName() const override { return mName; }
    const std::string& getVersionString() const override { return mMetadata.versionString; }
    Version getFeatureLevel() const override { return toVersion(version()); }
    DeviceType getType() const override { return mMetadata.type; }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return mMetadata.extensions;
    }
    const Capabilities& getCapabilities() const override { return mMetadata.capabilities; }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        return mMetadata.numberOfCacheFilesNeeded;
    }

    GeneralResult<void> wait() const override NNAPI_TRY { return mDriver.ping(); }
    NNAPI_CATCH

    GeneralResult<std::vector<bool>> getSupportedOperations(
            const Model& model) const override NNAPI_TRY {
        const std::string_view call = mDriver.nameOfGetSupportedOperations();
        LossReporter reporter(version(), mOptions.onLoss);
        NNAPI_ASSIGN_OR_RETURN(converted, convertModel(version(), model, reporter.list()));
        reporter.report(call);
        NNAPI_ASSIGN_OR_RETURN(supported, mDriver.getSupportedOperations(converted));
        if (supported.size() != model.main.operations.size()) {
            return error() << call << ": the driver returns results for " << supported.size()
                           << " operations, allowed " << model.main.operations.size()
                           << ", those of the main graph";
        }
        return supported;
    }
    NNAPI_CATCH

    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const override NNAPI_TRY {
        const std::string_view call = mDriver.nameOfPrepareModel();
        LossReporter reporter(version(), mOptions.onLoss);
        NNAPI_ASSIGN_OR_RETURN(converted, convertModel(version(), model, reporter.list()));
        auto outputs =
                std::make_shared<const std::vector<OutputSignature>>(outputSignatures(model));

        PrepareArguments arguments;
        NNAPI_RETURN_IF_ERROR(validate(preference).status());
        NNAPI_RETURN_IF_ERROR(validate(priority).status());
        NNAPI_RETURN_IF_ERROR(put<kNewest>(arguments::kPreference, preference, arguments.preference,
                                           reporter, ExecutionPreference::DEFAULT));
        NNAPI_RETURN_IF_ERROR(put<kNewest>(arguments::kPriority, priority, arguments.priority,
                                           reporter, Priority::DEFAULT));
        NNAPI_RETURN_IF_ERROR(putDeadline<kNewest>(deadline, arguments.deadline, reporter));
        // Without cache files the token has no meaning.
        if (!modelCache.empty() || !dataCache.empty()) {
            putCache(modelCache, dataCache, token, arguments, reporter);
            NNAPI_VLOG(mOptions.log, COMPILATION)
                    << mName << " " << call << ": cache of " << modelCache.size() << " + "
                    << dataCache.size() << " files";
        }
        NNAPI_RETURN_IF_ERROR(putHints<kNewest>(hints, extensionNameToPrefix, arguments, reporter));

        return prepare(call, deadline, std::move(outputs), reporter, [&](const auto& pending) {
            return mDriver.prepareModel(converted, std::move(arguments), pending);
        });
    }
    NNAPI_CATCH

    GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache,
            const CacheToken& token) const override NNAPI_TRY {
        if (version() < since::kCaching) return error() << titleOf(version()) << " has no caching";
        LossReporter reporter(version(), mOptions.onLoss);
        PrepareArguments arguments;
        NNAPI_RETURN_IF_ERROR(putDeadline<kNewest>(deadline, arguments.deadline, reporter));
        NNAPI_ASSIGN_OR_RETURN(cache, convertCache(modelCache, dataCache, token));
        arguments.cache = std::move(cache);
        return prepare(mDriver.nameOfPrepareModelFromCache(), deadline, nullptr, reporter,
                       [&](const auto& pending) {
                           return mDriver.prepareModelFromCache(arguments, pending);
                       });
    }
    NNAPI_CATCH

    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override NNAPI_TRY {
        if (version() < since::kMemoryDomains) {
            return error() << titleOf(version()) << " has no memory of devices";
        }
        LossReporter reporter(version(), mOptions.onLoss);
        const auto converted = [&](const auto& argument) {
            return convertFor<kNewest>(version(), argument, reporter.list());
        };
        NNAPI_ASSIGN_OR_RETURN(halDesc, converted(desc));
        NNAPI_ASSIGN_OR_RETURN(halModels, unwrapped(preparedModels));
        NNAPI_ASSIGN_OR_RETURN(halInputs, converted(inputRoles));
        NNAPI_ASSIGN_OR_RETURN(halOutputs, converted(outputRoles));
        reporter.report("allocate");
        return mDriver.allocate(halDesc, halModels, halInputs, halOutputs, mOptions);
    }
    NNAPI_CATCH

   private:
    HalVersion version() const { return mDriver.version(); }

    static GeneralResult<Metadata> askForMetadata(const Driver& driver) {
        Metadata metadata;
        if (driver.version() >= since::kMetadata) {
            NNAPI_ASSIGN_OR_RETURN(versionString, driver.getVersionString());
            if (versionString.empty()) {
                return error() << "getVersionString: the driver returns an empty string";
            }
            NNAPI_ASSIGN_OR_RETURN(type, driver.getType());
            NNAPI_ASSIGN_OR_RETURN(extensions, driver.getSupportedExtensions());
            metadata.versionString = std::move(versionString);
            metadata.type = type;
            metadata.extensions = std::move(extensions);
        }
        NNAPI_ASSIGN_OR_RETURN(capabilities, driver.getCapabilities());
        metadata.capabilities = std::move(capabilities);
        if (driver.version() >= since::kCaching) {
            NNAPI_ASSIGN_OR_RETURN(files, driver.getNumberOfCacheFilesNeeded());
            if (const Status wrong = validateNumberOfCacheFiles(files.first, files.second);
                !wrong.ok()) {
                return invalidResult("getNumberOfCacheFilesNeeded", wrong);
            }
            metadata.numberOfCacheFilesNeeded = files;
        }
        return metadata;
    }

    Result<CacheArguments> convertCache(const std::vector<SharedHandle>& modelCache,
                                        const std::vector<SharedHandle>& dataCache,
                                        const CacheToken& token) const {
        NNAPI_ASSIGN_OR_RETURN(model, convertFor<kNewest>(version(), modelCache));
        NNAPI_ASSIGN_OR_RETURN(data, convertFor<kNewest>(version(), dataCache));
        NNAPI_ASSIGN_OR_RETURN(halToken, convertFor<kNewest>(version(), token));
        return CacheArguments{std::move(model), std::move(data), std::move(halToken)};
    }

    // Cache files that cannot be used do not fail a preparation: the model is prepared without
    // them.
    void putCache(const std::vector<SharedHandle>& modelCache,
                  const std::vector<SharedHandle>& dataCache, const CacheToken& token,
                  PrepareArguments& arguments, LossReporter& reporter) const {
        std::string why = "has no caching";
        if (version() >= since::kCaching) {
            auto cache = convertCache(modelCache, dataCache, token);
            if (cache.ok()) {
                arguments.cache = *std::move(cache);
                return;
            }
            why = "does not carry them: " + std::string(cache.status().message());
        }
        reporter.drop("modelCache", modelCache, {}, why);
        reporter.drop("dataCache", dataCache, {}, why);
        reporter.drop("token", token, {}, why);
    }

    // Calls launch(pending), which launches a preparation, and waits for the result.
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
        const bool sendsDeadline = version() >= since::kDeadline;
        if (!sendsDeadline) NNAPI_RETURN_IF_ERROR(checkDeadlineBefore(call, deadline));
        reporter.report(call);
        const ProtectedResult<typename Driver::PendingPreparedModel> pending(mDeath);
        NNAPI_RETURN_IF_ERROR(launch(pending.result()));
        NNAPI_VLOG(mOptions.log, DRIVER) << mName << " " << call << ": launched";
        auto prepared = pending.take(deadline, mOptions.ceiling, call);
        if (!prepared.has_value()) return prepared.status();
        if (!sendsDeadline) NNAPI_RETURN_IF_ERROR(checkDeadlineAfter(call, deadline));
        return mDriver.wrapPreparedModel(*prepared, mOptions, std::move(outputs));
    }

    GeneralResult<typename Driver::PreparedModels> unwrapped(
            const std::vector<SharedPreparedModel>& preparedModels) const {
        typename Driver::PreparedModels drivers(preparedModels.size());
        for (size_t i = 0; i < preparedModels.size(); ++i) {
            if (preparedModels[i] == nullptr) {
                return error(ErrorStatus::INVALID_ARGUMENT)
                       << "preparedModels[" << i << "] is null";
            }
            const std::any resource = preparedModels[i]->getUnderlyingResource();
            const auto* driver = std::any_cast<typename Driver::PreparedModel>(&resource);
            if (driver == nullptr) {
                return error(ErrorStatus::INVALID_ARGUMENT)
                       << "preparedModels[" << i << "] does not wrap one of " << titleOf(version());
            }
            drivers[i] = {*driver};
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
