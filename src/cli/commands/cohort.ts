import type { Command } from 'commander'
import type { Clock } from '../../client/responses.ts'
import { plural } from '../../kernel/readable.ts'
import { createClient } from '../../terminal/client.ts'
import { currentContext, print, printError } from '../../terminal/context.ts'
import { printJson } from '../../terminal/output.ts'
import { createCohort, type OnProgress } from '../../tools/cohort/create.ts'
import { exportCohort } from '../../tools/cohort/export.ts'
import { readManifest } from '../../tools/cohort/files.ts'
import { type CohortOptions, readPlan } from '../../tools/cohort/plan.ts'
import { readClientConfig } from '../config.ts'
import { exampleText, type TargetOptions, withTarget } from '../remote.ts'

interface CreateOptions extends CohortOptions, TargetOptions {
  readonly out?: string
}

export function register(program: Command): void {
  const cohort = program.command('cohort').description('many people with data, in a world of their own')
  withTarget(
    cohort
      .command('create')
      .description(
        'create people with wearables and orders in a new frozen world, and write their data as CSV and NDJSON; the same command continues an interrupted one',
      )
      .requiredOption('--size <people>', 'number of people')
      .option('--name <name>', 'part of the name of the world and of the client user ids', 'demo')
      .option('--seed <seed>', 'seed of the world; the same seed gives the same files', '1')
      .option('--mix <personas>', 'persona=weight,…; "none" is a person without a persona')
      .option('--days <number>', 'days of data, up to 365', '90')
      .option('--until <date>', 'the day after the last one; today on the clock of the world of the API key')
      .option('--orders <orders...>', 'panel,panel@interval: markers of Labcorp, such as lipid-panel@90d')
      .option('--providers <providers>', 'wearables, separated by commas', 'fitbit')
      .option('--out <folder>', 'folder for the files')
      .option('--fhir', 'also write each person as a FHIR R4 bundle')
      .option('--series <series>', 'timeseries to write, separated by commas'),
  )
    .addHelpText(
      'after',
      exampleText([
        'petri cohort create --size 500 --days 365 --out cohort',
        'petri cohort create --size 100 --mix none=8,athlete=2 --orders lipid-panel,hemoglobin-a1c@90d --out cohort',
        'petri cohort create --size 20 --providers fitbit,dexcom_v3 --series glucose --days 14 --out cohort',
      ]),
    )
    .action(create)
}

async function create({ out, json, url, apiKey, ...options }: CreateOptions): Promise<void> {
  const config = readClientConfig({ url, apiKey })
  const today = async () => (await createClient(config).call<Clock>('GET /_petri/clock')).now.slice(0, 10)
  const plan = await readPlan(options, today)
  const manifest = out === undefined ? undefined : await readManifest(out, plan)
  const cohort = await createCohort(config, plan, showStep)
  const files =
    out === undefined || manifest === undefined
      ? {}
      : (await exportCohort(cohort, out, manifest, showStep)).files
  const { world, members } = cohort
  if (json) printJson({ ...plan, world: world.name, team_id: world.team_id, api_key: world.api_key, files })
  else {
    print(`${plural(members.length, 'person').replace('persons', 'people')} in the world ${world.name}.`)
    print(`API key: ${world.api_key}`)
    for (const [name, { rows }] of Object.entries(files)) print(`${out}/${name}: ${plural(rows, 'row')}`)
  }
}

/** Shows a step on a terminal as it grows, elsewhere when it is done. */
const showStep: OnProgress = (step, done, of) => {
  const { stderr } = currentContext()
  if (stderr.isTTY) stderr.write(`\r\u001b[2K${step}: ${done} of ${of}${done === of ? '\n' : ''}`)
  else if (done === of) printError(`${step}: ${of}`)
}
