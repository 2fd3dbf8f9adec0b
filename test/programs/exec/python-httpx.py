import asyncio
import enum

import httpx


class Environment(enum.Enum):
    PRODUCTION = "https://api.tryvital.io"
    SANDBOX = "https://api.sandbox.tryvital.io"


async def main() -> None:
    async with httpx.AsyncClient(base_url=Environment.SANDBOX.value) as client:
        response = await client.post(
            "/v2/user",
            headers={"x-vital-api-key": "sk_us_from_the_source"},
            json={"client_user_id": "httpx"},
        )
        print(response.json()["client_user_id"])


asyncio.run(main())
