import { createPetri, type PetriOptions } from '../../petri.ts'
import { CliError } from '../../terminal/errors.ts'

const KEY = 'sk_us_play'

/** Creates a Petri in this process whose frozen world begins at an instant in milliseconds. */
export async function openPlay(now: number, transport?: PetriOptions['transport']) {
  const petri = await createPetri({
    firstWorld: {
      name: 'Play',
      apiKey: KEY,
      seed: '1',
      frozen: true,
      now,
      pace: 8640,
      scenario: 'manual',
      webhookUrl: transport ? 'http://receiver.petri.localhost/' : null,
    },
    ...(transport && { transport }),
  })
  const world = petri.worlds.byKey(KEY)
  if (!world) throw new CliError('The scenario cannot be played.')
  const send = async (method: string, path: string, body?: object) =>
    petri.app.request(path, {
      method,
      headers: { 'x-service-api-key': KEY, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    world,
    send,
    async call<Reply>(method: string, path: string, body?: object): Promise<Reply> {
      const response = await send(method, path, body)
      const reply = (await response.json()) as Reply & { readonly detail?: unknown }
      if (!response.ok) throw new CliError(`The scenario cannot be played: ${JSON.stringify(reply.detail)}`)
      return reply
    },
    close: () => petri.close(),
  }
}
