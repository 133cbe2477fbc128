#include <unistd.h>

#include <string>

#include "nnapi/driver/reference.h"
#include "nnapi/service/client.h"
#include "nnapi/service/credentials.h"
#include "nnapi/service/runtime_folder.h"
#include "nnapi/service/server.h"
#include "relu.h"

using namespace nn;

int main() {
    const std::string address = "unix:/tmp/nnapi-consume-" + std::to_string(getpid());
    const auto server = service::serve({referenceDevice()}, address);
    const GeneralResult<SharedDevice> device = service::connect(address);
    if (service::runtimeFolder().empty()) return 1;
    return device.has_value() && (*device)->getSupportedOperations(relu()).has_value() ? 0 : 1;
}
