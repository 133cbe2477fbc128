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

    // "conv2d(float*)+0x1c" for the place in the file where the code is; empty if unknown.
    std::string nameAt(uint64_t fileOffset) const;

   private:
    struct Segment {
        uint64_t offset = 0, address = 0, size = 0;
    };
    struct Function {
        uint64_t address = 0, size = 0;
        std::string name{};
    };

    std::vector<Segment> mSegments{};
    std::vector<Function> mFunctions{};  // by address
};

}  // namespace nn::testing
