#!/usr/bin/env bash
# Writes what the tests of a job met into its summary, and stops Petri. Used by action.yml.
set -euo pipefail
read -r -a petri <"$RUNNER_TEMP/petri.command"

section() {
  printf '### %s\n\n```\n' "$1"
  "${petri[@]}" "${@:2}" --url "$PETRI_URL" 2>&1 || true
  printf '```\n\n'
}
{
  printf '## Petri\n\n'
  section 'Refused calls' requests --status 4xx
  section 'Calls with a wrong key' requests refused
  section 'Failed deliveries' webhook messages --status failing
  section 'Coverage' coverage
} >>"$GITHUB_STEP_SUMMARY"
kill "$(cat "$RUNNER_TEMP/petri.pid")"
