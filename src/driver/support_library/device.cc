#include <absl/algorithm/container.h>
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/no_throw.h"
#include "base/printable.h"
#include "driver/adapt/argument_checks.h"
#include "driver/adapt/device_names.h"
#include "driver/fences/deadlines.h"
#include "driver/observe/logged_call.h"
#include "driver/support_library/feature_levels.h"
#include "driver/support_library/library.h"
#include "driver/support_library/model.h"
#include "driver/support_library/prepared_model.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::driver {
namespace {

// More than any library has of each.
constexpr uint32_t kMaxDevices = 64;
constexpr uint32_t kMaxExtensions = 256;
constexpr size_t kMaxEntries = 65536;

// The metadata of a device, queried once.
struct Metadata {
    std::string name{};
    std::string version{};
    Version featureLevel{};
    DeviceType type = DeviceType::UNKNOWN;
    std::vector<Extension> extensions{};
    Capabilities capabilities{};
    std::pair<uint32_t, uint32_t> cacheFiles{};
};

// Asks a device of a library.
class Questions {
   public:
    Questions(const Library& library, const ANeuralNetworksDevice* device)
        : mLibrary(library), mDevice(device) {}

    GeneralResult<Metadata> ask() const {
        Metadata metadata;
        NNAPI_RETURN_IF_ERROR(askName(metadata.name));
        const auto about = [&](const Status& status) -> Status {
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << "device " << metadata.name << ": " << std::string(status.message());
        };
        for (const Status& status :
             {askVersion(metadata.version), askLevel(metadata.featureLevel), askType(metadata.type),
              askCacheFiles(metadata.cacheFiles), askCapabilities(metadata.capabilities),
              askExtensions(metadata.extensions)}) {
            if (!status.ok()) return about(status);
        }
        return metadata;
    }

   private:
    const NnApiSLDriverImplFL5& api() const { return mLibrary.api(); }

    Status askName(std::string& name) const {
        const char* text = nullptr;
        NNAPI_RETURN_IF_ERROR(
                NNAPI_SL_CALL(mLibrary, ANeuralNetworksDevice_getName, mDevice, &text));
        if (text == nullptr) return error() << "a device has no name";
        name = text;
        return checkName(name);
    }

    Status askVersion(std::string& version) const {
        const char* text = nullptr;
        NNAPI_RETURN_IF_ERROR(
                NNAPI_SL_CALL(mLibrary, ANeuralNetworksDevice_getVersion, mDevice, &text));
        if (text == nullptr || *text == '\0') return error() << "it has no version string";
        version = text;
        return {};
    }

    // No later one than the table has functions for.
    Status askLevel(Version& level) const {
        int64_t code = 0;
        NNAPI_RETURN_IF_ERROR(
                NNAPI_SL_CALL(mLibrary, ANeuralNetworksDevice_getFeatureLevel, mDevice, &code));
        code = std::min({code, api().base.implFeatureLevel, featureLevelCode(kNewestVersion)});
        for (const HalVersion version : kHalVersions) {
            level = toVersion(version);
            if (featureLevelCode(level) == code) return {};
        }
        return error() << "its feature level is " << code << ", which is no code";
    }

    Status askType(DeviceType& type) const {
        int32_t code = 0;
        NNAPI_RETURN_IF_ERROR(
                NNAPI_SL_CALL(mLibrary, ANeuralNetworksDevice_getType, mDevice, &code));
        type = static_cast<DeviceType>(code);
        return validate(type).status();
    }

    Status askCacheFiles(std::pair<uint32_t, uint32_t>& files) const {
        NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(mLibrary,
                                            SL_ANeuralNetworksDevice_getNumberOfCacheFilesNeeded,
                                            mDevice, &files.first, &files.second));
        return validateNumberOfCacheFiles(files.first, files.second);
    }

