#!/usr/bin/env bash
# Writes what the tests of a job met into its summary, and stops Petri. It never fails the job. Used by action.yml.
set -uo pipefail
if ! read -r -a petri 2>/dev/null <"$RUNNER_TEMP/petri.command"; then
  echo '::warning::Petri did not start in this job, so there is nothing to report.'
  exit 0
fi

section() {
  printf '### %s\n\n```\n' "$1"
  "${petri[@]}" "${@:2}" --url "$PETRI_URL" 2>&1
  printf '```\n\n'
}
{
  printf '## Petri\n\n'
  section 'Refused calls' requests --status 4xx
  section 'Calls with a wrong key' requests refused
  section 'Failed deliveries' webhook messages --status failing
  section 'Coverage' coverage
} >>"$GITHUB_STEP_SUMMARY"
"${petri[@]}" stop --url "$PETRI_URL" ||
  echo "::warning::Petri had ended before this step. Its last line: $(tail -n 1 "$RUNNER_TEMP/petri.log")"
exit 0
