#!/bin/sh
# Installs the Petri binary for this system, after checking it against SHA256SUMS.
#   sh install.sh [--from FOLDER_OR_URL] [--to FOLDER]
set -eu

from="${PETRI_INSTALL_FROM:-https://github.com/example/petri-sandbox/releases/latest/download}"
to="$HOME/.local/bin"
fail() { echo "install.sh: $1" >&2; exit 1; }

while [ $# -gt 0 ]; do
  case "$1" in
    --from | --to) [ $# -ge 2 ] || fail "$1 needs a value." ;;
    *) fail "unknown option $1; there are --from and --to." ;;
  esac
  if [ "$1" = --from ]; then from="$2"; else to="$2"; fi
  shift 2
done

case "$(uname -s)" in
  Linux) system=linux ;;
  Darwin) system=macos ;;
  *) fail "there is no binary for $(uname -s); with Node, run: npx petri-sandbox start" ;;
esac
case "$(uname -m)" in
  x86_64 | amd64) processor=x64 ;;
  aarch64 | arm64) processor=arm64 ;;
  *) fail "there is no binary for $(uname -s) on $(uname -m); with Node, run: npx petri-sandbox start" ;;
esac
# Of a Linux with musl, ldd says so; one with glibc may have musl installed beside it.
if [ "$system" = linux ] && ldd --version 2>&1 | grep -q musl; then
  fail "there is no binary for musl, the library of this Linux; with Node, run: npx petri-sandbox start"
fi
file="petri-$system-$processor.gz"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
get() {
  case "$from" in
    http://* | https://*) curl --fail --silent --show-error --location --output "$work/$1" "$from/$1" ;;
    *) cp "$from/$1" "$work/$1" ;;
  esac || fail "$1 cannot be read from $from."
}
get SHA256SUMS
get "$file"
expected="$(grep " $file\$" "$work/SHA256SUMS" | cut -d ' ' -f 1)"
[ -n "$expected" ] || fail "SHA256SUMS does not name $file."
if command -v sha256sum >/dev/null; then actual="$(sha256sum "$work/$file")"; else actual="$(shasum -a 256 "$work/$file")"; fi
[ "${actual%% *}" = "$expected" ] || fail "the checksum of $file does not match SHA256SUMS; nothing was installed."

gzip -dc "$work/$file" > "$work/petri"
chmod 755 "$work/petri"
mkdir -p "$to"
mv "$work/petri" "$to/petri"
echo "Installed $to/petri, version $("$to/petri" --version)."