    Status askCapabilities(Capabilities& capabilities) const {
        const std::pair<int32_t, Capabilities::PerformanceInfo*> kinds[] = {
                {SL_ANEURALNETWORKS_CAPABILITIES_PERFORMANCE_RELAXED_SCALAR,
                 &capabilities.relaxedFloat32toFloat16PerformanceScalar},
                {SL_ANEURALNETWORKS_CAPABILITIES_PERFORMANCE_RELAXED_TENSOR,
                 &capabilities.relaxedFloat32toFloat16PerformanceTensor},
                {SL_ANEURALNETWORKS_CAPABILITIES_PERFORMANCE_IF, &capabilities.ifPerformance},
                {SL_ANEURALNETWORKS_CAPABILITIES_PERFORMANCE_WHILE,
                 &capabilities.whilePerformance}};
        for (const auto& [kind, info] : kinds) {
            SL_ANeuralNetworksPerformanceInfo performance{};
            NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(mLibrary,
                                                SL_ANeuralNetworksDevice_getPerformanceInfo,
                                                mDevice, kind, &performance));
            *info = {performance.execTime, performance.powerUsage};
        }
        List<SL_ANeuralNetworksOperandPerformanceInfo> list;
        NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(mLibrary,
                                            SL_ANeuralNetworksDevice_forEachOperandPerformanceInfo,
                                            mDevice, &list, &list.add));
        NNAPI_RETURN_IF_ERROR(list.check("performances of types"));
        std::vector<Capabilities::OperandPerformance> sorted;
        for (const auto& each : list.entries) {
            sorted.push_back({static_cast<OperandType>(each.operandType),
                              {each.performanceInfo.execTime, each.performanceInfo.powerUsage}});
        }
        absl::c_sort(sorted, [](const auto& a, const auto& b) { return a.type < b.type; });
        auto table = Capabilities::OperandPerformanceTable::create(std::move(sorted));
        if (!table) return error() << "it has two performances of one type";
        capabilities.operandPerformance = *std::move(table);
        return validate(capabilities).status();
    }

    Status askExtensions(std::vector<Extension>& extensions) const {
        uint32_t count = 0;
        NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(
                mLibrary, SL_ANeuralNetworksDevice_getVendorExtensionCount, mDevice, &count));
        if (count > kMaxExtensions) {
            return error() << "it has " << count << " extensions, allowed " << kMaxExtensions;
        }
        for (uint32_t i = 0; i < count; ++i) {
            const char* name = nullptr;
            NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(
                    mLibrary, SL_ANeuralNetworksDevice_getVendorExtensionName, mDevice, i, &name));
            if (name == nullptr) return error() << "its extension " << i << " has no name";
            List<SL_ANeuralNetworksExtensionOperandTypeInformation> list;
            NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(
                    mLibrary, SL_ANeuralNetworksDevice_forEachVendorExtensionOperandTypeInformation,
                    mDevice, i, &list, &list.add));
            NNAPI_RETURN_IF_ERROR(list.check("types of an extension"));
            Extension extension{.name = name};
            for (const auto& each : list.entries) {
                extension.operandTypes.push_back({each.type, each.isTensor, each.byteSize});
            }
            extensions.push_back(std::move(extension));
        }
        return validate(extensions).status();
    }

    // The entries that a library passes to a callback, up to a limit.
    template <class Entry>
    struct List {
        std::vector<Entry> entries{};
        bool isTooLong = false;

        static void add(Entry entry, void* context) {
            auto& list = *static_cast<List*>(context);
            try {
                list.isTooLong |= list.entries.size() >= kMaxEntries;
                if (!list.isTooLong) list.entries.push_back(entry);
            } catch (...) {  // nothing is thrown through the library
                list.isTooLong = true;
            }
        }
        Status check(std::string_view what) const {
            if (!isTooLong) return {};
            return error() << "it has too many " << what << ", allowed " << kMaxEntries;
        }
    };

    const Library& mLibrary;
    const ANeuralNetworksDevice* mDevice;
};

int32_t codeOf(Priority priority) {
    switch (priority) {
        case Priority::LOW:
            return ANEURALNETWORKS_PRIORITY_LOW;
        case Priority::MEDIUM:
            return ANEURALNETWORKS_PRIORITY_MEDIUM;
        case Priority::HIGH:
            return ANEURALNETWORKS_PRIORITY_HIGH;
    }
    return ANEURALNETWORKS_PRIORITY_DEFAULT;
}

class LibraryBufferHandle final : public IBuffer {
   public:
    LibraryBufferHandle(SharedLibrary library, std::shared_ptr<const LibraryBuffer> buffer)
        : mLibrary(std::move(library)), mBuffer(std::move(buffer)) {}

    Request::MemoryDomainToken getToken() const override { return mBuffer->token; }

    GeneralResult<void> copyTo(const SharedMemory& dst) const override NNAPI_TRY {
        NNAPI_RETURN_IF_ERROR(checkSize(dst, mBuffer->operand.dimensions));
        NNAPI_ASSIGN_OR_RETURN(memory, mLibrary->memoryOf(dst));
        const Status copied = NNAPI_SL_CALL(*mLibrary, ANeuralNetworksMemory_copy,
                                            mBuffer->memory.get(), memory.get());
        // The arguments are good: it has no value.
        if (errorStatus(copied) != ErrorStatus::INVALID_ARGUMENT) return copied;
        return error() << std::string(copied.message());
    }
    NNAPI_CATCH

