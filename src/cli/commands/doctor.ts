import { accessSync, constants, existsSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Parsed } from '../../api/schema.ts'
import type { WebhookEndpointList } from '../../control/webhooks/schema.ts'
import { urlOf } from '../../kernel/http-call.ts'
import { append } from '../../kernel/list.ts'
import { messageOf } from '../../kernel/reason.ts'
import { isLoopback, isThisMachine } from '../../kernel/this-machine.ts'
import { createClient } from '../../terminal/client.ts'
import { print } from '../../terminal/context.ts'
import { CommandFailed } from '../../terminal/errors.ts'
import { paint, printJson } from '../../terminal/output.ts'
import { type Found, probe } from '../../terminal/probe.ts'
import { bareHost, portOf, whyBlocked } from '../../webhooks/addresses.ts'
import { isInContainer, whyUnreachable } from '../../webhooks/outgoing.ts'
import { type Config, readClientConfig, readConfig } from '../config.ts'
import { listeningSockets, processIds, processName, readOr } from '../exec/proc-files.ts'
import { type TargetOptions, withTarget } from '../remote.ts'

export function register(program: Command): void {
  const doctor = program
    .command('doctor')
    .description(
      'find problems that keep Petri from starting, being reached or delivering webhooks; exit status 0 or 1',
    )
  withTarget(doctor).action(examine)
}

/** The result of a check. */
interface CheckResult {
  readonly check: string
  readonly verdict: 'fine' | 'note' | 'wrong'
  readonly detail: string
}

const resultWith =
  (verdict: CheckResult['verdict']) =>
  (check: string, detail: string): CheckResult => ({ check, verdict, detail })
const fine = resultWith('fine')
const note = resultWith('note')
const wrong = resultWith('wrong')

const signs = { fine: paint('ok   ', 'green'), note: paint('note ', 'yellow'), wrong: paint('wrong', 'red') }

async function examine(target: TargetOptions): Promise<void> {
  const config = readConfig({ apiKey: target.apiKey })
  const { url } = readClientConfig(target)
  const found = await probe(url)
  // Then it shares folders and addresses with this command.
  const isLocal = isThisMachine(bareHost(url))
  const findings = [await examinePort(config, url, found)]
  if (isLocal) findings.push(await examineData(config, found))
  else findings.push(note('data', `Not checked: ${new URL(url).hostname} is another machine.`))
  append(findings, await examineWebhooks(config, url, found))
  if (isLocal) append(findings, examineContainer(config))
  findings.push(note('clock', 'Not compared with other clocks; Petri is offline.'))
  if (target.json) printJson(findings)
  else
    for (const { check, verdict, detail } of findings)
      print(`${signs[verdict]}  ${check.padEnd(9)}  ${detail}`)
  if (findings.some(({ verdict }) => verdict === 'wrong')) throw new CommandFailed()
}

async function examinePort({ host, port }: Config, url: string, found: Found): Promise<CheckResult> {
  if (found.kind === 'petri') return fine('address', `Petri ${found.version} answers at ${url}.`)
  const response =
    found.kind === 'other'
      ? `it answers with HTTP status ${found.status}`
      : `no HTTP response: ${found.reason}`
  if (port !== 0 && url !== urlOf(host, port)) return wrong('address', `No Petri at ${url}: ${response}.`)
  const error = await listenError(host, port)
  if (error === undefined) return fine('address', `Port ${port} on ${host} is free; no Petri runs there.`)
  if (error !== 'EADDRINUSE')
    return wrong('address', `Petri could not listen on ${host}, port ${port}: ${error}.`)
  const holder = holderOfPort(port) ?? 'another program'
  return wrong(
    'address',
    `Port ${port} on ${host} is taken by ${holder}, which is not Petri (${response}). Choose another with --port or PETRI_PORT.`,
  )
}

function listenError(host: string, port: number): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => done(undefined)))
  })
}

/** The process that listens on a port, if this user may see it; Linux only. */
function holderOfPort(port: number): string | undefined {
  const holding = listeningSockets().filter((socket) => socket.port === port)
  const sockets = new Set(holding.map(({ inode }) => `socket:[${inode}]`))
  if (sockets.size === 0) return undefined
  const pid = processIds().find((pid) =>
    readOr([], () => readdirSync(`/proc/${pid}/fd`)).some((descriptor) =>
      sockets.has(readOr('', () => readlinkSync(`/proc/${pid}/fd/${descriptor}`))),
    ),
  )
  return pid && `process ${pid} (${processName(pid)})`
}

const ELSEWHERE =
  'The running Petri keeps its data elsewhere: in memory, in a container, or in another folder.'

