#!/usr/bin/env bash
# Builds the Dockerfile as it is with buildah, and runs the image with podman and runc. Debian has all of them:
#   apt-get install buildah podman runc debootstrap
# Where no registry of images can be reached, the base image is made with debootstrap and the Node and npm of this machine.
# Needs root. Leaves nothing behind but the base image, in ~/.cache/petri-container, which makes the next run shorter.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

for tool in buildah podman runc curl; do
  command -v "$tool" > /dev/null || { echo "Left out: the container, because $tool is not installed here."; exit 0; }
done
[ -f "$root/dist/cli/main.js" ] || (cd "$root" && npm run --silent build)
[ "$(id -u)" = 0 ] || { echo 'Left out: the container, because this is not root.'; exit 0; }

cache=${XDG_CACHE_HOME:-$HOME/.cache}/petri-container
work=$(mktemp -d /tmp/petri-container-XXXXXX)
mkdir -p "$cache"
storage=(--root "$cache/storage" --runroot "$cache/run" --storage-driver vfs)
# Limits that this process may not raise are not asked for.
limits=(--ulimit "nofile=$(ulimit -Sn):$(ulimit -Hn)" --ulimit nproc=2048:2048)
base=docker.io/library/$(sed -n 's/^FROM \(node:[^ ]*\)$/\1/p' "$root/Dockerfile")
image=localhost/petri

podman=(podman "${storage[@]}" --runtime runc --cgroup-manager cgroupfs)
# Podman reports each time that no systemd runs its health checks; this script runs them itself.
pod() { "${podman[@]}" "$@" 2> >(grep -v 'systemd connection' >&2); }
run() { pod run --rm "${limits[@]}" "$@"; }
build() { buildah "${storage[@]}" "$@"; }

finish() {
  pod rm --force --all > /dev/null 2>&1 || true
  pod volume rm --force --all > /dev/null 2>&1 || true
  [ -z "${receiver:-}" ] || kill "$receiver" 2> /dev/null || true
  build rmi --force "$image" > /dev/null 2>&1 || true
  rm -rf "$work"
}
trap finish EXIT

fail() { echo "FAILED: $*" >&2; exit 1; }
passed() { printf '%-58s %s\n' "$1" "${2:-yes}"; }
now() { date +%s%3N; }

# --- The base image -------------------------------------------------------------------------------------------------

