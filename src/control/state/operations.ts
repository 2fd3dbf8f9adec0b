import { operation } from '../../api/operation.ts'
import { jsonOf } from '../../api/responses.ts'
import type { Parsed } from '../../api/schema.ts'
import { REDACTED, redactText, redactValue, writeRedacted } from '../../api/secrets.ts'
import { version } from '../../api/version.ts'
import { omit } from '../../kernel/fields.ts'
import { isoOrNull, toIso } from '../../kernel/instant.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { Slices } from '../../kernel/slices.ts'
import type { Database } from '../../storage/database.ts'
import { rowsIn, type Tables } from '../../storage/rows.ts'
import type { AnyTable } from '../../storage/table.ts'
import { assertNumberOfEndpoints } from '../../webhooks/endpoints.ts'
import { type Endpoint, endpoints } from '../../webhooks/table.ts'
import { earlierWorkDone } from '../../world/earlier-work.ts'
import { beginWork } from '../../world/long-work.ts'
import { creations } from '../../world/organisation.ts'
import { copyOfWorld, type RestoredRows, settingsIn } from '../../world/restore.ts'
import { type Settings, settings } from '../../world/settings.ts'
import type { World } from '../../world/world.ts'
import type { Worlds } from '../../world/worlds.ts'
import { publish } from '../publish.ts'
import { secretsOf } from '../requests.ts'
import { describeWorld, WorldView } from '../worlds.ts'
import { CheckedRows, documentReader, SEPARATE_TABLES } from './read-document.ts'
import { STATE_FORMAT, State, StateInput } from './schema.ts'

/** The largest world that can be imported, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024 * 1024

export const stateOperations = (worlds: Worlds, tables: readonly AnyTable[]) => [
  operation({
    id: 'petri_state_get',
    route: 'GET /_petri/state',
    summary: 'Export this world as one document without secrets',
    returns: State,
    async run(world) {
      await earlierWorkDone(world)
      return exportState(world, worlds.organisation.db)
    },
  }),
  operation({
    id: 'petri_state_put',
    route: 'PUT /_petri/state',
    summary: 'Replace this world with an exported one; team, keys and secrets stay',
    body: StateInput,
    maxBodyBytes: MAX_BYTES,
    readBody: documentReader(tables),
    returns: WorldView,
    async run(world, { body }, { clientSignal }) {
      const signal = clientSignal?.()
      const state = await readState(world, body)
      publish(world, 'world', { change: 'imported' })
      return describeWorld(await worlds.restore(world, state, signal))
    },
  }),
]

/** A world without its secrets. Rows that can only be reached with a secret, such as link tokens, are left out. */
async function exportState(world: World, organisation: Database) {
  const [copy, all] = await Promise.all([copyOfWorld(world), organisation.copy()])
  const ofOrganisation = writeOrganisation(world.identity.teamId, all)
  const pieces = writeState(headOf(world, copy), copy, secretsOf(world), ofOrganisation)
  return jsonOf<Parsed<typeof State>>(withProgress(world, copy.tables, pieces))
}

/** Reports the progress of the export; each piece is one row. */
function* withProgress(world: World, tables: Tables, pieces: Iterable<string>): Generator<string> {
  const progress = beginWork(world, 'export', { of: rowsIn(tables) })
  try {
    for (const piece of pieces) {
      progress.add(1)
      yield piece
    }
  } finally {
    progress.end()
  }
}

/** The document without its rows. */
function headOf(world: World, { at, frozen, tables }: RestoredRows) {
  const { teamId, orgId } = world.identity
  const { options } = world
  const { pace, scenario, features } = settingsIn(tables, teamId) ?? world.settings()
  return {
    format: STATE_FORMAT,
    petri_version: version.petri,
    team_id: teamId,
    org_id: orgId,
    base_url: world.baseUrl,
    seed: options.seed,
    ...(options.behaviourSeed !== undefined && { behaviour_seed: options.behaviourSeed }),
    clock: { now: toIso(at), frozen },
    birth: {
      frozen: options.frozen,
      now: isoOrNull(options.now),
      pace: options.pace,
      scenario: options.scenario,
      webhook_url: options.webhookUrl,
    },
    settings: { pace, scenario, features },
  }
}

