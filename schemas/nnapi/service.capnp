# Devices in another process, as capabilities of Cap'n Proto RPC.
#
# Every object of a server is a capability of one connection: no other client can name it, and its
# resources are freed with its last reference or with the connection.
# Failures are values; exceptions of the engine mean that the connection or the peer is broken.
# Models travel as protobuf messages of schemas/nnapi (model_file.proto), without their pools.
# On one machine descriptors travel in band, each with a capability of type Descriptor that its
# sender hosts. Between machines contents travel instead: of memories and cache files in pieces, by
# the interface Contents, and of fences by Descriptor.wait.
# Times are durations from now on, in nanoseconds.
#
# Numbers are frozen: fields and methods are only added. A method that a server does not have fails
# as "unimplemented"; a peer ignores a field that it does not know.
#
# Every list, text and data has a bound. Both sides check all of a message when it arrives, before
# anything else reads it (service/message_bounds.h), and disconnect a peer that exceeds a bound.
@0xb3a0b9f0c1d54e67;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("nn::service::rpc");

# The most elements of a list, or bytes of a text or data.
annotation most @0xd1a7e5b0c3f24e19 (field, param) :UInt32;

const mostDescriptors :UInt32 = 200;  # of one message; the system takes at most 253
const mostNameBytes :UInt32 = 4096;
const mostMessageBytes :UInt32 = 65536;  # of the reason of a failure; longer ones are cut
const mostPools :UInt32 = 65536;
const mostArguments :UInt32 = 65536;
const mostDimensions :UInt32 = 65536;
const mostOperations :UInt32 = 16777216;
const mostHints :UInt32 = 4096;
const mostHintBytes :UInt32 = 1048576;
const mostPrefixes :UInt32 = 65536;
const mostPieces :UInt32 = 1024;         # of one message
const mostPieceBytes :UInt32 = 1048576;  # of all pieces of a message
const mostCacheFiles :UInt32 = 32;

# The first object of a connection.
interface Service {
  devices @0 () -> (devices :List(NamedDevice) $most(1024));
  # Shares a memory with the server, once. The use of a rejected one fails with the reason.
  share @1 (memory :MemoryInfo) -> (memory :Memory);
  # Returns immediately, however busy the drivers are.
  ping @2 ();
  # Makes a memory of zeros whose bytes travel, or a file that is empty. One that is refused says why
  # where it is used. Without descriptors and integers; only memories of kind ashmem and file.
  makeContents @3 (memory :MemoryInfo, isCacheFile :Bool) -> (contents :Contents);
}

struct NamedDevice {
  info @0 :DeviceInfo;
  device @1 :Device;
}

struct DeviceInfo {
  name @0 :Text $most(.mostNameBytes);
  versionString @1 :Text $most(.mostNameBytes);
  featureLevel @2 :UInt8;
  runtimeOnlyFeatures @3 :Bool;
  type @4 :Int32;
  extensions @5 :List(Extension) $most(1024);
  capabilities @6 :Capabilities;
  modelCacheFiles @7 :UInt32;
  dataCacheFiles @8 :UInt32;
}

struct Extension {
  name @0 :Text $most(.mostNameBytes);
  operandTypes @1 :List(OperandType) $most(65536);

  struct OperandType {
    type @0 :UInt16;
    isTensor @1 :Bool;
    byteSize @2 :UInt32;
  }
}

struct Performance {
  execTime @0 :Float32;
  powerUsage @1 :Float32;
}

struct Capabilities {
  relaxedScalar @0 :Performance;
  relaxedTensor @1 :Performance;
  operands @2 :List(Operand) $most(1024);
  ifPerformance @3 :Performance;
  whilePerformance @4 :Performance;

  struct Operand {
    type @0 :Int32;
    info @1 :Performance;
  }
}

# How a call has ended: the code of nn::ErrorStatus, 0 for success.
struct Failure {
  code @0 :Int32;
  message @1 :Text $most(.mostMessageBytes);
  outputShapes @2 :List(OutputShape) $most(.mostArguments);
}

