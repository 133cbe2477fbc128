// Symbols of files that a driver's author, or an attacker, has made.
#include "testing/runner/elf_symbols.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "temporary_folder.h"

namespace nn::elf_symbols_test {
namespace {

using testing::ElfSymbols;
using ::testing::SizeIs;
using ::testing::StartsWith;

template <class T>
void append(std::string& bytes, const T& row) {
    bytes.append(reinterpret_cast<const char*>(&row), sizeof row);
}

// A file with one table of functions, at 0x1000, 0x1010 and so on, and `tables` headers of it.
std::string fileOf(const std::vector<std::string>& names, size_t tables = 1) {
    std::string strings(1, '\0'), symbols;
    for (size_t i = 0; i < names.size(); ++i) {
        ElfW(Sym) symbol{};
        symbol.st_name = static_cast<uint32_t>(strings.size());
        symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
        symbol.st_value = 0x1000 + 16 * i;
        symbol.st_size = 16;
        append(symbols, symbol);
        strings += names[i] + '\0';
    }
    ElfW(Ehdr) header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
    header.e_shnum = static_cast<uint16_t>(tables + 1);
    header.e_shoff = sizeof header;
    const size_t first = sizeof header + (tables + 1) * sizeof(ElfW(Shdr));
    ElfW(Shdr) text{};
    text.sh_type = SHT_STRTAB;
    text.sh_offset = first;
    text.sh_size = strings.size();
    ElfW(Shdr) table{};
    table.sh_type = SHT_SYMTAB;
    table.sh_offset = first + strings.size();
    table.sh_size = symbols.size();
    std::string file;
    append(file, header);
    append(file, text);
    for (size_t i = 0; i < tables; ++i) append(file, table);
    return file + strings + symbols;
}

std::string nameIn(const std::string& bytes, uint64_t address) {
    const TemporaryFolder folder;
    const std::string path = (folder / "driver.so").string();
    std::ofstream(path) << bytes;
    return ElfSymbols::of(path).nameAt(address);
}

// Each substitution doubles its expansion.
std::string nameThatGrows(int times) {
    std::string name = "_Z1f1AIiiE";
    for (int i = 0; i < times; ++i) {
        const char digit = static_cast<char>(i < 10 ? '0' + i : 'A' + i - 10);
        name += std::string("S_IS") + digit + "_S" + digit + "_E";
    }
    return name;
}

TEST(ElfSymbols, HaveNamesOfAnyKind) {
    const struct {
        std::string symbol, name;
    } kRows[] = {
            {"_ZN3npu4ConvEv", "npu::Conv()+0x4"},
            {"conv", "conv+0x4"},
            {"f", "f+0x4"},  // of a type it would be float
            {"_Z", "_Z+0x4"},
            {"", "+0x4"},
    };
    for (const auto& row : kRows) EXPECT_EQ(nameIn(fileOf({row.symbol}), 0x1004), row.name);
    EXPECT_THAT(nameIn(fileOf({nameThatGrows(36)}), 0x1000), StartsWith("_Z1f1A"));
    EXPECT_THAT(nameIn(fileOf({std::string(1 << 20, 'a')}), 0x1000), SizeIs(1024 + 4));
}

TEST(ElfSymbols, AreReadOnce) {
    // 400 MB of names if each header counted.
    std::vector<std::string> names(200, std::string(1000, 'a'));
    names.emplace_back("last");
    EXPECT_THAT(nameIn(fileOf(names, 2000), 0x1000 + 16 * 200), "last+0x0");
    EXPECT_EQ(nameIn(fileOf(names).substr(0, 100), 0x1000), "");
    EXPECT_EQ(nameIn("", 0x1000), "");
}

}  // namespace
}  // namespace nn::elf_symbols_test
