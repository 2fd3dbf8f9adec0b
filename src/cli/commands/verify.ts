import type { Command } from 'commander'
import { wallClock } from '../../kernel/clock.ts'
import { asideHeaders } from '../../kernel/headers.ts'
import { print } from '../../terminal/context.ts'
import { CliError, CommandFailed, UsageProblem } from '../../terminal/errors.ts'
import { assertWritable, writeWhole } from '../../terminal/whole-file.ts'
import { readDocument } from '../../tools/drift/document.ts'
import {
  assertOneFormat,
  type Difference,
  differencesIn,
  type Format,
  render,
} from '../../tools/drift/report.ts'
import { assertSandboxKey, createTeamApi, readZips, type TeamApi } from '../../tools/team-api.ts'
import { askBoth } from '../../tools/verify/ask.ts'
import { compareReplies, mergeQuestions, withoutKnown } from '../../tools/verify/compare-replies.ts'
import { readQuestions, writeQuestions } from '../../tools/verify/questions.ts'
import { readClientConfig } from '../config.ts'
import { exampleText, type TargetOptions } from '../remote.ts'

interface VerifyOptions extends Pick<TargetOptions, 'url' | 'apiKey'>, Format {
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
    .requiredOption('--key <key>', 'API key of your team there; it is sent only to this URL')
    .option('--write', 'also place an order of each method on both sides, simulate it and cancel it')
    .option('--zip <codes...>', 'ZIP codes to ask about', ['85004'])
    .option('--accept <file>', 'leave out the differences in this file, an earlier report as JSON')
    .option('--update', 'write the differences of this run to the file of --accept, and exit with 0')
    .option('--json', 'print JSON')
    .option('--markdown', 'print Markdown')
    .option(
      '--url <url>',
      'URL of a running Petri [PETRI_URL, or from PETRI_HOST and PETRI_PORT, or that of the folder .petri]',
    )
    .option('--api-key <key>', 'API key of the world [PETRI_API_KEY]')
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
  const { accept, update = false, against } = options
  assertOneFormat(options)
  assertConsistent(options)
  if (accept !== undefined && update) assertWritable(accept)
  const known = accept === undefined || update ? [] : differencesIn(await readDocument(accept))
  const { url, apiKey } = readClientConfig(options)
  const own = createTeamApi({ url, apiKey, flag: '--url', command: 'verify', readHeaders: asideHeaders })
  const other = createTeamApi({ url: against, apiKey: options.key, flag: '--against', command: 'verify' })
  const all = await withUsageProblem(() => ask(own, other, options))
  const left = withoutKnown(all, known)
  const differences = mergeQuestions(left)
  if (accept !== undefined && update) await writeWhole(accept, { differences })
  const accepted = update ? all.length : all.length - left.length
  const report = { petri: url, other: against, differences: update ? [] : differences, accepted }
  print(render(report, options, { title: 'Verification', between: `between ${url} and ${against}` }))
  if (report.differences.length > 0) throw new CommandFailed()
}

function assertConsistent({ accept, update, key, write }: VerifyOptions): void {
  if (write) assertSandboxKey(key, '--write')
  if (update && accept === undefined) throw new UsageProblem('--update needs the file of --accept.')
}

/** The differences between the replies of both services, known ones included. */
async function ask(
  own: TeamApi,
  other: TeamApi,
  { zip, write }: Pick<VerifyOptions, 'zip' | 'write'>,
): Promise<readonly Difference[]> {
  const questions = [...readQuestions(readZips(zip)), ...(write ? writeQuestions(String(wallClock())) : [])]
  return compareReplies(await askBoth(own, other, questions))
}

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
