// The networks of examples/, with their inputs.
#pragma once

#include <string>

#include "nnapi/io.h"

namespace nn {

inline TestCase example(const std::string& name) {
    return **TestCaseReader::open(NNAPI_SOURCE_DIR "/examples/" + name + ".jsonl.gz")->next();
}

}  // namespace nn
