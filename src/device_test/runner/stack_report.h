// The stacks of the threads of a worker that hangs or crashes.
//
// The worker has handlers for the signals that end a process, and for one by which the run asks a
// thread for its stack. They only store addresses in the page that both share; the run finds the
// names of functions while the worker still exists, and then lets it end as it would have.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "device_test/runner/call_page.h"
#include "device_test/runner/elf_symbols.h"
#include "nnapi/device_test/device_test_runner.h"
#include "nnapi/stop_condition.h"

namespace nn::testing {

// In the worker, before it opens the device, so that handlers of the driver come after these and
// take their place. A signal that already has a handler, as under a sanitizer, keeps it. `socket`
// is the worker's end: when it is shut, the run takes notice of a crash. The page has to stay.
void installStackHandlers(CallPage& page, int socket);

// In the worker, where the run has gone: if another thread has crashed, waits until that ends the
// process, so that it does not end as if nothing had happened.
void waitForCrash(const CallPage& page);

// In the run. Remembers the functions of files.
class StackReader {
   public:
    // The stacks of the threads of a process that hangs or has crashed, that of the culprit first.
    // Waits at most `patience` for threads that block signals or do not run; those have no frames.
    std::vector<ThreadStack> read(pid_t process, CallPage& page, Duration patience);

   private:
    std::map<std::string, ElfSymbols> mFiles{};
};

}  // namespace nn::testing
