import * as z from 'zod'
import { boolean, field, oneOf, text } from '../api/fields.ts'
import { notUnicode, valueError } from '../api/issue.ts'
import { type AnyOperation, operation } from '../api/operation.ts'
import { nullableText, schema, texts, unnamed } from '../api/schema.ts'
import { parseJson } from '../kernel/json.ts'
import { badRequest, conflict, Problem } from '../kernel/problem.ts'
import { Slices } from '../kernel/slices.ts'
import { dotted, workflowsOf } from '../resources/orders/lifecycle.ts'
import { resultsByName } from '../resources/results/service.ts'
import type { ScenariosByKind, SharedScenarios } from '../scenarios/engines.ts'
import { inWords as describeStep } from '../scenarios/feeds/steps.ts'
import { uploadedFeeds } from '../scenarios/feeds/table.ts'
import type { Scenario, ScenarioIssue } from '../scenarios/file.ts'
import { kindNames, type ParsedScenario, type ScenarioKind, scenarioKinds } from '../scenarios/kinds.ts'
import { plannedHistory } from '../scenarios/planned-steps.ts'
import { assertScenarioName, inWords, kindOfText, parseScenario, tryToRead } from '../scenarios/read.ts'
import { noScenario } from '../scenarios/repository.ts'
import { orderScenarios, uploadedScenarios } from '../scenarios/table.ts'
import { table } from '../storage/table.ts'
import type { Organisation } from '../world/organisation.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import { assertFeedNotInUse } from './feed-scenarios.ts'
import { assertScenarioNotInUse } from './scenarios.ts'

/** A scenario of any kind that all worlds have. */
export const sharedScenarioFiles = table(
  'shared_scenarios',
  () => z.object({ name: z.string(), source: z.string() }),
  ({ name }) => name,
)

const ScenarioPath = unnamed(() => ({ name: text() }))
const ScenarioListQuery = unnamed(() => ({
  kind: oneOf(kindNames).optional(),
  statuses: boolean().optional(),
}))
const ScenarioUploadQuery = unnamed(() => ({ all_worlds: boolean().optional() }))

/** Parsed to the text of the scenario: what was sent, or the value of `source` in it. */
const ScenarioUpload = schema('ScenarioUpload', () =>
  field({ type: ['object', 'string'], examples: [{ source: 'name: mine\nsummary: …' }] }, (input) => {
    if (typeof input !== 'string') return valueError('a scenario is YAML, a JSON object, or {"source": "…"}')
    const source = wrappedSource(input) ?? input
    return source.isWellFormed() ? source : notUnicode
  }),
)

