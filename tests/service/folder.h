#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

namespace nn {

// A folder that goes with the test.
class Folder {
   public:
    Folder() {
        char name[] = "/tmp/nnapi-service-XXXXXX";
        mPath = mkdtemp(name);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(mPath); }
    std::string operator/(const std::string& name) const { return mPath + "/" + name; }

   private:
    std::string mPath;
};

}  // namespace nn
