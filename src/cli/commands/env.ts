import type { Command } from 'commander'
import { createClient } from '../client.ts'
import { readClientConfig, UsageProblem } from '../config.ts'
import { print, printError } from '../context.ts'
import { printJson } from '../output.ts'
import { probe } from '../probe.ts'
import { exampleText, type TargetOptions, withTarget } from '../remote.ts'

const shells: Readonly<Record<string, (name: string, value: string) => string>> = {
  sh: (name, value) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`,
  fish: (name, value) => `set -gx ${name} '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  powershell: (name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'`,
  dotenv: (name, value) => `${name}=${value}`,
}

export function registerEnv(program: Command): void {
  withTarget(
    program
      .command('env')
      .description('print what a program under test needs to find Petri, for eval')
      .option('--shell <shell>', `how to write it: ${Object.keys(shells).join(', ')}`, 'sh'),
  )
    .addHelpText(
      'after',
      exampleText([
        'eval "$(petri env)"',
        'petri env --shell fish | source',
        'petri env --shell dotenv > .env.test',
      ]),
    )
    .action(printEnvironment)
}

async function printEnvironment({
  shell,
  json,
  ...target
}: TargetOptions & { shell: string }): Promise<void> {
  const write = shells[shell]
  if (!write)
    throw new UsageProblem(`--shell should be one of ${Object.keys(shells).join(', ')}; it is "${shell}".`)
  const variables = await variablesOf(target)
  if (json) return printJson(variables)
  for (const [name, value] of Object.entries(variables)) print(write(name, value))
}

/** The variables of a world. The webhook secret is read from a running Petri, if there is one. */
async function variablesOf(target: TargetOptions): Promise<Record<string, string>> {
  const config = readClientConfig(target)
  const { url, apiKey } = config
  const isRunning = (await probe(url)).kind === 'petri'
  if (!isRunning) printError(`No Petri answers at ${url}; these are the settings it would start with.`)
  const secret = isRunning
    ? (await createClient(config).get<{ webhook_secret: string }>('/_petri/world')).webhook_secret
    : config.webhookSecret
  return {
    PETRI_URL: url,
    PETRI_API_KEY: apiKey,
    PETRI_WEBHOOK_SECRET: secret,
    VITAL_BASE_URL: url,
    VITAL_API_KEY: apiKey,
    VITAL_WEBHOOK_SECRET: secret,
  }
}
