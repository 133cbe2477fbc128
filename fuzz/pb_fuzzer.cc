// Binary model files.
#include "fuzz/file.h"

namespace nn::fuzz {

NNAPI_FUZZ_TARGET(pb, MODEL) { readsBackAsWritten(bytes, Format::BINARY); }

}  // namespace nn::fuzz
