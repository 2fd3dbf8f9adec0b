require "json"
require "net/http"

uri = URI("https://api.sandbox.tryvital.io/v2/user")
headers = { "x-vital-api-key" => "sk_us_from_the_source", "content-type" => "application/json" }
response = Net::HTTP.post(uri, { client_user_id: "ruby" }.to_json, headers)
puts JSON.parse(response.body)["client_user_id"]
