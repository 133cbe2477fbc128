// Handles ^C: long work stops, and the program reports the results so far.
#pragma once

#include <string_view>

namespace nn::cli {

class Output;

// From now on a first SIGINT requests the end of the work, and a second one ends the program at
// once.
void catchInterrupts();

// True once the user has requested the end. A StopFunction of the library.
bool interrupted();

// The end of a summary, ", then interrupted", which the program then does not report again; empty
// without an interrupt.
std::string_view thenInterrupted(const Output& output);

// True if the output for people shows that the user interrupted.
bool isInterruptReported();
void setInterruptReported();

}  // namespace nn::cli
