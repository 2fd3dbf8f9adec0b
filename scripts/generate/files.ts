import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod'
import { type AnyOperation, isMirrored } from '../../src/api/operation.ts'
import type { LazySchema } from '../../src/api/schema.ts'
import { version } from '../../src/api/version.ts'
import { wholeProgram } from '../../src/cli/program.ts'
import { describeLifecycle } from '../../src/control/lifecycle.ts'
import { liveHosts } from '../../src/intercept/hosts.ts'
import { variableTable } from '../../src/intercept/variables.ts'
import { packageFolder } from '../../src/kernel/package-folder.ts'
import { createPetri } from '../../src/petri.ts'
import { knownBy } from '../../src/resources/catalogue/schema.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { eventTypes } from '../../src/resources/event-types.ts'
import { dottedStatuses, lowStatuses } from '../../src/resources/orders/lifecycle.ts'
import { FeedFile } from '../../src/scenarios/feeds/steps.ts'
import { type Scenario, ScenarioFile } from '../../src/scenarios/file.ts'
import { FindingFile } from '../../src/scenarios/finding.ts'
import { PersonaFile } from '../../src/scenarios/personas/file.ts'
import { openScenarios } from '../../src/scenarios/repository.ts'
import { keptSettings, settings } from '../../src/settings.ts'
import { clients, mocks, nodes } from '../../test/programs/mocks/table.ts'
import { goHosts, goOperations, goVersion } from '../clients/go.ts'
import { goVerbs } from '../clients/go-verbs.ts'
import { javaOperations, javaVersion } from '../clients/java.ts'
import { javaVerbs } from '../clients/java-verbs.ts'
import { type ClientModel, readClientModel, readWebhookModel } from '../clients/model.ts'
import { pythonHosts, pythonOperations, pythonVersion } from '../clients/python.ts'
import { pythonVerbs } from '../clients/python-verbs.ts'
import { typescriptEvents, typescriptNames } from '../clients/typescript.ts'
import { tableOfVerbs } from '../clients/verbs.ts'
import { contractOperations, managementContract, newestOperations, tagOf } from '../contract-operations.ts'
import { describeTools } from '../describe-tools.ts'
import { firstWorld } from '../first-world.ts'
import { openApiDocument } from '../openapi-document.ts'
import { commandsPage } from './commands-page.ts'
import { fidelityPage } from './fidelity-page.ts'
import { listOfPages } from './list-of-pages.ts'
import { magicPage } from './magic.ts'
import { payloadsPage } from './payloads-page.ts'
import { providersPage } from './providers-page.ts'
import { scenarioSchema } from './scenario-schema.ts'
import { seedSchemas } from './seed-schemas.ts'
import { senseSection } from './sense-queries.ts'

