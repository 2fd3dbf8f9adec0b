import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { isMap, parseDocument } from 'yaml'
import { packageFolder } from '../../kernel/package-folder.ts'
import { whyUnreadable } from '../../kernel/reason.ts'
import { collectionMethods } from '../../resources/catalogue/schema.ts'
import type { Method } from '../../resources/orders/lifecycle.ts'
import { FEEDS } from '../../scenarios/own-files.ts'
import type { ScenarioRepositories } from '../../scenarios/repository.ts'
import { CliError, commandName, readConfig, UsageProblem } from '../config.ts'
import { print } from '../context.ts'
import { printJson } from '../output.ts'
import { exampleText } from '../remote.ts'
import { openRepositories } from '../scenario-files.ts'

interface NewOptions {
  readonly method?: string
  readonly feed?: boolean
  readonly from?: string
  readonly folder?: string
  readonly json?: boolean
}

export const registerNew = (family: Command): void =>
  void family
    .command('new')
    .argument('<name>', 'small letters, digits and hyphens')
    .description('write a scenario file to begin with, and beside it the schema that editors check it with')
    .option('--method <method>', `${collectionMethods.join(', ')} (default: testkit)`)
    .option('--feed', 'a feed scenario, into the subfolder feeds')
    .option('--from <scenario>', 'copy this scenario (default: the happy path of the method)')
    .option('--folder <folder>', 'where to write it [PETRI_SCENARIOS, or the current folder]')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      exampleText([
        'petri scenario new late-kit --folder scenarios',
        'petri scenario new missed-visit --from walk-in-no-show',
      ]),
    )
    .action(writeNew)

/** The template of a new scenario, by method. */
const models: Readonly<Record<Method, string>> = {
  testkit: 'happy-path',
  walk_in_test: 'walk-in-happy-path',
  at_home_phlebotomy: 'at-home-happy-path',
  on_site_collection: 'on-site-happy-path',
}

async function writeNew(name: string, options: NewOptions): Promise<void> {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    throw new UsageProblem(`"${name}" is no scenario name; write small-letters-and-hyphens.`)
  const repositories = await openRepositories()
  const model = modelOf(options, repositories)
  const folder = options.folder ?? readConfig().scenarios ?? '.'
  const [place, schema] =
    model.kind === 'feed' ? [join(folder, FEEDS), 'feed.schema.json'] : [folder, 'scenario.schema.json']
  const file = join(place, `${name}.yaml`)
  const kept = [repositories.orders, repositories.feeds].some((known) => known.names().includes(name))
  if (existsSync(file)) throw new CliError(`${file} already exists; choose another name, or remove it.`)
  const text = textOf(name, model.source, {
    schema,
    zip: model.kind === 'order' ? freeZip(repositories, model.zip) : undefined,
  })
  tryToWrite(file, () => {
    mkdirSync(place, { recursive: true })
    // Next to the file, so that a relative reference finds it wherever the folder is.
    copyFileSync(
      join(packageFolder('scenarios'), model.kind === 'feed' ? FEEDS : '', schema),
      join(place, schema),
    )
    writeFileSync(file, text)
  })
  if (options.json) return printJson({ file, schema: join(place, schema), from: model.name })
  const petri = commandName()
  const lines = [
    `${file} is written, a copy of ${model.name} to change; ${schema} beside it is for editors.`,
    ...(kept ? [`It replaces the scenario ${name} there is.`] : []),
    `See what it does:  ${petri} scenario try ${file}`,
    `Use it:            ${petri} start --scenarios ${folder}`,
  ]
  print(lines.join('\n'))
}

type Model =
  | {
      readonly kind: 'order'
      readonly name: string
      readonly source: string
      readonly zip: string | undefined
    }
  | { readonly kind: 'feed'; readonly name: string; readonly source: string }

function modelOf({ method, feed, from }: NewOptions, { orders, feeds }: ScenarioRepositories): Model {
  if (method !== undefined && !collectionMethods.includes(method as Method))
    throw new UsageProblem(`--method should be one of ${collectionMethods.join(', ')}; it is "${method}".`)
  if ([method, feed, from].filter((given) => given !== undefined).length > 1)
    throw new UsageProblem('Give exactly one of --method, --feed and --from.')
  const name = from ?? (feed ? 'gap-and-late-backfill' : models[(method ?? 'testkit') as Method])
  const order = orders.find(name)
  if (order) return { kind: 'order', name, source: order.source, zip: order.zip }
  const found = feeds.find(name)
  if (found) return { kind: 'feed', name, source: found.source }
  throw new CliError(`There is no scenario "${name}"; "${commandName()} scenario list" names them.`)
}

/** The next ZIP code that selects no scenario. */
function freeZip({ orders }: ScenarioRepositories, zip = '00100'): string | undefined {
  const taken = new Set(orders.all().map((scenario) => scenario.zip))
  for (let next = Number(zip); next < 500; next++) {
    const code = String(next).padStart(5, '0')
    if (!taken.has(code)) return code
  }
  return undefined
}

function textOf(
  name: string,
  source: string,
  { schema, zip }: { schema: string; zip: string | undefined },
): string {
  const document = parseDocument(source.replace(/^# yaml-language-server:.*\n/m, ''))
  document.commentBefore = ` yaml-language-server: $schema=./${schema}`
  document.set('name', name)
  document.set('summary', 'Say here what happens.')
  document.delete('match')
  const steps =
    document.contents && isMap(document.contents)
      ? document.contents.items.find(({ key }) => String(key) === 'steps')
      : undefined
  if (zip !== undefined && steps && typeof steps.key === 'object' && steps.key !== null)
    Object.assign(steps.key, {
      commentBefore: ` match: { zip: "${zip}" } would select it for every order to this ZIP code`,
    })
  return document.toString({ lineWidth: 0 })
}

function tryToWrite(file: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${whyUnreadable(dirname(file), error)}.`)
  }
}
