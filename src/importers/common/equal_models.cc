#include "importers/common/equal_models.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/plurals.h"
#include "importers/common/constant_reader.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"

namespace nn::importing {
namespace {

class Comparison {
   public:
    Comparison(ConstantReader a, ConstantReader b) : mA(std::move(a)), mB(std::move(b)) {}

    std::string run() {
        if (mA.model().relaxComputationFloat32toFloat16 !=
            mB.model().relaxComputationFloat32toFloat16) {
            return "relaxComputationFloat32toFloat16 differs";
        }
        mGraphs.emplace_back(&mA.model().main, &mB.model().main, "main");
        for (size_t i = 0; i < mGraphs.size(); ++i) {  // the list grows meanwhile
            const auto [a, b, path] = mGraphs[i];
            std::string difference = compare(*a, *b, path);
            if (!difference.empty()) return difference;
        }
        return {};
    }

   private:
    using Graph = Model::Subgraph;

    std::string compare(const Graph& a, const Graph& b, const std::string& path) {
        mPairs.clear();
        mPaired.clear();
        mPath = path;
        std::string difference = list(a, b, a.inputIndexes, b.inputIndexes, path + ".inputIndexes");
        if (!difference.empty()) return difference;
        if (a.operations.size() != b.operations.size()) {
            return fmt::format("{}: has {} and {} operations", path, a.operations.size(),
                               b.operations.size());
        }
        for (size_t i = 0; i < a.operations.size(); ++i) {
            const Operation &one = a.operations[i], &other = b.operations[i];
            const std::string place = fmt::format("{}.operations[{}]", path, i);
            if (one.type != other.type) {
                return fmt::format("{}: is {} and {}", place, toString(one.type),
                                   toString(other.type));
            }
            difference = list(a, b, one.inputs, other.inputs, place + ".inputs");
            if (!difference.empty()) return difference;
            difference = list(a, b, one.outputs, other.outputs, place + ".outputs");
            if (!difference.empty()) return difference;
        }
        return list(a, b, a.outputIndexes, b.outputIndexes, path + ".outputIndexes");
    }

    std::string list(const Graph& a, const Graph& b, const std::vector<uint32_t>& one,
                     const std::vector<uint32_t>& other, const std::string& place) {
        if (one.size() != other.size()) {
            return fmt::format("{}: has {} and {}", place, Plural{one.size(), "operands"},
                               other.size());
        }
        for (size_t i = 0; i < one.size(); ++i) {
            const std::string difference = pair(a, b, one[i], other[i]);
            if (!difference.empty()) return fmt::format("{}[{}]: {}", place, i, difference);
        }
        return {};
    }

    // What differs between operands. Those that are no constants stand for each other from then on.
    std::string pair(const Graph& a, const Graph& b, uint32_t one, uint32_t other) {
        const Operand &x = a.operands[one], &y = b.operands[other];
        if (x.type != y.type)
            return fmt::format("is {} and {}", toString(x.type), toString(y.type));
        if (x.dimensions != y.dimensions) {
            return fmt::format("has dimensions {} and {}", DimensionList{x.dimensions},
                               DimensionList{y.dimensions});
        }
        if (x.scale != y.scale || x.zeroPoint != y.zeroPoint || x.extraParams != y.extraParams) {
            return fmt::format("has scale {} and {}, zero point {} and {}", x.scale, y.scale,
                               x.zeroPoint, y.zeroPoint);
        }
        const auto bytes = mA.bytesOf(x), others = mB.bytesOf(y);
        if (bytes && others) return absl::c_equal(*bytes, *others) ? "" : "has another value";
        if (bytes || others) return "is a constant in one of them";
        if (x.lifetime != y.lifetime) {
            return fmt::format("is {} and {}", toString(x.lifetime), toString(y.lifetime));
        }
        if (x.lifetime == Operand::LifeTime::NO_VALUE) return {};
        if (x.lifetime == Operand::LifeTime::SUBGRAPH) {
            follow(x.location.offset, y.location.offset);
            return {};
        }
        const bool isKnown = mPairs.contains(one);
        if (isKnown ? mPairs.at(one) != other : !mPaired.insert(other).second) {
            return "is another operand";
        }
        mPairs[one] = other;
        return {};
    }

    void follow(uint32_t a, uint32_t b) {
        if (!mFollowed.emplace(a, b).second) return;
        mGraphs.emplace_back(&mA.model().referenced[a], &mB.model().referenced[b],
                             fmt::format("referenced[{}]", a));
    }

    ConstantReader mA, mB;
    std::vector<std::tuple<const Graph*, const Graph*, std::string>> mGraphs;
    std::set<std::pair<uint32_t, uint32_t>> mFollowed;
    std::map<uint32_t, uint32_t> mPairs;
    std::set<uint32_t> mPaired;
    std::string mPath;
};

}  // namespace

Result<std::string> differenceOf(const Model& a, const Model& b) {
    NNAPI_ASSIGN_OR_RETURN(one, ConstantReader::of(a));
    NNAPI_ASSIGN_OR_RETURN(other, ConstantReader::of(b));
    return Comparison(std::move(one), std::move(other)).run();
}

}  // namespace nn::importing
