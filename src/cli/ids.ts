import type { Parsed } from '../api/schema.ts'
import type { Ids } from '../control/ids.ts'
import type { WorldList } from '../control/worlds.ts'
import { isCanonicalUuid } from '../kernel/uuid.ts'
import type { Client } from '../terminal/client.ts'
import { CliError } from '../terminal/errors.ts'

/** The kinds of ids that commands take, and the command that lists each. */
const listCommands = {
  order: 'npx petri-sandbox order list',
  user: undefined,
  appointment: undefined,
  job: undefined,
  message: 'npx petri-sandbox webhook messages',
  endpoint: 'npx petri-sandbox webhook endpoints',
  request: 'npx petri-sandbox requests',
  fault: 'npx petri-sandbox faults',
  world: 'npx petri-sandbox world list',
} as const

type IdKind = keyof typeof listCommands

export const isIdKind = (name: string): name is IdKind => Object.hasOwn(listCommands, name)

/** The beginning of an id as commands print it, with or without dots. */
const BEGINNING = /^([0-9a-z][\w-]*)(\u2026|\.\.\.)?$/i

/** Returns the only id with this beginning. */
export async function wholeId(petri: Client, kind: IdKind, given: string): Promise<string> {
  if (isCanonicalUuid(given.toLowerCase())) return given
  const list = listCommands[kind]
  const hint = list ? ` List ids with \`${list}\`.` : ''
  const beginning = BEGINNING.exec(given)?.[1]
  if (beginning === undefined)
    throw new CliError(`"${given}" is not ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind} id.${hint}`)
  const { ids, total } = await idsThatBegin(petri, kind, beginning)
  if (ids.includes(beginning)) return beginning
  const [id, ...others] = ids.slice(0, 5)
  if (id === undefined) throw new CliError(`No ${kind} id begins with "${given}".${hint}`)
  if (others.length === 0) return id
  throw new CliError(
    `${total} ${kind} ids begin with "${given}": ${[id, ...others].join(', ')}${total > 5 ? ' \u2026' : ''}`,
  )
}

export const listWorlds = async (petri: Client) =>
  (await petri.call<Parsed<typeof WorldList>>('GET /_petri/worlds')).data

/** Returns the first ids with this beginning; of every kind by default. */
export async function idsThatBegin(petri: Client, kind: IdKind | undefined, beginning: string) {
  const prefix = /^[0-9a-f-]+$/i.test(beginning) ? beginning.toLowerCase() : beginning
  if (kind === 'world') {
    const worlds = await listWorlds(petri)
    const ids = worlds.map(({ team_id }) => team_id).filter((id) => id.startsWith(prefix))
    return { ids, total: ids.length }
  }
  const found = await petri.call<Parsed<typeof Ids>>('GET /_petri/ids', {
    kind,
    prefix,
  })
  return { ids: found.data.map(({ id }) => id), total: found.total }
}
