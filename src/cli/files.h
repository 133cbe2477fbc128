// Files that users name: read whatever they are, and written where -o leads.
//
// What is read is a regular file, or a descriptor that is open already (`-`, /dev/stdin,
// /dev/fd/N), which may be a pipe. Everything else is refused before a byte is read: folders,
// devices that never end, named pipes that nobody writes to.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/name.h"
#include "nnapi/io.h"
#include "schema/streams.h"

namespace nn::cli {

// ---- reading

// The number of the descriptor that a path stands for.
std::optional<int> openDescriptor(const std::filesystem::path& path);

// "standard input", or the path.
std::string shownName(const std::filesystem::path& path);

// All bytes, up to the limit for files.
Result<std::string> readAll(const std::filesystem::path& path, const Limits& limits);

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

// What a pipe held.
struct Spooled {
    std::filesystem::path file;
    std::string bytes;
    schema::StreamFormat format;
};

// Without a format, what the bytes begin as.
Result<Spooled> spool(const std::filesystem::path& path,
                      const std::optional<schema::StreamFormat>& format, const Limits& limits);

Result<AnyModel> modelOf(const Spooled& spooled, const Limits& limits);
Result<TestCaseReader> testCasesOf(const Spooled& spooled, const Limits& limits);

bool isTestCaseFile(const std::filesystem::path& path);

struct Expanded {
    std::vector<std::filesystem::path> files{};
    std::vector<std::string> unreadable{};  // messages about folders
};

// The files, with those of folders and their folders in place of these, sorted. Links are not
// followed.
Expanded expand(const std::vector<std::string>& files);

// ---- writing

// Names for files, of names from files: they lead nowhere else, and none is given twice.
class FileNames {
   public:
    // Of letters, digits, `_`, `-`, `.` and characters beyond ASCII that can be seen; what is taken
    // gets a number.
    std::string take(std::string_view name);

   private:
    std::set<std::string> mTaken;
    std::map<std::string, int> mNumbers;  // given last
};

// Does -o name it?
bool isStandardOutput(const std::string& out);

// A folder, made where it is not there.
Status makeFolder(const std::filesystem::path& path);

// Where models go: a file where -o has an extension that says its format; a folder where it is one,
// ends in '/' or has no extension; standard output for `-` and /dev/stdout.
class ModelFiles {
   public:
    // An empty path leads nowhere. The format is that on standard output; JSON without.
    static Result<ModelFiles> open(const std::string& out,
                                   const std::optional<schema::StreamFormat>& format);

    bool isStandardOutput() const { return mKind == Kind::STANDARD_OUTPUT; }
    bool isOneFile() const { return mKind == Kind::FILE; }

    // True where the name in the folder is another one than that of the model.
    bool isRenamed(const Name& name, const std::filesystem::path& file) const {
        return mKind == Kind::FOLDER && file.stem().string() != name.raw;
    }

    // The file that holds the model now; empty where there is none.
    Result<std::filesystem::path> write(const Name& name, const AnyModel& model);

   private:
    enum class Kind { NOTHING, FILE, FOLDER, STANDARD_OUTPUT };
    ModelFiles(Kind kind, std::filesystem::path out, Format format)
        : mKind(kind), mOut(std::move(out)), mFormat(format) {}

    Kind mKind;
    std::filesystem::path mOut;
    Format mFormat;  // on standard output
    bool mWritten = false;
    FileNames mNames;
};

}  // namespace nn::cli
