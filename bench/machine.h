// What the machine itself can do, measured beside the rows that are held against it.
#pragma once

#include <cstddef>

namespace nn {

// Seconds that copying takes, in all reading and writing that many bytes, from memory that was just
// written: as far from the processor as the operands of a row of that size are.
double secondsToMove(size_t bytes);

// Multiplications and additions of float32 a second, on vectors in registers, as wide as the
// processor has them. Of double it can do half as many.
double peakMacs();

}  // namespace nn
