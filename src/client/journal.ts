import type { PetriWorld } from './kit.ts'

/** The lines of a journal that are printed. */
const JOURNAL_LINES = 30

/** The last calls and webhooks of a world, a line each, in the order in which they happened. */
export async function journalOf(world: PetriWorld): Promise<string> {
  const asked = await world.requests.list()
  const sent = await world.webhooks.messages()
  const unsent = await world.webhooks.messages({ status: 'no_endpoint' })
  const entries = [
    ...asked.map(({ at, sequence, method, path, status }) => ({
      at,
      sequence,
      text: `${method} ${path}: ${status}`,
    })),
    ...[...sent, ...unsent].map(({ created_at, sequence, event_type, status }) => ({
      at: created_at,
      sequence,
      text: `webhook ${event_type}: ${status === 'no_endpoint' ? 'no endpoint' : status}`,
    })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.sequence - b.sequence)
  const lines = entries.map(({ at, text }) => `${at}  ${text}`)
  return ['What was asked and delivered:', ...lines.slice(-JOURNAL_LINES)].join('\n')
}