    GeneralResult<void> copyFrom(const SharedMemory& src,
                                 const Dimensions& dimensions) const override NNAPI_TRY {
        const Dimensions& own = mBuffer->operand.dimensions;
        // The C API has no parameter for the dimensions.
        if (!dimensions.empty() && dimensions != own) {
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << "copyFrom: the dimensions are not those of the buffer";
        }
        NNAPI_RETURN_IF_ERROR(checkSize(src, own));
        NNAPI_ASSIGN_OR_RETURN(memory, mLibrary->memoryOf(src));
        return NNAPI_SL_CALL(*mLibrary, ANeuralNetworksMemory_copy, memory.get(),
                             mBuffer->memory.get());
    }
    NNAPI_CATCH

   private:
    Status checkSize(const SharedMemory& memory, const Dimensions& dimensions) const {
        NNAPI_RETURN_IF_ERROR(validate(memory).status());
        const auto bytes = operandSize(mBuffer->operand.type, dimensions);
        if (!bytes || *bytes == 0 || *bytes == size(memory)) return {};
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "the memory has " << size(memory) << " bytes, allowed " << *bytes
               << " as the buffer has";
    }

    SharedLibrary mLibrary;
    std::shared_ptr<const LibraryBuffer> mBuffer;
};

class LibraryDevice final : public IDevice {
   public:
    LibraryDevice(SharedLibrary library, const ANeuralNetworksDevice* device, Metadata metadata)
        : mLibrary(std::move(library)), mDevice(device), mMetadata(std::move(metadata)) {}

