#!/bin/bash -eu
# Builds every target with its seeds and its dictionary into $OUT, as OSS-Fuzz and ClusterFuzz expect.

# The packages of the image are built for libstdc++, and its compiler warns of more than ours.
export CXXFLAGS="${CXXFLAGS/-stdlib=libc++/} -w"

# They are shared libraries, which the machine that runs the targets does not have: they go along.
build=$WORK/nnapi
cmake -S "$SRC/nnapi" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DNNAPI_DEVELOP=ON \
  -DNNAPI_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
  -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags -DCMAKE_BUILD_RPATH='$ORIGIN/lib'
cmake --build "$build" --target nnapi_fuzzers
"$build/bin/nnapi_fuzz_test" --corpus "$build/seeds"

mkdir -p "$OUT/lib"
for fuzzer in "$build"/bin/*_fuzzer; do
  name=$(basename "$fuzzer")
  target=${name%_fuzzer}
  cp "$fuzzer" "$OUT/"
  ldd "$fuzzer" | awk '$3 ~ /^\// && $1 !~ /^lib(c|m|dl|rt|pthread)\.so/ {print $3}' |
    xargs cp -nt "$OUT/lib"
  (cd "$build/seeds/$target" && zip -qr "$OUT/${name}_seed_corpus.zip" .)
  if [[ -s $build/seeds/$target.dict ]]; then cp "$build/seeds/$target.dict" "$OUT/$name.dict"; fi
  printf '[libfuzzer]\nmax_len = 4096\ntimeout = 20\n' >"$OUT/$name.options"
done
