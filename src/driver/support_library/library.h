// A support library: its function table, with checked calls.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nnapi/c/NeuralNetworksSupportLibraryImpl.h"
#include "nnapi/driver/result.h"
#include "nnapi/driver/support_library.h"
#include "nnapi/driver/vlog.h"
#include "nnapi/types.h"

namespace nn::driver {

inline constexpr char kSupportLibrarySymbol[] = "ANeuralNetworks_getSLDriverImpl";

// A time that a library has measured; none for UINT64_MAX, which means unknown, and for values
// beyond the range of Duration.
OptionalDuration timeOf(uint64_t nanoseconds);

// The status of a ResultCode; GENERAL_FAILURE for any other value.
ErrorStatus errorStatusOf(int resultCode);

class Library;
using SharedLibrary = std::shared_ptr<const Library>;

class Library {
   public:
    // INVALID_ARGUMENT for null, for a level before 5, and where a function is missing.
    static GeneralResult<SharedLibrary> create(const NnApiSLDriverImpl* table, std::string name,
                                               SharedLog log);

    Library(const NnApiSLDriverImplFL8& table, std::string name, SharedLog log)
        : mTable(table), mName(std::move(name)), mLog(std::move(log)) {}

    const NnApiSLDriverImplFL5& api() const { return mTable.base; }
    // Null before level 8.
    const NnApiSLDriverImplFL8* level8() const {
        return mTable.ANeuralNetworksExecution_addExtensionAttribute == nullptr ? nullptr : &mTable;
    }
    bool hasDiagnostics() const;
    const std::string& name() const { return mName; }
    const SharedLog& log() const { return mLog; }

    // The error of a function that returned this code.
    Status statusOf(std::string_view function, int code) const;

    // An object that a function makes.
    template <class T, class Create>
    GeneralResult<std::shared_ptr<T>> made(std::string_view function, void (*free)(T*),
                                           const Create& create) const {
        T* object = nullptr;
        const Status status = statusOf(function, create(&object));
        if (!status.ok()) return status;
        if (object == nullptr) return error() << function << ": the library returns null";
        return std::shared_ptr<T>(object, free);
    }

    // A memory as the library holds it.
    GeneralResult<std::shared_ptr<ANeuralNetworksMemory>> memoryOf(
            const SharedMemory& memory) const;

   private:
    NnApiSLDriverImplFL8 mTable;  // of an earlier level, null from its end on
    std::string mName;
    SharedLog mLog;
};

// Its devices; for plug-ins.
GeneralResult<std::vector<SharedDevice>> devicesOf(const SharedLibrary& library);

// Replaces the callbacks.
void listenTo(const SharedLibrary& library, const SupportLibraryOptions& options);

}  // namespace nn::driver

// Calls a function that returns a code.
#define NNAPI_SL_CALL(library, function, ...) \
    (library).statusOf(#function, (library).api().function(__VA_ARGS__))
