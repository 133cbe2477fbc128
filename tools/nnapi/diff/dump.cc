#include "tools/nnapi/diff/dump.h"

#include "nnapi/print.h"
#include "tools/nnapi/output_parts.h"

namespace nn::cli {
namespace {

class DumpComparison {
   public:
    DumpComparison(const Side& side, const Options& options, DumpReader& dump, std::string prefix)
        : mSide(side),
          mOptions(options),
          mDump(dump),
          mPrefix(std::move(prefix)),
          mCriteria(criteriaOf(side, options.exact)) {}

    Result<Verdict> run() {
        mVerdict.dumped.emplace();
        NNAPI_RETURN_IF_ERROR(mDump.begin(mPrefix));
        const Status executed = execute(mSide, mOptions, [&](const Step& step) {
            mUnusable = compare(step);
            return mUnusable.ok();
        });
        NNAPI_RETURN_IF_ERROR(mUnusable);
        mVerdict.dumped->unknown.assign(mDump.left().begin(), mDump.left().end());
        if (!mVerdict.first) mVerdict.diagnostics = diagnosticsOf(executed);
        if (executed.ok() && mFound == 0) {
            mVerdict.diagnostics = {
                    {.message =
                             fmt::format("the dump has none of the {} that are computed",
                                         counted(mVerdict.dumped->missing, "tensor", "tensors"))}};
        }
        return std::move(mVerdict);
    }

   private:
    Status compare(const Step& step) {
        std::optional<Difference> difference;
        size_t found = 0;
        for (size_t i = 0; i < step.outputs.size(); ++i) {
            const std::string name = mPrefix + mNames.next(step.graph, step.outputs[i].operand);
            auto dumped = mDump.take(name);
            if (!dumped) {
                ++mVerdict.dumped->missing;
                continue;
            }
            if (!dumped->ok()) return dumped->status();
            ++found;
            Tensor tensor = **std::move(dumped);
            const Tensor& wanted = step.outputs[i].value;
            if (tensor.dimensions.empty()) tensor.dimensions = wanted.dimensions;
            if (tensor.dimensions == wanted.dimensions &&
                tensor.data.size() != wanted.data.size()) {
                return makeError(ErrorStatus::INVALID_ARGUMENT,
                                 fmt::format("{}: has {}, allowed {} for {} {}, output {} of {}",
                                             mDump.placeOf(name),
                                             counted(tensor.data.size(), "byte", "bytes"),
                                             wanted.data.size(), toString(step.outputs[i].type),
                                             print(wanted.dimensions), i, step.place));
            }
            if (!difference) difference = differenceOf(step, i, tensor, mCriteria, mVerdict);
        }
        mFound += found;
        if (found != 0) enter(step, std::move(difference), mVerdict);
        return {};
    }

    const Side& mSide;
    const Options& mOptions;
    DumpReader& mDump;
    const std::string mPrefix;
    const testing::Criteria mCriteria;
    DumpNames mNames;
    Verdict mVerdict;
    Status mUnusable;
    size_t mFound = 0;  // tensors
};

}  // namespace

Result<Verdict> compareWithDump(const Side& side, const Options& options, DumpReader& dump,
                                const std::string& prefix) {
    return DumpComparison(side, options, dump, prefix).run();
}

}  // namespace nn::cli
