#!/usr/bin/env bash
# Starts Petri for the following steps of a job, and says where it answers. Used by action.yml.
set -euo pipefail
log="$RUNNER_TEMP/petri.log"
data="$(mktemp -d "$RUNNER_TEMP/petri-data.XXXXXX")"
version="$INPUT_VERSION"
if [ -z "$version" ]; then
  # The tag of the action, such as v0.1.0, names a version; a branch or a commit does not.
  if [[ "${ACTION_REF:-}" =~ ^v([0-9].*)$ ]]; then version="${BASH_REMATCH[1]}"; else version=latest; fi
fi
read -r -a petri <<<"${SANDBOX_COMMAND:-npx --yes petri-sandbox@$version}"
arguments=(start --port 0 --data "$data" --log-format json --frozen "$INPUT_FROZEN")
[ -z "$INPUT_SCENARIOS" ] || arguments+=(--scenarios "$INPUT_SCENARIOS")
[ -z "$INPUT_WEBHOOK_URL" ] || arguments+=(--webhook-url "$INPUT_WEBHOOK_URL")
nohup "${petri[@]}" "${arguments[@]}" >"$log" 2>&1 </dev/null &
pid=$!

# The log may have no line about the start (PETRI_LOG=warn). npx may have to install Petri first.
url=''
for _ in $(seq 600); do
  url="$(sed -n 's/.*"url":"\([^"]*\)".*/\1/p' "$data/running.json" 2>/dev/null || true)"
  [ -z "$url" ] && kill -0 "$pid" 2>/dev/null || break
  sleep 0.2
done
if [ -z "$url" ]; then
  kill "$pid" 2>/dev/null || true
  tail -n 10 "$log"
  echo "::error::Petri did not start: $(grep -m 1 '404 Not Found' "$log" || tail -n 1 "$log")"
  exit 1
fi
printf '%s\n' "${petri[*]}" >"$RUNNER_TEMP/petri.command"
# Of the variables of the job, the files that these name, or the defaults.
"${petri[@]}" env --shell dotenv --url "$url" |
  sed -n 's/^PETRI_URL=/url=/p; s/^PETRI_API_KEY=/key=/p; s/^PETRI_WEBHOOK_SECRET=/secret=/p' >>"$GITHUB_OUTPUT"
echo "PETRI_URL=$url" >>"$GITHUB_ENV"
echo "Petri answers at $url"
