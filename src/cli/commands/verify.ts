import type { Command } from 'commander'
import { wallClock } from '../../kernel/clock.ts'
import { CliError, CommandFailed, readClientConfig, UsageProblem } from '../config.ts'
import { print } from '../context.ts'
import { readDocument } from '../drift/document.ts'
import { differencesIn, type FormatOptions, formatNames, formatOf, render } from '../drift/report.ts'
import { exampleText, type TargetOptions } from '../remote.ts'
import { createTeamApi, readZips } from '../team-api.ts'
import { askBoth } from '../verify/ask.ts'
import { compareReplies, mergeQuestions, withoutKnown } from '../verify/compare-replies.ts'
import { readQuestions, writeQuestions } from '../verify/questions.ts'
import { writeWhole } from '../whole-file.ts'

interface VerifyOptions extends FormatOptions, Pick<TargetOptions, 'url' | 'apiKey'> {
  readonly against: string
  readonly key: string
  readonly write?: boolean
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
    .requiredOption('--key <key>', 'API key of your team there; it is sent to this URL alone')
    .option('--write', 'also place an order of each method on both sides, simulate it and cancel it')
    .option('--zip <codes...>', 'ZIP codes to ask about', ['85004'])
    .option('--accept <file>', 'leave out the differences in this file, an earlier report as JSON')
    .option('--update', 'write the differences of this run to the file of --accept, and exit with 0')
    .option('--format <format>', formatNames, 'text')
    .option('--markdown', 'same as --format markdown')
    .option('--url <url>', 'URL of a running Petri [PETRI_URL, or from PETRI_HOST and PETRI_PORT]')
    .option('--api-key <key>', 'API key of the world [PETRI_API_KEY]')
    .option('--json', 'same as --format json')
    .addHelpText(
      'after',
      exampleText([
        'petri verify --against https://sandbox.example.com --key "$SANDBOX_KEY"',
        'petri verify --against https://sandbox.example.com --key "$SANDBOX_KEY" --write --markdown',
        'petri verify --against http://127.0.0.1:4081 --key sk_us_petri --accept accepted.json --update',
      ]),
    )
    .action(verify)
}

async function verify(options: VerifyOptions): Promise<void> {
  const { accept, update = false, against, zip } = options
  const format = formatOf(options)
  if (options.write && isProductionKey(options.key))
    throw new UsageProblem('--write places orders; --key should be the key of a sandbox, not of production.')
  if (update && accept === undefined) throw new UsageProblem('--update needs the file of --accept.')
  const known = accept === undefined || update ? [] : differencesIn(await readDocument(accept))
  const { url, apiKey } = readClientConfig(options)
  const own = createTeamApi({ url, apiKey, flag: '--url', readHeaders: { 'x-petri-aside': '1' } })
  const other = createTeamApi({ url: against, apiKey: options.key, flag: '--against' })
  const questions = [
    ...readQuestions(readZips(zip)),
    ...(options.write ? writeQuestions(String(wallClock())) : []),
  ]
  const all = await withUsageProblem(async () => compareReplies(await askBoth(own, other, questions)))
  const differences = mergeQuestions(withoutKnown(all, known))
  if (accept !== undefined && update) await writeWhole(accept, { differences })
  const accepted = all.length - withoutKnown(all, update ? all : known).length
  const report = { petri: url, other: against, differences: update ? [] : differences, accepted }
  print(render(report, format, { title: 'Verification', between: `between ${url} and ${against}` }))
  if (report.differences.length > 0) throw new CommandFailed()
}

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