/** Opens the data folder as a start would, unless another Petri uses it. */
async function examineData({ data }: Config, found: Found): Promise<CheckResult> {
  const check = 'data'
  const isRunning = found.kind === 'petri'
  if (data === 'memory') return fine(check, 'Kept in memory only.')
  const folder = resolve(data)
  if (!existsSync(folder)) {
    if (isRunning) return note(check, `${folder} does not exist. ${ELSEWHERE}`)
    return isWritable(dirname(folder))
      ? fine(check, `${folder} does not exist yet; the first start creates it.`)
      : wrong(check, `${folder} does not exist, and this user may not create it.`)
  }
  if (!statSync(folder).isDirectory()) return wrong(check, `${folder} is not a folder.`)
  if (!isWritable(folder)) return wrong(check, `This user may not write to ${folder}.`)
  try {
    const state = `${folder} is free and intact; worlds in it: ${await countWorlds(folder)}.`
    return isRunning ? note(check, `${state} ${ELSEWHERE}`) : fine(check, state)
  } catch (error) {
    const message = messageOf(error)
    if (!isRunning || !message.includes('another Petri uses this folder')) return wrong(check, message)
    const holder = /process \d+ on \S+(?=\.)/.exec(message)?.[0] ?? 'this machine'
    return fine(check, `${folder} is in use by a running Petri (${holder}).`)
  }
}

/** Opens all worlds in a folder. Throws an error that names the damaged ones. */
async function countWorlds(root: string): Promise<number> {
  const { fileFolder } = await import('../../storage/folder.ts')
  const { ORGANISATION } = await import('../../world/organisation.ts')
  const folder = await fileFolder(root, { warn: () => undefined })
  try {
    const teams = await folder.list()
    const errors: string[] = []
    for (const team of teams) {
      try {
        await (await folder.open(team)).close({ rewrites: false })
      } catch (error) {
        errors.push(messageOf(error))
      }
    }
    if (errors.length > 0) throw new Error(errors.join(' '))
    return teams.filter((team) => team !== ORGANISATION).length
  } finally {
    await folder.close()
  }
}

const isWritable = (path: string): boolean =>
  readOr(false, () => {
    accessSync(path, constants.W_OK)
    return true
  })

/** Whether each receiver accepts a connection; nothing is sent. */
async function examineWebhooks(
  { webhookUrl, apiKey }: Config,
  url: string,
  found: Found,
): Promise<CheckResult[]> {
  const endpoints = found.kind === 'petri' ? await listEndpoints(url, apiKey) : []
  const disabled = endpoints.filter((endpoint) => endpoint.disabled).map(describeDisabled)
  const urls = new Set(endpoints.filter((endpoint) => !endpoint.disabled).map((endpoint) => endpoint.url))
  if (webhookUrl !== undefined && !endpoints.some((endpoint) => endpoint.url === webhookUrl))
    urls.add(webhookUrl)
  if (urls.size === 0 && disabled.length === 0)
    return [
      note(
        'webhooks',
        'No receiver is set; PETRI_WEBHOOK_URL or "npx petri-sandbox webhook add URL" sets one.',
      ),
    ]
  return [...disabled, ...(await Promise.all([...urls].map(examineReceiver)))]
}

type EndpointRow = Parsed<typeof WebhookEndpointList>['data'][number]

/** An endpoint that gets nothing, and how to change that. */
const describeDisabled = ({ id, url, disabled_reason }: EndpointRow): CheckResult =>
  wrong(
    'webhooks',
    `${url} is disabled: ${disabled_reason}. "npx petri-sandbox webhook enable ${id}" enables it.`,
  )

async function listEndpoints(url: string, apiKey: string): Promise<readonly EndpointRow[]> {
  try {
    const petri = createClient(readClientConfig({ url, apiKey }))
    const { data } = await petri.call<Parsed<typeof WebhookEndpointList>>('GET /_petri/webhooks/endpoints')
    return data
  } catch {
    return []
  }
}

async function examineReceiver(url: string): Promise<CheckResult> {
  const refusal = whyBlocked(bareHost(url), portOf(new URL(url)))
  if (refusal) return wrong('webhooks', `${url} is never called: ${refusal}.`)
  const error = await whyUnreachable(url, isInContainer())
  if (error === undefined) return fine('webhooks', `${url} accepts connections from here.`)
  return wrong('webhooks', `${url} cannot be reached from here. ${error}.`)
}

/** Inside a container, 127.0.0.1 is the container itself. */
function examineContainer({ host }: Config): CheckResult[] {
  if (!isInContainer()) return []
  const reachable = isLoopback(host)
    ? note(
        'container',
        `This is a container, and PETRI_HOST is ${host}: Petri cannot be reached from outside. Set PETRI_HOST=0.0.0.0 and publish the port.`,
      )
    : fine('container', `This is a container, and Petri listens on ${host}.`)
  const hosts =
    'Here localhost is the container itself. A receiver on the host is http://host.docker.internal:PORT, one in another container http://SERVICE:PORT.'
  return [reachable, note('container', hosts)]
}
