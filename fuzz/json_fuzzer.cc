// Model files in JSON.
#include "fuzz/file.h"

namespace nn::fuzz {

NNAPI_FUZZ_TARGET(json, JSON) { readsBackAsWritten(bytes, Format::JSON); }

}  // namespace nn::fuzz
