#include "tools/nnapi/dump.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/printable.h"
#include "model_io/inputs.h"
#include "tools/nnapi/output_parts.h"

namespace nn::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".raw";

Status failure(const std::string& message) {
    return makeError(ErrorStatus::INVALID_ARGUMENT, message);
}

}  // namespace

std::string DumpNames::next(size_t graph, uint32_t operand) {
    const std::string place = graph == 0 ? "main" : fmt::format("referenced_{}", graph - 1);
    const size_t times = mTimes[{graph, operand}]++;
    const std::string name = fmt::format("{}.operand_{}", place, operand);
    return times == 0 ? name : fmt::format("{}.{}", name, times);
}

Result<std::string> dumpPrefix(const std::string& name, bool isTestCase) {
    if (!isTestCase) return "";
    if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
        name.find('\0') != std::string::npos) {
        return failure("the name of the test case is not the name of a file, as --dump needs");
    }
    return name + "/";
}

Result<DumpWriter> DumpWriter::create(const fs::path& path) {
    DumpWriter writer(path);
    if (schema::isTestCaseFile(path)) {
        NNAPI_ASSIGN_OR_RETURN(file, TestCaseWriter::create(path));
        writer.mFile = std::move(file);
    }
    return writer;
}

Status DumpWriter::write(const std::string& name, const Tensor& tensor) {
    if (mFile) return mFile->write({.name = name, .outputs = {{.value = tensor}}});
    const fs::path path = mPath / (name + std::string(kExtension));
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) return failure(fmt::format("{}: {}", nameOf(path.parent_path()), error.message()));
    return writeFileIn(path.parent_path(), path.filename().string(),
                       {reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size()});
}

Status DumpWriter::commit() { return mFile ? mFile->commit() : Status(); }

Result<DumpReader> DumpReader::open(const fs::path& path, const Limits& limits) {
    DumpReader reader(path, limits);
    std::error_code error;
    reader.mIsFolder = !schema::isTestCaseFile(path);
    if (!reader.mIsFolder) {
        NNAPI_RETURN_IF_ERROR(reader.readLines());
    } else if (!fs::is_directory(path, error)) {
        return failure(fmt::format(
                "{}: {}", nameOf(path),
                error ? error.message() : "is neither a folder nor a file of test cases"));
    }
    return reader;
}

Status DumpReader::readLines() {
    NNAPI_ASSIGN_OR_RETURN(reader, TestCaseReader::open(mPath, mLimits));
    uint64_t bytes = 0;
    while (auto next = reader.next()) {
        if (!next->ok()) return next->status();
        TestCase line = **std::move(next);
        const std::string place = placeOf(line.name);
        if (line.outputs.size() != 1) {
            return failure(fmt::format("{}: has {}, allowed one", place,
                                       counted(line.outputs.size(), "output", "outputs")));
        }
        bytes += line.outputs[0].value.data.size();
        if (bytes > mLimits.peakBytes) {
            return failure(fmt::format("{}: holds more than the {} bytes allowed", nameOf(mPath),
                                       mLimits.peakBytes));
        }
        if (!mTensors.emplace(line.name, std::move(line.outputs[0].value)).second) {
            return failure(fmt::format("{}: is in the dump twice", place));
        }
    }
    return {};
}

Status DumpReader::begin(const std::string& prefix) {
    mLeft.clear();
    if (!mIsFolder) {
        for (auto entry = mTensors.lower_bound(prefix);
             entry != mTensors.end() && entry->first.starts_with(prefix); ++entry) {
            mLeft.insert(entry->first);
        }
        return {};
    }
    std::error_code error;
    const fs::path folder = mPath / prefix;
    for (auto entry = fs::directory_iterator(folder, error);
         !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!name.ends_with(kExtension)) continue;
        mLeft.insert(prefix + name.substr(0, name.size() - kExtension.size()));
    }
    return error ? failure(fmt::format("{}: {}", nameOf(folder), error.message())) : Status();
}

std::optional<Result<Tensor>> DumpReader::take(const std::string& name) {
    if (mLeft.erase(name) == 0) return std::nullopt;
    if (!mIsFolder) return mTensors.at(name);
    const Result<std::string> bytes = readFile(pathOf(name), mLimits);
    if (!bytes.ok()) return Result<Tensor>(bytes.status());
    return Tensor{.data = {bytes->begin(), bytes->end()}};
}

std::string DumpReader::placeOf(const std::string& name) const {
    return mIsFolder ? nameOf(pathOf(name)) : fmt::format("{}: {}", nameOf(mPath), printable(name));
}

fs::path DumpReader::pathOf(const std::string& name) const {
    return mPath / (name + std::string(kExtension));
}

}  // namespace nn::cli
