// Runs models by ONNX Runtime:
//
//   node client.cjs PACKAGE FOLDER
//
//   PACKAGE  onnxruntime-node, unpacked
//   FOLDER   with NAME.onnx, and NAME.inputs: a line "NAME TYPE DIMENSIONS..." and the bytes of each
//            input
//
// NAME.outputs gets the outputs in the form of the inputs; NAME.error instead gets the sentence why
// there are none. Files that have one of both are left out, so that a crash can be told apart.
'use strict';
const fs = require('fs');
const path = require('path');

const [package_, folder] = process.argv.slice(2);
const binding = require(path.join(package_, 'bin', 'napi-v3', process.platform, process.arch,
                                  'onnxruntime_binding.node'));

const arrays = {
  float32: Float32Array, float64: Float64Array, float16: Uint16Array,
  int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, bool: Uint8Array,
};

function readTensors(bytes) {
  const tensors = {};
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    const [name, type, ...dims] = bytes.toString('utf8', at, end).split(' ');
    const ArrayOf = arrays[type];
    const count = dims.reduce((product, dim) => product * Number(dim), 1);
    at = end + 1 + count * ArrayOf.BYTES_PER_ELEMENT;
    // A copy, since views must be aligned.
    const data = new ArrayOf(new Uint8Array(bytes.subarray(end + 1, at)).buffer);
    tensors[name] = {type, dims: dims.map(Number), data};
  }
  return tensors;
}

function bytesOf(name, {type, dims, data}) {
  return Buffer.concat([
    Buffer.from([name, type, ...dims].join(' ') + '\n'),
    Buffer.from(data.buffer, data.byteOffset, data.byteLength),
  ]);
}

function run(file, inputs) {
  const session = new binding.InferenceSession();
  session.loadModel(file, {logSeverityLevel: 3});
  const wanted = Object.fromEntries(session.outputNames.map(name => [name, null]));
  const outputs = session.run(inputs, wanted, {});
  return Buffer.concat(session.outputNames.map(name => bytesOf(name, outputs[name])));
}

for (const entry of fs.readdirSync(folder)) {
  if (!entry.endsWith('.onnx')) continue;
  const stem = path.join(folder, path.basename(entry, '.onnx'));
  if (fs.existsSync(stem + '.outputs') || fs.existsSync(stem + '.error')) continue;
  try {
    const inputs = readTensors(fs.readFileSync(stem + '.inputs'));
    fs.writeFileSync(stem + '.outputs', run(stem + '.onnx', inputs));
  } catch (error) {
    fs.writeFileSync(stem + '.error', error.message);
  }
}
