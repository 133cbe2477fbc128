// GraphDump.h -- Graphviz text of a HIDL model.
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <iostream>

#include "nnapi_android/graph_dump.h"

namespace android::nn {

// To the stream, or line by line to the log.
inline void graphDump(const char* name,
                      const ::android::hardware::neuralnetworks::V1_3::Model& model,
                      std::ostream* outStream = nullptr) {
    ::nnapi_android::dumpGraph(name, model, outStream);
}

}  // namespace android::nn