/** Generated files of the repository, by path. `npm run generate` writes them. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const petri = await createPetri({ firstWorld })
  await petri.close()
  const repository = openScenarios({ resultNames: () => new Map() }).byKind.order
  await repository.ready()
  const document = openApiDocument(petri.operations, eventTypes(), tagOf)
  const [supported, fidelity] = [supportMatrix(petri.operations), fidelityPage(petri.operations)]
  return {
    'SUPPORTED.md': supported,
    'scenarios/scenario.schema.json': scenarioSchema('A Petri scenario', ScenarioFile, true),
    'scenarios/finding.schema.json': scenarioSchema('A finding of petri explore', FindingFile),
    'scenarios/feeds/feed.schema.json': scenarioSchema('A Petri feed scenario', FeedFile),
    'scenarios/personas/persona.schema.json': schemaFile('A Petri persona', PersonaFile),
    'docs/scenarios.md': scenariosPage(repository.all()),
    'docs/contract/providers.md': providersPage(),
    'docs/evidence/fidelity.md': fidelity,
    'docs/evidence/README.md': evidencePage(supported, fidelity),
    'docs/evidence/payloads.md': await payloadsPage(),
    'docs/magic.md': magicPage(),
    'docs/exec.md': execPage(),
    'docs/mcp.md': toolsPage(petri.operations),
    'docs/settings.md': settingsTable(),
    'docs/cli.md': commandsPage(await wholeProgram()),
    'docs/llms.txt': listOfPages(),
    ...clientFiles(readClientModel(document)),
    'clients/typescript/events.ts': typescriptEvents(readWebhookModel(document)),
    'clients/typescript/names.ts': typescriptNames({
      ScenarioName: repository.all().map(({ name }) => name),
      OrderStatus: [...lowStatuses, ...dottedStatuses],
      OperationName: petri.operations.filter(isMirrored).map(({ route }) => route),
    }),
    ...seedSchemas(),
  }
}

/** What the clients in other languages have of the code. */
function clientFiles(model: ClientModel): Record<string, string> {
  const python = 'clients/python/src/petri_sandbox'
  const go = 'clients/go'
  const java = 'clients/java/src/main/java/petri/sandbox'
  return {
    [`${python}/_operations.py`]: pythonOperations(model),
    [`${python}/_verbs.py`]: pythonVerbs(model),
    [`${python}/_hosts.py`]: pythonHosts(liveHosts),
    [`${python}/_version.py`]: pythonVersion(version.petri),
    [`${go}/control/operations.go`]: goOperations(model),
    [`${go}/petritest/verbs.go`]: goVerbs(model),
    [`${go}/petritest/hosts.go`]: goHosts(liveHosts),
    [`${go}/petritest/version.go`]: goVersion(version.petri),
    [`${java}/Control.java`]: javaOperations(model),
    [`${java}/Verbs.java`]: javaVerbs(model),
    [`${java}/Version.java`]: javaVersion(version.petri),
    'clients/conformance/scripts.json': conformanceScripts(),
    'clients/README.md': tableOfVerbs(),
  }
}

/** The conformance scripts for languages whose standard library reads JSON only. */
function conformanceScripts(): string {
  const folder = join(dirname(packageFolder('docs')), 'clients/conformance')
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  const scripts = files.sort().map((name) => parse(readFileSync(join(folder, name), 'utf8')))
  return `${JSON.stringify(scripts, null, 2)}\n`
}

/** A JSON schema for editors. */
const schemaFile = (title: string, file: LazySchema): string => {
  const schema = z.toJSONSchema(file(), { io: 'input', unrepresentable: 'any' })
  return `${JSON.stringify({ title, ...schema }, null, 2)}\n`
}

/** Every setting with its flag, variable and default. */
function settingsTable(): string {
  const secretFiles = Object.values(settings).flatMap(({ fileVariable }) =>
    fileVariable ? [`\`${fileVariable}\``] : [],
  )
  const rows = Object.values(settings).map(
    ({ flag, takes, variable, initially, help }) =>
      `| \`${variable}\` | \`${flag} ${takes.replaceAll('|', '\\|')}\` | ${initially ? `\`${initially}\`` : ''} | ${help} |`,
  )
  return `${[
    '# Settings',
    '',
    'Set up Petri with flags or variables; a flag takes precedence. Petri does not start with an unknown `PETRI_*` variable or flag, and',
    'names the nearest one. `npm run generate` writes this page from the code.',
    '',
    `- A folder keeps these settings of its first world: ${keptSettings.map((name) => `\`${settings[name].variable}\``).join(', ')}`,
    '  and `PETRI_API_KEY`. If one of them differs from the world as it is now, Petri does not start and names the command that changes it.',
    '  Use `--fresh` to delete the world first, or `--data DIR` for another folder. A changed `PETRI_WEBHOOK_URL` changes the endpoint that it made.',
    '- These variables name a file with a secret:',
    `  ${secretFiles.join(', ')}.`,
    '- Petri never prints a key or a secret that you have set.',
    '',
    '| Variable | Flag | Default | |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')}\n`
}

