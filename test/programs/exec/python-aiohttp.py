import asyncio

import aiohttp


async def main() -> None:
    headers = {"x-vital-api-key": "sk_us_from_the_source"}
    async with aiohttp.ClientSession("https://api.us.junction.com", headers=headers, trust_env=True) as session:
        async with session.post("/v2/user", json={"client_user_id": "aiohttp"}) as response:
            print((await response.json())["client_user_id"])


asyncio.run(main())
