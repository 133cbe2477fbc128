#include "model_io/inputs.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/files.h"
#include "model_io/streams.h"
#include "nnapi/io.h"

namespace nn::schema {
namespace {

namespace fs = std::filesystem;

// Lists the files of a folder and of its folders. Reports folders that cannot be listed and
// continues.
void listFolder(const fs::path& top, NameFilter isWanted, std::vector<fs::path>& files,
                std::vector<std::string>& unreadable) {
    const auto hasName = [&](const fs::path& path) {
        return isTestCaseFile(path) || formatOf(path) || (isWanted != nullptr && isWanted(path));
    };
    const auto sayUnreadable = [&](const fs::path& path, const std::error_code& why) {
        unreadable.push_back(fmt::format("{}: {}", nameOf(path), why.message()));
    };
    std::vector<fs::path> folders = {top};
    while (!folders.empty()) {
        const fs::path folder = std::move(folders.back());
        folders.pop_back();
        std::error_code error;
        fs::directory_iterator entry(folder, error);
        while (!error && entry != fs::directory_iterator()) {
            std::error_code hidden;
            const fs::file_status status = entry->symlink_status(hidden);
            if (hidden) sayUnreadable(entry->path(), hidden);
            std::error_code missing;  // for a broken link, which reading reports
            const bool mayBeRead = fs::is_regular_file(status) ||
                                   (fs::is_symlink(status) &&
                                    (entry->is_regular_file(missing) || !entry->exists(missing)));
            if (fs::is_directory(status)) {
                folders.push_back(entry->path());
            } else if (mayBeRead && hasName(entry->path())) {
                files.push_back(entry->path());
            }
            entry.increment(error);
        }
        if (error) sayUnreadable(folder, error);
    }
}

}  // namespace

std::optional<int> openDescriptor(const fs::path& path) {
    const std::string text = path.string();
    if (text == "-" || text == "/dev/stdin") return 0;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (!text.starts_with(folder)) continue;
        int number = 0;
        const char* end = text.data() + text.size();
        const auto [at, error] = std::from_chars(text.data() + folder.size(), end, number);
        if (error == std::errc() && at == end && number >= 0) return number;
    }
    return std::nullopt;
}

std::string shownName(const fs::path& path) {
    return openDescriptor(path) == 0 ? "standard input" : nameOf(path);
}

Result<std::string> readInput(const fs::path& path, const Limits& limits) {
    const std::optional<int> descriptor = openDescriptor(path);
    if (!descriptor) return readFile(path, limits);
    return readStream(*descriptor, shownName(path), limits);
}

bool isTestCaseFile(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.ends_with(".jsonl") || name.ends_with(".jsonl.gz");
}

Expanded expand(const std::vector<std::string>& files, NameFilter isWanted) {
    Expanded expanded;
    for (const std::string& file : files) {
        std::error_code error;
        if (!fs::is_directory(file, error)) {
            expanded.files.emplace_back(file);
            continue;
        }
        std::vector<fs::path> inside;
        listFolder(file, isWanted, inside, expanded.unreadable);
        absl::c_sort(inside);
        expanded.files.insert(expanded.files.end(), inside.begin(), inside.end());
    }
    absl::c_sort(expanded.unreadable);
    return expanded;
}

}  // namespace nn::schema
