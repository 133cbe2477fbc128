// Packages that tests fetch by name. Where that is impossible, the tests are skipped and say why.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "temporary_folder.h"

namespace nn {

inline std::string contentsOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class FetchedPackages {
   public:
    // Runs a script, which gets the folder, and exits with 77 where packages cannot be had.
    FetchedPackages(const std::string& script, const std::string& folder) {
        const TemporaryFolder said;
        const std::string command =
                fmt::format("'{}' '{}' >'{}' 2>&1", script, folder, (said / "said").string());
        const int status = std::system(command.c_str());
        if (status == 0) return;
        mMissing = contentsOf(said / "said");
        mIsSkipped = WIFEXITED(status) && WEXITSTATUS(status) == 77;
    }

    // For SetUp() of a test.
    void require() const {
        if (mIsSkipped) GTEST_SKIP() << mMissing;
        ASSERT_EQ(mMissing, "");
    }

   private:
    std::string mMissing;
    bool mIsSkipped = false;
};

}  // namespace nn
