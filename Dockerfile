# The program on Debian 13: docker build -t nnapi . && docker run --rm nnapi build/release/bin/nnapi help
# VERSION=12 builds on Debian 12.
ARG VERSION=13
FROM debian:${VERSION}
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git
COPY . /nnapi
WORKDIR /nnapi
RUN scripts/demo
