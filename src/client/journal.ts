import type { PetriWorld } from './kit.ts'

/** The lines of a journal that are printed. */
const JOURNAL_LINES = 30

/** The last calls and deliveries of a world, a line each. */
export async function journalOf(world: PetriWorld): Promise<string> {
  const asked = await world.requests.list()
  const sent = await world.webhooks.messages()
  const lines = [
    ...asked.map(({ at, method, path, status }) => `${at}  ${method} ${path}: ${status}`),
    ...sent.map(({ created_at, event_type, status }) => `${created_at}  webhook ${event_type}: ${status}`),
  ].sort()
  return ['What was asked and delivered:', ...lines.slice(-JOURNAL_LINES)].join('\n')
}
