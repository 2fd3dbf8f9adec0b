#!/usr/bin/env bash
# Tests the clients in other languages, and the same test written in each, with the Petri that is built. Nothing is downloaded.
# A language whose tools are missing is left out with a line that says so.
set -euo pipefail
cd "$(dirname "$0")/.."
root="$PWD"
export PETRI_COMMAND="node $root/dist/cli/main.js"

left_out() { printf 'left out: %s\n' "$1"; }

if command -v go >/dev/null; then
  # No module is needed but these.
  export GOPROXY=off GOFLAGS=-mod=mod GOTOOLCHAIN=local
  unformatted="$(gofmt -l clients/go examples/same-test/go)"
  [ -z "$unformatted" ] || { echo "gofmt would change $unformatted"; exit 1; }
  (cd clients/go && go vet ./... && go test -count=1 ./...)
  (cd examples/same-test/go && go vet ./... && go test -count=1 ./...)
else
  left_out 'Go, because there is no go'
fi
