// Files that TensorFlow Lite executes, each in its process or together with others.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "lite_models.h"
#include "lite_tensors.h"
#include "temporary_folder.h"

namespace nn {

using Tensors = std::vector<Tensor>;

// Files that TensorFlow Lite executes in one process.
class LiteBatch {
   public:
    // Its result for one file.
    struct FileResult {
        std::string error{};                // empty for outputs
        std::vector<LiteTensor> outputs{};  // of all invocations
    };

    void add(const std::string& name, const std::vector<uint8_t>& file,
             const std::vector<Tensors>& invocations) {
        write(name + ".tflite", file);
        std::vector<uint8_t> inputs;
        for (const Tensors& values : invocations) {
            for (const Tensor& value : values) {
                inputs.insert(inputs.end(), value.data.begin(), value.data.end());
            }
        }
        write(name + ".inputs", inputs);
        mNames.insert(name);
    }

    void run() {
        const std::string command =
                fmt::format("'{}' '{}' --batch '{}' >'{}' 2>&1", NNAPI_TFLITE_CLIENT, kLiteLibrary,
                            mFolder.path().string(), (mFolder / "said").string());
        for (;;) {
            const int status = std::system(command.c_str());
            if (status == 0) return;
            const auto fatal = std::ranges::find_if_not(
                    mNames, [this](const std::string& name) { return hasResult(name); });
            ASSERT_NE(fatal, mNames.end()) << contentsOf(mFolder / "said");
            std::ofstream(mFolder / (*fatal + ".error")) << "TensorFlow Lite crashes";
        }
    }

    FileResult resultOf(const std::string& name) const {
        FileResult result{.error = contentsOf(mFolder / (name + ".error"))};
        if (result.error.empty()) result.outputs = readLiteTensors(mFolder / (name + ".outputs"));
        return result;
    }

   private:
    void write(const std::string& name, const std::vector<uint8_t>& bytes) {
        std::ofstream file(mFolder / name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    }
    bool hasResult(const std::string& name) const {
        return std::filesystem::exists(mFolder / (name + ".outputs")) ||
               std::filesystem::exists(mFolder / (name + ".error"));
    }

    TemporaryFolder mFolder;
    std::set<std::string> mNames;
};

}  // namespace nn
