// Opens input files of all supported kinds, and writes output to the target of -o.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/untrusted_name.h"
#include "nnapi/io.h"
#include "schema/streams.h"

namespace nn::cli {

// ---- reading

// What --format names.
struct StreamFormatRow {
    std::string_view name;
    schema::StreamFormat format;
};
inline constexpr StreamFormatRow kStreamFormats[] = {
        {"pb", schema::StreamFormat::BINARY},
        {"textproto", schema::StreamFormat::TEXT},
        {"json", schema::StreamFormat::JSON},
        {"jsonl", schema::StreamFormat::TEST_CASES},
};
std::optional<schema::StreamFormat> parseStreamFormat(std::string_view name);

// The content of a pipe.
struct Spooled {
    std::filesystem::path file;
    std::string bytes;
    schema::StreamFormat format;
};

// Reads a pipe. Without a format, the first bytes tell it.
Result<Spooled> spool(const std::filesystem::path& path,
                      const std::optional<schema::StreamFormat>& format, const Limits& limits);

Result<AnyModel> modelOf(const Spooled& spooled, const Limits& limits);
Result<TestCaseReader> testCasesOf(const Spooled& spooled, const Limits& limits);

// ---- writing

// Makes file names from names in models: they never lead to another folder, and none is given
// twice.
class FileNames {
   public:
    // A file name of letters, digits, `_`, `-`, `.` and visible characters beyond ASCII; a name
    // that is taken gets a number.
    std::string take(std::string_view name);

   private:
    std::set<std::string> mTaken;
    std::map<std::string, int> mNumbers;  // the last number given
};

// Does -o name it?
bool isStandardOutput(const std::string& out);

// Makes a folder unless it exists.
Status makeFolder(const std::filesystem::path& path);

// Where models go: a file where -o has an extension that says its format; a folder where it is one,
// ends in '/' or has no extension; standard output for `-` and /dev/stdout.
class ModelFiles {
   public:
    // With an empty path no model is written. `format` is that on standard output, by default JSON.
    static Result<ModelFiles> open(const std::string& out,
                                   const std::optional<schema::StreamFormat>& format);

    bool isStandardOutput() const { return mKind == Kind::STANDARD_OUTPUT; }
    bool isOneFile() const { return mKind == Kind::FILE; }

    // True where the file has another name than the model.
    bool isRenamed(const Name& name, const std::filesystem::path& file) const {
        return mKind == Kind::FOLDER && file.stem().string() != name.raw;
    }

    // Writes a model and returns its file; an empty path where it has none.
    Result<std::filesystem::path> write(const Name& name, const AnyModel& model);

   private:
    enum class Kind { NOWHERE, FILE, FOLDER, STANDARD_OUTPUT };
    ModelFiles(Kind kind, std::filesystem::path out, Format format)
        : mKind(kind), mOut(std::move(out)), mFormat(format) {}

    Kind mKind;
    std::filesystem::path mOut;
    Format mFormat;  // on standard output
    bool mWritten = false;
    FileNames mNames;
};

}  // namespace nn::cli
