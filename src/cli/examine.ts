import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { dirname, resolve } from 'node:path'
import { urlOf } from '../listen.ts'
import { bareHost, whyBlocked } from '../webhooks/addresses.ts'
import { isInContainer, whyUnreachable } from '../webhooks/transport.ts'
import { createClient } from './client.ts'
import { type Config, readClientConfig } from './config.ts'
import { holderOfPort } from './port-holder.ts'
import type { Found } from './probe.ts'

/** The result of a check. */
export interface Finding {
  readonly check: string
  readonly verdict: 'fine' | 'note' | 'wrong'
  readonly detail: string
}

const passed = (check: string, detail: string): Finding => ({ check, verdict: 'fine', detail })
const note = (check: string, detail: string): Finding => ({ check, verdict: 'note', detail })
const wrong = (check: string, detail: string): Finding => ({ check, verdict: 'wrong', detail })

export async function examinePort({ host, port }: Config, url: string, found: Found): Promise<Finding> {
  if (found.kind === 'petri') return passed('address', `Petri ${found.version} answers at ${url}.`)
  const isOurs = port === 0 || url === urlOf(host, port)
  if (!isOurs) return wrong('address', `No Petri at ${url}: ${describeFound(found)}.`)
  const trouble = await whyNotListen(host, port)
  if (trouble === undefined) return passed('address', `Port ${port} on ${host} is free; no Petri runs there.`)
  if (trouble !== 'EADDRINUSE')
    return wrong('address', `Petri could not listen on ${host}, port ${port}: ${trouble}.`)
  const holder = holderOfPort(port)
  const who = holder === undefined ? 'something else than Petri' : `${holder}, which is not Petri`
  return wrong(
    'address',
    `Port ${port} on ${host} is taken by ${who} (${describeFound(found)}). Choose another with --port or PETRI_PORT.`,
  )
}

const describeFound = (found: Exclude<Found, { kind: 'petri' }>) =>
  found.kind === 'other'
    ? `it answers HTTP, status ${found.status}`
    : `it does not answer HTTP: ${found.reason}`

function whyNotListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => done(undefined)))
  })
}

/** Whether a Petri at this URL shares folders and addresses with this command. */
export function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url)
  return (
    /^(127\.|localhost$|\[::1\]$|0\.0\.0\.0$)/.test(hostname) ||
    Object.values(networkInterfaces())
      .flat()
      .some((each) => each?.address === hostname)
  )
}

/** The result for a Petri on another machine, whose folders and ports cannot be checked. */
export const elsewhere = (url: string): Finding =>
  note(
    'data',
    `${new URL(url).hostname} is another machine: its folder and settings are not looked at; receivers are tried from this one.`,
  )

const ELSEWHERE =
  'The Petri that answers keeps its data elsewhere: in memory, in a container, or in another folder.'

/** Opens the data folder as a start would, unless another Petri uses it. */
export async function examineData({ data }: Config, found: Found): Promise<Finding> {
  const check = 'data'
  if (data === 'memory') return passed(check, 'Kept in memory only.')
  const folder = resolve(data)
  if (!existsSync(folder))
    return found.kind === 'petri'
      ? note(check, `${folder} is not there. ${ELSEWHERE}`)
      : examineNewFolder(folder)
  if (!statSync(folder).isDirectory()) return wrong(check, `${folder} is no folder.`)
  if (!isWritable(folder)) return wrong(check, `This user may not write into ${folder}.`)
  try {
    const worlds = await openAll(folder)
    const state = `${folder} is free and whole; worlds in it: ${worlds}.`
    return found.kind === 'petri' ? note(check, `${state} ${ELSEWHERE}`) : passed(check, state)
  } catch (error) {
    const { message } = error as Error
    const isInUse = message.includes('another Petri uses this folder')
    const holder = /process \d+ on \S+(?=\.)/.exec(message)?.[0] ?? 'this machine'
    if (isInUse && found.kind === 'petri')
      return passed(check, `${folder} is in use by a running Petri (${holder}).`)
    return wrong(check, message)
  }
}

function examineNewFolder(folder: string): Finding {
  const isPossible = isWritable(dirname(folder))
  return isPossible
    ? passed('data', `${folder} is not there yet; the first start makes it.`)
    : wrong('data', `${folder} is not there, and this user may not make it.`)
}

async function openAll(root: string): Promise<number> {
  const { fileFolder } = await import('../storage/folder.ts')
  const folder = await fileFolder(root, { warn: () => undefined })
  try {
    const teams = await folder.list()
    const broken: string[] = []
    for (const team of teams) {
      const opening = folder.open(team).then((store) => store.close({ rewrites: false }))
      await opening.catch((error: Error) => broken.push(error.message))
    }
    if (broken.length > 0) throw new Error(broken.join(' '))
    return teams.length
  } finally {
    await folder.close()
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Whether each receiver accepts a connection; nothing is sent. */
export async function examineWebhooks(config: Config, url: string, found: Found): Promise<Finding[]> {
  const known = found.kind === 'petri' ? await endpointsOf(url, config) : []
  const urls = new Set([...(config.webhookUrl === undefined ? [] : [config.webhookUrl]), ...known])
  if (urls.size === 0)
    return [note('webhooks', 'No receiver is set; PETRI_WEBHOOK_URL or "petri webhook add URL" sets one.')]
  return Promise.all([...urls].map(examineReceiver))
}

async function endpointsOf(url: string, { apiKey }: Config): Promise<string[]> {
  try {
    const petri = createClient(readClientConfig({ url, apiKey }))
    const { data } = await petri.get<{ data: { url: string; disabled: boolean }[] }>(
      '/_petri/webhooks/endpoints',
    )
    return data.filter(({ disabled }) => !disabled).map((endpoint) => endpoint.url)
  } catch {
    return []
  }
}

async function examineReceiver(url: string): Promise<Finding> {
  const refusal = whyBlocked(bareHost(url))
  if (refusal) return wrong('webhooks', `${url} is never called: ${refusal}.`)
  const why = await whyUnreachable(url, isInContainer())
  if (why === undefined) return passed('webhooks', `${url} takes connections from here.`)
  return wrong('webhooks', `${url} is not reached from here. ${why}.`)
}

/** Inside a container, 127.0.0.1 is the container itself. */
export function examineContainer({ host }: Config): Finding[] {
  if (!isInContainer()) return []
  const isLoopback = /^(127\.|localhost$|::1$)/.test(host)
  return [
    isLoopback
      ? note(
          'container',
          `This is a container, and PETRI_HOST is ${host}: Petri cannot be reached from outside. Set PETRI_HOST=0.0.0.0 and publish the port.`,
        )
      : passed('container', `This is a container, and Petri listens on ${host}.`),
    note(
      'container',
      'Here localhost is the container itself. A receiver on the host is http://host.docker.internal:PORT, one in another container http://SERVICE:PORT.',
    ),
  ]
}
