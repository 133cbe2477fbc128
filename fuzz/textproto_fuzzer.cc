// Model files in protobuf's text format.
#include "fuzz/file.h"

namespace nn::fuzz {

NNAPI_FUZZ_TARGET(textproto, TEXTPROTO) { readsBackAsWritten(bytes, Format::TEXT); }

}  // namespace nn::fuzz
