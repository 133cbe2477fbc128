#include <nlohmann/json.hpp>

#include "nnapi/limits.h"
#include "tools/nnapi/command.h"

namespace nn::cli {

Exit limits(const Options& options) {
    const Output output(options.json);
    for (const LimitInfo& info : limitInfos()) {
        const uint64_t most = options.limits.*info.limit;
        if (output.isJson()) {
            output.object({{"name", info.name},
                           {"default", most},
                           {"counts", info.counts},
                           {"why", info.why}});
        }
        if (options.markdown) {
            output.text("- **{}** At most {} {}. {}{}.\n", ruleOf(info.limit), most, info.counts,
                        static_cast<char>(std::toupper(info.why[0])), info.why.substr(1));
        } else {
            output.text("{:<15} {:>11} {}\n", info.name, most, info.counts);
        }
    }
    return kGood;
}

}  // namespace nn::cli
