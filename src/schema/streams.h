// What comes through a pipe: bytes without a name, and so without an extension that says their
// format.
#pragma once

#include <string>
#include <string_view>

#include "nnapi/io.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"

namespace nn::schema {

enum class StreamFormat { BINARY, TEXT, JSON, TEST_CASES };  // test cases: compressed or not

// What the bytes begin as. Safe, as the four differ in that: a binary model has a first byte above
// 0x7f, JSON begins with a brace and a name, and that of a test case is not one of a model.
StreamFormat guessFormat(std::string_view bytes);

// Everything up to the end of an open descriptor, whatever it is. Messages begin with the name.
Result<std::string> readStream(int fd, std::string_view name, const Limits& limits);

// The test cases in these bytes.
Result<TestCaseReader> testCasesOf(std::string_view bytes, std::string name, const Limits& limits);

}  // namespace nn::schema
