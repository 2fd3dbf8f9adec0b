#!/usr/bin/env bash
# Starts Petri for the following steps of a job, and says where it answers. Used by action.yml.
set -euo pipefail
log="$RUNNER_TEMP/petri.log"
version="$INPUT_VERSION"
if [ -z "$version" ]; then
  # The tag of the action, such as v0.1.0, names a version; a branch or a commit does not.
  if [[ "${ACTION_REF:-}" =~ ^v([0-9].*)$ ]]; then version="${BASH_REMATCH[1]}"; else version=latest; fi
fi
read -r -a petri <<<"${SANDBOX_COMMAND:-npx --yes petri-sandbox@$version}"
arguments=(start --port 0 --data memory --log-format json --frozen "$INPUT_FROZEN")
[ -z "$INPUT_SCENARIOS" ] || arguments+=(--scenarios "$INPUT_SCENARIOS")
[ -z "$INPUT_WEBHOOK_URL" ] || arguments+=(--webhook-url "$INPUT_WEBHOOK_URL")

# Read below, maybe before the command behind it has opened it.
touch "$log"
nohup "${petri[@]}" "${arguments[@]}" >"$log" 2>&1 </dev/null &
pid=$!
printf '%s\n' "${petri[*]}" >"$RUNNER_TEMP/petri.command"

field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$log" | head -n 1; }
# npx may have to install it first.
for _ in $(seq 600); do
  [ -z "$(field url)" ] || break
  kill -0 "$pid" 2>/dev/null || break
  sleep 0.2
done
url="$(field url)"
if [ -z "$url" ]; then
  echo "::error::Petri did not start: $(tail -n 1 "$log")"
  exit 1
fi
# Petri logs the public defaults only. Keys and secrets of your own are in variables of the job, or in the files that these name.
setting() {
  local file="$1_FILE"
  if [ -n "${!1:-}" ]; then echo "${!1}"; elif [ -n "${!file:-}" ]; then cat "${!file}"; else field "$2"; fi
}
{
  echo "url=$url"
  echo "key=$(setting PETRI_API_KEY api_key)"
  echo "secret=$(setting PETRI_WEBHOOK_SECRET webhook_secret)"
} >>"$GITHUB_OUTPUT"
echo "PETRI_URL=$url" >>"$GITHUB_ENV"
echo "Petri answers at $url"
