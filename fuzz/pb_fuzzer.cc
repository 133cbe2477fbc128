// Binary model files.
#include "fuzz/file.h"

NNAPI_FUZZ_TARGET(pb, MODEL) { nn::fuzz::readsBackAsWritten(bytes, nn::Format::BINARY); }