struct OutputShape {
  dimensions @0 :List(UInt32) $most(.mostDimensions);
  isSufficient @1 :Bool;
}

# Negative: there is none.
struct Timing {
  onDevice @0 :Int64 = -1;
  inDriver @1 :Int64 = -1;
}

struct OptionalTime {
  union {
    none @0 :Void;
    nanoseconds @1 :Int64;
  }
}

# A file descriptor, or the fence that it is.
interface Descriptor {
  # Between machines: replies when the fence is signaled, or has failed.
  wait @0 () -> (failure :Failure);
}

# A memory of the server's side.
interface Memory {}

# One whose bytes travel. A write that fails leaves it unusable: executions do not wait for writes.
interface Contents extends(Memory) {
  write @0 (pieces :List(Piece) $most(.mostPieces)) -> (failure :Failure);
  # As many pieces as ranges.
  read @1 (ranges :List(Range) $most(.mostPieces))
       -> (failure :Failure, pieces :List(Piece) $most(.mostPieces));
  # Of a file, which grows as its driver writes it.
  size @2 () -> (failure :Failure, bytes :UInt64);
}

struct Piece {
  offset @0 :UInt64;
  bytes @1 :Data $most(.mostPieceBytes);
  digest @2 :Data $most(32);  # SHA-256 of the bytes
}

struct Range {
  offset @0 :UInt64;
  length @1 :UInt64;
}

struct MemoryInfo {
  kind @0 :Kind;
  size @1 :UInt64;
  offset @2 :UInt64;
  prot @3 :Int32;
  name @4 :Text $most(.mostNameBytes);
  isBlob @5 :Bool;
  descriptors @6 :List(Descriptor) $most(.mostDescriptors);
  integers @7 :List(Int32) $most(1024);
  description @8 :Description;  # of a hardware buffer, where it has one

  struct Description {
    width @0 :UInt32;
    height @1 :UInt32;
    layers @2 :UInt32;
    format @3 :Int32;
    usage @4 :Int64;
    stride @5 :UInt32;
  }

  enum Kind {
    ashmem @0;
    file @1;
    hardwareBuffer @2;
    unknown @3;
  }
}

struct Model {
  message @0 :Data $most(536870911);  # nnapi.ModelFile
  pools @1 :List(Pool) $most(.mostPools);
  values @2 :Memory;          # of constants, where they are too large for a message
}

# No pointer: no memory.
struct Pool {
  memory @0 :Memory;
}

struct Hint {
  token @0 :Int32;
  value @1 :Data $most(.mostHintBytes);
}

struct Prefix {
  name @0 :Text $most(.mostNameBytes);
  prefix @1 :UInt16;
}

struct Cache {
  model @0 :List(Descriptor) $most(.mostCacheFiles);
  data @1 :List(Descriptor) $most(.mostCacheFiles);
  token @2 :Data $most(32);
  # Between machines, instead of the descriptors.
  modelContents @3 :List(Contents) $most(.mostCacheFiles);
  dataContents @4 :List(Contents) $most(.mostCacheFiles);
}

struct Role {
  modelIndex @0 :UInt32;
  ioIndex @1 :UInt32;
  probability @2 :Float32;
}

struct Request {
  inputs @0 :List(Argument) $most(.mostArguments);
  outputs @1 :List(Argument) $most(.mostArguments);
  pools @2 :List(Pool) $most(.mostPools);

  struct Argument {
    lifetime @0 :Int32;
    poolIndex @1 :UInt32;
    offset @2 :UInt32;
    length @3 :UInt32;
    padding @4 :UInt32;
    dimensions @5 :List(UInt32) $most(.mostDimensions);
  }

  struct Pool {
    union {
      none @0 :Void;
      memory @1 :Memory;
      buffer @2 :Buffer;
      token @3 :UInt32;
      slot @4 :UInt32;        # only in the queues of a burst: a memory that they know
    }
  }
}