/** The text of the document, row by row. */
function* writeState(
  head: object,
  { tables }: RestoredRows,
  known: readonly string[],
  organisation: Iterable<string>,
): Generator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"tables":{`
  let before = ''
  for (const [name, rows] of tables) {
    if (SEPARATE_TABLES.has(name) || rows.size === 0) continue
    yield `${before}${JSON.stringify(name)}:{`
    yield* writeRows(rows, known)
    before = '},\n'
  }
  yield `${before && '}'}},"organisation":{`
  yield* organisation
  yield '}}'
}

/** The rows of the organisation that concern a team, as text. A row bound to several teams is shown as bound to this one only. */
function* writeOrganisation(teamId: string, organisation: Tables): Generator<string> {
  let end = ''
  for (const [name, rows] of organisation) {
    if (name === creations.name) continue
    let before = `${end && `${end},`}${JSON.stringify(name)}:{`
    for (const [id, text] of rows) {
      const row = omit(JSON.parse(text) as RowOfTeams, 'digest')
      const teamIds = row.team_id === undefined ? row.team_ids : [row.team_id]
      if (teamIds && !teamIds.includes(teamId)) continue
      const shown = row.team_ids ? { ...row, team_ids: [teamId] } : row
      yield `${before}${JSON.stringify(id)}:${JSON.stringify(redactValue(shown))}`
      before = ','
      end = '}'
    }
  }
  yield end
}

/** A row of the organisation that is about teams, or about all of them. */
interface RowOfTeams {
  readonly digest?: string
  readonly team_id?: string
  readonly team_ids?: readonly string[] | null
}

function* writeRows(rows: ReadonlyMap<string, string>, known: readonly string[]): Generator<string> {
  let before = ''
  for (const [id, entry] of rows) {
    if (redactText(id, known) !== id) continue
    const row = JSON.parse(entry) as JsonObject
    if (Object.entries(row).some(([name, value]) => value === id && isRedacted(name, value))) continue
    yield `${before}${JSON.stringify(id)}:${writeRedacted(row, known)}`
    before = ',\n'
  }
}

const isRedacted = (name: string, value: unknown) =>
  (redactValue({ [name]: value }) as JsonObject)[name] === REDACTED

/** The rows of a document, adapted to the team, the address and the secrets of another world. */
async function readState(world: World, state: Parsed<typeof StateInput>): Promise<RestoredRows> {
  const { teamId, orgId, webhookSecret } = world.identity
  const { birth, clock, settings: chosen, seed, behaviour_seed: behaviourSeed } = state
  const moves = [
    { from: state.team_id, to: teamId, end: '' },
    { from: state.org_id, to: orgId, end: '' },
    { from: state.base_url, to: world.baseUrl, end: URL_END },
  ]
    .filter(({ from, to }) => from !== to && from !== '')
    .map(({ from, to, end }) => ({
      pattern: new RegExp(escapePattern(inJson(from)) + end, 'g'),
      to: inJson(to),
    }))
  const moved = (text: string) =>
    moves.reduce((all, { pattern, to }) => all.replaceAll(pattern, () => to), text)
  const tables = await readTables(state.tables, moves.length > 0 ? moved : undefined)
  assertNumberOfEndpoints(tables.get(endpoints.name)?.size ?? 0)
  giveSecrets(tables, webhookSecret)
  const { identity } = world
  const options = {
    seed,
    ...(behaviourSeed !== undefined && { behaviourSeed }),
    frozen: birth.frozen,
    now: birth.now,
    pace: birth.pace,
    scenario: birth.scenario,
    webhookUrl: birth.webhook_url,
  }
  const row: Settings = { identity, options, ...chosen }
  tables.set(settings.name, new Map([[teamId, JSON.stringify(row)]]))
  return { tables, at: clock.now, frozen: clock.frozen }
}

/** The end of a base URL: its host or port ends there, unlike `http://localhost:40800`. */
const URL_END = '(?![\\w:@-]|\\.\\w)'

/** A text as it is within a text of JSON. */
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

async function readTables(given: object, moved: ((text: string) => string) | undefined): Promise<Tables> {
  const tables: Tables = new Map()
  const slices = new Slices()
  for (const [name, rows] of given instanceof CheckedRows ? given.tables : []) {
    if (SEPARATE_TABLES.has(name)) continue
    if (!moved) {
      tables.set(name, rows)
      continue
    }
    const own = new Map<string, string>()
    for (const [id, text] of rows) {
      own.set(moved(id), moved(text))
      rows.delete(id)
      if (slices.isOver) await slices.next()
    }
    tables.set(name, own)
  }
  return tables
}

/** Endpoints without a secret sign with the world's. */
function giveSecrets(tables: Tables, secret: string): void {
  const rows = tables.get(endpoints.name)
  for (const [id, entry] of rows ?? []) {
    const endpoint = JSON.parse(entry) as Endpoint
    const old = (endpoint.previous_secrets ?? []).filter((each) => each.secret !== REDACTED)
    const own = endpoint.secret === REDACTED ? secret : endpoint.secret
    rows?.set(id, JSON.stringify({ ...endpoint, secret: own, previous_secrets: old }))
  }
}
