// A peer changes every byte of every pool all the time: of requests, and of models, whose sealed
// memory nobody can shorten, but write to.
#include <gtest/gtest.h>

#include "hostile/hostile.h"
#include "hostile/peer.h"
#include "vectors.h"

namespace nn::hostile::peer_test {
namespace {

TEST(Peer, FlipsWhileEveryVectorIsExecuted) {
    Peer peer;
    for (const Exposed exposed : kExposed) {
        Outcomes outcomes;
        const uint64_t before = peer.rounds();
        size_t cases = 0;
        forEachVector([&](const TestCase& testCase) {
            SCOPED_TRACE(testCase.name);
            ++cases;
            useWithPeer(peer, testCase.model, testCase.inputs, exposed, outcomes);
        });
        EXPECT_GT(outcomes.computed, cases) << static_cast<int>(exposed);
        EXPECT_GT(outcomes.refused, cases / 100) << static_cast<int>(exposed);
        EXPECT_GT(peer.rounds() - before, cases) << "too slow to disturb anything";
    }
}

}  // namespace
}  // namespace nn::hostile::peer_test
