// The report of a device test, as text, JSON, JUnit XML and HTML.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "cli/case_result.h"

namespace nn::cli {

struct DeviceReport {
    std::string device{};  // as the user called it
    uint64_t seed = 1;
    std::vector<CaseResult> results{};
    std::vector<std::string> unexpectedPasses{};
    std::map<std::string, CaseEnd> earlier{};  // empty: nothing to compare with
    std::vector<std::string> missing{};        // parts without results: which, and how to get them
    bool isInterrupted = false;

    size_t count(CaseEnd end) const;
    size_t known() const;
    size_t deaths() const;
    bool isGood() const;
};

// A word as a shell takes it.
std::string quoted(const std::string& word);

// What changed since the earlier results, "12 cases are bad that were not", each with its name.
struct Changes {
    std::vector<std::string> worse{};
    std::vector<std::string> better{};
    size_t added = 0;
    size_t gone = 0;
};
Changes changesOf(const DeviceReport& report);

// One result as it comes: a line of JSON, or for people what is bad and not known.
void tellResult(const Output& output, const DeviceReport& report, const CaseResult& result);

// A table of kinds and outcomes, what the device does not support, and changes.
std::string summaryOf(const DeviceReport& report);

// The most frequent reasons why something is not supported; empty where nothing is.
std::string reasonsOf(std::span<const CaseResult> results);

// Both replace the file, or fail.
Status writeJunit(const std::string& path, const DeviceReport& report);
// One page that needs nothing else.
Status writeHtml(const std::string& path, const DeviceReport& report);

// Those of the two that the options ask for, with complaints.
Exit writeReports(const CaseOptions& options, const DeviceReport& report);

// For text between tags and in quotes. What XML cannot hold becomes '?'.
std::string escapedForXml(std::string_view text);

}  // namespace nn::cli
