import type { Client } from './client.ts'
import { CliError } from './config.ts'

/** What the command line names by an id, and the command that lists it. */
const listedBy = {
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

export type NamedKind = keyof typeof listedBy
export const namedKinds = Object.keys(listedBy) as NamedKind[]

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** As other commands print an id: its beginning, with or without the dots after it. */
const BEGINNING = /^([0-9a-z][\w-]*)(\u2026|\.\.\.)?$/i

/** The one id that begins so. What is no beginning of an id is left to Petri to refuse. */
export async function wholeId(petri: Client, kind: NamedKind, given = ''): Promise<string> {
  const beginning = BEGINNING.exec(given)?.[1]
  if (UUID.test(given) || beginning === undefined) return given
  const { ids, total } = await idsThatBegin(petri, kind, beginning)
  if (ids.includes(beginning)) return beginning
  if (ids.length === 1) return ids[0] ?? given
  const some = ids.slice(0, 5).join(', ')
  const list = listedBy[kind]
  throw new CliError(
    ids.length === 0
      ? `No ${kind} has an id that begins with "${given}"${list ? `; "${list}" lists them` : ''}.`
      : `${total} ${kind}s have an id that begins with "${given}": ${some}${total > 5 ? ' \u2026' : ''}`,
  )
}

/** The same for an option, which may be left out. */
export const wholeIdOf = async (
  petri: Client,
  kind: NamedKind,
  given: string | undefined,
): Promise<string | undefined> => (given === undefined ? undefined : wholeId(petri, kind, given))

/** The ids that begin so; of every kind unless said. Not all of many. */
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
