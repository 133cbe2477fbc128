// Dumps of intermediate tensors, as a folder or as a file of test cases: docs/dumps.md.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "nnapi/interpreter.h"
#include "nnapi/io.h"

namespace nn::cli {

// Names the tensors of one execution: "main.operand_12" the first time that its operation is
// executed, then "main.operand_12.1" and so on.
class DumpNames {
   public:
    std::string next(size_t graph, uint32_t operand);

   private:
    std::map<std::pair<size_t, uint32_t>, size_t> mTimes;  // by graph and operand
};

// The prefix of the names of an input's tensors: the name of a test case, as in
// "add/main.operand_2".
Result<std::string> dumpPrefix(const std::string& name, bool isTestCase);

// Writes tensors one by one.
class DumpWriter {
   public:
    // Opens a folder, which is made if needed, or a file of test cases.
    static Result<DumpWriter> create(const std::filesystem::path& path);

    Status write(const std::string& name, const Tensor& tensor);
    Status commit();

   private:
    explicit DumpWriter(std::filesystem::path path) : mPath(std::move(path)) {}

    std::filesystem::path mPath;
    std::optional<TestCaseWriter> mFile{};  // none for a folder
};

// Finds tensors by their names.
class DumpReader {
   public:
    static Result<DumpReader> open(const std::filesystem::path& path, const Limits& limits);

    // From here on only names with this prefix count.
    Status begin(const std::string& prefix);

    // Takes the tensor with this name; empty if the dump has none. Its dimensions are empty if the
    // dump does not contain them.
    std::optional<Result<Tensor>> take(const std::string& name);

    // "dump/main.operand_12.raw", for messages
    std::string placeOf(const std::string& name) const;

    // The names that were not taken.
    const std::set<std::string>& left() const { return mLeft; }

   private:
    DumpReader(std::filesystem::path path, const Limits& limits)
        : mPath(std::move(path)), mLimits(limits) {}
    Status readLines();
    std::filesystem::path pathOf(const std::string& name) const;

    std::filesystem::path mPath;
    Limits mLimits;
    bool mIsFolder = true;
    std::map<std::string, Tensor> mTensors;  // of a file of test cases
    std::set<std::string> mLeft;
};

}  // namespace nn::cli
