// Overlapping arguments of a request, in every arrangement and at every nesting: the results are
// those of separate arguments, written in the order of the outputs.
#include <array>
#include <cstring>

#include "interpreter/builder.h"
#include "nnapi/memory.h"

namespace nn::overlap_test {
namespace {

using enum OperationType;

constexpr uint32_t kElements = 4;
constexpr uint32_t kBytes = kElements * 4;

// The outputs order, twice and thrice.
std::array<uint32_t, 3> outputsOf(Graph& graph) {
    const uint32_t order = graph.output(TENSOR_INT32, {kElements});
    const uint32_t twice = graph.output(TENSOR_FLOAT32, {kElements});
    return {order, twice, graph.output(TENSOR_FLOAT32, {kElements})};
}

// order = indices, twice = x[order], thrice = twice[order]: outputs that are also read as indexes
// and as values.
Model::Subgraph shuffle(Model& model) {
    Graph graph(model);
    const auto x = graph.input(TENSOR_FLOAT32, {kElements});
    const auto indices = graph.input(TENSOR_INT32, {kElements});
    const auto [order, twice, thrice] = outputsOf(graph);
    graph.add(MAXIMUM, {indices, indices}, {order});
    graph.add(GATHER, {x, graph.scalar(0), order}, {twice});
    graph.add(GATHER, {twice, graph.scalar(0), order}, {thrice});
    return std::move(graph.graph);
}

// The same signature as shuffle's, with the operations inside one IF.
Model::Subgraph ifAround(Model& model, uint32_t inner) {
    Graph graph(model);
    const auto x = graph.input(TENSOR_FLOAT32, {kElements});
    const auto indices = graph.input(TENSOR_INT32, {kElements});
    const auto yes = graph.constant<uint8_t>(TENSOR_BOOL8, {1}, {1});
    const auto branch = graph.subgraph(inner);
    const auto [order, twice, thrice] = outputsOf(graph);
    graph.add(IF, {yes, branch, branch, x, indices}, {order, twice, thrice});
    return std::move(graph.graph);
}

// goesOn = (rounds < 2), of (rounds, order, x, y)
Model::Subgraph twoRounds(Model& model) {
    Graph graph(model);
    const auto rounds = graph.input(TENSOR_INT32, {1});
    graph.input(TENSOR_INT32, {kElements});
    graph.input(TENSOR_FLOAT32, {kElements});
    graph.input(TENSOR_FLOAT32, {kElements});
    graph.add(LESS, {rounds, graph.constant<int32_t>(TENSOR_INT32, {1}, {2})},
              {graph.output(TENSOR_BOOL8, {1})});
    return std::move(graph.graph);
}

// (rounds + 1, order, twice, thrice) of (rounds, order, x, y)
Model::Subgraph round(Model& model, uint32_t inner) {
    Graph graph(model);
    const auto rounds = graph.input(TENSOR_INT32, {1});
    const auto indices = graph.input(TENSOR_INT32, {kElements});
    const auto x = graph.input(TENSOR_FLOAT32, {kElements});
    graph.input(TENSOR_FLOAT32, {kElements});
    const auto yes = graph.constant<uint8_t>(TENSOR_BOOL8, {1}, {1});
    const auto branch = graph.subgraph(inner);
    const auto next = graph.output(TENSOR_INT32, {1});
    const auto [order, twice, thrice] = outputsOf(graph);
    graph.add(ADD, {rounds, graph.constant<int32_t>(TENSOR_INT32, {1}, {1}), graph.scalar(0)},
              {next});
    graph.add(IF, {yes, branch, branch, x, indices}, {order, twice, thrice});
    return std::move(graph.graph);
}

Model::Subgraph loop(Model& model, uint32_t condition, uint32_t body) {
    Graph graph(model);
    const auto x = graph.input(TENSOR_FLOAT32, {kElements});
    const auto indices = graph.input(TENSOR_INT32, {kElements});
    const auto rounds = graph.constant<int32_t>(TENSOR_INT32, {1}, {0});
    const auto done = graph.temporary(TENSOR_INT32, {1});
    const auto [order, twice, thrice] = outputsOf(graph);
    graph.add(WHILE, {graph.subgraph(condition), graph.subgraph(body), rounds, indices, x, x},
              {done, order, twice, thrice});
    return std::move(graph.graph);
}

struct Nesting {
    const char* name;
    void (*build)(Model&);
};

const Nesting kNestings[] = {
        {"Main", [](Model& m) { m.main = shuffle(m); }},
        {"If",
         [](Model& m) {
             m.referenced = {shuffle(m)};
             m.main = ifAround(m, 0);
         }},
        {"IfInIf",
         [](Model& m) {
             m.referenced = {shuffle(m), ifAround(m, 0)};
             m.main = ifAround(m, 1);
         }},
        {"IfInWhile",
         [](Model& m) {
             m.referenced = {shuffle(m), twoRounds(m), round(m, 0)};
             m.main = loop(m, 1, 2);
         }},
        {"WhileInIf",
         [](Model& m) {
             m.referenced = {shuffle(m), twoRounds(m), round(m, 0), loop(m, 1, 2)};
             m.main = ifAround(m, 3);
         }},
};

// The offsets of x, indices, order, twice and thrice.
using Offsets = std::array<uint32_t, 5>;
constexpr uint32_t kPlaces[] = {0, 4, kBytes};
constexpr size_t kTotal = 2 * kBytes;

std::vector<Offsets> arrangements() {
    std::vector<Offsets> all;
    for (const uint32_t a : kPlaces)
        for (const uint32_t b : kPlaces)
            for (const uint32_t c : kPlaces)
                for (const uint32_t d : kPlaces)
                    for (const uint32_t e : kPlaces) all.push_back({a, b, c, d, e});
    return all;
}

// Values that are indexes as integers and numbers as floats, so that any arrangement can succeed.
std::vector<uint8_t> contents() {
    std::vector<uint8_t> bytes(kTotal);
    const int32_t values[kTotal / 4] = {3, 0, 2, 1, 2, 2, 3, 0};
    std::memcpy(bytes.data(), values, kTotal);
    return bytes;
}

std::vector<uint8_t> expected(const PreparedModel& prepared, const Offsets& at) {
    std::vector<uint8_t> bytes = contents();
    std::vector<Tensor> inputs;
    for (size_t i = 0; i < 2; ++i) {
        inputs.push_back({.dimensions = {kElements},
                          .data = {bytes.begin() + at[i], bytes.begin() + at[i] + kBytes}});
    }
    const auto outputs = prepared.run(inputs);
    EXPECT_THAT(outputs, Succeeds());
    for (size_t i = 0; outputs.ok() && i < outputs->size(); ++i)
        std::ranges::copy((*outputs)[i].data, bytes.begin() + at[i + 2]);
    return bytes;
}

Request requestAt(const Offsets& at, uint8_t* memory) {
    Request request;
    for (size_t i = 0; i < at.size(); ++i) {
        Request::Argument argument{.location = {.offset = at[i], .length = kBytes}};
        if (memory != nullptr) argument = pointerTo(memory + at[i], kBytes);
        (i < 2 ? request.inputs : request.outputs).push_back(argument);
    }
    return request;
}

TEST(Overlap, EveryArrangementAtEveryNesting) {
    size_t changed = 0;
    for (const Nesting& nesting : kNestings) {
        Model model;
        nesting.build(model);
        const Result<PreparedModel> prepared = prepare(model);
        ASSERT_THAT(prepared, Succeeds()) << nesting.name;
        const SharedMemory pool = createSharedMemory(kTotal).value();
        const Mapping mapping = map(pool).value();
        for (const Offsets& at : arrangements()) {
            SCOPED_TRACE(::testing::Message() << nesting.name << ::testing::PrintToString(at));
            const std::vector<uint8_t> should = expected(*prepared, at);
            changed += should != contents() ? 1 : 0;

            std::ranges::copy(contents(), mapping.mutableData());
            Request shared = requestAt(at, nullptr);
            shared.pools = {pool};
            EXPECT_THAT(prepared->execute(shared), Succeeds());
            EXPECT_EQ(std::vector(mapping.data(), mapping.data() + kTotal), should) << "in a pool";

            std::vector<uint8_t> memory = contents();
            EXPECT_THAT(prepared->execute(requestAt(at, memory.data())), Succeeds());
            EXPECT_EQ(memory, should) << "in the caller's memory";
        }
    }
    EXPECT_GT(changed, arrangements().size());
}

// One buffer of the caller is a constant, read in preparation, and an output.
TEST(Overlap, OutputsOverConstantsOfTheCaller) {
    std::array<int32_t, 4> memory{1, 1, 0, 0};
    MainGraph main;
    const auto x = main.input(TENSOR_FLOAT32, {2});
    const auto paddings = main.constant<int32_t>(TENSOR_INT32, {1, 2}, {0, 0});
    Operand& operand = main.graph.operands[paddings];
    operand.lifetime = LifeTime::POINTER;
    operand.location = {.pointer = static_cast<const void*>(memory.data()), .length = 8};
    main.add(PAD, {x, paddings}, {main.output(TENSOR_FLOAT32, {4})});
    const Model model = main.build();

    const PreparedModel prepared = prepare(model).value();
    std::vector<int32_t> input{0x1000000, 7};  // moved unchanged
    for (int i = 0; i < 3; ++i) {
        const Request request{.inputs = {pointerTo(input)},
                              .outputs = {pointerTo(memory.data(), sizeof(memory))}};
        EXPECT_THAT(prepared.execute(request), Succeeds());
        EXPECT_EQ(memory, (std::array<int32_t, 4>{0, 0x1000000, 7, 0}));
    }
}

}  // namespace
}  // namespace nn::overlap_test
