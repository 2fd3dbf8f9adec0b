import type { Command } from 'commander'
import { wallClock } from '../../kernel/clock.ts'
import { print } from '../../terminal/context.ts'
import { CliError, CommandFailed, UsageProblem, wholeNumber } from '../../terminal/errors.ts'
import { writeWhole } from '../../terminal/whole-file.ts'
import { readDocument } from '../../tools/drift/document.ts'
import {
  type Difference,
  differencesIn,
  type FormatOptions,
  formatNames,
  formatOf,
  render,
} from '../../tools/drift/report.ts'
import { createTeamApi, readZips, type TeamApi } from '../../tools/team-api.ts'
import { askBoth } from '../../tools/verify/ask.ts'
import { compareReplies, mergeQuestions, withoutKnown } from '../../tools/verify/compare-replies.ts'
import { readQuestions, writeQuestions } from '../../tools/verify/questions.ts'
import { describeFindings, type WalkDetails } from '../../tools/verify/walk/report.ts'
import { readClientConfig } from '../config.ts'
import { exampleText, type TargetOptions } from '../remote.ts'

interface VerifyOptions extends FormatOptions, Pick<TargetOptions, 'url' | 'apiKey'> {
  readonly against: string
  readonly key: string
  readonly write?: boolean
  readonly walk?: string
  readonly seed?: string
  readonly zip: readonly string[]
  readonly accept?: string
  readonly update?: boolean
}

export function register(program: Command): void {
  program
    .command('verify')
    .description(
      'ask Petri and another service the same questions and print what differs; exit status 0 without differences, 1 with some, 2 if they could not be compared',
    )
    .requiredOption('--against <url>', 'URL of the other service: the live sandbox, or another Petri')
    .requiredOption('--key <key>', 'API key of your team there; it is sent only to this URL')
    .option('--write', 'also place an order of each method on both sides, simulate it and cancel it')
    .option(
      '--walk <calls>',
      'instead make random legal sequences of calls, at most this many calls to each service, and print the shortest that differ',
    )
    .option('--seed <number>', 'repeat the sequences of an earlier --walk')
    .option('--zip <codes...>', 'ZIP codes to ask about', ['85004'])
    .option('--accept <file>', 'leave out the differences in this file, an earlier report as JSON')
    .option('--update', 'write the differences of this run to the file of --accept, and exit with 0')
    .option('--format <format>', formatNames, 'text')
    .option('--markdown', 'same as --format markdown')
    .option(
      '--url <url>',
      'URL of a running Petri [PETRI_URL, or from PETRI_HOST and PETRI_PORT, or that of the folder .petri]',
    )
    .option('--api-key <key>', 'API key of the world [PETRI_API_KEY]')
    .option('--json', 'same as --format json')
    .addHelpText(
      'after',
      exampleText([
        'petri verify --against https://sandbox.example.com --key "$SANDBOX_KEY"',
        'petri verify --against https://sandbox.example.com --key "$SANDBOX_KEY" --write --markdown',
        'petri verify --against https://sandbox.example.com --key "$SANDBOX_KEY" --walk 400',
        'petri verify --against http://127.0.0.1:4081 --key sk_us_petri --accept accepted.json --update',
      ]),
    )
    .action(verify)
}

async function verify(options: VerifyOptions): Promise<void> {
  const { accept, update = false, against } = options
  const format = formatOf(options)
  assertConsistent(options)
  const known = accept === undefined || update ? [] : differencesIn(await readDocument(accept))
  const { url, apiKey } = readClientConfig(options)
  const readHeaders = { 'x-petri-aside': '1' }
  const own = createTeamApi({ url, apiKey, flag: '--url', command: 'verify', readHeaders })
  const other = createTeamApi({ url: against, apiKey: options.key, flag: '--against', command: 'verify' })
  const services = { own, other }
  const { all, left, ...found } = await withUsageProblem(() =>
    options.walk === undefined
      ? askQuestions(services, options, known)
      : walkBoth(services, { walk: options.walk, seed: options.seed }, known),
  )
  const differences = mergeQuestions(left)
  if (accept !== undefined && update) await writeWhole(accept, { differences })
  const accepted = update ? all : all - left.length
  const report = { petri: url, other: against, differences: update ? [] : differences, accepted, ...found }
  print(render(report, format, { title: 'Verification', between: `between ${url} and ${against}` }))
  if (found.walk && format !== 'json') {
    const sequences = describeFindings(found.walk)
    print(format === 'markdown' ? `\n\`\`\`\n${sequences}\n\`\`\`` : `\n${sequences}`)
  }
  if (report.differences.length > 0) throw new CommandFailed()
}

function assertConsistent({ accept, update, key, seed, walk, write }: VerifyOptions): void {
  const flag = walk === undefined ? '--write' : '--walk'
  if ((write || walk !== undefined) && isProductionKey(key))
    throw new UsageProblem(`${flag} places orders; --key should be the key of a sandbox, not of production.`)
  if (write && walk !== undefined)
    throw new UsageProblem('--walk creates users and orders itself; leave out --write.')
  if (seed !== undefined && walk === undefined) throw new UsageProblem('--seed needs --walk.')
  if (update && accept === undefined) throw new UsageProblem('--update needs the file of --accept.')
}

interface Services {
  readonly own: TeamApi
  readonly other: TeamApi
}

interface Found {
  /** The number of differences, known ones included. */
  readonly all: number
  /** Those that are not known. */
  readonly left: readonly Difference[]
  readonly walk?: WalkDetails
}

async function askQuestions(
  { own, other }: Services,
  { zip, write }: Pick<VerifyOptions, 'zip' | 'write'>,
  known: readonly Difference[],
): Promise<Found> {
  const questions = [...readQuestions(readZips(zip)), ...(write ? writeQuestions(String(wallClock())) : [])]
  const all = compareReplies(await askBoth(own, other, questions))
  return { all: all.length, left: withoutKnown(all, known) }
}

/** The number of sequences with differences after which a walk ends. */
const MAX_FINDINGS = 25

async function walkBoth(
  services: Services,
  { walk: calls, seed: given }: { readonly walk: string; readonly seed: string | undefined },
  known: readonly Difference[],
): Promise<Found> {
  const budget = wholeNumber('--walk', calls, 10, 100_000)
  const seed = given === undefined ? wallClock() % 1_000_000 : wholeNumber('--seed', given, 0, MAX_SEED)
  const { walk } = await import('../../tools/verify/walk/walk.ts')
  const result = await walk({
    ...services,
    budget,
    seed,
    run: String(wallClock()),
    known,
    maxFindings: MAX_FINDINGS,
  })
  const left = result.findings.flatMap(({ differences }) => differences)
  return { all: left.length, left, walk: { ...result, seed } }
}

const MAX_SEED = 2 ** 31 - 1

/** Keys of production, where orders are real. */
const isProductionKey = (key: string): boolean => key.startsWith('pk_')

/** Reports what keeps the services from being compared with the exit status of a usage error. */
async function withUsageProblem<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof CliError) throw new UsageProblem(error.message)
    if (error instanceof RangeError) throw new UsageProblem('The replies are nested too deep to be compared.')
    throw error
  }
}
