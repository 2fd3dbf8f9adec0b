curl -sS https://api.sandbox.eu.junction.com/v2/user -H 'x-vital-api-key: sk_eu_from_the_source' \
  -H 'content-type: application/json' --data '{"client_user_id":"curl"}' | sed 's/.*"client_user_id": *"\([a-z]*\)".*/\1/'