/** `docs/exec.md` with the variables of a run, and the libraries that the tests run with it. */
function execPage(): string {
  const folder = join(dirname(packageFolder('docs')), 'test/programs/mocks')
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const variables = variableTable.map(({ name, readBy }) => `| \`${name}\` | ${readBy} |`)
  const libraries = Object.entries(mocks).map(([mock, name]) => {
    const { version, engines } = packages[`node_modules/${name}`]
    return `| ${mock} (${version}) | ${engines.node.replaceAll('|', '\\|')} |`
  })
  return withTable('exec', [
    '',
    'The variables of a run, in addition to `PATH` and those of Petri; the proxies in lower case, too:',
    '',
    '| Variable | Read by |',
    '|---|---|',
    ...variables,
    '',
    `With these libraries, ${clients.join(', ')} on Node ${nodes.join(', ')}`,
    'do what they do without Petri. Tests run them as root, as another user, and without namespaces:',
    '',
    '| Library | Runs on Node |',
    '|---|---|',
    ...libraries,
    '',
  ])
}

/** The statuses of an order by workflow, and where each leads. */
const statusTables = (): string[] => [
  '',
  '## Statuses',
  '',
  'The statuses of an order by workflow, and those that may follow. `GET /_petri/lifecycle` has the same, with the details of a status.',
  ...describeLifecycle().workflows.flatMap(({ name, statuses }) => [
    '',
    `| \`${name}\` | Next |`,
    '|---|---|',
    ...statuses.map((status) => `| \`${status.name}\` | ${status.leads_to.join(', ') || 'final'} |`),
  ]),
]

/** `docs/scenarios.md` with its tables of the bundled scenarios: first those that several methods have, then those of each. */
function scenariosPage(scenarios: readonly Scenario[]): string {
  const headings = {
    testkit: 'Test kits',
    walk_in_test: 'Walk-in tests',
    at_home_phlebotomy: 'At-home phlebotomy',
    on_site_collection: 'On-site collection',
  }
  const withoutPrefix = ({ name }: Scenario) => name.replace(/^(walk-in|at-home|on-site)-/, '')
  const sharedWith = (scenario: Scenario) =>
    scenarios.filter(
      (other) => withoutPrefix(other) === withoutPrefix(scenario) && other.summary === scenario.summary,
    )
  const zipIn = (group: readonly Scenario[], of: string) =>
    group.find(({ method }) => method === of)?.zip ?? ''
  const shared = scenarios.map(sharedWith).filter((group) => group.length > 1)
  const sharedRows = new Set(
    shared.map((group) => {
      const zips = Object.keys(headings).map((method) => zipIn(group, method))
      return `| \`${group.map(withoutPrefix)[0]}\` | ${zips.join(' | ')} | ${group.map(({ summary }) => summary)[0]} |`
    }),
  )
  const tables = Object.entries(headings).flatMap(([of, heading]) => [
    '',
    `### ${heading}`,
    '',
    '| Scenario | ZIP | What happens |',
    '|---|---|---|',
    ...scenarios
      .filter((scenario) => scenario.method === of && sharedWith(scenario).length === 1)
      .map(({ name, zip, summary }) => `| \`${name}\` | ${zip ?? ''} | ${summary} |`),
  ])
  return withTable('scenarios', [
    '### Several methods',
    '',
    'The name is that for test kits. For the other methods it begins with `walk-in-`, `at-home-` or `on-site-`, as in',
    '`walk-in-abnormal-result`.',
    '',
    '| Scenario | Test kit | Walk-in | At home | On site | What happens |',
    '|---|---|---|---|---|---|',
    ...sharedRows,
    ...tables,
    '',
    ...statusTables(),
  ])
}