    const std::string& getName() const override { return mMetadata.name; }
    const std::string& getVersionString() const override { return mMetadata.version; }
    Version getFeatureLevel() const override { return mMetadata.featureLevel; }
    DeviceType getType() const override { return mMetadata.type; }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return mMetadata.extensions;
    }
    const Capabilities& getCapabilities() const override { return mMetadata.capabilities; }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        return mMetadata.cacheFiles;
    }

    GeneralResult<void> wait() const override NNAPI_TRY {
        return NNAPI_SL_CALL(*mLibrary, ANeuralNetworksDevice_wait, mDevice);
    }
    NNAPI_CATCH

    GeneralResult<std::vector<bool>> getSupportedOperations(
            const Model& model) const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(built, buildModel(*mLibrary, model));
        const size_t count = model.main.operations.size();
        const auto flags = std::make_unique<bool[]>(count);
        NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(*mLibrary,
                                            ANeuralNetworksModel_getSupportedOperationsForDevices,
                                            built->main.get(), &mDevice, 1, flags.get()));
        return std::vector<bool>(flags.get(), flags.get() + count);
    }
    NNAPI_CATCH

    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const override NNAPI_TRY {
        return logged(mLibrary->log(), VlogTag::COMPILATION, getName(), "prepareModel",
                      [&]() -> GeneralResult<SharedPreparedModel> {
                          NNAPI_RETURN_IF_ERROR(checkPreparation(preference, priority, hints,
                                                                 extensionNameToPrefix));
                          NNAPI_ASSIGN_OR_RETURN(built, buildModel(*mLibrary, model));
                          NNAPI_RETURN_IF_ERROR(checkDeadlineBefore("prepareModel", deadline));
                          NNAPI_ASSIGN_OR_RETURN(compilation, compilationOf(built));
                          NNAPI_RETURN_IF_ERROR(configure(compilation.get(), preference, priority,
                                                          deadline, hints, extensionNameToPrefix));
                          NNAPI_RETURN_IF_ERROR(
                                  setCaching(compilation.get(), modelCache, dataCache, token));
                          NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(
                                  *mLibrary, ANeuralNetworksCompilation_finish, compilation.get()));
                          return preparedModelOf(std::make_shared<const LibraryCompilation>(
                                  LibraryCompilation{.library = mLibrary,
                                                     .model = built,
                                                     .buffers = mBuffers,
                                                     .outputs = outputSignatures(built->model),
                                                     .compilation = std::move(compilation)}));
                      });
    }
    NNAPI_CATCH

    // A library finds cache files itself, and needs the model as well.
    GeneralResult<SharedPreparedModel> prepareModelFromCache(OptionalTimePoint,
                                                             const std::vector<SharedHandle>&,
                                                             const std::vector<SharedHandle>&,
                                                             const CacheToken&) const override {
        return error() << "a support library prepares nothing without the model";
    }

    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override NNAPI_TRY {
        std::vector<std::shared_ptr<const LibraryCompilation>> compilations;
        std::vector<const Model*> models;
        for (size_t i = 0; i < preparedModels.size(); ++i) {
            compilations.push_back(ownCompilation(preparedModels[i]));
            if (compilations.back() == nullptr) {
                return error(ErrorStatus::INVALID_ARGUMENT)
                       << "prepared model " << i << " is null or another device's";
            }
            models.push_back(&compilations.back()->model->model);
        }
        NNAPI_RETURN_IF_ERROR(validate(desc).status());
        NNAPI_ASSIGN_OR_RETURN(operand, validateMemoryDesc(desc, models, inputRoles, outputRoles));
        NNAPI_ASSIGN_OR_RETURN(made, describe(desc, compilations, inputRoles, outputRoles));
        const NnApiSLDriverImplFL5& api = mLibrary->api();
        NNAPI_ASSIGN_OR_RETURN(
                memory,
                mLibrary->made(
                        "ANeuralNetworksMemory_createFromDesc", api.ANeuralNetworksMemory_free,
                        [&, description = made.get()](ANeuralNetworksMemory** allocated) {
                            return api.ANeuralNetworksMemory_createFromDesc(description, allocated);
                        }));
        NNAPI_ASSIGN_OR_RETURN(buffer, mBuffers->add(std::move(memory), std::move(operand)));
        return SharedBuffer(
                std::make_shared<const LibraryBufferHandle>(mLibrary, std::move(buffer)));
    }
    NNAPI_CATCH

   private:
    GeneralResult<std::shared_ptr<ANeuralNetworksCompilation>> compilationOf(
            const std::shared_ptr<const LibraryModel>& built) const {
        const NnApiSLDriverImplFL5& api = mLibrary->api();
        return mLibrary->made("ANeuralNetworksCompilation_createForDevices",
                              api.ANeuralNetworksCompilation_free,
                              [&](ANeuralNetworksCompilation** made) {
                                  return api.ANeuralNetworksCompilation_createForDevices(
                                          built->main.get(), &mDevice, 1, made);
                              });
    }

    Status configure(ANeuralNetworksCompilation* compilation, ExecutionPreference preference,
                     Priority priority, const OptionalTimePoint& deadline,
                     const std::vector<TokenValuePair>& hints,
                     const std::vector<ExtensionNameAndPrefix>& names) const {
        NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(*mLibrary, ANeuralNetworksCompilation_setPreference,
                                            compilation, static_cast<int32_t>(preference)));
        NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(*mLibrary, ANeuralNetworksCompilation_setPriority,
                                            compilation, codeOf(priority)));
        if (deadline) {
            NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(*mLibrary, ANeuralNetworksCompilation_setTimeout,
                                                compilation, nanosecondsUntil(*deadline)));
        }
        return addHints(*mLibrary, hints, names, "ANeuralNetworksCompilation_addExtensionAttribute",
                        [&](const NnApiSLDriverImplFL8& table, const ExtensionCode& code,
                            const std::vector<uint8_t>& value) {
                            return table.ANeuralNetworksCompilation_addExtensionAttribute(
                                    compilation, code.name, code.code, value.data(), value.size());
                        });
    }

    // An error of a cache never makes a preparation fail.
    Status setCaching(ANeuralNetworksCompilation* compilation,
                      const std::vector<SharedHandle>& modelCache,
                      const std::vector<SharedHandle>& dataCache, const CacheToken& token) const {
        if (modelCache.empty() && dataCache.empty()) return {};
        std::vector<int> models;
        std::vector<int> data;
        const auto add = [](const std::vector<SharedHandle>& files, uint32_t wanted,
                            std::vector<int>& fds) {
            for (const SharedHandle& file : files)
                fds.push_back(file == nullptr ? -1 : file->get());
            return validateCacheFiles(files, wanted).ok();
        };
        if (!add(modelCache, mMetadata.cacheFiles.first, models) ||
            !add(dataCache, mMetadata.cacheFiles.second, data)) {
            return {};
        }
        const Status status =
                NNAPI_SL_CALL(*mLibrary, SL_ANeuralNetworksCompilation_setCachingFromFds,
                              compilation, models.data(), static_cast<uint32_t>(models.size()),
                              data.data(), static_cast<uint32_t>(data.size()), token.data());
        if (!status.ok()) {
            NNAPI_VLOG(mLibrary->log(), COMPILATION)
                    << getName() << " caches nothing: " << std::string(status.message());
        }
        return {};
    }

    // Null for one of another device.
    std::shared_ptr<const LibraryCompilation> ownCompilation(
            const SharedPreparedModel& preparedModel) const {
        if (preparedModel == nullptr) return nullptr;
        const std::any resource = preparedModel->getUnderlyingResource();
        const auto* weak = std::any_cast<std::weak_ptr<const LibraryCompilation>>(&resource);
        auto own = weak == nullptr ? nullptr : weak->lock();
        return own != nullptr && own->buffers == mBuffers ? own : nullptr;
    }

    GeneralResult<std::shared_ptr<ANeuralNetworksMemoryDesc>> describe(
            const BufferDesc& desc,
            const std::vector<std::shared_ptr<const LibraryCompilation>>& compilations,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const {
        const NnApiSLDriverImplFL5& api = mLibrary->api();
        NNAPI_ASSIGN_OR_RETURN(made, mLibrary->made("ANeuralNetworksMemoryDesc_create",
                                                    api.ANeuralNetworksMemoryDesc_free,
                                                    api.ANeuralNetworksMemoryDesc_create));
        const auto add = [&](const BufferRole& role, bool isInput) {
            auto* compilation = compilations[role.modelIndex]->compilation.get();
            return isInput ? NNAPI_SL_CALL(*mLibrary, ANeuralNetworksMemoryDesc_addInputRole,
                                           made.get(), compilation, role.ioIndex, role.probability)
                           : NNAPI_SL_CALL(*mLibrary, ANeuralNetworksMemoryDesc_addOutputRole,
                                           made.get(), compilation, role.ioIndex, role.probability);
        };
        for (const BufferRole& role : inputRoles) NNAPI_RETURN_IF_ERROR(add(role, true));
        for (const BufferRole& role : outputRoles) NNAPI_RETURN_IF_ERROR(add(role, false));
        if (!desc.dimensions.empty()) {
            NNAPI_RETURN_IF_ERROR(NNAPI_SL_CALL(
                    *mLibrary, ANeuralNetworksMemoryDesc_setDimensions, made.get(),
                    static_cast<uint32_t>(desc.dimensions.size()), desc.dimensions.data()));
        }
        NNAPI_RETURN_IF_ERROR(
                NNAPI_SL_CALL(*mLibrary, ANeuralNetworksMemoryDesc_finish, made.get()));
        return made;
    }

    SharedLibrary mLibrary;
    const ANeuralNetworksDevice* mDevice;
    Metadata mMetadata;
    std::shared_ptr<LibraryBuffers> mBuffers = std::make_shared<LibraryBuffers>();
};

}  // namespace