make_base() {
  command -v debootstrap > /dev/null || { echo 'Left out: the container, because neither a registry nor debootstrap is there.'; exit 0; }
  local folder=$work/base node
  node=$(readlink -f "$(command -v node)")
  debootstrap --variant=minbase --include=ca-certificates,curl,git bookworm "$folder" > "$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log"; fail debootstrap; }
  rm -rf "$folder"/var/cache/apt/* "$folder"/var/lib/apt/lists/*
  cp "$node" "$folder/usr/local/bin/node"
  mkdir -p "$folder/usr/local/lib/node_modules"
  cp -r "$(npm root -g)/npm" "$folder/usr/local/lib/node_modules/"
  for name in npm npx; do ln -sf "../lib/node_modules/npm/bin/$name-cli.js" "$folder/usr/local/bin/$name"; done
  # What this machine trusts, the build has to trust.
  cp /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/"
  chroot "$folder" useradd --create-home --uid 1000 node
  local container
  container=$(build from scratch)
  build copy --quiet "$container" "$folder" / > /dev/null
  build config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
  build commit --quiet --format docker --rm "$container" "$base" > /dev/null
  rm -rf "$folder"
}

if ! pod image exists "$base"; then
  started=$(now)
  if timeout 60 buildah "${storage[@]}" pull --quiet "$base" > /dev/null 2>&1; then passed "base image: pulled" "$(($(now) - started)) ms"
  else make_base; passed "base image: made with debootstrap, Node $(node --version)" "$(($(now) - started)) ms"; fi
fi

# --- Build ----------------------------------------------------------------------------------------------------------

started=$(now)
build build --isolation chroot --format docker --pull-never --tag petri "$root" > "$work/build.log" 2>&1 || { tail -30 "$work/build.log"; fail 'the Dockerfile does not build'; }
passed 'the Dockerfile as it is builds' "$(($(now) - started)) ms"
size() { pod image inspect --format '{{.Size}}' "$1"; }
passed 'the image, without its base' "$((($(size "$image") - $(size "$base")) / 1000000)) MB"

# --- Run ------------------------------------------------------------------------------------------------------------

# Waits until the health check of a container succeeds; at most half a minute.
until_healthy() {
  for _ in $(seq 150); do pod healthcheck run "$1" > /dev/null 2>&1 && return; sleep 0.2; done
  pod logs "$1"
  fail "$1 is not healthy"
}
key='x-service-api-key: sk_us_petri'
json='content-type: application/json'

started=$(now)
run --detach --name plain --publish 127.0.0.1:4180:4080 petri > /dev/null
until_healthy plain
passed 'starts, and its health check succeeds' "$(($(now) - started)) ms"
curl -sf -H "$key" http://127.0.0.1:4180/v2/user > /dev/null || fail 'the published port does not answer'
passed 'answers at the published port of the host'
[ "$(pod exec plain id -un)" = node ] || fail 'runs as root'
passed 'runs as user' node
passed 'memory at rest' "$(pod exec plain bash -c 'grep VmRSS /proc/1/status' | tr -dc 0-9 | sed 's/...$//') MB"

cpu() { # milliseconds of processor time of so many runs of a command in the container
  pod exec plain bash -c "TIMEFORMAT='%U %S'; time (for ((i = 0; i < $1; i++)); do $2 > /dev/null; done)" 2>&1 |
    awk -v n="$1" '{ printf "%.1f", ($1 + $2) * 1000 / n }'
}
probe=$(cpu 100 'bash /petri/healthcheck.sh')
passed 'processor time of one health check' "$probe ms (a start of Node: $(cpu 5 'petri health') ms)"
awk -v ms="$probe" 'BEGIN { exit !(ms <= 20) }' || fail 'a health check costs more than 20 ms'

run --detach --name moved --env PETRI_PORT=5000 petri > /dev/null
until_healthy moved
passed 'the health check follows PETRI_PORT'
pod exec moved bash -c 'PETRI_PORT=4080 bash /petri/healthcheck.sh' && fail 'healthy where nothing listens'
passed 'and fails where nothing listens'

started=$(now)
pod stop --time 10 moved > /dev/null
[ $(($(now) - started)) -lt 5000 ] || fail 'it does not stop on SIGTERM'
passed 'stops on SIGTERM' "$(($(now) - started)) ms"

# --- Webhooks -------------------------------------------------------------------------------------------------------

kit() { # orders a kit in a Petri
  local user test
  user=$(curl -sf -H "$key" -H "$json" "$1/v2/user" -d "{\"client_user_id\": \"$2\"}" | grep -o '[0-9a-f-]\{36\}' | head -n 1)
  test=$(curl -sf -H "$key" "$1/v3/lab_tests?collection_method=testkit" | grep -o '[0-9a-f-]\{36\}' | head -n 1)
  curl -sf -H "$key" -H "$json" "$1/v3/order/testkit" -d "{\"user_id\": \"$user\", \"lab_test_id\": \"$test\", \"shipping_details\": {
    \"receiver_name\": \"Ada\", \"first_line\": \"1 Test Street\", \"city\": \"Phoenix\", \"state\": \"AZ\", \"zip\": \"85004\",
    \"country\": \"US\", \"phone_number\": \"+16025550123\"}}" > /dev/null
}
# Without a function around it, so that $! is the process itself.
petri=(env PETRI_URL=http://127.0.0.1:4180 node "$root/dist/cli/main.js")

"${petri[@]}" listen --add --port 4181 > "$work/added.log" 2>&1 & receiver=$!
for _ in $(seq 50); do grep -q Listening "$work/added.log" && break; sleep 0.2; done
grep -q 'warning: Petri at .* cannot reach http://127.0.0.1:4181/' "$work/added.log" || fail "listen --add does not warn: $(cat "$work/added.log")"
grep -q 'host.docker.internal' "$work/added.log" || fail 'it does not name host.docker.internal'
kill "$receiver"; wait "$receiver" || true
passed 'listen --add warns that the host is not reached'

"${petri[@]}" listen --port 4181 --count 2 > "$work/received.log" & receiver=$!
"${petri[@]}" listen --forward-to http://127.0.0.1:4181/ --count 2 > "$work/forwarded.log" & forward=$!
for _ in $(seq 50); do grep -q 'Signing secret' "$work/forwarded.log" && grep -q Listening "$work/received.log" && break; sleep 0.2; done
kit http://127.0.0.1:4180 ada
wait "$forward" "$receiver"
receiver=
[ "$(grep -c verified "$work/received.log")" = 2 ] || fail "petri listen brings no webhooks: $(cat "$work/received.log")"
passed 'petri listen brings its webhooks to the host, verified'

# --- Data -----------------------------------------------------------------------------------------------------------

refusal() { # starts a container that must not start; what it says
  "${podman[@]}" run --rm "${limits[@]}" "$@" petri > "$work/refused.log" 2>&1 && fail "started with $*"
  cat "$work/refused.log"
}

pod volume create data > /dev/null
run --detach --name first --volume data:/data --publish 127.0.0.1:4182:4080 petri > /dev/null
until_healthy first
kit http://127.0.0.1:4182 grace
told=$(refusal --volume data:/data)
[[ $told == *'another Petri uses this folder'* ]] || fail "the second container says: $told"
passed 'a second container on the same volume is refused'
pod kill first > /dev/null
pod wait first > /dev/null 2>&1 || true
run --detach --name again --volume data:/data --publish 127.0.0.1:4182:4080 petri > /dev/null
until_healthy again
curl -sf -H "$key" http://127.0.0.1:4182/v2/user/resolve/grace > /dev/null || fail 'the user is lost'
passed 'what was answered survives podman kill'

mkdir -m 755 "$work/owned"
told=$(refusal --volume "$work/owned:/data")
for word in 'User 1000 may not write to /data, which belongs to user 0' 'chown -R 1000' '--user 0:0' PETRI_DATA; do
  [[ $told == *"$word"* ]] || fail "a mount that root owns: $told"
done
passed 'a mount that root owns is refused with what helps'
works() { # starts a container and waits until it is healthy
  run --detach --name works "$@" petri > /dev/null
  until_healthy works
  pod rm --force works > /dev/null
}
works --volume "$work/owned:/data" --user 0:0
passed '  --user 0:0 helps'
works --volume "$work/owned:/data" --env PETRI_DATA=memory
passed '  PETRI_DATA=memory helps'
rm -rf "$work/owned"/* "$work/owned"/.[a-z]*
chown -R 1000 "$work/owned"
works --volume "$work/owned:/data"
passed '  chown helps'
works --user 12345:0
passed 'an arbitrary user of group 0 works'
told=$(refusal --user 12345:12345)
[[ $told == *'User 12345 may not write to /data'* ]] || fail "an arbitrary user and group: $told"
passed 'an arbitrary user and group is refused with what helps'
told=$(refusal --read-only)
[[ $told == *'read-only file system'* ]] || fail "a read-only root: $told"
works --read-only --tmpfs /tmp --env PETRI_DATA=/tmp/petri
passed 'a read-only root works with a tmpfs, and is refused without'

# --- Kubernetes -----------------------------------------------------------------------------------------------------

run --detach --name pod --env PETRI_SERVICE_HOST=10.96.0.7 --env PETRI_SERVICE_PORT=4080 --env PETRI_PORT=tcp://10.96.0.7:4080 \
  --env PETRI_PORT_4080_TCP=tcp://10.96.0.7:4080 --env PETRI_PORT_4080_TCP_ADDR=10.96.0.7 petri > /dev/null
until_healthy pod
[ "$(pod logs pod | grep -c Ignored)" = 1 ] || fail 'what Kubernetes sets is not told in one line'
passed 'variables of a Kubernetes Service are ignored, with one line'

# --- The documentation, as printed --------------------------------------------------------------------------------------

pod rm --force --all > /dev/null
# docker, for the page: buildah and podman with the options that this machine needs. Podman knows no host-gateway before 4.7.
gateway=$(pod network inspect podman --format '{{range .Subnets}}{{.Gateway}}{{end}}')
mkdir "$work/bin"
cat > "$work/bin/docker" << END
#!/usr/bin/env bash
case "\$1" in
  build) exec buildah ${storage[*]} build --isolation chroot --format docker --pull-never "\${@:2}" ;;
  run) shift; exec ${podman[*]} run ${limits[*]} "\${@/host-gateway/$gateway}" ;;
  *) exec ${podman[*]} "\$@" ;;
esac
END
chmod +x "$work/bin/docker"
(cd "$root" && PATH="$work/bin:$PATH" node scripts/walk.mjs docs/docker.md)
passed 'the commands of docs/docker.md'

git clone --quiet --bare "$root" "$work/repository.git"
run --volume "$work/repository.git:/repository.git:ro" --volume "$root/scripts/newcomer.sh:/newcomer.sh:ro" "$base" bash -c '
  command -v git curl > /dev/null || { apt-get update && apt-get install --yes git curl; } > /dev/null
  bash /newcomer.sh /repository.git'
passed 'the commands of README and docs, in a clean container'
