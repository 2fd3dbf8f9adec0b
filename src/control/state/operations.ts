import { tooLongList } from '../../api/issue.ts'
import { jsonLimits } from '../../api/limits.ts'
import { operation } from '../../api/operation.ts'
import { jsonOf } from '../../api/responses.ts'
import type { Parsed } from '../../api/schema.ts'
import { inJson, REDACTED, redactText, redactValue, writeRedacted } from '../../api/secrets.ts'
import { version } from '../../api/version.ts'
import { omit } from '../../kernel/fields.ts'
import { isoOrNull, toIso } from '../../kernel/instant.ts'
import { isObject, type JsonObject } from '../../kernel/json.ts'
import { readJsonStream } from '../../kernel/json-stream.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { Problem } from '../../kernel/problem.ts'
import { Slices } from '../../kernel/slices.ts'
import { clockRow } from '../../scheduler/clock-row.ts'
import { type Job, jobs } from '../../scheduler/job.ts'
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
      const signal = clientSignal()
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

/** The maximum length of a row, in characters: a row is parsed as a whole. */
const MAX_ROW_LENGTH = 4 * 1024 * 1024
/** Limits of a row. */
const rowLimits = { ...jsonLimits, fields: 10 * jsonLimits.fields }

/** Tables that the document has in fields of their own, not under `tables`. */
const SEPARATE_TABLES: ReadonlySet<string> = new Set([settings.name, clockRow.name])

/** The rows of a document as JSON, already checked. */
class CheckedRows {
  readonly tables: Tables = new Map()
}

/** A function that reads an exported world from a stream and checks each row. The part about the organisation is ignored. */
function documentReader(known: readonly AnyTable[]) {
  const tables = new Map(known.map((table) => [table.name, table]))
  for (const name of SEPARATE_TABLES) tables.delete(name)
  return async (chunks: AsyncIterable<Uint8Array>, world: World): Promise<unknown> => {
    const head = new Map<string, unknown>()
    const rows = new CheckedRows()
    let whole: unknown
    const progress = beginWork(world, 'import')
    try {
      await readJsonStream(chunks, {
        maxLength: MAX_ROW_LENGTH,
        limits: rowLimits,
        isOpened: ([part, ...inside], kind) =>
          kind === 'object' &&
          (part === undefined ||
            (part === 'tables' && inside.length < 2) ||
            (part === 'organisation' && inside.length < 1)),
        onValue([part, name, id], value) {
          if (head.size > jsonLimits.fields) throw tooManyFields()
          if (part === 'format') assertFormat(value)
          if (part === undefined) whole = value
          else if (name === undefined) head.set(part, value ?? (part === 'tables' ? rows : {}))
          else if (part === 'tables') {
            const table = tables.get(name) ?? unknownTable(name, [...tables.keys()])
            if (id === undefined) openTable(rows, table, value)
            else {
              assertRow(table, id, value)
              if (name === jobs.name) assertKind(id, (value as Job).kind, world.agenda.kinds)
              rows.tables.get(name)?.set(id, JSON.stringify(value))
              progress.add(1)
            }
          }
        },
      })
    } finally {
      progress.end()
    }
    return whole === undefined ? Object.fromEntries(head) : whole
  }
}

/** Other formats have other rows. A format that is not a number is left to the schema. */
function assertFormat(format: unknown): void {
  if (typeof format === 'number' && format !== STATE_FORMAT)
    throw invalid(
      ['format'],
      `The export has format ${format}, and this Petri reads format ${STATE_FORMAT}. Import it with the version of Petri that wrote it, or export the world again with this one.`,
    )
}

function unknownTable(name: string, names: readonly string[]): never {
  throw invalidRow([name], `There is no table "${name}".${didYouMean(name, names)}`)
}

/** `value` is undefined for an object, whose rows follow. */
function openTable({ tables }: CheckedRows, { name }: AnyTable, value: unknown): void {
  if (value !== undefined) throw invalidRow([name], NOT_AN_OBJECT)
  if (!tables.has(name)) tables.set(name, new Map())
}

function assertRow({ name, schema, idOf }: AnyTable, id: string, row: unknown): void {
  if (!isObject(row)) throw invalidRow([name, id], NOT_AN_OBJECT)
  const [issue] = schema().safeParse(row).error?.issues ?? []
  if (issue) throw invalidRow([name, id, ...issue.path.map(String)], issue.message)
  if (idOf(row as never) !== id) throw invalidRow([name, id], 'The row has another id')
}

function assertKind(id: string, kind: string, kinds: ReadonlyMap<string, unknown>): void {
  if (!kinds.has(kind))
    throw invalidRow(
      [jobs.name, id, 'kind'],
      `There are no jobs of kind "${kind}".${didYouMean(kind, [...kinds.keys()])}`,
    )
}

const NOT_AN_OBJECT = 'Input should be a valid dictionary'

const invalidRow = (path: readonly string[], message: string): Problem =>
  invalid(['tables', ...path], message)

const invalid = (path: readonly string[], message: string): Problem =>
  new Problem('invalid', [{ type: 'value_error', loc: ['body', ...path], msg: message, input: null }])

const tooManyFields = (): Problem =>
  new Problem('invalid', [
    { ...tooLongList(jsonLimits.fields, undefined, 'Dictionary'), loc: ['body'], input: null },
  ])
