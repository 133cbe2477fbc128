// A folder for the files of one test.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace nn {

// A folder of its own for each test, removed at its end.
class TemporaryFolder {
   public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "nnapi.XXXXXX").string();
        mPath = mkdtemp(pattern.data());
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { std::filesystem::remove_all(mPath); }

    std::filesystem::path operator/(std::string_view name) const { return mPath / name; }

    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(mPath))
            names.push_back(entry.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }

   private:
    std::filesystem::path mPath;
};

}  // namespace nn
