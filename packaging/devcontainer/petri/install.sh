#!/bin/sh
# Installs Petri into a dev container, as root, while its image is built. VERSION is the option of the feature.
set -eu
if ! command -v npm >/dev/null; then
  echo 'Petri needs Node 20.19 or later: add the feature ghcr.io/devcontainers/features/node.' >&2
  exit 1
fi
npm install --global --ignore-scripts --no-audit --no-fund "petri-sandbox@${VERSION:-latest}"
# Ends with a sentence if Node is too old.
"$(npm prefix --global)/bin/petri" --version
