import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Command } from 'commander'
import { wallClock } from '../../kernel/clock.ts'
import { toIso } from '../../kernel/instant.ts'
import { parseJson } from '../../kernel/json.ts'
import { urlOf } from '../../listen.ts'
import { verificationError } from '../../webhooks/signature.ts'
import { type Client, createClient } from '../client.ts'
import { CliError, readClientConfig } from '../config.ts'
import { print, printError } from '../context.ts'
import { paint } from '../output.ts'
import { exampleText, type TargetOptions, wholeNumber, withTarget } from '../remote.ts'

interface ListenOptions extends TargetOptions {
  readonly port: string
  readonly host: string
  readonly secret?: readonly string[]
  readonly status: string
  readonly count?: string
  readonly add?: boolean
}

/** The maximum size of a body, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024

export function registerListen(family: Command): void {
  withTarget(
    family
      .command('listen')
      .description('receive webhooks, verify their signatures, and print each in a line')
      .option('--port <number>', 'port to listen on; 0 picks a free one', '3000')
      .option('--host <address>', 'address to listen on', '127.0.0.1')
      .option('--secret <secret...>', 'what they are signed with [PETRI_WEBHOOK_SECRET]')
      .option('--status <code>', 'what to answer those that are genuine; others get 401', '200')
      .option('--count <number>', 'stop after so many')
      .option('--add', 'add this receiver to the running Petri until it stops'),
  )
    .addHelpText(
      'after',
      exampleText([
        'petri webhook listen --add                  all events of the running Petri, as they come',
        'petri webhook listen --port 0 --status 500  see Petri retry',
        'petri webhook listen --json | jq .payload.event_type',
      ]),
    )
    .action(listen)
}

async function listen(options: ListenOptions): Promise<void> {
  const config = readClientConfig(options)
  const status = wholeNumber('--status', options.status, 200, 599)
  const port = wholeNumber('--port', options.port, 0, 65_535)
  const most = options.count === undefined ? undefined : wholeNumber('--count', options.count, 1, 1e9)
  const secrets = options.secret ?? [config.webhookSecret]
  const printDelivery = printerOf(options.json === true)
  const seen = new Set<string>()
  let received = 0
  const server = createServer((request, response) => {
    receive(request, response, { secrets, status, seen })
      .then((delivery) => {
        printDelivery(delivery)
        if (++received === most) void stop()
      })
      .catch((error: unknown) => printError(String(error)))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new CliError(`Cannot listen on ${options.host}, port ${port}: ${error.message}`)),
    )
    server.listen(port, options.host, resolve)
  })
  const url = `${urlOf(options.host, (server.address() as AddressInfo).port)}/`
  const petri = createClient(config)
  const added = options.add
    ? await petri.post<{ id: string }>('/_petri/webhooks/endpoints', { url, secret: secrets[0] })
    : undefined
  const stop = async () => {
    server.close()
    server.closeIdleConnections()
    if (added) await petri.delete(`/_petri/webhooks/endpoints/${added.id}`).catch(() => undefined)
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
  if (added) await warnIfUnreachable(petri, added.id, url)
  if (options.json) print(JSON.stringify({ listening: url }))
  else print(`Listening on ${url}${added ? '' : `  ("petri webhook add ${url}" sends events here)`}`)
}

/** Warns if Petri, which may run in a container or on another host, cannot connect to this receiver. */
async function warnIfUnreachable(petri: Client, endpointId: string, url: string): Promise<void> {
  const path = `/_petri/webhooks/endpoints/${endpointId}/reach`
  const { reachable, detail } = await petri.post<{ reachable: boolean; detail: string | null }>(path)
  if (reachable) return
  printError(
    `warning: Petri at ${petri.config.url} cannot reach ${url}. ${detail}.\n` +
      `"petri listen --forward-to ${url}" brings its webhooks here without that; or listen on an address that it reaches (--host 0.0.0.0), and add that one with "petri webhook add".`,
  )
}

interface Judged {
  readonly at: string
  readonly svix_id: string | null
  /** Why the signature is not valid; null if it is. */
  readonly refused: string | null
  /** The message was received before. */
  readonly again: boolean
  readonly answered: number
  readonly payload: unknown
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { secrets, status, seen }: { secrets: readonly string[]; status: number; seen: Set<string> },
): Promise<Judged> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BYTES) request.destroy()
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks).toString('utf8')
  const now = wallClock()
  const refused =
    verificationError(secrets, { headers: request.headers, body }, Math.floor(now / 1000)) ?? null
  const answered = refused === null ? status : 401
  const id = request.headers['svix-id']
  const svixId = typeof id === 'string' ? id : null
  const again = refused === null && svixId !== null && seen.has(svixId)
  if (refused === null && svixId !== null) seen.add(svixId)
  const reply = refused === null ? {} : { detail: refused }
  await new Promise<void>((resolve) =>
    response
      .writeHead(answered, { 'content-type': 'application/json' })
      .end(JSON.stringify(reply), () => resolve()),
  )
  return { at: toIso(now), svix_id: svixId, refused, again, answered, payload: parseJson(body) ?? null }
}

interface Payload {
  readonly event_type?: string
  readonly type?: string
  readonly user_id?: string | null
  readonly data?: { readonly id?: string; readonly last_event?: { readonly status?: string } }
}

const printerOf = (isJson: boolean) => (delivery: Judged) => {
  if (isJson) return print(JSON.stringify(delivery))
  const { at, svix_id, refused, again, answered } = delivery
  const payload = delivery.payload as Payload | null
  const { event_type, type, data } = payload ?? {}
  const verdict = refused === null ? paint('verified', 'green') : paint(`REFUSED: ${refused}`, 'red')
  // Control characters are removed from the sender's text, because they could change the terminal.
  const about = [event_type ?? type ?? 'no event', data?.last_event?.status, data?.id, svix_id]
    .filter((part) => part !== undefined && part !== null)
    .map((part) =>
      String(part)
        .replace(/\p{Cc}/gu, ' ')
        .slice(0, 200),
    )
  const parts = [
    at.slice(11, 19),
    ...about,
    String(answered),
    ...(again ? [paint('again', 'yellow')] : []),
    verdict,
  ]
  print(parts.join('  '))
}
