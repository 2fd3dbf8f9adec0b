import type { Client } from './client.ts'
import { CliError } from './config.ts'

const WHOLE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** As other commands print an id: its beginning, with or without the dots after it. */
const BEGINNING = /^([0-9a-f][0-9a-f-]*)(\u2026|\.\.\.)?$/i

interface Found {
  readonly data: readonly { readonly id: string }[]
}

/** The id of the one order whose id begins so. What is no beginning of an id is left to Petri to refuse. */
export async function wholeOrderId(petri: Client, given = ''): Promise<string> {
  const beginning = BEGINNING.exec(given)?.[1]?.toLowerCase()
  if (WHOLE.test(given) || beginning === undefined) return given
  const { data } = await petri.get<Found>('/_petri/orders', { search: beginning })
  const ids = data.flatMap(({ id }) => (id.startsWith(beginning) ? [id] : []))
  if (ids.length === 1) return ids[0] ?? given
  const some = ids.slice(0, 5).join(', ')
  throw new CliError(
    ids.length === 0
      ? `No order has an id that begins with "${given}"; "petri orders" lists them.`
      : `${ids.length} orders have an id that begins with "${given}": ${some}${ids.length > 5 ? ' \u2026' : ''}`,
  )
}

/** The same for an option, which may be left out. */
export const wholeOrderIdOf = async (
  petri: Client,
  given: string | undefined,
): Promise<string | undefined> => (given === undefined ? undefined : wholeOrderId(petri, given))