/** `docs/mcp.md` with its table of tools. */
function toolsPage(operations: readonly AnyOperation[]): string {
  const rows = describeTools(operations).map(({ name, description }) => `| \`${name}\` | ${description} |`)
  return withTable('mcp', ['| Tool | What it does |', '|---|---|', ...rows])
}

/** `docs/evidence/README.md` with its table of claims and figures, which are those of the pages behind it. */
function evidencePage(supported: string, fidelity: string): string {
  const read = (name: string) => readFileSync(join(packageFolder('docs'), `evidence/${name}.md`), 'utf8')
  const figures = (page: string, pattern: RegExp) => pattern.exec(page)?.slice(1) ?? []
  const [recordings, rules, known] = figures(
    fidelity,
    /(\d+ recordings with \d+ asserted fields)[\s\S]*?Of (\d+) rules in words,\s+(\d+)/,
  )
  const mutants = [...read('quality').matchAll(/^\| `[\w-]+` \| (\d+) \| (\d+) \|/gm)]
  const total = (column: number) => mutants.reduce((sum, row) => sum + Number(row[column]), 0)
  const budgets = [...read('benchmarks').matchAll(/^\| .+ \| [≤≥] .+ \| [≤≥] .+ \| .+ \| (.+) \|$/gm)]
  const met = budgets.filter(([, newest]) => !newest?.includes('missed'))
  const soak = read('soak')
  const rows = [
    [
      'It responds like the live service',
      `${recordings}; ${known} of ${rules} rules have a source`,
      '[Sources](fidelity.md)',
      'npm run fidelity',
    ],
    [
      'It serves all operations of the contract',
      figures(supported, /serves (\d+ of \d+) operations/),
      '[Supported operations](../../SUPPORTED.md)',
      'npm run generate',
    ],
    [
      'Its people resemble real ones',
      `${figures(read('realism'), /^(\d+ of \d+) hold/m)} figures are near the published ones`,
      '[Realism](realism.md)',
      'npm run realism',
    ],
    [
      'Its tests notice a broken rule',
      `${total(2)} of ${total(1)} mutants killed`,
      '[Test quality](quality.md)',
      'npm run mutants',
    ],
    [
      'It is fast',
      `${met.length} of ${budgets.length} budgets met with Node 24`,
      '[Benchmarks](benchmarks.md)',
      'npm run bench',
    ],
    [
      'It loses nothing and sends nothing twice',
      `${figures(soak, /lost or doubled \| (\d+)/)} of ${figures(soak, /\| events \| (\d+)/)} events lost or doubled, in ${figures(soak, /kills in all \| (\d+)/)} kills`,
      '[Soak test](soak.md)',
      'npm test soak',
    ],
  ]
  return withTable('evidence/README', [
    '| Claim | Figure | Page | Command |',
    '|---|---|---|---|',
    ...rows.map(([claim, figure, page, command]) => `| ${claim} | ${figure} | ${page} | \`${command}\` |`),
  ])
}

/** A page of the documentation with its generated table, which stands between two comments. */
function withTable(name: string, rows: readonly string[]): string {
  const page = readFileSync(join(packageFolder('docs'), `${name}.md`), 'utf8')
  const [begin, end] = [`<!-- ${name} begin -->`, `<!-- ${name} end -->`]
  const [before, rest = ''] = page.split(begin)
  return `${before}${begin}\n${rows.join('\n')}\n${end}${rest.split(end)[1]}`
}

const wearableData =
  'a connection generates it from its first day on; `POST /_petri/users/{user_id}/data`, uploads of the mobile SDKs, feed scenarios and personas add to it'

