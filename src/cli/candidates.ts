import { startTimer } from '../kernel/pause.ts'
import { type Client, createClient } from './client.ts'
import { readClientConfig } from './config.ts'
import { idsThatBegin, namedKinds } from './ids.ts'
import type { TargetOptions } from './remote.ts'

/** A completion of a word on the command line. */
export interface Candidate {
  readonly word: string
  readonly help: string
}

type Find = (beginning: string, petri: () => Client) => Promise<Candidate[]>

/** Finds the possible values of an argument or option, by its placeholder in the help. */
const finders: Readonly<Record<string, Find>> = {
  ...Object.fromEntries(
    namedKinds.map((kind): [string, Find] => [
      kind,
      async (beginning, petri) =>
        (await idsThatBegin(petri(), kind, beginning)).ids.map((word) => ({ word, help: kind })),
    ]),
  ),
  scenario: scenarios,
  event: async () => {
    const { eventTypeNames } = await import('../resources/event-types.ts')
    return [...eventTypeNames()].map((word) => ({ word, help: '' }))
  },
  operation: async () => {
    const { contractOperations } = await import('../resources/planned.ts')
    return contractOperations.map(([word, route]) => ({ word, help: route }))
  },
  status: async () => {
    const { statusSpellings } = await import('../resources/orders/lifecycle.ts')
    return statusSpellings().map((word) => ({ word, help: '' }))
  },
  world: async (_, petri) =>
    (await worldsOf(petri())).map(({ team_id, name }) => ({ word: team_id, help: name })),
  key: async (_, petri) =>
    (await worldsOf(petri())).map(({ api_key, name }) => ({ word: api_key, help: name })),
  snapshot: async (_, petri) => {
    const { data } = await petri().get<{ data: readonly { name: string }[] }>('/_petri/snapshots')
    return data.map(({ name }) => ({ word: name, help: '' }))
  },
}

/** Milliseconds to wait for the answer of a running Petri. */
const TIMEOUT_MS = 1000

/** The completions for a placeholder; none for an unknown one, or if no Petri answers. */
export async function candidatesOf(
  name: string,
  beginning: string,
  target: TargetOptions,
): Promise<Candidate[]> {
  const find = finders[name]
  if (!find) return []
  let [stop, giveUp] = [() => {}, () => {}]
  const tooLate = new Promise<Candidate[]>((resolve) => {
    giveUp = () => resolve([])
  })
  const petri = () => {
    stop = startTimer(TIMEOUT_MS, giveUp)
    return createClient(readClientConfig(target))
  }
  const finding = find(beginning, petri).catch(() => [])
  return Promise.race([finding, tooLate]).finally(() => stop())
}

const worldsOf = async (petri: Client) =>
  (await petri.get<{ data: readonly { team_id: string; name: string; api_key: string }[] }>('/_petri/worlds'))
    .data

async function scenarios(): Promise<Candidate[]> {
  const { openRepositories } = await import('./scenario-files.ts')
  const { orders, feeds } = await openRepositories()
  return [...orders.names(), ...feeds.names()].map((word) => ({ word, help: '' }))
}
