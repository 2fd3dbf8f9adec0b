#!/usr/bin/env bash
# Follows README in a clean clone of what is committed, where its first command installs and builds.
set -euo pipefail
clone="$(mktemp -d)"
trap 'rm -rf "$clone"' EXIT
git clone --quiet . "$clone/petri"
cd "$clone/petri"
node scripts/walk.mjs README.md
