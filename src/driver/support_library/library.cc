#include "driver/support_library/library.h"

#include <sys/mman.h>

#include <cstring>
#include <type_traits>
#include <variant>

#include "base/no_throw.h"
#include "base/printable.h"
#include "nnapi/memory.h"
#include "nnapi/validate.h"
#include "types/memory_file.h"

namespace nn::driver {
namespace {

constexpr const char* kCodes[] = {"NO_ERROR",
                                  "OUT_OF_MEMORY",
                                  "INCOMPLETE",
                                  "UNEXPECTED_NULL",
                                  "BAD_DATA",
                                  "OP_FAILED",
                                  "BAD_STATE",
                                  "UNMAPPABLE",
                                  "OUTPUT_INSUFFICIENT_SIZE",
                                  "UNAVAILABLE_DEVICE",
                                  "MISSED_DEADLINE_TRANSIENT",
                                  "MISSED_DEADLINE_PERSISTENT",
                                  "RESOURCE_EXHAUSTED_TRANSIENT",
                                  "RESOURCE_EXHAUSTED_PERSISTENT",
                                  "DEAD_OBJECT"};

// The first function that a driver needs and that is null.
const char* missingFunction(const NnApiSLDriverImplFL5& table) {
    enum Use { NEEDED, DIAGNOSTIC, UNUSED };
#define NNAPI_SL_ENTRY(function, use) \
    if (use == NEEDED && table.function == nullptr) return #function;
#include "driver/support_library/entries.def"
    return nullptr;
}

}  // namespace

OptionalDuration timeOf(uint64_t nanoseconds) {
    constexpr auto most = static_cast<uint64_t>(Duration::max().count());
    if (nanoseconds > most) return std::nullopt;
    return Duration(static_cast<Duration::rep>(nanoseconds));
}

ErrorStatus errorStatusOf(int resultCode) {
    switch (resultCode) {
        case ANEURALNETWORKS_NO_ERROR:
            return ErrorStatus::NONE;
        case ANEURALNETWORKS_OUT_OF_MEMORY:
        case ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT:
            return ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT;
        case ANEURALNETWORKS_UNEXPECTED_NULL:
        case ANEURALNETWORKS_BAD_DATA:
            return ErrorStatus::INVALID_ARGUMENT;
        case ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE:
            return ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
        case ANEURALNETWORKS_UNAVAILABLE_DEVICE:
            return ErrorStatus::DEVICE_UNAVAILABLE;
        case ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT:
            return ErrorStatus::MISSED_DEADLINE_TRANSIENT;
        case ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT:
            return ErrorStatus::MISSED_DEADLINE_PERSISTENT;
        case ANEURALNETWORKS_RESOURCE_EXHAUSTED_PERSISTENT:
            return ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT;
        case ANEURALNETWORKS_DEAD_OBJECT:
            return ErrorStatus::DEAD_OBJECT;
        default:  // INCOMPLETE, OP_FAILED, BAD_STATE, UNMAPPABLE, and unknown codes
            return ErrorStatus::GENERAL_FAILURE;
    }
}

GeneralResult<SharedLibrary> Library::create(const NnApiSLDriverImpl* table, std::string name,
                                             SharedLog log) NNAPI_TRY {
    const auto refuse = [&] {
        return error(ErrorStatus::INVALID_ARGUMENT) << "support library " << printable(name) << " ";
    };
    if (table == nullptr) return refuse() << "has failed: its entry returns null";
    const int64_t level = table->implFeatureLevel;
    if (level < ANEURALNETWORKS_FEATURE_LEVEL_5) {
        return refuse() << "has a table of level " << level << ", allowed "
                        << int{ANEURALNETWORKS_FEATURE_LEVEL_5} << " and later";
    }
    // A checked table does not change any more.
    NnApiSLDriverImplFL8 copy{};
    if (level >= ANEURALNETWORKS_FEATURE_LEVEL_8) {
        std::memcpy(&copy, table, sizeof(copy));
    } else {
        std::memcpy(&copy.base, table, sizeof(copy.base));
    }
    const char* missing = missingFunction(copy.base);
    if (level >= ANEURALNETWORKS_FEATURE_LEVEL_8 && missing == nullptr) {
#define NNAPI_SL_ENTRY8(function) \
    if (copy.function == nullptr) missing = #function;
#include "driver/support_library/entries.def"
    }
    if (missing != nullptr) return refuse() << "has no function " << missing << " in its table";
    return SharedLibrary(std::make_shared<const Library>(copy, std::move(name), std::move(log)));
}
NNAPI_CATCH

bool Library::hasDiagnostics() const {
    enum Use { NEEDED, DIAGNOSTIC, UNUSED };
#define NNAPI_SL_ENTRY(function, use) \
    if (use == DIAGNOSTIC && api().function == nullptr) return false;
#include "driver/support_library/entries.def"
    return true;
}

Status Library::statusOf(std::string_view function, int code) const {
    if (code == ANEURALNETWORKS_NO_ERROR) return {};
    const bool isKnown = code > 0 && static_cast<size_t>(code) < std::size(kCodes);
    return error(errorStatusOf(code))
           << function << ": the library returns "
           << (isKnown ? std::string(kCodes[code]) : std::to_string(code) + ", which is no code");
}

GeneralResult<std::shared_ptr<ANeuralNetworksMemory>> Library::memoryOf(
        const SharedMemory& memory) const {
    NNAPI_RETURN_IF_ERROR(validate(memory).status());
    const auto fromFd = [&](size_t size, int prot, int fd, size_t offset) {
        // Memory that is sealed has no writable mappings.
        if (cannotChange(memory)) prot = PROT_READ;
        return made<ANeuralNetworksMemory>(
                "ANeuralNetworksMemory_createFromFd", api().ANeuralNetworksMemory_free,
                [&](ANeuralNetworksMemory** made) {
                    return api().ANeuralNetworksMemory_createFromFd(size, prot, fd, offset, made);
                });
    };
    if (const auto* ashmem = std::get_if<Memory::Ashmem>(&memory->handle)) {
        return fromFd(ashmem->size, PROT_READ | PROT_WRITE, ashmem->fd.get(), 0);
    }
    if (const auto* file = std::get_if<Memory::Fd>(&memory->handle)) {
        return fromFd(file->size, file->prot, file->fd.get(), file->offset);
    }
    if (const int blob = fileOf(*memory); blob >= 0) {
        return fromFd(nn::size(memory), PROT_READ | PROT_WRITE, blob, 0);
    }
    return error(ErrorStatus::INVALID_ARGUMENT)
           << "memory without a file cannot be handed to a library";
}

}  // namespace nn::driver
