// Model files in protobuf's text format.
#include "fuzz/file.h"

NNAPI_FUZZ_TARGET(textproto, TEXTPROTO) { nn::fuzz::readsBackAsWritten(bytes, nn::Format::TEXT); }
