// Operations that compute with whole lanes: normalizations, reductions, and layers with a state.
#include <atomic>
#include <mutex>

#include "device_test/bugs/kernels.h"
#include "nnapi/interpreter.h"

namespace nn::bugs {
namespace lanes {
namespace {

// The elements of a tensor along one axis.
struct Lanes {
    size_t outer = 1, size = 1, inner = 1;

    Lanes(std::span<const uint32_t> dimensions, int32_t axis) {
        const auto rank = static_cast<int32_t>(dimensions.size());
        if (axis < 0) axis += rank;
        for (int32_t i = 0; i < rank; ++i) {
            (i < axis ? outer : i == axis ? size : inner) *= dimensions[static_cast<size_t>(i)];
        }
    }
    // Calls visit(at), which says where the i-th element of a lane is.
    template <class Visit>
    void forEach(const Visit& visit) const {
        for (size_t o = 0; o < outer; ++o) {
            for (size_t n = 0; n < inner; ++n) {
                visit([=, this](size_t i) { return (o * size + i) * inner + n; });
            }
        }
    }
};

// y[i] = exp(beta * (x[i] - max x)) / sum over j of exp(beta * (x[j] - max x))
void softmax(const Call& call) {
    const auto &in = call.in[0], &out = call.out[0];
    const float beta = call.has(Bug::softmax_beta_ignored) ? 1 : call.real(1);
    const int32_t axis = call.has(Bug::softmax_axis_ignored) ? -1 : call.integer(2, -1);
    static std::atomic<float> accumulator = 0;  // is not cleared
    const Lanes lanes(in.dimensions, axis);
    lanes.forEach([&](const auto& at) {
        float top = -std::numeric_limits<float>::infinity();
        for (size_t i = 0; i < lanes.size; ++i) top = std::max(top, valueOf(in, at(i)));
        if (call.has(Bug::softmax_no_max)) top = 0;
        const auto term = [&](size_t i) { return std::exp(beta * (valueOf(in, at(i)) - top)); };
        float sum = call.has(Bug::softmax_unstable) ? accumulator.load() : 0;
        for (size_t i = 0; i < lanes.size; ++i) sum += term(i);
        if (call.has(Bug::softmax_unstable)) accumulator = sum / 8;
        if (call.has(Bug::softmax_sum_overflows) && !isFloat(in)) {
            const double one = std::min(8388607.0, std::nearbyint(0x1p32 / double(lanes.size)));
            sum = static_cast<float>(std::fmod(std::nearbyint(sum * one), 0x1p32) / one);
        }
        for (size_t i = 0; i < lanes.size; ++i) {
            const double share = term(i) / sum;
            if (call.has(Bug::truncates_softmax) && !isFloat(in)) {
                putStored(out, at(i), static_cast<int64_t>(share / out.scale) + out.zeroPoint);
            } else {
                putValue(out, at(i), share);
            }
        }
    });
}

// y[i] = x[i] / max(sqrt(sum over j of x[j]^2), 1e-6)
void l2Normalize(const Call& call) {
    const auto &in = call.in[0], &out = call.out[0];
    const Lanes lanes(in.dimensions, call.integer(1, -1));
    lanes.forEach([&](const auto& at) {
        double sum = 0;
        const auto element = [&](size_t i) -> double {
            return isFloat(in) ? valueOf(in, at(i)) : stored(in, at(i)) - in.zeroPoint;
        };
        for (size_t i = 0; i < lanes.size; ++i) sum += element(i) * element(i);
        double norm = std::sqrt(sum);
        if (!call.has(Bug::l2_norm_epsilon)) norm = std::max(norm, 1e-6);
        for (size_t i = 0; i < lanes.size; ++i) putValue(out, at(i), element(i) / norm);
    });
}

// y[i] = x[i] * (bias + alpha * sum of x[j]^2 for |j - i| <= radius)^-beta
void lrn(const Call& call) {
    const auto &in = call.in[0], &out = call.out[0];
    const int64_t radius = call.integer(1);
    const double bias = call.real(2), alpha = call.real(3), beta = call.real(4);
    const Lanes lanes(in.dimensions, call.integer(5, -1));
    const auto size = static_cast<int64_t>(lanes.size);
    lanes.forEach([&](const auto& at) {
        for (int64_t i = 0; i < size; ++i) {
            const int64_t end = i + radius + (call.has(Bug::lrn_radius) ? 0 : 1);
            double sum = 0;
            for (int64_t j = std::max<int64_t>(0, i - radius); j < std::min(end, size); ++j) {
                const double x = valueOf(in, at(static_cast<size_t>(j)));
                sum += x * x;
            }
            const size_t to = at(static_cast<size_t>(i));
            putValue(out, to, valueOf(in, to) * std::pow(bias + alpha * sum, -beta));
        }
    });
}

// y = (x - mean) * gamma / sqrt(variance + epsilon) + beta, over the pixels of a channel
void instanceNormalize(const Call& call) {
    const auto &in = call.in[0], &out = call.out[0];
    const double gamma = call.real(1), beta = call.real(2), epsilon = call.real(3);
    const bool isNchw = call.integer(4) != 0 || call.has(Bug::instance_norm_layout);
    const auto d = in.dimensions;
    const size_t channels = isNchw ? d[1] : d[3];
    const size_t pixels = isNchw ? size_t{d[2]} * d[3] : size_t{d[1]} * d[2];
    for (size_t b = 0; b < d[0]; ++b) {
        for (size_t c = 0; c < channels; ++c) {
            const auto at = [&](size_t p) {
                return isNchw ? (b * channels + c) * pixels + p : (b * pixels + p) * channels + c;
            };
            double mean = 0, variance = 0;
            for (size_t p = 0; p < pixels; ++p) mean += valueOf(in, at(p));
            mean /= static_cast<double>(pixels);
            for (size_t p = 0; p < pixels; ++p) {
                variance += (valueOf(in, at(p)) - mean) * (valueOf(in, at(p)) - mean);
            }
            variance /= static_cast<double>(pixels);
            for (size_t p = 0; p < pixels; ++p) {
                const double x = valueOf(in, at(p)) - mean;
                put(out, at(p),
                    static_cast<float>(x * gamma / std::sqrt(variance + epsilon) + beta));
            }
        }
    }
}

// The average of the elements along the axes.
void mean(const Call& call) {
    const auto &in = call.in[0], &out = call.out[0];
    const auto d = in.dimensions;
    std::vector<bool> isReduced(d.size(), false);
    for (const int32_t axis : call.in[1].as<int32_t>()) {
        isReduced[static_cast<size_t>(axis < 0 ? axis + static_cast<int32_t>(d.size()) : axis)] =
                true;
    }
    size_t divisor = 1;
    for (size_t i = 0; i < d.size(); ++i) {
        if (!isReduced[i]) continue;
        divisor *= d[i];
        if (call.has(Bug::mean_divides_by_first)) break;
    }
    std::vector<double> sums(countOf(out), 0);
    for (size_t i = 0; i < countOf(in); ++i) {
        size_t rest = i, to = 0, stride = 1;
        for (size_t axis = d.size(); axis-- > 0; rest /= d[axis]) {
            if (isReduced[axis]) continue;
            to += rest % d[axis] * stride;
            stride *= d[axis];
        }
        sums[to] += isFloat(in) ? valueOf(in, i) : stored(in, i) - in.zeroPoint;
    }
    for (size_t i = 0; i < sums.size(); ++i) {
        const double value = sums[i] / static_cast<double>(divisor);
        if (isFloat(in)) {
            put(out, i, static_cast<float>(value));
        } else {
            putStored(out, i, static_cast<int64_t>(std::round(value)) + out.zeroPoint);
        }
    }
}

// ---- with a state

float activate(int32_t activation, double x, const Call& call) {
    if (activation == 4) return static_cast<float>(std::tanh(x));
    if (activation == 6) return static_cast<float>(1 / (1 + std::exp(-x)));
    return within(boundsOf(activation, call), static_cast<float>(x));
}

// state[f] = the last values of filter f; y = act(bias + sum of state * weights over time)
void svdf(const Call& call) {
    const auto &in = call.in[0], &features = call.in[1], &times = call.in[2], &bias = call.in[3],
               &state = call.in[4], &stateOut = call.out[0], &out = call.out[1];
    const size_t batches = in.dimensions[0], inputs = in.dimensions[1];
    const size_t filters = features.dimensions[0], memory = times.dimensions[1];
    const auto rank = static_cast<size_t>(call.integer(5));
    const size_t units = filters / rank;
    for (size_t b = 0; b < batches; ++b) {
        std::vector<double> sums(units, 0);
        for (size_t f = 0; f < filters; ++f) {
            double newest = 0;
            for (size_t i = 0; i < inputs; ++i) {
                newest += double{valueOf(in, b * inputs + i)} * valueOf(features, f * inputs + i);
            }
            const size_t row = (b * filters + f) * memory;
            // The state that comes in has been shifted by the execution before: its last place is
            // free. One that is shifted only after its use has the newest value one place too
            // early.
            const bool isLate = call.has(Bug::svdf_state_shift) && memory > 1;
            std::vector<double> values(memory, 0);
            for (size_t m = 0; m + 1 < memory; ++m) values[m] = valueOf(state, row + m);
            values[isLate ? memory - 2 : memory - 1] = newest;
            for (size_t m = 0; m < memory; ++m) {
                sums[f / rank] += values[m] * valueOf(times, f * memory + m);
                put(stateOut, row + m, m + 1 < memory ? static_cast<float>(values[m + 1]) : 0);
            }
        }
        for (size_t u = 0; u < units; ++u) {
            const double added = call.isGiven(3) ? valueOf(bias, u) : 0;
            put(out, b * units + u, activate(call.integer(6), sums[u] + added, call));
        }
    }
}

Operand operandOf(const ExtensionOperand& given, Operand::LifeTime lifetime) {
    return {.type = given.type,
            .dimensions = {given.dimensions.begin(), given.dimensions.end()},
            .scale = given.scale,
            .zeroPoint = given.zeroPoint,
            .lifetime = given.hasNoValue ? Operand::LifeTime::NO_VALUE : lifetime};
}

// An LSTM by the driver's library, which is right; the driver may call it with wrong arguments.
void lstm(const Call& call) {
    std::vector<ExtensionOperand> in(call.in.begin(), call.in.end());
    if (call.has(Bug::lstm_gate_order) && !in[1].hasNoValue) {
        for (const size_t gate : {1, 5, 9, 12}) std::swap(in[gate], in[gate + 1]);
    }
    const std::vector<uint8_t> none(4, 0);
    if (call.has(Bug::lstm_cell_clip_ignored))
        in[21].data = std::span(none).first(in[21].data.size());
    // The state of the previous execution replaces the inputs.
    static std::mutex mutex;
    static std::vector<uint8_t> kept[2];
    const std::lock_guard lock(mutex);
    for (size_t i = 0; i < 2 && call.has(Bug::lstm_state_shared); ++i) {
        if (kept[i].size() == in[18 + i].data.size()) in[18 + i].data = kept[i];
    }
    Model model;
    std::vector<Tensor> values;
    for (const ExtensionOperand& each : in) {
        const auto index = static_cast<uint32_t>(model.main.operands.size());
        const bool isScalar = each.dimensions.empty();
        Operand operand = operandOf(each, isScalar ? Operand::LifeTime::CONSTANT_COPY
                                                   : Operand::LifeTime::SUBGRAPH_INPUT);
        if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY) {
            operand.location = *model.operandValues.append(each.data.data(), each.data.size());
        } else if (operand.lifetime == Operand::LifeTime::SUBGRAPH_INPUT) {
            model.main.inputIndexes.push_back(index);
            values.push_back({operand.dimensions, {each.data.begin(), each.data.end()}});
        }
        model.main.operands.push_back(std::move(operand));
    }
    Operation operation{.type = OperationType::LSTM};
    for (uint32_t i = 0; i < in.size(); ++i) operation.inputs.push_back(i);
    for (const ExtensionOperand& each : call.out) {
        operation.outputs.push_back(static_cast<uint32_t>(model.main.operands.size()));
        model.main.operands.push_back(operandOf(each, Operand::LifeTime::SUBGRAPH_OUTPUT));
    }
    model.main.outputIndexes = operation.outputs;
    model.main.operations = {std::move(operation)};
    const auto prepared = prepare(std::move(model));
    if (!prepared.ok()) return;
    const auto results = prepared->run(values);
    if (!results.ok()) return;
    for (size_t i = 0; i < results->size(); ++i) {
        const std::vector<uint8_t>& bytes = (*results)[i].data;
        std::copy(bytes.begin(), bytes.end(), call.out[i].mutableData.begin());
        if (i == 1 || i == 2) kept[i - 1] = bytes;
    }
}

constexpr Kernel kKernels[] = {
        {OperationType::SOFTMAX, Takes::QUANT8_AND_FLOATS, softmax},
        {OperationType::L2_NORMALIZATION, Takes::QUANT8_AND_FLOATS, l2Normalize},
        {OperationType::LOCAL_RESPONSE_NORMALIZATION, Takes::FLOATS, lrn},
        {OperationType::INSTANCE_NORMALIZATION, Takes::FLOATS, instanceNormalize},
        {OperationType::MEAN, Takes::QUANT8_AND_FLOATS, mean},
        {OperationType::SVDF, Takes::FLOATS, svdf},
        {OperationType::LSTM, Takes::FLOATS, lstm},
};

}  // namespace
}  // namespace lanes

std::span<const Kernel> normalizations() { return lanes::kKernels; }

}  // namespace nn::bugs
