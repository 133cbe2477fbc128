// Finds and reads the input that an argument names: a file, a folder, or an open descriptor.
//
// Input is a regular file, or a descriptor that is already open (`-`, /dev/stdin, /dev/fd/N) and
// may be a pipe. Everything else is rejected before a byte is read: folders, endless devices, named
// pipes without a writer.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "nnapi/limits.h"
#include "nnapi/result.h"

namespace nn::schema {

// The number of the descriptor that a path denotes.
std::optional<int> openDescriptor(const std::filesystem::path& path);

// "standard input", or the path.
std::string shownName(const std::filesystem::path& path);

// All bytes, up to the limit for files.
Result<std::string> readInput(const std::filesystem::path& path, const Limits& limits);

bool isTestCaseFile(const std::filesystem::path& path);

struct Expanded {
    std::vector<std::filesystem::path> files{};
    std::vector<std::string> unreadable{};  // messages about folders
};

// Replaces folders by the files in them and in their folders, sorted: those whose name is that of a
// model or of test cases, or is wanted as well. Links are not followed.
using NameFilter = bool (*)(const std::filesystem::path& path);
Expanded expand(const std::vector<std::string>& files, NameFilter isWanted = nullptr);

}  // namespace nn::schema
