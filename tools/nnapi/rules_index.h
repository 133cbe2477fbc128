// An index of all rules by id, with what each demands.
#pragma once

#include <string>
#include <vector>

namespace nn::cli {

struct Rule {
    std::string id;    // "<stem>.types" stands for softmax.types and so on
    std::string text;  // one sentence
};

std::vector<Rule> allRules();

}  // namespace nn::cli
