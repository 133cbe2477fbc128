// Limits of the machine, measured together with the rows that are compared with them.
#pragma once

#include <cstddef>

namespace nn {

// Seconds that copying takes, reading and writing that many bytes in total, from memory that was
// just written: as far from the processor as the operands of a row of that size.
double secondsToMove(size_t bytes);

// Multiplications and additions of float32 per second, on vectors in registers of the processor's
// full width. For double the rate is half of that.
double peakMacs();

}  // namespace nn
