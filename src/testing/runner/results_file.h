// The results of a test of a device as a file: written line by line while the test runs, gone on
// with where it stopped, and merged with those of other parts. The first line says what was run:
//   {"run": {"device": "npu", "seed": 1, "shard": 2, "of": 3, "cases": 41, "total": 123, ...}}
// and the others are those of --json, with the number of the case among all, and its file.
#pragma once

#include <string>
#include <vector>

#include "nnapi/testing/device_test_runner.h"
#include "testing/runner/json_lines.h"

namespace nn::testing {

// Which cases a file is about.
struct ResultsHead {
    std::string device{};
    uint64_t seed = 1;
    size_t shard = 1;
    size_t of = 1;
    size_t cases = 0;       // of this shard
    size_t total = 0;       // of all shards
    std::string names{};    // a digest of the names of all shards
    std::string command{};  // that goes on with this file

    // The same cases of the same list on the same device.
    bool operator==(const ResultsHead& other) const;
};

struct NumberedResult {
    size_t number = 0;  // among all cases of all shards
    CaseResult result{};
};

struct Results {
    ResultsHead head{};
    std::vector<NumberedResult> results{};  // a case may be there several times: the last counts
};

// Reads a file, also one that a killed program has left: a last line that is not whole is dropped.
Result<Results> readResults(const std::string& path, const Limits& limits);

// Adds results to a file; each is there when add() returns.
class ResultsFile {
   public:
    // Begins the file anew.
    static Result<ResultsFile> create(const std::string& path, const ResultsHead& head);

    // Goes on with a file of the same head, or begins one; gives what it has so far.
    static Result<ResultsFile> resume(const std::string& path, const ResultsHead& head,
                                      const Limits& limits, std::vector<NumberedResult>& earlier);

    Status add(const NumberedResult& result);

   private:
    ResultsFile(std::string path, UniqueFd fd) : mPath(std::move(path)), mFd(std::move(fd)) {}

    Status write(const Json& line);

    std::string mPath;
    UniqueFd mFd;
};

// Of the names of a list of cases, in their order.
class NamesDigest {
   public:
    void add(const std::string& name);
    std::string text() const;

   private:
    unsigned long mSum = 0;
};

}  // namespace nn::testing
