# syntax=docker/dockerfile:1
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /agentd ./cmd/agentd

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap ca-certificates python3 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 10001 agentd
COPY --from=build /agentd /usr/local/bin/agentd
USER agentd
WORKDIR /home/agentd
# Scripts run in bubblewrap, which needs user namespaces inside the container:
#   docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined \
#       --security-opt systempaths=unconfined agentd run
# agentd doctor says whether they are there; without them it refuses to run scripts.
ENTRYPOINT ["agentd"]
CMD ["run"]