# The arguments of all kinds of execution.
struct Execute {
  request @0 :Request;
  measure @1 :Int32;
  deadline @2 :OptionalTime;
  loopTimeout @3 :OptionalTime;
  hints @4 :List(Hint) $most(.mostHints);
  prefixes @5 :List(Prefix) $most(.mostPrefixes);
}

struct Executed {
  failure @0 :Failure;
  outputShapes @1 :List(OutputShape) $most(.mostArguments);
  timing @2 :Timing;
}

struct Fences {
  waitFor @0 :List(Descriptor) $most(.mostDescriptors);
  deadline @1 :OptionalTime;
  afterFences @2 :OptionalTime;
}

interface Device {
  wait @0 () -> (failure :Failure);
  supportedOperations @1 (model :Model)
                      -> (failure :Failure, supported :List(Bool) $most(.mostOperations));
  prepareModel @2 (model :Model, preference :Int32, priority :Int32, deadline :OptionalTime,
                   cache :Cache, hints :List(Hint) $most(.mostHints),
                   prefixes :List(Prefix) $most(.mostPrefixes))
               -> (failure :Failure, preparedModel :PreparedModel);
  prepareModelFromCache @3 (deadline :OptionalTime, cache :Cache)
                        -> (failure :Failure, preparedModel :PreparedModel);
  allocate @4 (dimensions :List(UInt32) $most(.mostDimensions),
               preparedModels :List(PreparedModel) $most(4096),
               inputRoles :List(Role) $most(.mostArguments), outputRoles :List(Role) $most(.mostArguments))
           -> (failure :Failure, buffer :Buffer, token :UInt32);
}

interface PreparedModel {
  execute @0 (execute :Execute) -> (executed :Executed);
  executeFenced @1 (execute :Execute, fences :Fences) -> (failure :Failure, fenced :Fenced, isSignaled :Bool);
  createReusableExecution @2 (execute :Execute) -> (failure :Failure, execution :Execution);
  configureExecutionBurst @3 () -> (failure :Failure, burst :Burst);
  # As those of a burst, for executions by the prepared model.
  openQueues @4 (requests :Queue, results :Queue, descriptors :List(Descriptor) $most(2))
             -> (failure :Failure, queues :Queues);
}

interface Execution {
  compute @0 (deadline :OptionalTime) -> (executed :Executed);
  computeFenced @1 (fences :Fences) -> (failure :Failure, fenced :Fenced, isSignaled :Bool);
}

interface Burst {
  # The memory is kept until the hold is released; no hold where the burst has no cache.
  cacheMemory @0 (memory :Memory) -> (hold :Hold);
  execute @1 (execute :Execute) -> (executed :Executed);
  createReusableExecution @2 (execute :Execute) -> (failure :Failure, execution :Execution);
  # Executions through memory that both sides map; the client makes it. They end with `queues`.
  # The descriptors are those of their memories, which cannot be shortened.
  openQueues @3 (requests :Queue, results :Queue, descriptors :List(Descriptor) $most(2))
             -> (failure :Failure, queues :Queues);
}

interface Hold {}

# A queue of words of 8 bytes. It contains packets: the size in words, a number that the result
# repeats, and a message of one segment, which is an Execute, or an Executed in the queue of results.
# An Execute that does not fit, or that needs a capability, is sent by a call.
struct Queue {
  parts @0 :List(Part) $most(4);  # counters of read and written words, the words, and the event flag

  struct Part {
    offset @0 :UInt32;
    extent @1 :UInt64;
  }
}

interface Queues {
  # The slot by which executions name a memory, as long as the client holds it.
  keep @0 (memory :Memory) -> (failure :Failure, slot :UInt32);
}

# A launched execution. `isSignaled` with it reports that it has already succeeded.
interface Fenced {
  # Returns when the fence is signaled, or has failed.
  wait @0 () -> (failure :Failure);
  info @1 () -> (failure :Failure, launched :Timing, fenced :Timing);
}

interface Buffer {
  copyTo @0 (memory :Memory) -> (failure :Failure);
  copyFrom @1 (memory :Memory, dimensions :List(UInt32) $most(.mostDimensions)) -> (failure :Failure);
}
