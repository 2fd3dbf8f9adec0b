#!/usr/bin/env bash
# Starts Petri for the following steps of a job, and says where it answers. Used by action.yml.
set -euo pipefail
log="$RUNNER_TEMP/petri.log"
read -r -a petri <<<"${SANDBOX_COMMAND:-npx --yes petri-sandbox@$INPUT_VERSION}"
arguments=(start --port 0 --data memory --log-format json --frozen "$INPUT_FROZEN")
[ -z "$INPUT_SCENARIOS" ] || arguments+=(--scenarios "$INPUT_SCENARIOS")
[ -z "$INPUT_WEBHOOK_URL" ] || arguments+=(--webhook-url "$INPUT_WEBHOOK_URL")

# Read below, maybe before the command behind it has opened it.
touch "$log"
nohup "${petri[@]}" "${arguments[@]}" >"$log" 2>&1 </dev/null &
echo $! >"$RUNNER_TEMP/petri.pid"
printf '%s\n' "${petri[*]}" >"$RUNNER_TEMP/petri.command"

field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$log" | head -n 1; }
# npx may have to install it first.
for _ in $(seq 600); do
  [ -z "$(field webhook_secret)" ] || break
  kill -0 "$(cat "$RUNNER_TEMP/petri.pid")" 2>/dev/null || break
  sleep 0.2
done
url="$(field url)"
if [ -z "$url" ]; then
  echo "::error::Petri did not start: $(tail -n 1 "$log")"
  exit 1
fi
{
  echo "url=$url"
  echo "key=$(field api_key)"
  echo "secret=$(field webhook_secret)"
} >>"$GITHUB_OUTPUT"
echo "PETRI_URL=$url" >>"$GITHUB_ENV"
echo "Petri answers at $url"
