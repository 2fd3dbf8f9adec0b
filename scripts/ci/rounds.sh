#!/usr/bin/env bash
# Repeats five times as often what depends on drawn cases or on a moment.
set -euo pipefail
grep -rl support/rounds.ts test --include='*.test.ts' | TEST_ROUNDS=5 xargs npx vitest run --project=node --project=programs
