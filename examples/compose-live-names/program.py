import enum
import json
import urllib.request


class Environment(enum.Enum):
    PRODUCTION = "https://api.us.junction.com"
    SANDBOX = "https://api.sandbox.us.junction.com"


request = urllib.request.Request(
    f"{Environment.SANDBOX.value}/v2/user",
    data=json.dumps({"client_user_id": "python"}).encode(),
    headers={"x-vital-api-key": "sk_us_from_the_source", "content-type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    print("created", json.load(response)["client_user_id"])
