#!/usr/bin/env bash
# Runs a command without a network, so that nothing can leave this machine. Where the network cannot be cut, a line says so.
set -euo pipefail
if unshare -rn ip link set lo up 2>/dev/null; then
  exec unshare -rn sh -c 'ip link set lo up && exec "$@"' sh "$@"
fi
echo 'left out: cutting the network, because "unshare -rn" does not run here'
exec "$@"
