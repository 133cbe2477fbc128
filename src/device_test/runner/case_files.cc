#include "device_test/runner/case_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <sstream>

#include "base/files.h"
#include "base/printable.h"
#include "base/status_message.h"
#include "device_test/runner/case_result.h"
#include "model_io/inputs.h"
#include "nnapi/type_utils.h"

namespace nn::testing {
namespace {

// Calls a function with each line and its place.
Status forEachLine(
        const std::string& path, const Limits& limits,
        const std::function<Status(const std::string& line, const std::string& place)>& function) {
    NNAPI_ASSIGN_OR_RETURN(content, schema::readInput(path, limits));
    std::istringstream lines(content);
    size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        const std::string place = fmt::format("{}:{}", nameOf(path), ++number);
        NNAPI_RETURN_IF_ERROR(function(line, place));
    }
    return {};
}

// The same for lines that are not empty without comments and surrounding spaces.
Status forEachEntry(
        const std::string& path, const Limits& limits,
        const std::function<Status(const std::string& entry, const std::string& place)>& function) {
    return forEachLine(path, limits, [&](std::string line, const std::string& place) -> Status {
        line.erase(std::min(line.find('#'), line.size()));
        const size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string::npos) return {};
        return function(line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin), place);
    });
}

bool isTolerance(const std::string& word, double* value) {
    const char* end = word.data() + word.size();
    const auto [at, error] = std::from_chars(word.data(), end, *value);
    return error == std::errc() && at == end && *value >= 0;
}

Result<OperationTolerance> toleranceOf(const std::string& line, const std::string& place) {
    std::istringstream words(line);
    std::string operation, type, absolute, relative, more;
    words >> operation >> type >> absolute >> relative;
    OperationTolerance row;
    if (operation != "*") {
        row.operation = parseOperationType(operation);
        if (!row.operation) return wrongAt(place, "there is no operation " + printable(operation));
    }
    const auto parsed = parseOperandType(type);
    if (!parsed) return wrongAt(place, "there is no type of operands " + printable(type));
    row.type = *parsed;
    if (!isTolerance(absolute, &row.tolerance.absolute) ||
        !isTolerance(relative, &row.tolerance.relative) || words >> more) {
        return wrongAt(place,
                       "expected an operation or *, a type, an absolute and a relative tolerance, "
                       "both numbers from 0");
    }
    return row;
}

}  // namespace

Status wrongAt(const std::string& place, const std::string& message) {
    return makeError(ErrorStatus::INVALID_ARGUMENT, fmt::format("{}: {}", place, message));
}

Result<KnownFailures> KnownFailures::read(const std::string& path, const Limits& limits) {
    KnownFailures known;
    NNAPI_RETURN_IF_ERROR(forEachEntry(
            path, limits, [&](const std::string& line, const std::string& place) -> Status {
                Result<Pattern> pattern = Pattern::parse(line);
                if (!pattern.ok()) return wrongAt(place, messageOf(pattern.status()));
                known.mLines.push_back({.place = place, .pattern = *std::move(pattern)});
                return {};
            }));
    return known;
}

void KnownFailures::look(CaseResult& result) {
    for (Line& line : mLines) {
        if (!line.pattern.fits(result.head.name)) continue;
        if (result.isBad()) {
            result.isKnown = true;
            ++line.bad;
        } else if (result.end == CaseEnd::SUCCESS) {
            ++line.passed;
        }
    }
}

std::vector<std::string> KnownFailures::unexpectedPasses() const {
    std::vector<std::string> passes;
    for (const Line& line : mLines) {
        if (line.passed == 0 || line.bad != 0) continue;
        passes.push_back(fmt::format("{}: {}", line.place, printable(line.pattern.text())));
    }
    return passes;
}

Result<std::vector<OperationTolerance>> readTolerances(const std::string& path,
                                                       const Limits& limits) {
    std::vector<OperationTolerance> rows;
    NNAPI_RETURN_IF_ERROR(forEachEntry(
            path, limits, [&](const std::string& line, const std::string& place) -> Status {
                Result<OperationTolerance> row = toleranceOf(line, place);
                if (!row.ok()) return row.status();
                rows.push_back(*std::move(row));
                return {};
            }));
    return rows;
}

Result<std::map<std::string, CaseEnd>> readEarlier(const std::string& path, const Limits& limits) {
    std::map<std::string, CaseEnd> ends;
    NNAPI_RETURN_IF_ERROR(forEachLine(
            path, limits, [&](const std::string& line, const std::string& place) -> Status {
                const Json json = parseLine(line);
                if (json.is_object() && json.contains("notRun")) return {};
                const bool isRow = json.is_object() && json.contains("name") &&
                                   json["name"].is_string() && json.contains("outcome") &&
                                   json["outcome"].is_string();
                const auto end = isRow ? parseCaseEnd(json["outcome"].get<std::string>())
                                       : std::optional<CaseEnd>();
                if (!end) return wrongAt(place, "is not a line that test-device --json writes");
                ends[json["name"].get<std::string>()] = *end;
                return {};
            }));
    return ends;
}

}  // namespace nn::testing
