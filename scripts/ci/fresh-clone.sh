#!/usr/bin/env bash
# Follows README in a clean clone of what is committed, where its first command installs and builds.
set -euo pipefail
# What reads pages is installed here, as the clone has nothing until README's first command has run.
node scripts/prepare.mjs
walk="$PWD/scripts/walk.mjs"
clone="$(mktemp -d)"
trap 'rm -rf "$clone"' EXIT
git clone --quiet . "$clone/petri"
cd "$clone/petri"
node "$walk" README.md