GeneralResult<std::vector<SharedDevice>> devicesOf(const SharedLibrary& library) NNAPI_TRY {
    const auto refuse = [&] {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "support library " << printable(library->name()) << " ";
    };
    const auto because = [&](const Status& status) -> Status {
        return refuse() << "is refused: " << std::string(status.message());
    };
    uint32_t count = 0;
    const Status counted = NNAPI_SL_CALL(*library, ANeuralNetworks_getDeviceCount, &count);
    if (!counted.ok()) return because(counted);
    if (count == 0 || count > kMaxDevices) {
        return refuse() << "has " << count << " devices, allowed 1 to " << kMaxDevices;
    }
    std::vector<SharedDevice> devices;
    for (uint32_t i = 0; i < count; ++i) {
        ANeuralNetworksDevice* device = nullptr;
        const Status got = NNAPI_SL_CALL(*library, ANeuralNetworks_getDevice, i, &device);
        if (!got.ok()) return because(got);
        if (device == nullptr) return refuse() << "returns null for device " << i;
        auto metadata = Questions(*library, device).ask();
        if (!metadata.has_value()) return because(metadata.status());
        const bool isTwice = absl::c_any_of(
                devices, [&](const auto& other) { return other->getName() == metadata->name; });
        if (isTwice) return refuse() << "has two devices with the name " << metadata->name;
        devices.push_back(
                std::make_shared<const LibraryDevice>(library, device, *std::move(metadata)));
    }
    return devices;
}
NNAPI_CATCH

}  // namespace nn::driver

namespace nn {

GeneralResult<std::vector<SharedDevice>> wrapSupportLibrary(
        const NnApiSLDriverImpl* table, const std::string& name,
        const SupportLibraryOptions& options) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(library, driver::Library::create(table, name, options.log));
    driver::listenTo(library, options);
    return driver::devicesOf(library);
}
NNAPI_CATCH

}  // namespace nn
