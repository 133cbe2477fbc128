// Writes output to the target of -o.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/untrusted_text.h"
#include "nnapi/io.h"
#include "nnapi/result.h"

namespace nn::schema {
enum class StreamFormat;
}  // namespace nn::schema

namespace nn::cli {

// Makes unique file names from names in models, which never lead to another folder.
class FileNames {
   public:
    // A file name of letters, digits, `_`, `-`, `.` and visible characters beyond ASCII; a name
    // that is taken gets a number.
    std::string take(std::string_view name);

   private:
    std::set<std::string> mTaken;
    std::map<std::string, int> mNumbers;  // the last number given
};

// Whether a file can be written there, which is not created.
Status requireWritable(const std::filesystem::path& path);

// Creates a folder unless it exists.
Status makeFolder(const std::filesystem::path& path);

// Where models go: a file where -o has an extension that says its format; a folder where it is one,
// ends in '/' or has no extension; standard output for `-` and /dev/stdout.
class ModelFiles {
   public:
    // With an empty path no model is written. `format` is that on standard output, by default JSON.
    // `extension` is that of files of another format, ".tflite".
    static Result<ModelFiles> open(const std::string& out,
                                   const std::optional<schema::StreamFormat>& format,
                                   std::string_view extension = {});

    bool isStandardOutput() const { return mKind == Kind::STANDARD_OUTPUT; }
    bool isOneFile() const { return mKind == Kind::FILE || isStandardOutput(); }

    // Fails if there are several models, and one file for them.
    Status requireFileForEach(size_t models) const;

    // True if the file has another name than the model.
    bool isRenamed(const UntrustedText& name, const std::filesystem::path& file) const {
        return mKind == Kind::FOLDER && file.stem().string() != name.raw;
    }

    // Writes a model and returns its file; an empty path if there is none.
    Result<std::filesystem::path> write(const UntrustedText& name, const AnyModel& model);

    // The same for the bytes of a file of another format.
    Result<std::filesystem::path> write(const UntrustedText& name, std::string_view bytes);

    // Writes bytes to "<name of the file>.<suffix>".
    Status writeBeside(const std::filesystem::path& file, std::string_view suffix,
                       std::string_view bytes) const;

   private:
    enum class Kind { NOWHERE, FILE, FOLDER, STANDARD_OUTPUT };
    ModelFiles(Kind kind, std::filesystem::path out, Format format)
        : mKind(kind), mOut(std::move(out)), mFormat(format) {}

    // The file of a model; empty on standard output.
    Result<std::filesystem::path> placeOf(const UntrustedText& name);

    Kind mKind;
    std::filesystem::path mOut;
    std::string mExtension = ".pb";  // in a folder
    Format mFormat;                  // on standard output
    size_t mWritten = 0;             // models, without those in a folder
    FileNames mNames;
};

}  // namespace nn::cli
