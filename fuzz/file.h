// Properties of model files in every format.
#pragma once

#include "fuzz/input.h"

namespace nn::fuzz {

// A model that was read can be written in every format, and the file reads back as the same model.
inline void readsBackAsWritten(std::span<const uint8_t> bytes, Format format) {
    const Result<AnyModel> model = parseModel(textOf(bytes), format);
    if (!model.ok()) return expect(!textOf(model.status()).empty(), "refused without a message");
    for (const Format other : {Format::BINARY, Format::TEXT, Format::JSON}) {
        const Result<std::string> written = serializeModel(*model, other);
        expect(written.ok(), textOf(written.status()));
        const Result<AnyModel> again = parseModel(*written, other);
        expect(again.ok(), textOf(again.status()));
        expect(areSame(*model, *again), "reads back as something else: " + *written);
    }
}

}  // namespace nn::fuzz
