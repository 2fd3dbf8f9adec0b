import enum

import requests


class Environment(enum.Enum):
    PRODUCTION = "https://api.us.junction.com"
    SANDBOX = "https://api.sandbox.us.junction.com"


response = requests.post(
    f"{Environment.SANDBOX.value}/v2/user",
    headers={"x-vital-api-key": "sk_us_from_the_source"},
    json={"client_user_id": "requests"},
)
response.raise_for_status()
print(response.json()["client_user_id"])