/** How the data of each section gets into a world. */
const dataSources: ReadonlyMap<string, string> = new Map([
  ['aggregate', 'from summaries and timeseries; rows of continuous queries as they are due'],
  ['checkout', 'from its calls, and the payment page or `petri checkout pay`'],
  ['compendium', 'bundled; `--seeds` adds to it'],
  ['fhir', 'from orders and their results'],
  ['insurance', 'from its calls; payors are bundled, and `--seeds` adds some'],
  ['introspect', 'from what connections have pulled and sent'],
  ['lab_account', 'bundled; `--seeds` and the management API add some'],
  ['lab_report', 'from uploaded reports, which a parser reads'],
  ['lab_tests', 'bundled; `--seeds`, `petri record` and its calls add some'],
  ['link', 'from its calls and the link page; `petri connect` does it in one step'],
  ['management', 'from its calls; one organisation and team are there'],
  ['mobile', 'from the mobile SDKs'],
  ['order', 'from its calls and `petri order place`; scenarios move orders on and report results'],
  ['order_transaction', 'from orders'],
  ['orders', 'from orders'],
  ['payor', 'bundled; `--seeds` and its calls add some'],
  ['petri', 'from its calls'],
  ['providers', 'bundled'],
  ['summary', wearableData],
  ['team', 'from the settings of the team'],
  ['timeseries', wearableData],
  ['unmatched', 'from `POST /v3/unmatched_result_test`'],
  ['user', 'from its calls, or generated for an order without a patient'],
])

function dataSourceOf(tag: string): string {
  const source = dataSources.get(tag)
  if (source === undefined)
    throw new Error(`SUPPORTED.md does not say how data of the section ${tag} gets in`)
  return source
}

function supportMatrix(operations: readonly AnyOperation[]): string {
  const ids = new Set(operations.map(({ id }) => id))
  const served = (contract: readonly (readonly [id: string, ...unknown[]])[]) =>
    `${contract.filter(([id]) => ids.has(id)).length} of ${contract.length}`
  const tags = [...new Set(operations.map(tagOf))].sort()
  return `${[
    '# Supported operations',
    '',
    'Look up whether Petri serves an operation, and [what it assumes](#assumed) about it. `npm run generate` writes this page from the code.',
    '',
    `Petri serves ${served(contractOperations)} operations of contract ${version.contract}, and ${served(managementContract)} of its management API (section \`management\`).`,
    `It serves ${served(newestOperations)} operations that only the clients ${version.clients} call. Operations under \`/_petri\` are its own.`,
    '',
    '| Section | How its data gets in |',
    '|---|---|',
    ...tags.map((tag) => `| ${tag} | ${dataSourceOf(tag)} |`),
    ...tags.map((tag) => section(tag, operations)),
    '',
    ...senseSection(),
    '## Assumed',
    '',
    rangesOfLaboratories(),
    '',
    'If no source describes an operation, Petri does the least that a user expects:',
    '',
    '| Operation | What Petri assumes |',
    '|---|---|',
    ...operations.flatMap(({ id, assumes = [] }) => assumes.map((text) => `| ${id} | ${text} |`)),
  ].join('\n')}\n`
}

/** How many reference ranges laboratories have of their own, and how many of them no source gives. */
function rangesOfLaboratories(): string {
  const rows = [...createCatalogue().labProfiles().values()]
    .flatMap(({ analytes }) => Object.values(analytes))
    .filter(({ range, male, female }) => range ?? male ?? female)
  const assumed = rows.filter((row) => knownBy(row) === 'assumed')
  return `Of ${rows.length} reference ranges that laboratories have of their own (\`seeds/lab-profiles.json\`), ${assumed.length} have no source that can be cited, and are assumed.`
}

function section(tag: string, all: readonly AnyOperation[]): string {
  const rows = all
    .filter((operation) => tagOf(operation) === tag)
    .map(({ id, route }) => ({ id, route, path: route.replace(/^\w+ /, '') }))
    .sort((a, b) => order(a.path, b.path) || order(a.route, b.route))
    .map(({ id, route }) => `| ${id} | \`${route}\` |`)
  return ['', `## ${tag} (${rows.length})`, '', '| Operation | Route |', '|---|---|', ...rows].join('\n')
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
