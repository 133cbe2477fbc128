#include "base/no_throw.h"
#include "nnapi/hal/aidl/clone.h"

namespace nn NNAPI_BINDING {
namespace {

using ::ndk::ScopedFileDescriptor;

template <class T>
Result<std::vector<T>> cloneEach(const std::vector<T>& all, const std::string& name) {
    std::vector<T> copies;
    copies.reserve(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
        Result<T> copy = clone(all[i]);
        if (!copy.ok()) {
            return makeError(
                    errorStatus(copy.status()),
                    name + "[" + std::to_string(i) + "]: " + std::string(copy.status().message()));
        }
        copies.push_back(*std::move(copy));
    }
    return copies;
}

}  // namespace

Result<ScopedFileDescriptor> clone(const ScopedFileDescriptor& fd) NNAPI_TRY {
    ScopedFileDescriptor copy = fd.dup();
    if (copy.get() >= 0) return copy;
    return makeError(ErrorStatus::GENERAL_FAILURE,
                     "file descriptor " + std::to_string(fd.get()) + " cannot be duplicated");
}
NNAPI_CATCH

Result<aidl_hal::Memory> clone(const aidl_hal::Memory& memory) NNAPI_TRY {
    using Tag = aidl_hal::Memory::Tag;
    aidl_hal::Memory copy;
    switch (memory.getTag()) {
        case Tag::ashmem: {
            const auto& ashmem = memory.get<Tag::ashmem>();
            NNAPI_ASSIGN_OR_RETURN(fd, clone(ashmem.fd));
            copy.set<Tag::ashmem>(::aidl::android::hardware::common::Ashmem{.fd = std::move(fd),
                                                                            .size = ashmem.size});
            break;
        }
        case Tag::mappableFile: {
            const auto& file = memory.get<Tag::mappableFile>();
            NNAPI_ASSIGN_OR_RETURN(fd, clone(file.fd));
            copy.set<Tag::mappableFile>(
                    ::aidl::android::hardware::common::MappableFile{.length = file.length,
                                                                    .prot = file.prot,
                                                                    .fd = std::move(fd),
                                                                    .offset = file.offset});
            break;
        }
        case Tag::hardwareBuffer: {
            const auto& buffer = memory.get<Tag::hardwareBuffer>();
            NNAPI_ASSIGN_OR_RETURN(fds, cloneEach(buffer.handle.fds, "fds"));
            copy.set<Tag::hardwareBuffer>(
                    ::aidl::android::hardware::graphics::common::HardwareBuffer{
                            .description = buffer.description,
                            .handle = {.fds = std::move(fds), .ints = buffer.handle.ints}});
            break;
        }
    }
    return copy;
}
NNAPI_CATCH

Result<aidl_hal::Model> clone(const aidl_hal::Model& model) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(pools, cloneEach(model.pools, "pools"));
    return aidl_hal::Model{
            .main = model.main,
            .referenced = model.referenced,
            .operandValues = model.operandValues,
            .pools = std::move(pools),
            .relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16,
            .extensionNameToPrefix = model.extensionNameToPrefix};
}
NNAPI_CATCH

Result<aidl_hal::RequestMemoryPool> clone(const aidl_hal::RequestMemoryPool& pool) NNAPI_TRY {
    using Tag = aidl_hal::RequestMemoryPool::Tag;
    aidl_hal::RequestMemoryPool copy;
    if (pool.getTag() == Tag::token) {
        copy.set<Tag::token>(pool.get<Tag::token>());
    } else {
        NNAPI_ASSIGN_OR_RETURN(memory, clone(pool.get<Tag::pool>()));
        copy.set<Tag::pool>(std::move(memory));
    }
    return copy;
}
NNAPI_CATCH

Result<aidl_hal::Request> clone(const aidl_hal::Request& request) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(pools, cloneEach(request.pools, "pools"));
    return aidl_hal::Request{
            .inputs = request.inputs, .outputs = request.outputs, .pools = std::move(pools)};
}
NNAPI_CATCH

Result<aidl_hal::PrepareModelConfig> clone(const aidl_hal::PrepareModelConfig& config) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(modelCache, cloneEach(config.modelCache, "modelCache"));
    NNAPI_ASSIGN_OR_RETURN(dataCache, cloneEach(config.dataCache, "dataCache"));
    return aidl_hal::PrepareModelConfig{.preference = config.preference,
                                        .priority = config.priority,
                                        .deadlineNs = config.deadlineNs,
                                        .modelCache = std::move(modelCache),
                                        .dataCache = std::move(dataCache),
                                        .cacheToken = config.cacheToken,
                                        .compilationHints = config.compilationHints,
                                        .extensionNameToPrefix = config.extensionNameToPrefix};
}
NNAPI_CATCH

Result<AidlModel> clone(const AidlModel& model) {
    NNAPI_ASSIGN_OR_RETURN(copy, clone(model.model));
    return AidlModel{.version = model.version, .model = std::move(copy)};
}

}  // namespace NNAPI_BINDING
