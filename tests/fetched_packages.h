// Packages that tests download by name. If that fails, the tests are skipped with the reason.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "temporary_folder.h"

namespace nn {

class FetchedPackages {
   public:
    // Runs a script with the folder as argument; exit code 77 means that the packages are
    // unavailable.
    FetchedPackages(const std::string& script, const std::string& folder) {
        const TemporaryFolder said;
        const std::string command =
                fmt::format("'{}' '{}' >'{}' 2>&1", script, folder, (said / "said").string());
        const int status = std::system(command.c_str());
        if (status == 0) return;
        mMissing = contentsOf(said / "said");
        mIsSkipped = WIFEXITED(status) && WEXITSTATUS(status) == 77;
    }

    // Call this in SetUp() of a test.
    void require() const {
        if (mIsSkipped) GTEST_SKIP() << mMissing;
        ASSERT_EQ(mMissing, "");
    }

   private:
    std::string mMissing;
    bool mIsSkipped = false;
};

}  // namespace nn
