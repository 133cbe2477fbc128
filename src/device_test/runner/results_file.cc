#include "device_test/runner/results_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>

#include "base/directory.h"
#include "base/files.h"
#include "base/printable.h"
#include "device_test/runner/case_files.h"
#include "device_test/runner/case_result.h"
#include "model_io/inputs.h"

namespace nn::testing {
namespace {

Json toJson(const ResultsHead& head) {
    return {{"run",
             {{"device", head.device},
              {"seed", head.seed},
              {"shard", head.shard},
              {"of", head.of},
              {"cases", head.cases},
              {"total", head.total},
              {"names", head.names},
              {"command", head.command}}}};
}

std::optional<ResultsHead> headOf(const Json& line) try {
    const Json& run = line.at("run");
    ResultsHead head{.device = run.at("device").get<std::string>(),
                     .seed = run.at("seed").get<uint64_t>(),
                     .shard = run.at("shard").get<size_t>(),
                     .of = run.at("of").get<size_t>(),
                     .cases = run.at("cases").get<size_t>(),
                     .total = run.at("total").get<size_t>(),
                     .names = run.at("names").get<std::string>(),
                     .command = run.at("command").get<std::string>()};
    const bool isLegal = DeviceShard{.number = head.shard, .of = head.of}.isLegal() &&
                         head.cases == head.casesOf(head.shard);
    return isLegal ? std::optional(std::move(head)) : std::nullopt;
} catch (const Json::exception&) {
    return std::nullopt;
}

std::optional<NumberedResult> resultOf(const Json& line, const ResultsHead& head) try {
    auto result = caseResultOf(line);
    if (!result) return std::nullopt;
    const auto number = line.at("number").get<size_t>();
    if (number >= head.total || number % head.of != head.shard - 1) return std::nullopt;
    result->head.file = line.at("file").get<std::string>();
    return NumberedResult{number, *std::move(result)};
} catch (const Json::exception&) {
    return std::nullopt;
}

std::string differenceOf(const ResultsHead& found, const ResultsHead& wanted) {
    const auto differs = [](std::string_view what, const auto& there, const auto& here) {
        return fmt::format("is of another run: {} is {} there, {} here", what, there, here);
    };
    if (found.device != wanted.device) {
        return differs("--device", printable(found.device), printable(wanted.device));
    }
    if (found.seed != wanted.seed) return differs("--seed", found.seed, wanted.seed);
    if (found.of != wanted.of || found.shard != wanted.shard) {
        return differs("--shard", fmt::format("{}/{}", found.shard, found.of),
                       fmt::format("{}/{}", wanted.shard, wanted.of));
    }
    return "is of another run: its list of cases is another";
}

}  // namespace

bool ResultsHead::operator==(const ResultsHead& other) const {
    return device == other.device && seed == other.seed && shard == other.shard && of == other.of &&
           cases == other.cases && total == other.total && names == other.names;
}

Result<Results> readResults(const std::string& path, const Limits& limits) {
    NNAPI_ASSIGN_OR_RETURN(content, schema::readInput(path, limits));
    const std::string name = nameOf(path);
    Results results;
    size_t number = 0;
    for (size_t begin = 0; begin < content.size();) {
        const size_t end = content.find('\n', begin);
        if (end == std::string::npos) break;
        const Json line = parseLine(std::string_view(content).substr(begin, end - begin));
        begin = end + 1;
        const std::string place = fmt::format("{}:{}", name, ++number);
        if (number == 1) {
            auto head = headOf(line);
            if (!head) return wrongAt(place, "is not the first line of a file of --results");
            results.head = *std::move(head);
            continue;
        }
        auto result = resultOf(line, results.head);
        if (!result) return wrongAt(place, "is not the result of a case of this part");
        results.results.push_back(*std::move(result));
    }
    if (number == 0) return wrongAt(name, "has no line of results");
    return results;
}

// Accepts only a regular file of this user.
static Result<UniqueFd> openOwnFile(const std::string& path, int flags) {
    auto file = [&]() -> Result<UniqueFd> {
        const auto [folder, name] = Directory::split(path);
        NNAPI_ASSIGN_OR_RETURN(directory, Directory::open(folder));
        return directory.openFile(name, flags);
    }();
    if (!file.ok()) return within(nameOf(path) + ": ", file.status());
    return file;
}

Result<ResultsFile> ResultsFile::create(const std::string& path, const ResultsHead& head) {
    NNAPI_ASSIGN_OR_RETURN(fd, openOwnFile(path, O_WRONLY | O_CREAT));
    if (ftruncate(fd.get(), 0) != 0) return systemError(path);
    ResultsFile file(path, std::move(fd));
    NNAPI_RETURN_IF_ERROR(file.write(toJson(head)));
    return file;
}

Result<ResultsFile> ResultsFile::resume(const std::string& path, const ResultsHead& head,
                                        const Limits& limits,
                                        std::vector<NumberedResult>& earlier) {
    // A program that was killed at once leaves an empty file.
    struct stat status {};
    if (stat(path.c_str(), &status) != 0 || status.st_size == 0) return create(path, head);
    NNAPI_ASSIGN_OR_RETURN(found, readResults(path, limits));
    if (!(found.head == head)) {
        return wrongAt(nameOf(path), differenceOf(found.head, head));
    }
    NNAPI_ASSIGN_OR_RETURN(fd, openOwnFile(path, O_RDWR | O_APPEND | O_CREAT));
    // Removes an incomplete line, as left by a killed program.
    NNAPI_ASSIGN_OR_RETURN(content, readBytes(fd.get(), 0, static_cast<uint64_t>(status.st_size)));
    if (ftruncate(fd.get(), static_cast<off_t>(content.rfind('\n') + 1)) != 0) {
        return systemError(path);
    }
    earlier = std::move(found.results);
    return ResultsFile(path, std::move(fd));
}

Status ResultsFile::add(const NumberedResult& numbered) {
    Json line = testing::toJson(numbered.result);
    line["number"] = numbered.number;
    line["file"] = numbered.result.head.file;
    return write(line);
}

Status ResultsFile::write(const Json& json) {
    const std::string line = lineOf(json) + "\n";
    for (size_t done = 0; done < line.size();) {
        const ssize_t count = ::write(mFd.get(), line.data() + done, line.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return systemError(mPath);
        done += static_cast<size_t>(count);
    }
    return {};
}

void NamesDigest::add(const std::string& name) {
    // Including its end, so that "ab" and "c" differ from "a" and "bc".
    mSum = crc32_z(mSum, reinterpret_cast<const Bytef*>(name.c_str()), name.size() + 1);
}

std::string NamesDigest::text() const { return fmt::format("{:08x}", mSum); }

}  // namespace nn::testing
