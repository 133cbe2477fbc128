#include "device_test/runner/case_result.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "base/plurals.h"
#include "base/printable.h"
#include "device_test/runner/statistics.h"
#include "nnapi/type_utils.h"

namespace nn::testing {
namespace {

constexpr size_t kMaxFrames = 12;  // of a stack in text

// Bounds of the texts of a case; a run may have a million cases.
constexpr size_t kMaxTextBytes = 16 << 10;
constexpr size_t kMaxRemarks = 64;

std::string kept(std::string text) {
    if (text.size() <= kMaxTextBytes) return text;
    return std::string(beginningOf(text, kMaxTextBytes)) + "...";
}

std::string textIn(const Json& json, const char* key) { return kept(json.value(key, "")); }

}  // namespace

std::string_view toString(CaseEnd end) {
    switch (end) {
        case CaseEnd::SUCCESS:
            return "success";
        case CaseEnd::FAILURE:
            return "failure";
        case CaseEnd::HANG:
            return "hang";
        case CaseEnd::CRASH:
            return "crash";
        case CaseEnd::NOT_SUPPORTED:
            return "notSupported";
    }
    return "unknown";
}

std::string reasonOf(const CaseResult& result) {
    return result.end == CaseEnd::SUCCESS ? "" : toString(result.outcome);
}

std::string toString(const CaseResult& result) {
    std::string end(toString(result.end));
    std::ranges::transform(end, end.begin(), [](unsigned char c) { return std::toupper(c); });
    return fmt::format("{} {}: {}", end, printable(result.head.name), onOneLine(reasonOf(result)));
}

// On one line, without the middle of a long list of parameters.
static std::string shortened(std::string_view frame) {
    constexpr size_t kBegin = 100, kEnd = 40;
    if (frame.size() <= kBegin + kEnd) return onOneLine(frame);
    const std::string_view begin = beginningOf(frame, kBegin);
    const std::string_view end = frame.substr(beginningOf(frame, frame.size() - kEnd).size());
    return onOneLine(begin) + " ... " + onOneLine(end);
}

static std::string linesOf(const ThreadStack& stack) {
    std::string text = fmt::format("  thread {}{}:", onOneLine(stack.thread),
                                   stack.call.empty() ? "" : ", in " + onOneLine(stack.call));
    if (stack.frames.empty()) text += " no stack, state " + onOneLine(stack.state);
    text += '\n';
    for (size_t i = 0; i < std::min(stack.frames.size(), kMaxFrames); ++i) {
        text += fmt::format("    {}\n", shortened(stack.frames[i]));
    }
    if (stack.frames.size() > kMaxFrames) {
        text += fmt::format("    ... {} frames in all\n", stack.frames.size());
    }
    return text;
}

std::string detailsOf(const CaseResult& result) {
    std::string text;
    if (!result.arguments.empty()) text += fmt::format("  with {}\n", onOneLine(result.arguments));
    size_t others = 0;
    for (const ThreadStack& stack : result.stacks) {
        // The culprit is the first one.
        const bool isShown = &stack == result.stacks.data() || !stack.call.empty();
        if (isShown) {
            text += linesOf(stack);
        } else {
            ++others;
        }
    }
    if (others != 0) text += fmt::format("  and {}\n", Plural{others, "other threads"});
    return text;
}

namespace {

constexpr std::array kEnds = {CaseEnd::SUCCESS, CaseEnd::FAILURE, CaseEnd::HANG, CaseEnd::CRASH,
                              CaseEnd::NOT_SUPPORTED};

// JSON has no NaN and no infinity.
Json numberOf(double value) {
    if (std::isfinite(value)) return value;
    return fmt::format("{}", value);
}

Json jsonOf(const DeviceOutcome::Difference& first, Json type) {
    return {{"output", first.output},
            {"type", std::move(type)},
            {"element", first.element},
            {"expected", numberOf(first.expected)},
            {"actual", numberOf(first.actual)}};
}

DeviceOutcome::Result resultOf(CaseEnd end) {
    using Result = DeviceOutcome::Result;
    return end == CaseEnd::SUCCESS         ? Result::PASSED
           : end == CaseEnd::NOT_SUPPORTED ? Result::NOT_SUPPORTED
                                           : Result::FAILED;
}

Json jsonOf(const std::vector<ThreadStack>& stacks) {
    Json json = Json::array();
    for (const ThreadStack& stack : stacks) {
        json.push_back({{"thread", stack.thread},
                        {"call", stack.call},
                        {"state", stack.state},
                        {"frames", stack.frames}});
    }
    return json;
}

std::vector<ThreadStack> stacksOf(const Json& json) {
    std::vector<ThreadStack> stacks;
    for (const Json& stack : json.value("stacks", Json::array())) {
        stacks.push_back({.thread = stack.at("thread").get<std::string>(),
                          .call = stack.at("call").get<std::string>(),
                          .state = stack.value("state", ""),
                          .frames = stack.at("frames").get<std::vector<std::string>>()});
    }
    return stacks;
}

// A code without a name is GENERAL_FAILURE.
ErrorStatus codeOf(const std::string& name) {
    for (int32_t code = 0; code <= static_cast<int32_t>(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
         ++code) {
        if (nn::toString(ErrorStatus{code}) == name) return ErrorStatus{code};
    }
    return name == nn::toString(ErrorStatus::DEAD_OBJECT) ? ErrorStatus::DEAD_OBJECT
                                                          : ErrorStatus::GENERAL_FAILURE;
}

double numberIn(const Json& json, const char* key) {
    const Json value = json.value(key, Json());
    if (value.is_number()) return value.get<double>();
    return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr) : 0;
}

std::vector<std::string> remarksIn(const Json& json) {
    auto remarks = json.value("remarks", std::vector<std::string>());
    remarks.resize(std::min(remarks.size(), kMaxRemarks));
    for (std::string& remark : remarks) remark = kept(std::move(remark));
    return remarks;
}

}  // namespace

std::optional<CaseEnd> parseCaseEnd(std::string_view text) {
    for (const CaseEnd end : kEnds) {
        if (toString(end) == text) return end;
    }
    return std::nullopt;
}

Json toJson(const DeviceOutcome& outcome) {
    Json json = {{"result", toString(outcome.result)}};
    if (!outcome.place.empty()) json["place"] = outcome.place;
    if (!outcome.message.empty()) json["message"] = kept(outcome.message);
    if (!outcome.rules.empty()) json["rules"] = outcome.rules;
    if (outcome.code) json["code"] = static_cast<int32_t>(*outcome.code);
    if (!outcome.statistics.empty()) json["statistics"] = toJson(outcome.statistics);
    if (!outcome.remarks.empty()) json["remarks"] = outcome.remarks;
    if (!outcome.operation.empty()) json["operation"] = outcome.operation;
    if (const auto& first = outcome.firstDifference) {
        json["first"] = jsonOf(*first, static_cast<int32_t>(first->type));
    }
    return json;
}

DeviceOutcome outcomeOf(const Json& json) {
    using Result = DeviceOutcome::Result;
    DeviceOutcome outcome{.result = Result::FAILED,
                          .place = textIn(json, "place"),
                          .message = textIn(json, "message"),
                          .rules = textIn(json, "rules"),
                          .operation = textIn(json, "operation")};
    for (const Result result : {Result::PASSED, Result::NOT_SUPPORTED}) {
        if (json.value("result", "") == toString(result)) outcome.result = result;
    }
    if (json.contains("statistics")) outcome.statistics = statisticsOf(json["statistics"]);
    if (json.contains("code")) outcome.code = static_cast<ErrorStatus>(json.value("code", 0));
    outcome.remarks = remarksIn(json);
    if (json.contains("first")) {
        const Json& first = json["first"];
        outcome.firstDifference = {.output = first.value("output", 0u),
                                   .type = static_cast<OperandType>(first.value("type", 0)),
                                   .element = first.value("element", uint64_t{0}),
                                   .expected = numberIn(first, "expected"),
                                   .actual = numberIn(first, "actual")};
    }
    return outcome;
}

bool isOutcome(const Json& line) try {
    using Result = DeviceOutcome::Result;
    const std::string result = line.value("result", "");
    (void)outcomeOf(line);
    return absl::c_any_of(std::array{Result::PASSED, Result::FAILED, Result::NOT_SUPPORTED},
                          [&](Result each) { return result == toString(each); });
} catch (const Json::exception&) {
    return false;
}

bool isReadyLine(const Json& line) { return line.is_object() && line.contains("ready"); }

Json toJson(const CaseResult& result) {
    const DeviceOutcome& outcome = result.outcome;
    Json json = {{"name", result.head.name},
                 {"kind", result.head.kind},
                 {"operation", result.head.operation},
                 {"type", result.head.type},
                 {"path", result.head.path},
                 {"outcome", toString(result.end)},
                 {"known", result.isKnown},
                 {"place", outcome.place},
                 {"message", outcome.message},
                 {"rules", outcome.rules},
                 {"code", outcome.code ? Json(nn::toString(*outcome.code)) : Json()},
                 {"first", nullptr},
                 {"microseconds",
                  std::chrono::duration_cast<std::chrono::microseconds>(result.took).count()}};
    if (const auto& first = outcome.firstDifference) {
        json["first"] = jsonOf(*first, nn::toString(first->type));
    }
    for (const DeviceRule& rule : deviceRulesIn(outcome.rules))
        json["ruleSources"].push_back(sourceOf(rule));
    if (!outcome.statistics.empty()) json["statistics"] = toJson(outcome.statistics);
    if (result.end != CaseEnd::SUCCESS) json["cause"] = causeOf(result);
    if (!result.arguments.empty()) json["arguments"] = result.arguments;
    if (!result.stacks.empty()) json["stacks"] = jsonOf(result.stacks);
    if (!outcome.remarks.empty()) json["remarks"] = outcome.remarks;
    if (!result.repeat.empty()) json["repeat"] = result.repeat;
    return json;
}

// A file may have any number.
static std::chrono::microseconds microsecondsIn(const Json& json) {
    constexpr int64_t kYear = int64_t{365} * 24 * 3600 * 1'000'000;
    return std::chrono::microseconds(
            std::clamp<int64_t>(json.at("microseconds").get<int64_t>(), 0, kYear));
}

std::optional<CaseResult> caseResultOf(const Json& json) try {
    if (!json.is_object()) return std::nullopt;
    const auto end = parseCaseEnd(json.at("outcome").get<std::string>());
    if (!end) return std::nullopt;
    const auto text = [&](const char* key) { return json.at(key).get<std::string>(); };
    CaseResult result{.head = {.name = text("name"),
                               .kind = text("kind"),
                               .operation = text("operation"),
                               .type = text("type"),
                               .path = text("path")},
                      .end = *end,
                      .outcome = {.result = resultOf(*end),
                                  .place = text("place"),
                                  .message = text("message"),
                                  .rules = text("rules"),
                                  .remarks = remarksIn(json)},
                      .arguments = json.value("arguments", ""),
                      .stacks = stacksOf(json),
                      .took = microsecondsIn(json),
                      .isKnown = json.at("known").get<bool>(),
                      .repeat = json.value("repeat", "")};
    if (json.contains("statistics")) {
        result.outcome.statistics = statisticsOf(json.at("statistics"));
    }
    if (const Json& code = json.at("code"); !code.is_null()) {
        result.outcome.code = codeOf(code.get<std::string>());
    }
    if (const Json& first = json.at("first"); !first.is_null()) {
        result.outcome.firstDifference = {
                .output = first.at("output").get<uint32_t>(),
                .type = parseOperandType(first.at("type").get<std::string>())
                                .value_or(OperandType::FLOAT32),
                .element = first.at("element").get<uint64_t>(),
                .expected = numberIn(first, "expected"),
                .actual = numberIn(first, "actual")};
    }
    return result;
} catch (const Json::exception&) {
    return std::nullopt;
}

}  // namespace nn::testing
