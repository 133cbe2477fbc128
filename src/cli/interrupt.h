// Handles ^C: long work stops, and the program reports what was done so far.
#pragma once

namespace nn::cli {

// From now on a first SIGINT asks the work to end, and a second ends the program at once.
void catchInterrupts();

// Has the user asked the work to end? A StopFunction of the library.
bool interrupted();

}  // namespace nn::cli
