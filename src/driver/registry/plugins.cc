#include "driver/registry/plugins.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <system_error>

#include "base/float_environment.h"
#include "base/no_throw.h"
#include "base/printable.h"
#include "driver/adapt/device_names.h"
#include "driver/support_library/library.h"
#include "nnapi/memory.h"
#include "nnapi/validate.h"

namespace nn::driver {
namespace {

static_assert(plugin::kLibraryVersion == NNAPI_VERSION, "nnapi/driver/plugin.h says it as well");

ErrorBuilder refuse(const std::string& path) {
    return error(ErrorStatus::INVALID_ARGUMENT) << "plug-in " << printable(path) << " ";
}

std::string textOf(int code) { return std::generic_category().message(code); }

// All of an object, from that place of a file.
template <class T>
bool readAt(const UniqueFd& file, uint64_t offset, T& object) {
    const auto size = static_cast<ssize_t>(sizeof(T));
    return offset <= INT32_MAX &&
           pread(file.get(), &object, sizeof(T), static_cast<off_t>(offset)) == size;
}

// Whether all that will be mapped is in the file: a page behind its end would end the program.
bool isWhole(const UniqueFd& file, const ElfW(Ehdr) & header, uint64_t size) {
    for (uint32_t i = 0; i < header.e_phnum; ++i) {
        ElfW(Phdr) segment;
        if (header.e_phoff > size || !readAt(file, header.e_phoff + i * sizeof(segment), segment)) {
            return false;
        }
        if (segment.p_filesz > size || segment.p_offset > size - segment.p_filesz) return false;
    }
    return true;
}

// The dynamic linker reports errors less precisely, blocks on a pipe, and crashes on a truncated
// file.
Status checkFile(const std::string& path) {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0) {
        return refuse(path) << "cannot be opened: " << textOf(errno);
    }
    if (!S_ISREG(info.st_mode)) return refuse(path) << "is not a file";
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.ok()) return refuse(path) << "cannot be opened: " << textOf(errno);
    ElfW(Ehdr) header{};
    if (!readAt(file, 0, header) ||
        std::memcmp(static_cast<const unsigned char*>(header.e_ident), ELFMAG, SELFMAG) != 0) {
        return refuse(path) << "is not a shared object: it does not begin as an ELF file";
    }
    constexpr unsigned char kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
    if (header.e_ident[EI_CLASS] != kClass || header.e_phentsize != sizeof(ElfW(Phdr))) {
        return refuse(path) << "is not a shared object for this machine";
    }
    if (!isWhole(file, header, static_cast<uint64_t>(info.st_size))) {
        return refuse(path) << "is cut off: it has " << static_cast<uint64_t>(info.st_size)
                            << " bytes, and its segments end later";
    }
    return {};
}

// Calls code of another component.
template <class Function>
std::optional<std::string> whatItThrows(Function&& function) {
    const DefaultFloatEnvironment environment;
    try {
        function();
        return std::nullopt;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& exception) {
        return fmt::format("it has thrown: {}", exception.what());
    } catch (...) {
        return "it has thrown what is not a std::exception";
    }
}

GeneralResult<void*> openObject(const std::string& path) {
    if (path.find('\0') != std::string::npos) return refuse(path) << "has a NUL in its path";
    NNAPI_RETURN_IF_ERROR(checkFile(path));
    // An object that was linked with -ffast-math changes it for the thread that loads it.
    const DefaultFloatEnvironment environment;
    // Never closed, since any object that it gave out may need its code.
    void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle != nullptr) return handle;
    const char* why = dlerror();
    return refuse(path) << "cannot be loaded: "
                        << onOneLine(why == nullptr ? "for an unknown reason" : why);
}

GeneralResult<const plugin::Plugin*> pluginOf(const std::string& path, void* symbol) {
    const plugin::Plugin* loaded = nullptr;
    const auto thrown = whatItThrows([&] { loaded = reinterpret_cast<plugin::Entry>(symbol)(); });
    if (thrown) return refuse(path) << "has failed: " << *thrown;
    if (loaded == nullptr) return refuse(path) << "has failed: its entry returns null";
    if (loaded->magic != plugin::kMagic) {
        return refuse(path) << "does not describe itself as a plug-in";
    }
    if (loaded->abiVersion != plugin::kAbiVersion) {
        return refuse(path) << "has version " << loaded->abiVersion << " of the interface, allowed "
                            << plugin::kAbiVersion;
    }
    if (loaded->fingerprint == nullptr ||
        std::strcmp(loaded->fingerprint, plugin::kFingerprint) != 0) {
        return refuse(path) << "was built with '"
                            << onOneLine(loaded->fingerprint == nullptr ? "" : loaded->fingerprint)
                            << "', allowed '" << plugin::kFingerprint << "', as this program";
    }
    if (loaded->deviceCount == 0 || loaded->deviceCount > plugin::kMaxDevices ||
        loaded->devices == nullptr) {
        return refuse(path) << "has " << (loaded->devices == nullptr ? 0 : loaded->deviceCount)
                            << " devices, allowed 1 to " << plugin::kMaxDevices;
    }
    return loaded;
}

