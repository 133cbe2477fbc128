#include "tools/nnapi/output_files.h"

#include <fmt/format.h>

#include <system_error>

#include "base/files.h"
#include "base/printable.h"
#include "tools/nnapi/output.h"
#include "tools/nnapi/stream_formats.h"

namespace nn::cli {
namespace {

namespace fs = std::filesystem;
using schema::StreamFormat;

Status refuse(const std::string& message) {
    return makeError(ErrorStatus::INVALID_ARGUMENT, message);
}

// File systems allow 255, including a number and an extension.
constexpr size_t kMaxNameBytes = 200;

// Replaces characters with a meaning in paths, shells or terminals.
std::string safeFileName(std::string_view name) {
    std::string safe;
    for (std::string_view rest = beginningOf(name, kMaxNameBytes); !rest.empty();) {
        size_t size = 1;
        while (size < rest.size() && (static_cast<uint8_t>(rest[size]) & 0xC0U) == 0x80) ++size;
        const std::string_view character = rest.substr(0, size);
        const bool isSafe =
                character != "/" && character != "~" && printable(character) == character;
        safe += isSafe ? character : "_";
        rest.remove_prefix(size);
    }
    // The name is not hidden, not `.` or `..`, and does not look like an option.
    if (safe.empty() || safe[0] == '.' || safe[0] == '-') safe.insert(0, "_");
    return safe;
}

}  // namespace

std::string FileNames::take(std::string_view name) {
    const std::string safe = safeFileName(name);
    std::string taken = safe;
    while (!mTaken.insert(taken).second) {
        int& number = mNumbers.try_emplace(safe, 1).first->second;
        taken = fmt::format("{}_{}", safe, ++number);
    }
    return taken;
}

Status requireWritable(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return refuse(nameOf(path) + ": is a folder");
    return createFile(path).status();
}

Status makeFolder(const fs::path& path) {
    std::error_code error, ignored;
    fs::create_directories(path, error);
    if (fs::is_directory(path, ignored)) return {};
    const bool isFile = fs::exists(path.has_filename() ? path : path.parent_path(), ignored);
    return makeError(
            ErrorStatus::GENERAL_FAILURE,
            fmt::format("{}: {}", nameOf(path), isFile ? "is not a folder" : error.message()));
}

Result<ModelFiles> ModelFiles::open(const std::string& out,
                                    const std::optional<StreamFormat>& format,
                                    std::string_view extension) {
    if (out.empty()) return ModelFiles(Kind::NOWHERE, {}, {});
    if (nn::cli::isStandardOutput(out)) {
        if (format == StreamFormat::TEST_CASES) {
            return refuse("--format is jsonl, allowed pb, textproto and json for a model");
        }
        return ModelFiles(Kind::STANDARD_OUTPUT, out,
                          schema::modelFormat(format.value_or(StreamFormat::JSON)));
    }
    std::error_code ignored;
    const fs::path path = out;
    if (fs::is_directory(path, ignored) || out.ends_with('/') || path.extension().empty()) {
        ModelFiles files(Kind::FOLDER, path, {});
        if (!extension.empty()) files.mExtension = extension;
        return files;
    }
    const bool isFile =
            extension.empty() ? formatOf(path).has_value() : path.extension().string() == extension;
    if (isFile) return ModelFiles(Kind::FILE, path, {});
    return refuse(
            fmt::format("{}: extension is {}, allowed {} for a file, and '/' at the end for a "
                        "folder",
                        nameOf(path), inQuotes(path.extension().string()),
                        extension.empty() ? ".pb, .textproto and .json" : extension));
}

Status ModelFiles::requireFileForEach(size_t models) const {
    if (models <= 1 || !isOneFile()) return {};
    return refuse(
            fmt::format("{} is one file, and there are several models: name a folder, it ends in "
                        "'/'",
                        nameOf(mOut)));
}

Result<fs::path> ModelFiles::placeOf(const UntrustedText& name) {
    fs::path path = mOut;
    if (mKind == Kind::FOLDER) {
        NNAPI_RETURN_IF_ERROR(makeFolder(mOut));
        path /= mNames.take(name.raw) + mExtension;
    } else {
        NNAPI_RETURN_IF_ERROR(requireFileForEach(++mWritten));
    }
    return path;
}

Result<fs::path> ModelFiles::write(const UntrustedText& name, const AnyModel& model) {
    if (mKind == Kind::NOWHERE) return fs::path();
    NNAPI_ASSIGN_OR_RETURN(path, placeOf(name));
    if (mKind == Kind::STANDARD_OUTPUT) {
        NNAPI_ASSIGN_OR_RETURN(bytes, serializeModel(model, mFormat));
        Output::write(bytes);
    } else if (mKind == Kind::FOLDER) {
        auto bytes = serializeModel(model, nn::Format::BINARY);
        if (!bytes.ok()) return within(nameOf(path) + ": ", bytes.status());
        NNAPI_RETURN_IF_ERROR(writeFileIn(mOut, path.filename().string(), *bytes));
    } else {
        NNAPI_RETURN_IF_ERROR(writeModel(path, model));
    }
    return path;
}

Result<fs::path> ModelFiles::write(const UntrustedText& name, std::string_view bytes) {
    if (mKind == Kind::NOWHERE) return fs::path();
    NNAPI_ASSIGN_OR_RETURN(path, placeOf(name));
    if (mKind == Kind::STANDARD_OUTPUT) {
        Output::write(bytes);
    } else if (mKind == Kind::FOLDER) {
        NNAPI_RETURN_IF_ERROR(writeFileIn(mOut, path.filename().string(), bytes));
    } else {
        NNAPI_RETURN_IF_ERROR(writeFile(path, bytes));
    }
    return path;
}

Status ModelFiles::writeBeside(const fs::path& file, std::string_view suffix,
                               std::string_view bytes) const {
    if (file.empty() || mKind == Kind::STANDARD_OUTPUT) return {};
    const std::string name = fmt::format("{}.{}", file.stem().string(), suffix);
    if (mKind == Kind::FOLDER) return writeFileIn(mOut, name, bytes);
    return writeFile(file.parent_path() / name, bytes);
}

}  // namespace nn::cli
