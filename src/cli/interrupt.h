// ^C in long work: it ends after what was done so far has been told.
#pragma once

namespace nn::cli {

// From now on the first SIGINT asks the work to end, and the second ends the program at once.
void catchInterrupts();

// Has the user asked the work to end? A StopFunction of the library.
bool interrupted();

}  // namespace nn::cli