GeneralResult<std::vector<SharedDevice>> devicesOfLibrary(const std::string& path, void* entry,
                                                          const SupportLibraryOptions& options) {
    const NnApiSLDriverImpl* table = nullptr;
    const auto thrown = whatItThrows(
            [&] { table = reinterpret_cast<const NnApiSLDriverImpl* (*)()>(entry)(); });
    if (thrown) return refuse(path) << "has failed: " << *thrown;
    return wrapSupportLibrary(table, path, options);
}

// These devices are open already: a library is queried for all its metadata at once.
std::vector<PluginDevice> pluginsOf(std::vector<SharedDevice> opened) {
    std::vector<PluginDevice> devices;
    for (SharedDevice& device : opened) {
        const std::string name = device->getName();
        devices.push_back({name, [device = std::move(device)]() -> GeneralResult<SharedDevice> {
                               return device;
                           }});
    }
    return devices;
}

}  // namespace

GeneralResult<std::vector<PluginDevice>> loadPlugin(
        const std::string& path, const SupportLibraryOptions& options) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(handle, openObject(path));
    void* const symbol = dlsym(handle, plugin::kEntrySymbol);
    void* const entry = dlsym(handle, kSupportLibrarySymbol);
    if (symbol == nullptr && entry == nullptr) {
        return refuse(path) << "has no function " << plugin::kEntrySymbol
                            << ", which NNAPI_EXPORT_DEVICE defines, nor " << kSupportLibrarySymbol;
    }
    GeneralResult<const plugin::Plugin*> asPlugin = nullptr;
    if (symbol != nullptr) asPlugin = pluginOf(path, symbol);
    // A plug-in of another build may be a support library as well.
    if (entry != nullptr && (symbol == nullptr || !asPlugin.has_value())) {
        NNAPI_ASSIGN_OR_RETURN(opened, devicesOfLibrary(path, entry, options));
        return pluginsOf(std::move(opened));
    }
    NNAPI_ASSIGN_OR_RETURN(loaded, std::move(asPlugin));
    std::vector<PluginDevice> devices;
    for (uint32_t i = 0; i < loaded->deviceCount; ++i) {
        const plugin::Device& device = loaded->devices[i];
        if (device.name == nullptr || device.create == nullptr) {
            return refuse(path) << "has no name or no function for device " << i;
        }
        const std::string name = device.name;
        if (const Status wrong = checkName(name); !wrong.ok()) {
            return refuse(path) << "has device " << i << ", but " << std::string(wrong.message());
        }
        devices.push_back({.name = name, .create = factoryOf(device)});
    }
    return devices;
}
NNAPI_CATCH

std::function<GeneralResult<SharedDevice>()> factoryOf(const plugin::Device& device) {
    return [create = device.create] {
        GeneralResult<SharedDevice> made(error() << "it has made nothing");
        create(&made);
        return made;
    };
}

GeneralResult<SharedDevice> openAs(
        const std::string& name,
        const std::function<GeneralResult<SharedDevice>()>& create) NNAPI_TRY {
    const auto failed = [&] {
        return error() << "device " << printable(name) << " does not open: ";
    };
    GeneralResult<SharedDevice> made(error() << "it has made nothing");
    std::string found;
    std::pair<uint32_t, uint32_t> wanted;
    const auto thrown = whatItThrows([&] {
        made = create();
        if (!made.has_value() || *made == nullptr) return;
        found = (*made)->getName();
        wanted = (*made)->getNumberOfCacheFilesNeeded();
    });
    if (thrown) return failed() << *thrown;
    if (!made.has_value()) {
        return makeError(errorStatus(made.status()),
                         fmt::format("device {} does not open: {}", printable(name),
                                     onOneLine(made.error().message)));
    }
    if (*made == nullptr) return failed() << "it is null";
    if (found != name) return failed() << "it calls itself " << printable(found);
    if (const Status wrong = validateNumberOfCacheFiles(wanted.first, wanted.second); !wrong.ok()) {
        return failed() << std::string(wrong.message());
    }
    return made;
}
NNAPI_CATCH

}  // namespace nn::driver

namespace nn {

GeneralResult<std::vector<SharedDevice>> openSupportLibrary(
        const std::string& path, const SupportLibraryOptions& options) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(handle, driver::openObject(path));
    void* const entry = dlsym(handle, driver::kSupportLibrarySymbol);
    if (entry == nullptr) {
        return driver::refuse(path) << "has no function " << driver::kSupportLibrarySymbol;
    }
    return driver::devicesOfLibrary(path, entry, options);
}
NNAPI_CATCH

}  // namespace nn
