// The functions of an ELF file, by address: those that it exports, and all others unless it is
// stripped. The file may have any content.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nn::testing {

class ElfSymbols {
   public:
    // Without functions if the file is not one of this machine, or cannot be read.
    static ElfSymbols of(const std::string& path);

    // The address, as addr2line takes it, of the code at a place in the file; the place itself if
    // it is unknown.
    uint64_t addressOf(uint64_t fileOffset) const;
    // "conv2d(float*)+0x1c"; empty if unknown.
    std::string nameAt(uint64_t address) const;

   private:
    struct Segment {
        uint64_t offset = 0, address = 0, size = 0;
    };
    // A large program has 100,000 of them; few are looked up.
    struct Function {
        uint64_t address = 0, size = 0;
        size_t name = 0;  // its position in the names
    };

    std::vector<Segment> mSegments{};
    std::vector<Function> mFunctions{};  // by address
    std::string mNames{};                // each ends with zero
};

}  // namespace nn::testing