/** The text in `{"source": "…"}`. */
function wrappedSource(text: string): string | undefined {
  if (!/^\s*\{\s*"source"/.test(text)) return undefined
  const { source, ...rest } = (parseJson(text) ?? {}) as { readonly source?: unknown }
  return typeof source === 'string' && Object.keys(rest).length === 0 ? source : undefined
}

/** An operation whose body is a scenario file. */
const takesScenarioFile = {
  body: ScenarioUpload,
  keepsBodyText: true,
  maxBodyBytes: 256 * 1024,
}

const ScenarioRefusal = schema('ScenarioRefusal', () => ({
  /** Counts from 1. */
  line: z.int(),
  /** Counts from 1; null for an error of the whole file. */
  step: z.int().nullable(),
  message: z.string(),
  /** The statuses that are allowed at this step. */
  legal: texts().nullable(),
}))

const ScenarioStatus = schema('ScenarioStatus', () => ({
  status: z.string(),
  status_detail: nullableText(),
  /** Milliseconds since the previous step; null if the customer decides. */
  after_ms: z.number().nullable(),
  before_visit_ms: z
    .number()
    .nullable()
    .describe(
      'How long before the start of the appointment; null for a step that follows the one before it.',
    ),
}))

const FeedMoment = schema('FeedMoment', () => ({
  /** Milliseconds since the scenario began. */
  at_ms: z.number(),
  does: z.string(),
}))

export const ScenarioSummary = schema('ScenarioSummary', () => ({
  name: z.string(),
  kind: z.enum(kindNames),
  /** Empty for a scenario with an error. */
  summary: z.string(),
  /** Whether it was uploaded to this world. */
  uploaded: z.boolean(),
  /** The subfolder of the user's folder it lies in, such as `incidents`; empty for the others. */
  group: z.string(),
  /** Why a stored scenario is no longer valid; it cannot be used until it is replaced. Null for the others. */
  error: nullableText(),
  /** Null unless it is for orders. */
  method: nullableText(),
  zip: nullableText(),
  /** In a list only with `statuses=true`: the statuses an order gets from the scenario, by workflow. */
  statuses: z.record(z.string(), z.array(ScenarioStatus())).optional(),
}))

const ScenarioList = schema('ScenarioList', () => ({ data: z.array(ScenarioSummary()) }))

/** What happens in a scenario. */
const courseFields = () => ({
  /** The statuses an order gets from the scenario, by workflow; empty for the other kinds. */
  statuses: z.record(z.string(), z.array(ScenarioStatus())),
  /** The steps of a feed scenario; empty for the other kinds. */
  steps: z.array(FeedMoment()),
})

export const ScenarioView = schema('ScenarioView', () =>
  ScenarioSummary().extend({
    ...courseFields(),
    /** Rules of the file that will never apply, with their lines. */
    warnings: texts(),
    source: z.string(),
  }),
)

export const ScenarioCheck = schema('ScenarioCheck', () => ({
  valid: z.boolean(),
  /** Null if the scenario is refused, as the fields that follow from it. */
  name: nullableText(),
  kind: z.enum(kindNames),
  summary: nullableText(),
  refusals: z.array(ScenarioRefusal()),
  /** What has no effect, though the file is valid. */
  warnings: z.array(ScenarioRefusal()),
  method: nullableText(),
  ...courseFields(),
}))

/** Scenarios of all kinds: of orders, of the feeds of connections, and personas. */
export const scenarioOperations = (
  byKind: ScenariosByKind,
  worlds: Worlds,
  shared: SharedScenarios,
): AnyOperation[] => [
  operation({
    id: 'petri_scenarios_list',
    route: 'GET /_petri/scenarios',
    summary: 'List the scenarios of orders with their magic ZIP codes, the feed scenarios and the personas',
    tool: { name: 'list_scenarios' },
    query: ScenarioListQuery,
    returns: ScenarioList,
    needs: 'scenarios',
    async run(world, { query }) {
      const data = []
      const slices = new Slices()
      for (const kind of query.kind ? [query.kind] : kindNames) {
        for (const name of byKind[kind].names(world)) {
          const found = findIn(byKind, world, kind, name)
          if (found)
            data.push({
              ...summarise(found),
              statuses: query.statuses ? courseOf(found.parsed).statuses : undefined,
            })
          if (slices.isOver) await slices.next()
        }
      }
      return { data }
    },
  }),
  operation({
    id: 'petri_scenarios_get',
    route: 'GET /_petri/scenarios/{name}',
    summary: 'Show one scenario of any kind: what happens in it, and its source',
    tool: { name: 'get_scenario' },
    params: ScenarioPath,
    returns: ScenarioView,
    needs: 'scenarios',
    run: (world, { params: { name } }) =>
      describe(findIn(byKind, world, getKind(byKind, world, name), name) ?? notFound(byKind, world, name)),
  }),
  operation({
    id: 'petri_scenarios_put',
    route: 'PUT /_petri/scenarios/{name}',
    summary:
      'Add a scenario to this world, as YAML or JSON; it replaces a bundled one of the same name. With all_worlds, which needs the control token in place of the key, it is added to all worlds, including new ones; a persona only so',
    tool: { name: 'upload_scenario', bodyArgument: 'scenario' },
    takesAllWorlds: true,
    params: ScenarioPath,
    query: ScenarioUploadQuery,
    ...takesScenarioFile,
    returns: ScenarioView,
    async run(world, { params: { name }, body: source }, { isForAllWorlds }) {
      await byKind.order.ready()
      const [first = world, ...rest] = isForAllWorlds ? worlds.all() : []
      if (!first) throw conflict('There is no world yet.')
      const parsed = await worlds.use(first, (any) => readUpload(any, source, name))
      const withOwn = rest.filter((each) => each.count(uploadedScenarios) + each.count(uploadedFeeds) > 0)
      await worlds.each([first, ...withOwn], (each) => assertNameIsFree(byKind, each, name, parsed.kind))
      if (isForAllWorlds) {
        await shareScenario(byKind, worlds, shared, parsed)
      } else if (parsed.kind === 'order') await byKind.order.upload(world, parsed.scenario)
      else if (parsed.kind === 'feed') byKind.feed.upload(world, parsed.scenario)
      else throw badRequest('All worlds have the same personas: upload it with ?all_worlds=true.')
      const { kind } = parsed
      return describe({ name, kind, source, issues: [], parsed, isUploaded: !isForAllWorlds })
    },
  }),
  operation({
    id: 'petri_scenarios_delete',
    route: 'DELETE /_petri/scenarios/{name}',
    summary:
      'Remove an uploaded scenario; a bundled one of the same name is restored, and connections that follow it continue',
    params: ScenarioPath,
    needs: 'scenarios',
    run: (world, { params: { name } }) => removeUploaded(byKind, world, name),
  }),
  operation({
    id: 'petri_scenarios_check',
    route: 'POST /_petri/scenarios/check',
    summary: 'Validate a scenario without storing it: what happens in it, or its errors by line',
    tool: { name: 'check_scenario', bodyArgument: 'scenario' },
    onlyReads: true,
    ...takesScenarioFile,
    returns: ScenarioCheck,
    needs: 'scenarios',
    run: (world, { body }) => checkScenario(world, body),
  }),
]

/** Gives all worlds the scenarios that an earlier run was sent for them. */
export function loadSharedScenarios(organisation: Organisation, shared: SharedScenarios): void {
  const rows = organisation.isReadable ? [...organisation.db.all(sharedScenarioFiles)] : []
  for (const { name, source } of rows) {
    const { scenario: parsed, issues } = tryToRead(() => parseScenario(source, name))
    if (parsed) shared.share(parsed)
    else shared.refused[kindOfText(source)].set(name, { source, issues })
  }
}

async function removeUploaded(byKind: ScenariosByKind, world: World, name: string): Promise<void> {
  const kind = getKind(byKind, world, name)
  if (!byKind[kind].isUploaded(world, name))
    throw conflict(`The scenario "${name}" was not uploaded and cannot be removed.`)
  if (kind === 'order') {
    await byKind.order.remove(world, name, () => {
      if (!byKind.order.names().includes(name)) assertScenarioNotInUse(world, name)
    })
  } else if (kind === 'feed') {
    if (!byKind.feed.names().includes(name)) assertFeedNotInUse(world, name)
    byKind.feed.remove(world, name)
  }
}

async function checkScenario(world: World, source: string) {
  const { parsed, issues } = await readAndCheck(world, source, 'scenario')
  const { name = null, summary = null, method = null, warnings = [] } = fieldsOf(parsed)
  return {
    valid: parsed !== undefined,
    name,
    kind: kindOfText(source),
    summary,
    refusals: issues.map(toRefusal),
    warnings: warnings.map(toRefusal),
    method,
    ...courseOf(parsed),
  }
}

async function shareScenario(
  { order }: ScenariosByKind,
  worlds: Worlds,
  shared: SharedScenarios,
  parsed: ParsedScenario,
): Promise<void> {
  const { name, source } = parsed.scenario
  const isKnown = parsed.kind === 'order' && order.names().includes(name)
  const concerned = isKnown ? worlds.all().filter((world) => world.count(orderScenarios) > 0) : []
  const leave = await worlds.each(concerned, (world) => order.leaveChanged(world, new Set([name])))
  await worlds.organisation.change((db) => db.put(sharedScenarioFiles, { name, source }))
  for (const leaveRest of leave) leaveRest()
  shared.share(parsed)
}

/** A scenario of a world; not parsed if its stored text is no longer valid. */
interface FoundScenario {
  readonly name: string
  readonly kind: ScenarioKind
  readonly source: string
  readonly parsed: ParsedScenario | undefined
  readonly issues: readonly ScenarioIssue[]
  readonly isUploaded: boolean
}

function findIn<Kind extends ScenarioKind>(
  byKind: ScenariosByKind,
  world: World,
  kind: Kind,
  name: string,
): FoundScenario | undefined {
  const scenarios = byKind[kind]
  const stored = scenarios.findStored(world, name)
  if (!stored) return undefined
  const { scenario, source, issues } = stored
  const parsed = scenario && ({ kind, scenario } as ParsedScenario)
  return { name, kind, source, issues, parsed, isUploaded: scenarios.isUploaded(world, name) }
}

/** The kind of the scenario of this name: that of an uploaded one before that of the others. Throws a 404 for another name. */
const getKind = (byKind: ScenariosByKind, world: World, name: string): ScenarioKind =>
  kindNames.find((kind) => byKind[kind].isUploaded(world, name)) ??
  kindNames.find((kind) => byKind[kind].names().includes(name)) ??
  notFound(byKind, world, name)

function notFound(byKind: ScenariosByKind, world: World, name: string): never {
  const names = kindNames.flatMap((kind) => byKind[kind].names(world))
  throw new Problem(
    'not_found',
    noScenario(name, names, () => byKind.order.all(world)),
  )
}

/** Throws if a scenario of another kind has the name. */
function assertNameIsFree(byKind: ScenariosByKind, world: World, name: string, kind: ScenarioKind): void {
  const other = kindNames.find((each) => each !== kind && byKind[each].names(world).includes(name))
  if (other === undefined) return
  const [its, own] = [scenarioKinds[other].noun, scenarioKinds[kind].noun]
  throw conflict(`"${name}" is the name of a ${its}; give this ${own} another name.`)
}

/** The fields that some kinds of scenarios have. */
const fieldsOf = (
  parsed: ParsedScenario | undefined,
): Partial<Pick<Scenario, 'name' | 'summary' | 'group' | 'method' | 'zip' | 'warnings'>> =>
  parsed?.scenario ?? {}

function summarise({ name, kind, parsed, issues, isUploaded }: FoundScenario) {
  const { summary = '', group = '', method = null, zip = null } = fieldsOf(parsed)
  const error = issues.length > 0 ? issues.map(inWords).join('\n') : null
  return { name, kind, summary, uploaded: isUploaded, group, error, method, zip }
}

const describe = (found: FoundScenario) => ({
  ...summarise(found),
  ...courseOf(found.parsed),
  warnings: (fieldsOf(found.parsed).warnings ?? []).map(inWords),
  source: found.source,
})

const courseOf = (parsed: ParsedScenario | undefined) => ({
  statuses: parsed?.kind === 'order' ? statusesByWorkflow(parsed.scenario) : {},
  steps:
    parsed?.kind === 'feed'
      ? parsed.scenario.steps.map((step) => ({ at_ms: step.atMs, does: describeStep(step) }))
      : [],
})

/** The statuses an order gets from a scenario, by workflow. */
const statusesByWorkflow = (scenario: Scenario) =>
  Object.fromEntries(
    workflowsOf(scenario.method).map((workflow) => [
      workflow,
      plannedHistory(scenario, workflow).map(({ low, afterMs, beforeVisitMs, detail }) => ({
        status: dotted(scenario.method, low),
        status_detail: detail,
        after_ms: afterMs,
        before_visit_ms: beforeVisitMs,
      })),
    ]),
  )

const toRefusal = ({ line, step, message, legal }: ScenarioIssue) => ({
  line: line ?? 1,
  step: step ?? null,
  message,
  legal: legal ? [...legal] : null,
})

/** Reads a scenario file: the scenario, or why it is refused. */
async function readAndCheck(world: World, source: string, name: string, isNamed = false) {
  const { scenario: parsed, issues } = tryToRead(() => {
    const read = parseScenario(source, name)
    if (isNamed) assertScenarioName(read.scenario, name, name)
    return read
  })
  const impossible = parsed?.kind === 'order' ? await uploadIssues(world, parsed.scenario) : issues
  return impossible.length > 0 ? { parsed: undefined, issues: impossible } : { parsed, issues }
}

/** Results that the catalogue does not have, values that they cannot have, and PDFs that are not there. */
async function uploadIssues(world: World, scenario: Scenario): Promise<readonly ScenarioIssue[]> {
  const { impossibleResults, unreachablePdfs } = await import('../scenarios/validate-files.ts')
  const { name } = scenario
  return [
    ...impossibleResults(scenario, name, () => resultsByName(world.services.catalogue)),
    ...unreachablePdfs(scenario, name),
  ]
}

/** Reads a scenario file that is stored under `name`. Throws a 422 if it is refused. */
async function readUpload(world: World, source: string, name: string): Promise<ParsedScenario> {
  const { parsed, issues } = await readAndCheck(world, source, name, true)
  if (!parsed) throw new Problem('invalid', issues.map(toEntry))
  return parsed
}

/** An issue as an entry of a 422. */
const toEntry = ({ file, line, step, path = [], value, message, legal }: ScenarioIssue) => ({
  type: 'scenario_invalid',
  loc: ['body', ...path],
  msg: message,
  input: value ?? null,
  ctx: { file, line, step, legal },
})
