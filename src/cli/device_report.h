// What a test of a device has found, for people and for other programs.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "cli/case_result.h"

namespace nn::cli {

struct DeviceReport {
    std::string device{};      // as the user called it
    std::string repeatWith{};  // "nnapi test-device --device nnapi-reference --timeout 500"
    uint64_t seed = 1;
    std::vector<CaseResult> results{};
    std::vector<std::string> unexpectedPasses{};
    std::map<std::string, CaseEnd> earlier{};  // empty: nothing to compare with
    bool isInterrupted = false;

    size_t count(CaseEnd end) const;
    size_t known() const;
    size_t deaths() const;
    bool isGood() const;
};

// The command that repeats one case, for a shell.
std::string repeatOf(const DeviceReport& report, const CaseResult& result);

// What changed since the earlier results, "12 cases are bad that were not", each with its name.
struct Changes {
    std::vector<std::string> worse{};
    std::vector<std::string> better{};
    size_t added = 0;
    size_t gone = 0;
};
Changes changesOf(const DeviceReport& report);

// A table of kinds and outcomes, what the device does not support, and changes.
std::string summaryOf(const DeviceReport& report);

// The most frequent reasons why something is not supported; empty where nothing is.
std::string reasonsOf(std::span<const CaseResult> results);

// Both replace the file, or fail.
Status writeJunit(const std::string& path, const DeviceReport& report);
// One page that needs nothing else.
Status writeHtml(const std::string& path, const DeviceReport& report);

// For text between tags and in quotes. What XML cannot hold becomes '?'.
std::string escapedForXml(std::string_view text);

}  // namespace nn::cli
