// The results of a device test as a file, which is written line by line while the test runs, can be
// resumed, and can be merged with those of other parts. The first line describes the run:
//   {"run": {"device": "npu", "seed": 1, "shard": 2, "of": 3, "cases": 41, "total": 123, ...}}
// The other lines are those of --json, with the number of the case among all, and its file.
#pragma once

#include <string>
#include <vector>

#include "device_test/runner/json_lines.h"
#include "nnapi/device_test/device_test_runner.h"

namespace nn::testing {

// The run that a file belongs to.
struct ResultsHead {
    std::string device{};
    uint64_t seed = 1;
    size_t shard = 1;
    size_t of = 1;
    size_t cases = 0;       // of this shard
    size_t total = 0;       // of all shards
    std::string names{};    // a digest of the names of all shards
    std::string command{};  // resumes this file

    // The cases of a part, which has every of-th one.
    size_t casesOf(size_t part) const { return total / of + (part <= total % of ? 1 : 0); }

    // True for the same cases of the same list on the same device.
    bool operator==(const ResultsHead& other) const;
};

struct NumberedResult {
    size_t number = 0;  // among all cases of all shards
    CaseResult result{};
};

struct Results {
    ResultsHead head{};
    std::vector<NumberedResult> results{};  // the last one of a case counts
};

// Reads a file. An incomplete last line, as left by a killed program, is ignored.
Result<Results> readResults(const std::string& path, const Limits& limits);

// Adds results to a file; each is written when add() returns.
class ResultsFile {
   public:
    // Creates the file, replacing an old one.
    static Result<ResultsFile> create(const std::string& path, const ResultsHead& head);

    // Resumes a file with the same head, or creates one; returns its results so far.
    static Result<ResultsFile> resume(const std::string& path, const ResultsHead& head,
                                      const Limits& limits, std::vector<NumberedResult>& earlier);

    Status add(const NumberedResult& result);

   private:
    ResultsFile(std::string path, UniqueFd fd) : mPath(std::move(path)), mFd(std::move(fd)) {}

    Status write(const Json& line);

    std::string mPath;
    UniqueFd mFd;
};

// A digest of the names of a list of cases, in order.
class NamesDigest {
   public:
    void add(const std::string& name);
    std::string text() const;

   private:
    unsigned long mSum = 0;
};

}  // namespace nn::testing
