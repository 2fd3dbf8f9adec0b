import type { Client } from './client.ts'
import { CliError } from './config.ts'

/** The kinds of ids the command line takes, and the command that lists each. */
const listCommands = {
  order: 'petri orders',
  user: undefined,
  appointment: undefined,
  job: undefined,
  message: 'petri webhook messages',
  endpoint: 'petri webhook endpoints',
  request: 'petri requests',
  fault: 'petri faults',
  world: 'petri world list',
} as const

export type NamedKind = keyof typeof listCommands
export const namedKinds = Object.keys(listCommands) as NamedKind[]

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The beginning of an id as commands print it, with or without dots. */
const BEGINNING = /^([0-9a-z][\w-]*)(\u2026|\.\.\.)?$/i

/** The only id with this beginning. Other text is returned unchanged; Petri then refuses it. */
export async function wholeId(petri: Client, kind: NamedKind, given = ''): Promise<string> {
  const beginning = BEGINNING.exec(given)?.[1]
  if (UUID.test(given) || beginning === undefined) return given
  const { ids, total } = await idsThatBegin(petri, kind, beginning)
  if (ids.includes(beginning)) return beginning
  if (ids.length === 1) return ids[0] ?? given
  const some = ids.slice(0, 5).join(', ')
  const list = listCommands[kind]
  throw new CliError(
    ids.length === 0
      ? `No ${kind} has an id that begins with "${given}"${list ? `; "${list}" lists them` : ''}.`
      : `${total} ${kind}s have an id that begins with "${given}": ${some}${total > 5 ? ' \u2026' : ''}`,
  )
}

/** The same for an option; undefined if it is not given. */
export const wholeIdOf = async (
  petri: Client,
  kind: NamedKind,
  given: string | undefined,
): Promise<string | undefined> => (given === undefined ? undefined : wholeId(petri, kind, given))

/** The first ids with this beginning; of every kind by default. */
export async function idsThatBegin(
  petri: Client,
  kind: NamedKind | undefined,
  beginning: string,
): Promise<{ readonly ids: string[]; readonly total: number }> {
  if (kind === 'world') {
    const { data } = await petri.get<{ data: readonly { team_id: string }[] }>('/_petri/worlds')
    const ids = data.map(({ team_id }) => team_id).filter((id) => id.startsWith(beginning.toLowerCase()))
    return { ids, total: ids.length }
  }
  const prefix = /^[0-9a-f-]+$/i.test(beginning) ? beginning.toLowerCase() : beginning
  const { data, total } = await petri.get<{ data: readonly { id: string }[]; total: number }>('/_petri/ids', {
    kind,
    prefix,
  })
  return { ids: data.map(({ id }) => id), total }
}
