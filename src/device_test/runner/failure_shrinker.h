// Shrinks the test cases of failures: the candidates run in a worker process.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "device_test/runner/candidate_worker.h"
#include "device_test/runner/case_lister.h"

namespace nn::testing {

class FailureShrinker {
   public:
    FailureShrinker(const DeviceRunOptions& run, const ShrinkRunOptions& options,
                    WorkerSetup setup);
    ~FailureShrinker();
    FailureShrinker(const FailureShrinker&) = delete;
    FailureShrinker& operator=(const FailureShrinker&) = delete;

    // See DeviceRun::shrink().
    Result<std::vector<ShrunkFailure>> shrinkAll(const DeviceReport& report,
                                                 const std::deque<Listed>& listed);

   private:
    struct Failing;

    Result<ShrunkFailure> shrinkOne(const CaseResult& result, const Listed& listed);
    // The test case of a failing case; a reason where it has none.
    Result<TestCase> draw(const Listed& listed, std::string& why);
    Result<TestCase> shrunkAlone(Failing& failing, const TestCase& testCase, ShrunkFailure& made);
    Result<TestCase> shrunk(const Failing& failing, const TestCase& testCase, ShrunkFailure& made);
    Result<CaseResult> resultWith(const Failing& failing, const TestCase& testCase);
    // Writes the files, and runs the first of them.
    Status write(const Failing& failing, TestCase testCase, ShrunkFailure& made);
    Status repeat(const Failing& failing, const std::string& file, const TestCase& testCase,
                  ShrunkFailure& made);
    bool isInput(const std::filesystem::path& file) const;
    std::string freeName(const CaseHead& head);

    const DeviceRunOptions& mRun;
    const ShrinkRunOptions& mOptions;
    const WorkerSetup mSetup;
    std::string mScratch{};  // the file of the candidate
    std::set<std::string> mNames{};
    std::set<std::string> mSeen{};
};

}  // namespace nn::testing
