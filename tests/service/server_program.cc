// A server in a process of its own: PATH PHASE TOLD. It writes "+" to the descriptor TOLD when it
// serves, and "!" when its device has stopped in the phase.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "fault_device.h"
#include "nnapi/service/server.h"

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const int told = std::atoi(argv[3]);
    auto server = nn::service::serve(
            {std::make_shared<const nn::FaultDevice>(nn::phaseOf(argv[2]), told)},
            "unix:" + std::string(argv[1]));
    if (!server.has_value()) return 1;
    (void)!write(told, "+", 1);
    while (true) pause();
}
