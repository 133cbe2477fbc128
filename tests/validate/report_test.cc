// The reports of validators: the findings that are kept, and the one that determines the status.
#include "validate/report.h"

#include "validate/models.h"

namespace nn::report_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Version V1_1 = kVersionFeatureLevel2, V1_2 = kVersionFeatureLevel3,
                  V1_3 = kVersionFeatureLevel4;
constexpr Version kRuntimeOnly{.level = Version::Level::FEATURE_LEVEL_1,
                               .runtimeOnlyFeatures = true};

TEST(Place, IsAPath) {
    const Place main{nullptr, "main"};
    const Place first{nullptr, "", 0};
    const Place operation{&main, "operations", 4, "SOFTMAX"};
    EXPECT_EQ(Place().path(), "");
    EXPECT_EQ(main.path(), "main");
    EXPECT_EQ(first.path(), "[0]");
    EXPECT_EQ(operation.path(), "main.operations[4]");
    EXPECT_EQ((Place{&first, "dimensions"}.path()), "[0].dimensions");
    EXPECT_EQ(placeOfReferenced(2).path(), "referenced[2]");
}

// One error is enough unless all are requested, and unrequested findings are not kept.
TEST(Report, KeepsTheFirstErrorOnly) {
    Report report;
    EXPECT_FALSE(report.done());
    report.requireVersion({nullptr, "a"}, V1_2, "a thing");
    report.warn({nullptr, "a"}, "x.y", "is odd");
    EXPECT_TRUE(report.ok());
    EXPECT_TRUE(report.isLegal());
    report.fail({nullptr, "b"}, "x.y", "is wrong");
    EXPECT_TRUE(report.done());
    report.fail({nullptr, "c"}, "x.y", "is wrong, too");
    EXPECT_FALSE(report.isLegal());
    EXPECT_THAT(report.result(), Refuses("b: is wrong [x.y]"));
    const Findings findings = std::move(report).takeFindings();
    EXPECT_EQ(findings.version, V1_2);
    EXPECT_THAT(textsOf(findings.errors), ElementsAre("b: is wrong [x.y]"));
    EXPECT_THAT(textsOf(findings.warnings), IsEmpty());
    EXPECT_THAT(textsOf(findings.causes), IsEmpty());
}

TEST(Report, CollectsAllUpToALimit) {
    for (const size_t most : {size_t{2}, size_t{3}}) {
        Report report({.collectAll = true, .maxDiagnostics = most});
        for (const std::string_view field : {"a", "b", "c"}) {
            const Place place{nullptr, field};
            report.requireVersion(place, V1_2, "a thing");
            report.warn(place, "x.y", "is odd");
            report.fail(place, "x.y", "is wrong");
            EXPECT_FALSE(report.done());
        }
        const Findings findings = std::move(report).takeFindings();
        std::vector<std::string> errors, warnings, causes;
        for (const std::string field : {"a", "b", "c"}) {
            if (errors.size() == most) break;
            errors.push_back(field + ": is wrong [x.y]");
            warnings.push_back(field + ": is odd [x.y]");
            causes.push_back(field + ": a thing needs HAL 1.2");
        }
        EXPECT_EQ(textsOf(findings.errors), errors);
        EXPECT_EQ(textsOf(findings.warnings), warnings);
        EXPECT_EQ(textsOf(findings.causes), causes);
    }
}

// With a limit of 0 an invalid object would pass.
TEST(Report, KeepsOneErrorAtLeast) {
    Report report({.collectAll = true, .maxDiagnostics = 0});
    report.fail({}, "x.y", "is wrong");
    report.fail({}, "x.y", "is wrong");
    EXPECT_THAT(textsOf(std::move(report).takeFindings().errors), ElementsAre("is wrong [x.y]"));
}

TEST(Report, KeepsTheCausesOfTheLatestVersionAndOfRuntimeOnlyFeatures) {
    const auto causesOf = [](bool hasLater) {
        Report report({.collectAll = true});
        report.requireVersion({nullptr, "a"}, kVersionFeatureLevel1, "nothing");
        report.requireVersion({nullptr, "b"}, kRuntimeOnly, "a loop");
        report.requireVersion({nullptr, "c"}, V1_2, "a thing");
        report.requireVersion({nullptr, "c"}, V1_2, "a thing");  // reported once
        report.requireVersion({nullptr, "d"}, V1_1, "an older thing");
        report.requireVersion({nullptr, "e"}, V1_2, "a thing");
        if (hasLater) report.requireVersion({nullptr, "f", 0, "IF"}, V1_3, "IF");
        return textsOf(std::move(report).takeFindings().causes);
    };
    EXPECT_THAT(causesOf(false),
                ElementsAre("b: a loop needs HAL 1.0 with runtime-only features",
                            "c: a thing needs HAL 1.2", "e: a thing needs HAL 1.2"));
    EXPECT_THAT(causesOf(true), ElementsAre("b: a loop needs HAL 1.0 with runtime-only features",
                                            "f[0] IF: IF needs HAL 1.3"));
}

TEST(Report, WhatIsTooNewIsWrongButLegal) {
    Report report({.target = V1_1});
    report.requireVersion({nullptr, "a"}, V1_1, "an older thing");
    EXPECT_TRUE(report.ok());
    report.requireVersion({nullptr, "b"}, V1_2, "a thing");
    EXPECT_TRUE(report.isLegal());
    EXPECT_EQ(report.version(), V1_2);
    EXPECT_THAT(report.result(), Refuses("b: a thing needs HAL 1.2, target is HAL 1.1 [since]"));
}

// The status has the code of the first error.
TEST(Report, LimitsHaveACodeOfTheirOwn) {
    const auto codeOf = [](bool isWrongBefore) {
        Report report({.collectAll = true, .limits = {.rank = 2}});
        EXPECT_TRUE(report.within(&Limits::rank, 2, {}));
        if (isWrongBefore) report.fail({}, "x.y", "is wrong");
        EXPECT_FALSE(report.within(&Limits::rank, 3, {}));
        report.fail({}, "x.y", "is wrong");
        return errorStatus(report.result(ErrorStatus::GENERAL_FAILURE).status());
    };
    EXPECT_EQ(codeOf(false), ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
    EXPECT_EQ(codeOf(true), ErrorStatus::GENERAL_FAILURE);
}

TEST(Cause, IsText) {
    EXPECT_EQ(toString(Cause{.version = V1_2, .what = "a thing"}), "a thing needs HAL 1.2");
    EXPECT_EQ(toString(Cause{.version = V1_2, .path = "a", .what = "a thing"}),
              "a: a thing needs HAL 1.2");
    EXPECT_EQ(toString(Cause{.version = V1_2, .operation = "ADD", .what = "a thing"}),
              "ADD: a thing needs HAL 1.2");
    EXPECT_EQ(toString(Cause{.version = V1_2, .path = "a", .operation = "ADD", .what = "ADD"}),
              "a ADD: ADD needs HAL 1.2");
}

}  // namespace
}  // namespace nn::report_test
