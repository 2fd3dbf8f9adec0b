#!/usr/bin/env bash
# Follows the first pages of three newcomers as printed, each in an empty folder, with the package of this clone and those that they
# install: the tutorials, scenarios in CI, and an incident of a log. Needs
# release/*.tgz, which scripts/ci/check-package.mjs and `npm run package` write. The one in Python needs flask, requests and
# pytest; where they are missing, it is left out with a line that says so.
set -euo pipefail
clone="$(cd "$(dirname "$0")/../.." && pwd)"
export NEWCOMER_CLONE="$clone" NEWCOMER_PACKAGE="$(echo "$clone"/release/*.tgz)"
[ -f "$NEWCOMER_PACKAGE" ] || { echo 'There is no release/*.tgz: npm run package' >&2; exit 2; }
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
unset PETRI_URL PETRI_API_KEY

has_packages() { "$1" -c 'import flask, pytest, requests' 2>/dev/null; }

mkdir "$folder/typescript" "$folder/python" "$folder/project"
(cd "$folder/typescript" && node "$clone/scripts/walk.mjs" "$clone/docs/tutorial.md#typescript")
cd "$folder/project" && npm install --no-save --silent "$NEWCOMER_PACKAGE"
node "$clone/scripts/walk.mjs" "$clone/docs/ci.md#your-own-scenarios" "$clone/docs/from-live.md#from-an-incident-to-a-scenario"
# The interpreter of the system may have the packages when another comes first.
if ! has_packages python3 && has_packages /usr/bin/python3; then export PATH="/usr/bin:$PATH"; fi
if has_packages python3; then
  cd "$folder/python" && npm install --no-save --silent "$NEWCOMER_PACKAGE"
  node "$clone/scripts/walk.mjs" "$clone/docs/tutorial.md#python"
else
  echo 'docs/tutorial.md#python: left out, because flask, requests or pytest is missing.'
fi
