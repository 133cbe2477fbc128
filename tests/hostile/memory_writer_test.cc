// A peer constantly changes every byte of every pool: in requests, and in models, whose memory is
// sealed against shrinking but not against writing.
#include <gtest/gtest.h>

#include "hostile/hostile_models.h"
#include "hostile/memory_writer.h"
#include "vectors.h"

namespace nn::hostile::peer_test {
namespace {

TEST(Peer, FlipsWhileEveryVectorIsExecuted) {
    Peer peer;
    size_t cases = 0;
    Outcomes outcomes;
    forEachVector([&](const TestCase& testCase) {
        SCOPED_TRACE(testCase.name);
        for (const Exposed exposed : kExposed) {
            ++cases;
            useWithPeer(peer, testCase.model, testCase.inputs, exposed, outcomes);
        }
    });
    // The numbers depend on the timing of the peer's writes.
    EXPECT_GT(outcomes.computed, cases);
    EXPECT_GT(outcomes.refused, cases / 20);
    EXPECT_GT(peer.rounds(), cases) << "too slow to disturb anything";
}

}  // namespace
}  // namespace nn::hostile::peer_test
