// The extras of libneuralnetworks.so, which loads them.
#include <dlfcn.h>
#include <link.h>

#include <climits>
#include <cstring>
#include <filesystem>
#include <string>

#include "base/float_environment.h"
#include "base/printable.h"
#include "nnapi/driver/plugin.h"
#include "runtime/extras/extras.h"

namespace nn::runtime {
namespace {

namespace fs = std::filesystem;

Status refuse(const std::string& why) {
    return makeError(ErrorStatus::GENERAL_FAILURE,
                     why + "; recording and devices in other processes "
                           "need it beside libneuralnetworks.so");
}

// The folder of this library. The dynamic linker stores it as of the time of loading: the path may
// be relative, and the current folder may have changed since.
fs::path folderOfLibrary() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&folderOfLibrary), &info) == 0) return {};
    void* const self = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (self == nullptr) return {};
    std::string origin(PATH_MAX, '\0');
    const bool isKnown = dlinfo(self, RTLD_DI_ORIGIN, origin.data()) == 0;
    (void)dlclose(self);
    if (!isKnown) return {};
    // If the library was loaded through a link, the file is in another folder.
    const fs::path library = fs::path(origin.c_str()) / fs::path(info.dli_fname).filename();
    std::error_code error;
    const fs::path real = fs::canonical(library, error);
    return (error ? library : real).parent_path();
}

Result<const Extras*> load() {
    const fs::path folder = folderOfLibrary();
    if (!folder.is_absolute()) return refuse(NNAPI_EXTRAS_FILE " is nowhere");
    const std::string path = (folder / NNAPI_EXTRAS_FILE).string();
    // An object that was linked with -ffast-math changes it for the thread that loads it.
    const DefaultFloatEnvironment environment;
    // Never closed, since the devices that it makes need its code.
    void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == nullptr) {
        const char* why = dlerror();
        return refuse(onOneLine(why == nullptr ? path + " cannot be loaded" : why));
    }
    void* const entry = dlsym(handle, kExtrasSymbol);
    const Extras* const loaded =
            entry == nullptr ? nullptr : reinterpret_cast<ExtrasEntry>(entry)();
    if (loaded == nullptr || std::strcmp(loaded->fingerprint, plugin::kFingerprint) != 0) {
        return refuse(printable(path) + " is of another build");
    }
    return loaded;
}

}  // namespace

Result<const Extras*> extras() {
    static const Result<const Extras*> loaded = load();
    return loaded;
}

}  // namespace nn::runtime
