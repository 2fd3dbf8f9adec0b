#!/usr/bin/env bash
# Follows the documentation as a newcomer does, from nothing in a clean folder, and prints how long each page took: in a clone
# of the repository, in a project with the npm package, and with the container image where docker or podman runs.
# The commands are read from the pages and run as printed, by scripts/walk.mjs. Needs git, curl and Node.
#
#   scripts/newcomer.sh [REPOSITORY]   with the repository that is cloned; by default the one of this file
set -euo pipefail
repository="${1:-$(cd "$(dirname "$0")/.." && pwd)}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
export npm_config_cache="$folder/npm-cache" npm_config_prefix="$folder/global" npm_config_update_notifier=false
export PATH="$folder/global/bin:$PATH"
unset PETRI_URL PETRI_API_KEY
export NEWCOMER_CLONE="$folder/petri"

# Another clone reads the pages, which takes a package: the newcomer's has nothing installed at first.
git clone --quiet "$repository" "$folder/reader"
# What `npm start` installs, and everything: each into nothing, with an empty cache.
for tools in --omit=dev --include=dev; do
  rm -rf "$npm_config_cache"
  started=$(date +%s%N)
  npm ci --silent --prefix "$folder/reader" "$tools"
  echo "npm ci $tools: $((($(date +%s%N) - started) / 1000000)) ms, $(du -sm "$folder/reader/node_modules" | cut -f1) MB"
done
rm -rf "$npm_config_cache"
walk="$folder/reader/scripts/walk.mjs"

git clone --quiet "$repository" "$NEWCOMER_CLONE"
cd "$NEWCOMER_CLONE"
node "$walk" README.md
npm test
node "$walk" docs/testing.md

# The package that is installed is the one of this clone, which no registry has.
npm run --silent package >/dev/null
export NEWCOMER_PACKAGE="$(echo "$NEWCOMER_CLONE"/release/*.tgz)"
scripts/ci/tutorials.sh
mkdir "$folder/project"
cd "$folder/project"
node "$walk" "$NEWCOMER_CLONE"/docs/{install,ci,scenarios,webhooks,control}.md

cd "$NEWCOMER_CLONE"
if docker info >/dev/null 2>&1; then
  node "$walk" docs/docker.md
else
  echo 'docs/docker.md: left out, because docker does not run here. scripts/container.sh does it with buildah and podman.'
fi
