// Reads models from a pipe, which has no file name whose extension would tell the format.
#pragma once

#include <string>
#include <string_view>

#include "nnapi/io.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"

namespace nn::schema {

enum class StreamFormat { BINARY, TEXT, JSON, TEST_CASES };  // test cases: compressed or not

// The format that the first bytes show. This is safe because the four differ there: a binary model
// has a first byte above 0x7f, JSON begins with a brace and a name, and a test case begins with
// another name than a model.
StreamFormat guessFormat(std::string_view bytes);

// Reads an open descriptor of any kind to its end. Messages begin with the name.
Result<std::string> readStream(int fd, std::string_view name, const Limits& limits);

// The test cases in these bytes.
Result<TestCaseReader> testCasesOf(std::string_view bytes, std::string name, const Limits& limits);

}  // namespace nn::schema
