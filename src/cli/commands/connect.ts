import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import type { World } from '../../client/responses.ts'
import { byName } from '../../kernel/fields.ts'
import { parseJson } from '../../kernel/json.ts'
import { platform } from '../../kernel/platform.ts'
import { isProcessAlive } from '../../kernel/process-alive.ts'
import { reasonOf } from '../../kernel/reason.ts'
import { quoted } from '../../kernel/shell.ts'
import { createClient, send } from '../../terminal/client.ts'
import { print, printError, wait } from '../../terminal/context.ts'
import { CliError, UsageProblem } from '../../terminal/errors.ts'
import { printJson } from '../../terminal/output.ts'
import { callWithLimit, probe } from '../../terminal/probe.ts'
import { connectionVariables, pageAddress, readClientConfig } from '../config.ts'
import { exampleText, type RemoteCommand, registerRemote, type TargetOptions, withTarget } from '../remote.ts'

export function register(program: Command): void {
  program
    .command('health')
    .description('check that a running Petri is healthy; exit status 0 or 1, for containers')
    .option(
      '--url <url>',
      'URL of a running Petri [PETRI_URL, or from PETRI_HOST and PETRI_PORT, or that of the folder .petri]',
    )
    .option('--json', 'print JSON')
    .action(printHealth)
  registerRemote(program, [open, stop])
  const env = program
    .command('env')
    .description('print the variables for a program under test, for eval')
    .option('--shell <shell>', `the syntax: ${Object.keys(shells).join(', ')}`, 'sh')
  withTarget(env)
    .addHelpText(
      'after',
      exampleText([
        'eval "$(petri env)"',
        'petri env --shell fish | source',
        'petri env --shell dotenv > .env.test',
      ]),
    )
    .action(printEnvironment)
  program
    .command('ca')
    .description('print the CA certificate of a Petri with --tls, which its clients must trust')
    .option(
      '--url <url>',
      'URL of a running Petri [PETRI_URL, or from PETRI_HOST and PETRI_PORT, or that of the folder .petri]',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', exampleText(['petri ca > ca.pem', 'NODE_EXTRA_CA_CERTS=ca.pem node program.js']))
    .action(printAuthority)
  program
    .command('mcp')
    .description(
      'serve tools for coding agents (MCP) on standard input and output; they call a running Petri',
    )
    .option(
      '--url <url>',
      'URL of a running Petri [PETRI_URL, or from PETRI_HOST and PETRI_PORT, or that of the folder .petri]',
    )
    .option('--api-key <key>', 'API key of the world [PETRI_API_KEY]')
    .addHelpText('after', exampleText(['claude mcp add petri -- npx petri-sandbox mcp']))
    .action(serveMcp)
}

async function printHealth(target: TargetOptions): Promise<void> {
  const { url } = readClientConfig(target)
  const found = await probe(url)
  if (found.kind === 'silent') throw new CliError(`No answer from ${url}: ${found.reason}`)
  if (found.kind === 'other') throw new CliError(`${url} answered ${found.status}, but it is not Petri.`)
  print(found.text)
}

async function printAuthority(target: TargetOptions): Promise<void> {
  const { url } = readClientConfig(target)
  const { status, text: body } = await callWithLimit(new URL('/_petri/ca.pem', url)).catch((error) => {
    throw new CliError(`No answer from ${url}: ${reasonOf(error)}`)
  })
  const { detail } = (parseJson(body) ?? {}) as { readonly detail?: string }
  if (status !== 200) throw new CliError(detail ?? `${url} answered ${status}, but it is not Petri.`)
  if (target.json) printJson({ certificate: body })
  else print(body.trimEnd())
}

const open: RemoteCommand = {
  usage: 'open',
  summary: 'open the page of a running Petri in a browser',
  examples: ['petri open', 'petri open --url http://127.0.0.1:4080'],
  async run(petri) {
    await petri.call('GET /_petri/health')
    const { url, apiKey, controlToken } = petri.config
    const address = pageAddress(url, apiKey, controlToken)
    openInBrowser(address)
    return { address }
  },
  print: ({ address }: { address: string }) => `The page is at ${address}`,
}

/** How long a Petri may take to stop, in milliseconds. */
const STOP_MS = 15_000
/** How long its process is waited for then. The id may be of another process, if Petri runs in a container. */
const EXIT_MS = 2000

const stop: RemoteCommand = {
  usage: 'stop',
  summary: 'stop a running Petri, and wait until it has ended; exit status 0 or 1',
  examples: ['petri stop', 'petri stop --url http://127.0.0.1:4080'],
  route: 'POST /_petri/stop',
  async run(petri) {
    const { url, pid, isDefaultUrl } = petri.config
    if (isDefaultUrl) throw new CliError(await whyNothingToStop(url))
    await petri.call('POST /_petri/stop')
    const isSilent = async () => (await probe(url)).kind === 'silent'
    if (!(await becomesTrue(isSilent, STOP_MS)))
      throw new CliError(`The Petri at ${url} still answers after ${STOP_MS / 1000} s.`)
    await becomesTrue(() => pid === undefined || !isProcessAlive(pid), EXIT_MS)
    return { stopped: url }
  },
  print: ({ stopped }: { stopped: string }) => `Stopped the Petri at ${stopped}.`,
}

/** Whether a condition is met within a time. */
async function becomesTrue(isTrue: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += 50) {
    if (await isTrue()) return true
    await wait(50)
  }
  return false
}

/** A Petri on the default port may be that of another folder, with data in memory. */
async function whyNothingToStop(url: string): Promise<string> {
  const { kind } = await probe(url)
  return kind === 'petri'
    ? `No Petri of this folder is running. Another one answers at ${url}; "npx petri-sandbox stop --url ${url}" stops it.`
    : `No Petri of this folder is running, and none answers at ${url}.`
}

/** Without a browser nothing happens. */
function openInBrowser(address: string): void {
  const [command, ...args] = platform.opener
  const child = spawn(command, [...args, address], { detached: true, stdio: 'ignore' })
  child.on('error', () => undefined)
  child.unref()
}

const shells = byName<(name: string, value: string) => string>({
  sh: (name, value) => `export ${name}=${quoted(value)}`,
  fish: (name, value) => `set -gx ${name} '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  powershell: (name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'`,
  dotenv: (name, value) => `${name}=${value}`,
})

async function printEnvironment(options: TargetOptions & { readonly shell: string }): Promise<void> {
  const { shell, json, ...target } = options
  const write = shells[shell]
  if (!write)
    throw new UsageProblem(`--shell should be one of ${Object.keys(shells).join(', ')}; it is "${shell}".`)
  const config = readClientConfig(target)
  const { url, apiKey } = config
  let secret = config.webhookSecret
  if ((await probe(url)).kind === 'petri')
    secret = (await createClient(config).call<World>('GET /_petri/world')).webhook_secret
  else printError(`No Petri answers at ${url}; these are the settings it would start with.`)
  const variables = connectionVariables(url, apiKey, secret)
  if (json) return printJson(variables)
  for (const [name, value] of Object.entries(variables)) print(write(name, value))
}

async function serveMcp(target: TargetOptions): Promise<void> {
  const config = readClientConfig(target)
  const { serveStdio } = await import('../../mcp/server.ts')
  await serveStdio((call) => send(config, call))
  // The agent may start Petri later; until then each call fails with this message.
  if ((await probe(config.url)).kind !== 'petri')
    console.error(`No Petri answers at ${config.url}; "npx petri-sandbox start" starts one.`)
}
