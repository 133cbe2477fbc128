# The cost of an empty call.
@0xd1f7c8a92b6e4035;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("nn::bench_echo");

interface Echo {
  echo @0 (bytes :Data) -> (bytes :Data);
}
