// Handles ^C: long work stops, and the program reports the results so far.
#pragma once

namespace nn::cli {

// From now on a first SIGINT requests the end of the work, and a second one ends the program at
// once.
void catchInterrupts();

// True once the user has requested the end. A StopFunction of the library.
bool interrupted();

}  // namespace nn::cli
