#include "device_test/runner/elf_symbols.h"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <span>

#include "nnapi/checked_math.h"
#include "nnapi/types.h"

namespace nn::testing {
namespace {

constexpr uint64_t kMaxTableBytes = uint64_t{256} << 20;  // of a table
constexpr size_t kMaxName = 1024;                         // longer names are cut off
// Of substitutions and template parameters in a name that is demangled: each may double its length.
constexpr int kMaxReferences = 24;

std::string bytesAt(int fd, uint64_t offset, uint64_t size) {
    if (size > kMaxTableBytes || offset > INT64_MAX) return {};
    std::string bytes(size, '\0');
    size_t done = 0;
    while (done < size) {
        const ssize_t count =
                pread(fd, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
        if (count <= 0) return {};
        done += static_cast<size_t>(count);
    }
    return bytes;
}

template <class T>
std::vector<T> rowsIn(std::string_view bytes) {
    std::vector<T> rows(bytes.size() / sizeof(T));
    if (!rows.empty()) std::memcpy(rows.data(), bytes.data(), rows.size() * sizeof(T));
    return rows;
}

template <class T>
std::vector<T> rowsAt(int fd, uint64_t offset, uint64_t count) {
    const std::optional<uint64_t> size = checkedMul<uint64_t>(count, sizeof(T));
    return size ? rowsIn<T>(bytesAt(fd, offset, *size)) : std::vector<T>();
}

// Counts "S_", "S0_", "T_", "T1_" and the like.
int referencesIn(std::string_view name) {
    int count = 0;
    for (size_t i = 0; i < name.size(); ++i) {
        if (name[i] != 'S' && name[i] != 'T') continue;
        size_t end = i + 1;
        while (end < name.size() && std::isalnum(static_cast<unsigned char>(name[end]))) ++end;
        count += end < name.size() && name[end] == '_' && end - i <= 4 ? 1 : 0;
    }
    return count;
}

std::string demangled(const std::string& name) {
    // Without the prefix it would be that of a type: "f" is float.
    if (!name.starts_with("_Z") || referencesIn(name) > kMaxReferences) return name;
    int failed = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
            abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &failed), &std::free);
    return failed == 0 && text ? std::string(text.get()) : name;
}

}  // namespace

ElfSymbols ElfSymbols::of(const std::string& path) {
    ElfSymbols symbols;
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (file.get() < 0 || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return symbols;
    }
    const auto header = rowsAt<ElfW(Ehdr)>(file.get(), 0, 1);
    const unsigned char kind = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
    if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
        header[0].e_ident[EI_CLASS] != kind) {
        return symbols;
    }
    for (const auto& segment :
         rowsAt<ElfW(Phdr)>(file.get(), header[0].e_phoff, header[0].e_phnum)) {
        if (segment.p_type != PT_LOAD) continue;
        symbols.mSegments.push_back({segment.p_offset, segment.p_vaddr, segment.p_filesz});
    }
    const auto sections = rowsAt<ElfW(Shdr)>(file.get(), header[0].e_shoff, header[0].e_shnum);
    for (const auto type : {SHT_SYMTAB, SHT_DYNSYM}) {
        // A file has at most one of each.
        const auto found = std::ranges::find(
                sections, type, [](const auto& one) { return static_cast<int>(one.sh_type); });
        if (found == sections.end() || found->sh_link >= sections.size()) continue;
        const auto& section = *found;
        const auto& strings = sections[section.sh_link];
        const std::string names = bytesAt(file.get(), strings.sh_offset, strings.sh_size);
        for (const auto& row :
             rowsIn<ElfW(Sym)>(bytesAt(file.get(), section.sh_offset, section.sh_size))) {
            // The macro is the same for both classes.
            if (ELF64_ST_TYPE(row.st_info) != STT_FUNC || row.st_value == 0) continue;
            if (row.st_name >= names.size()) continue;
            symbols.mFunctions.push_back(
                    {row.st_value, row.st_size, symbols.mNames.size() + row.st_name});
        }
        symbols.mNames += names + '\0';
    }
    std::ranges::stable_sort(symbols.mFunctions, {}, &Function::address);
    return symbols;
}

uint64_t ElfSymbols::addressOf(uint64_t fileOffset) const {
    for (const Segment& segment : mSegments) {
        if (fileOffset >= segment.offset && fileOffset - segment.offset < segment.size) {
            return fileOffset - segment.offset + segment.address;
        }
    }
    return fileOffset;
}

std::string ElfSymbols::nameAt(uint64_t address) const {
    auto found = std::ranges::upper_bound(mFunctions, address, {}, &Function::address);
    if (found == mFunctions.begin()) return {};
    --found;
    const uint64_t inside = address - found->address;
    if (found->size != 0 && inside >= found->size) return {};
    const char* const name = mNames.c_str() + found->name;
    return fmt::format("{}+{:#x}", demangled({name, strnlen(name, kMaxName)}), inside);
}

}  // namespace nn::testing
