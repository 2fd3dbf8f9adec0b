#!/usr/bin/env bash
# Does what three newcomers do, from nothing in a clean folder, and prints how long each took:
# a backend developer with the repository, a tester with the npm package, a CI engineer with the container image.
set -euo pipefail
repository="$(cd "$(dirname "$0")/.." && pwd)"
folder="$(mktemp -d)"
started=()
finish() {
  for pid in "${started[@]:-}"; do [ -z "$pid" ] || kill -- "-$pid" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap finish EXIT
export npm_config_cache="$folder/npm-cache" npm_config_update_notifier=false
unset PETRI_URL PETRI_API_KEY

# Runs a command in the background, in a process group of its own, with its output in a file.
background() {
  local output="$1"
  shift
  setsid "$@" >"$output" 2>&1 &
  started+=("$!")
}

# Waits until a URL answers, for two minutes at most.
answers() {
  curl --silent --fail --output /dev/null --retry 240 --retry-delay 1 --retry-connrefused --retry-max-time 240 "$1"
}

walk() {
  local name="$1" begin=$SECONDS
  "$2"
  printf '%s: %d s\n' "$name" "$((SECONDS - begin))"
}

expect() {
  grep --quiet "$1" "$2" || { printf 'Expected "%s" in:\n' "$1"; cat "$2"; exit 1; }
}

backend_developer() {
  git clone --quiet "$repository" "$folder/petri"
  cd "$folder/petri"
  background "$folder/start.log" bash -c 'npm ci && npm start -- --port 4291'
  answers http://127.0.0.1:4291/_petri/health
  PETRI_URL=http://127.0.0.1:4291 node examples/official-client/kit-in-transit.mjs >"$folder/kit.log"
  expect 'The order is completed' "$folder/kit.log"
}

tester() {
  mkdir "$folder/tests"
  cd "$folder/tests"
  npm install --silent "$tarball"
  npx petri-sandbox scenario new late-kit --from problem-in-transit-customer --folder scenarios >/dev/null
  sed -i 's/^name: .*/name: late-kit/' scenarios/late-kit.yaml
  npx petri-sandbox scenario check scenarios/late-kit.yaml >/dev/null
  background "$folder/tests.log" npx petri-sandbox start --port 4292 --data memory --frozen --scenarios scenarios
  answers http://127.0.0.1:4292/_petri/health
  export PETRI_URL=http://127.0.0.1:4292
  npx petri-sandbox order place --scenario late-kit >/dev/null
  npx petri-sandbox clock advance 30d >"$folder/advance.log"
  unset PETRI_URL
  expect 'problem_in_transit_customer' "$folder/advance.log"
}

ci_engineer() {
  "$engine" build --quiet --tag petri-newcomer "$folder/petri" >/dev/null
  "$engine" run --rm --detach --name petri-newcomer --publish 127.0.0.1:4293:4080 petri-newcomer >/dev/null
  trap '"$engine" rm --force petri-newcomer >/dev/null; finish' EXIT
  answers http://127.0.0.1:4293/_petri/health
  curl --silent --fail --header 'x-service-api-key: sk_us_petri' http://127.0.0.1:4293/v2/user >"$folder/users.json"
  expect '"users"' "$folder/users.json"
}

walk 'backend developer, from git clone to a completed order' backend_developer
(cd "$folder/petri" && npm run --silent package >/dev/null)
tarball="$(echo "$folder"/petri/release/*.tgz)"
walk 'tester, from npm install to a scenario of their own' tester
if engine="$(command -v docker || command -v podman)" && "$engine" info >/dev/null 2>&1; then
  walk 'CI engineer, from docker build to the first answer' ci_engineer
elif command -v buildah && command -v podman && command -v debootstrap && [ "$(id -u)" = 0 ]; then
  walk 'CI engineer, by scripts/container.sh, which makes a base image first and checks much more' "$repository/scripts/container.sh"
else
  printf 'CI engineer: left out, because neither docker nor podman runs here.\n'
fi
