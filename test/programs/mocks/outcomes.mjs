/** Prints, for each client, the outcome of each call. */
export async function printOutcomes(clients, calls) {
  for (const [client, send] of Object.entries(clients)) {
    for (const [name, call] of Object.entries(calls)) {
      const outcome = await send(...call).then(
        ({ status, body }) => `${status} ${body}`,
        (error) => error.code ?? error.cause?.code ?? error.message,
      )
      console.log(JSON.stringify({ client, call: name, outcome }))
    }
  }
}
