#!/bin/sh
# Orders a kit that gets lost for a while, and watches it; needs curl and a Petri at PETRI_URL.
set -eu
url=${PETRI_URL:-http://127.0.0.1:4080}

# The first field of a name in the JSON of standard input.
first() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }
petri() {
  method=$1 path=$2
  shift 2
  curl --silent --show-error --fail-with-body -X "$method" "$url$path" -H 'content-type: application/json' "$@"
}

# A world of its own: a key.
key=$(petri POST /_petri/worlds ${PETRI_CONTROL_TOKEN:+-H "authorization: Bearer $PETRI_CONTROL_TOKEN"} \
  -d '{"frozen": true, "now": "2026-01-05T09:00:00Z"}' | first api_key)
in_world() { petri "$@" -H "x-vital-api-key: $key"; }

user=$(in_world POST /v2/user -d '{"client_user_id": "ada"}' | first user_id)
kit=$(in_world GET '/v3/lab_tests?collection_method=testkit' | first id)
order=$(in_world POST /v3/order/testkit -H 'x-petri-scenario: problem-in-transit-customer' -d "{
  \"user_id\": \"$user\", \"lab_test_id\": \"$kit\",
  \"shipping_details\": {\"receiver_name\": \"Ada Example\", \"first_line\": \"1 Test Street\", \"city\": \"Phoenix\",
    \"state\": \"AZ\", \"zip\": \"85004\", \"country\": \"US\", \"phone_number\": \"+16025550123\"}}" |
  sed 's/.*"order"://' | first id)

status() { in_world GET "/v3/order/$order" | sed 's/.*"last_event"://' | first status; }
in_world POST /_petri/clock/advance -d '{"by": "4d"}' > /dev/null
status
in_world POST /_petri/orders/"$order"/move -d '{"status": "lost"}' > /dev/null
status
