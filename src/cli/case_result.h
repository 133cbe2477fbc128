// The result of one device test case, in memory and as a line of JSON.
#pragma once

#include <optional>
#include <string>

#include "cli/command.h"
#include "nnapi/testing/device_test.h"

namespace nn::cli {

enum class CaseEnd {
    SUCCESS,
    FAILURE,
    HANG,           // no answer in time
    CRASH,          // the process ended
    NOT_SUPPORTED,  // what the device may lack
};

// "success", "failure", "hang", "crash", "notSupported"
std::string_view toString(CaseEnd end);
std::optional<CaseEnd> parseCaseEnd(std::string_view text);

// What is known of a case before it runs.
struct CaseHead {
    Name name{};
    std::string kind{};
    std::string operation{};
    std::string type{};
    std::string path{};
    std::string file{};  // with the test case; empty where there is none
};

struct CaseResult {
    CaseHead head{};
    CaseEnd end = CaseEnd::SUCCESS;
    testing::DeviceOutcome outcome{};  // why it did not succeed
    Duration took{};
    bool isKnown = false;  // listed among the known failures
    std::string repeat{};  // of a bad one: the command that runs it alone, for a shell

    bool isBad() const {
        return end == CaseEnd::FAILURE || end == CaseEnd::HANG || end == CaseEnd::CRASH;
    }
    // A driver process that went away, seen as a call that fails.
    bool isDeath() const { return outcome.code == ErrorStatus::DEAD_OBJECT; }
};

// "execute: GENERAL_FAILURE: ... [rule 13]"
std::string reasonOf(const CaseResult& result);

// What a worker answers: without what its parent knows.
Json toJson(const testing::DeviceOutcome& outcome);
testing::DeviceOutcome outcomeOf(const Json& json);

// The line of --json, and back. Without a value where the line is of something else.
Json toJson(const CaseResult& result);
std::optional<CaseResult> caseResultOf(const Json& json);

}  // namespace nn::cli
