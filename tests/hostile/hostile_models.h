// Models made to break a driver: valid models of every operation, each broken in one way.
//
//   const Case kCases[] = {
//           {"ScaleNaN",
//            [](Subject& s) { return s.change(s.tensor(), [](Operand& o) { o.scale = NAN; }); }},
//   };
//   TEST(Hostile, Quantization) { runSection("quantization", kCases); }
//
// A case is applied to every operation that it concerns. Each pair is validated, converted to every
// version and back, printed, drawn, written, read, prepared, and executed if possible, also while a
// peer writes to its constants and arguments.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::hostile {

using LifeTime = Operand::LifeTime;

// A valid model of one operation, and values to execute it on.
class Subject {
   public:
    Model model;
    std::vector<Tensor> inputs;

    Operation& operation() { return model.main.operations.front(); }
    const Operation& operation() const { return model.main.operations.front(); }
    std::string name() const;

    // Operands of the operation; null if there is none.
    Operand* input(size_t i);
    Operand* output(size_t i);
    Operand* tensor();    // the first tensor among the model's inputs
    Operand* constant();  // the first constant input

    // The position of an input by its name in the signature.
    std::optional<size_t> position(std::string_view parameter) const;

    // Fills an input of the operation with a number, wherever its value lies. Returns false for
    // types without numbers, and if the input does not exist.
    bool fill(std::optional<size_t> input, double value);

    // Applies a function to an operand; returns false if there is none.
    template <class F>
    static bool change(Operand* operand, F&& function) {
        if (operand != nullptr) function(*operand);
        return operand != nullptr;
    }
};

// All subjects: the first model of each file of test cases that has only one operation.
const std::vector<Subject>& subjects();

// One subject for each operation.
std::vector<const Subject*> oneOfEach();

// A request with the inputs of the subject, and with outputs large enough for any result; each
// argument in a pool of its own, of at least one byte.
Request requestFor(const Subject& subject, SharedMemory (*newPool)(size_t size));

// The first error as "verb:rule": "validate:operand.scale", "prepare:conv_2d.depth",
// "run:interpreter.zero_size", "run:OUTPUT_INSUFFICIENT_SIZE" if there is no rule; "ok" if there is
// no error. Fails if the verbs contradict each other.
std::string resultOf(const Subject& subject);

struct Case {
    std::string_view name;
    bool (*apply)(Subject&);  // false if the case does not apply to the operation
};

// The pairs of a section and their results, which tests/golden/hostile/NAME.txt pins. BLESS=1
// writes that file; review the difference.
class Section {
   public:
    // Runs all cases on all operations.
    void run(std::span<const Case> cases);

    // Adds the result of one pair.
    void add(std::string_view name, const Subject& subject, std::string_view result);

    // Compares all results with the golden file.
    void expectPinned(std::string_view name) const;

   private:
    std::map<std::string, std::set<std::string>> mResults{};  // "CASE RESULT" to operations
};

// Runs a section that is only a table of cases.
void runSection(std::string_view name, std::span<const Case> cases);

}  // namespace nn::hostile
