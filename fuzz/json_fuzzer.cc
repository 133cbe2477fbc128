// Model files in JSON.
#include "fuzz/file.h"

NNAPI_FUZZ_TARGET(json, JSON) { nn::fuzz::readsBackAsWritten(bytes, nn::Format::JSON); }
