import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { type Parsed, unnamed } from '../../api/schema.ts'
import type { PlayOptions } from '../../client/explore.ts'
import type { PetriWorld } from '../../client/kit.ts'
import type { Order } from '../../client/responses.ts'
import { isSuccess } from '../../kernel/http-call.ts'
import { DAY_MS, toDate } from '../../kernel/instant.ts'
import { isObject, type JsonObject, MAX_NESTING, maxDepthExceededAt, parseJson } from '../../kernel/json.ts'
import { append, compact } from '../../kernel/list.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { once } from '../../kernel/once.ts'
import { ownCallHeaders } from '../../kernel/own-calls.ts'
import { reasonOf } from '../../kernel/reason.ts'
import { readStatus, statusSpellings, topStatuses } from '../../resources/orders/lifecycle.ts'
import { summaryResources } from '../../resources/summaries/service.ts'
import { seriesResources } from '../../resources/timeseries/service.ts'
import { explain } from '../../scenarios/read.ts'
import { describeFailure, failureText, isInContainer } from '../../webhooks/outgoing.ts'
import { createTransport } from '../../webhooks/transport.ts'
import { START } from './compile.ts'
import { detailOf, type Judge, Violated, type Violation } from './oracles.ts'
import type { Played } from './play.ts'

/** The values of Petri with which a value of the program is compared. */
const truths = ['status', 'interpretation', 'results', 'providers', 'orders'] as const
/** The resources that a program can store: summaries, and samples. */
const storable = ['sleep', 'activity', 'workouts', ...seriesResources]

const knownStatus = (name: string) =>
  readStatus(name) !== undefined || topStatuses.some((status) => status === name)

/** Something that must hold once all is quiet, about each order or each user. */
const Invariant = unnamed(() =>
  z.strictObject({
    /** With {order_id} or {user_id}. */
    url: z
      .string()
      .refine((url) => /\{(order_id|user_id)\}/.test(url), 'must contain {order_id} or {user_id}')
      .refine((url) => /^https?:\/\//.test(url), 'must be an http or https URL'),
    /** The path of the value in the JSON, such as order.status. */
    at: z.string().optional(),
    equals: z.enum(truths).optional(),
    /** A resource whose rows it has stored, each once: the ids of summaries, or the timestamps of samples. */
    stores: z.enum(storable).optional(),
    /** The program's word for a status of Petri: dotted, low-level, or the first part. */
    map: z
      .record(z.string(), z.string())
      .superRefine((map, ctx) => {
        for (const name of Object.keys(map).filter((one) => !knownStatus(one)))
          ctx.addIssue({ code: 'custom', message: `has an unknown key: ${whyUnknownStatus(name)}` })
      })
      .optional(),
    at_most: z.number().optional(),
  }),
)
export type Invariant = Parsed<typeof Invariant>

const InvariantFile = unnamed(() => z.strictObject({ invariants: z.array(Invariant()).min(1) }))

const whyUnknownStatus = (name: string) =>
  `"${name}" is not a status of an order.${didYouMean(name, [...statusSpellings(), ...topStatuses])}`

/** A check that cannot be made; the message is for the user. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
}

/** Reads a file of invariants. Throws a CheckError. */
export function readInvariants(text: string, file: string): readonly Invariant[] {
  const content = parseJson(text)
  const read = InvariantFile().safeParse(content)
  if (read.success) return read.data.invariants
  const [first] = read.error.issues.flatMap((issue) =>
    explain(issue, content, ['invariants', ...Object.keys(Invariant().shape)]),
  )
  const where = first?.path.join('.') ?? ''
  const message = `${file} is not a file of invariants: ${where && `${where}: `}${first?.message}`
  throw new CheckError(/[.?]$/.test(message) ? message : `${message}.`)
}

/** The invariant of `--check`, `--at` and `--map`. Throws a CheckError. */
export function readCheck(url: string, at: string | undefined, pairs: readonly string[]): Invariant {
  const map = Object.fromEntries(pairs.map(readPair))
  const read = Invariant().safeParse({
    url,
    equals: 'status',
    ...(at !== undefined && { at }),
    ...(pairs.length > 0 && { map }),
  })
  if (read.success) return read.data
  throw new CheckError(`--check ${read.error.issues[0]?.message}; it is "${url}".`)
}

function readPair(pair: string): [string, string] {
  const [status = '', word] = pair.split('=')
  if (word === undefined)
    throw new CheckError(`--map takes pairs such as completed=done; "${pair}" has no "=".`)
  if (!knownStatus(status)) throw new CheckError(`--map: ${whyUnknownStatus(status)}`)
  return [status, word]
}

/** The time for a reply, and for the rest of its body. */
const TIMEOUT_MS = 5000
const MAX_REPLY_MIB = 4
const network = once(() => createTransport())

/** The value that a program shows at a URL. Throws a CheckError if there is none. */
async function readView(
  { url, at }: Pick<Invariant, 'url' | 'at'>,
  ids: Readonly<Record<string, string>>,
): Promise<unknown> {
  const address = url.replace(/\{(order_id|user_id)\}/g, (_, name: string) =>
    encodeURIComponent(ids[name] ?? ''),
  )
  const reply = await network()({
    method: 'GET',
    url: address,
    headers: { ...ownCallHeaders, accept: 'application/json' },
    body: '',
    timeoutMs: TIMEOUT_MS,
    bodyMs: TIMEOUT_MS,
    maxBodyBytes: MAX_REPLY_MIB * 1024 * 1024,
  }).catch((error: unknown) => {
    const failure = describeFailure(error, {
      url: address,
      timeoutMs: TIMEOUT_MS,
      inContainer: isInContainer(),
    })
    throw new CheckError(`${address} cannot be read: ${failureText(failure)}.`)
  })
  if (!isSuccess(reply.status))
    throw new CheckError(`${address} answered ${reply.status}: ${detailOf(reply.body)}`)
  if (reply.cut === 'too long') throw new CheckError(`${address} answered more than ${MAX_REPLY_MIB} MiB.`)
  if (reply.cut)
    throw new CheckError(`${address} did not send the whole response within ${TIMEOUT_MS / 1000} s.`)
  if (maxDepthExceededAt(reply.body) !== undefined)
    throw new CheckError(`${address} answered JSON that is more than ${MAX_NESTING} levels deep.`)
  const body = parseJson(reply.body)
  if (body === undefined) {
    const type = reply.headers['content-type'] ?? 'no content type'
    throw new CheckError(`${address} answered ${type} instead of JSON: ${detailOf(reply.body)}`)
  }
  return at === undefined ? body : valueAtPath(body, at, address)
}

function valueAtPath(body: unknown, at: string, address: string): unknown {
  let value = body
  for (const name of at.split(/[.[\]]+/).filter(Boolean)) {
    const isThere = isObject(value) || Array.isArray(value) ? Object.hasOwn(value, name) : false
    if (!isThere) {
      const names = isObject(value) ? Object.keys(value) : []
      const has =
        names.length > 0 ? ` It has ${names.slice(0, MAX_NAMES).join(', ')}.${didYouMean(name, names)}` : ''
      throw new CheckError(`The response of ${address} has no "${at}".${has}`)
    }
    value = (value as JsonObject)[name]
  }
  return value
}

const MAX_NAMES = 8

/** The order or user of an invariant. */
interface Subject {
  readonly ids: Readonly<Record<string, string>>
  readonly order?: Order
  readonly userId: string
}

type Subjects = Pick<Played, 'orders' | 'redraws' | 'userIds'>

function subjectsOf({ url }: Invariant, { orders, redraws, userIds }: Subjects): readonly Subject[] {
  if (!url.includes('{order_id}')) return userIds.map((userId) => ({ ids: { user_id: userId }, userId }))
  return compact(
    [...orders, ...redraws].map(
      (order) =>
        order && { ids: { order_id: order.id, user_id: order.user_id }, order, userId: order.user_id },
    ),
  )
}

/** Reads what invariants are about after the happy path, to find out whether they can be checked. Throws a CheckError. */
export async function assertReadable(invariants: readonly Invariant[], played: Subjects): Promise<void> {
  for (const invariant of invariants) {
    const [subject] = subjectsOf(invariant, played)
    if (!subject) continue
    const said = await readView(invariant, subject.ids)
    if (invariant.equals === 'status') assertWord(said, invariant)
  }
}

/** Whether a status can be read there. */
function assertWord(said: unknown, { url, at }: Invariant): void {
  if (typeof said !== 'object' || said === null) return
  const what = Array.isArray(said) ? 'a list' : 'an object'
  const names = Object.keys(said).slice(0, MAX_NAMES).join(', ')
  const has = names === '' ? '' : ` It has ${names}.`
  const where = at === undefined ? url : `"${at}" of ${url}`
  throw new CheckError(`${where} is ${what}, and not a status; name the path of the status.${has}`)
}

/** The rules of a program, and the world in which it is right or wrong. */
export interface Checks {
  readonly invariants: readonly Invariant[]
  readonly world: PetriWorld
  /** Called with what makes the answers of the program unfit for a check. */
  readonly warn: (sentence: string) => void
}

/** Checks invariants once all is quiet. */
export const judgeInvariants =
  (checks: Checks): Judge =>
  (played) =>
    violationOf(checks, played)

/** What a program shows wrongly. */
export async function violationOf(checks: Checks, subjects: Subjects): Promise<Violation | undefined> {
  for (const invariant of checks.invariants) {
    for (const subject of subjectsOf(invariant, subjects)) {
      const violation = await checkOne(checks, invariant, subject)
      if (violation) return violation
    }
  }
  return undefined
}

/** A user looks at the program, which may read early, and at the orders that it shows, which must be right. */
export function playOptionsOf(checks: Checks): PlayOptions {
  const { invariants } = checks
  const [ofOrders, ofUsers] = [true, false].map((isWanted) =>
    invariants.filter(({ url }) => url.includes('{order_id}') === isWanted),
  )
  // What is about a user may be announced later.
  const checked = { ...checks, invariants: (ofOrders ?? []).filter(({ stores }) => !stores) }
  return {
    async look({ user_id, orders }) {
      for (const invariant of ofUsers ?? []) await readView(invariant, { user_id }).catch(() => undefined)
      const violation = await violationOf(checked, { orders, redraws: [], userIds: [] })
      if (violation) throw new Violated(violation)
    },
  }
}

async function checkOne(
  { world, warn }: Checks,
  invariant: Invariant,
  subject: Subject,
): Promise<Violation | undefined> {
  const ask = async (): Promise<{ said: unknown; violation: Violation | undefined }> => {
    try {
      const said = await readView(invariant, subject.ids)
      return { said, violation: await violationIn(said, invariant, subject, world) }
    } catch (error) {
      if (!(error instanceof CheckError)) throw error
      return { said: error.message, violation: { oracle: 'check', problem: error.message } }
    }
  }
  const before = await ask()
  if (!before.violation) return undefined
  // A program may answer a webhook before it has stored what it says.
  const after = await ask()
  if (!isDeepStrictEqual(after.said, before.said)) warn(differently(invariant.url, before.said, after.said))
  return after.violation
}

const differently = (url: string, before: unknown, after: unknown) =>
  `${url} answered ${shown(before)} and then ${shown(after)} to the same question, with nothing in between. The last answer is checked.`

/** How what the program says differs from what is true. */
async function violationIn(
  said: unknown,
  invariant: Invariant,
  subject: Subject,
  world: PetriWorld,
): Promise<Violation | undefined> {
  const { equals, stores, at_most: most, at = 'the answer' } = invariant
  if (most !== undefined && !(typeof said === 'number' && said <= most))
    return {
      oracle: 'invariant',
      problem: `The program says ${at} is ${shown(said)}; it must be ${most} at most.`,
    }
  const truth = stores
    ? await keysOfRows(world, stores, subject.userId)
    : equals && (await truthOf(equals, subject, world))
  if (truth === undefined || isSame(invariant, said, truth)) return undefined
  return {
    oracle: 'check',
    problem: `The program says ${shown(said)}; expected ${shown(truth)}.`,
    actual: said,
    expected: truth,
  }
}

const shown = (value: unknown) => detailOf(JSON.stringify(value) ?? 'nothing')

const isEqual = (said: unknown, truth: unknown) => sorted(said) === sorted(truth)
/** The order of lists does not matter. */
const sorted = (value: unknown) => JSON.stringify(Array.isArray(value) ? [...value].sort() : value)

/** Whether the program says what is true, which it may spell otherwise. */
function isSame({ equals, map = {} }: Invariant, said: unknown, truth: unknown): boolean {
  if (equals === 'status') return isStatus(said, String(truth), map)
  if (equals === 'results') return isEqual(valuesIn(said), valuesIn(truth))
  return isEqual(said, truth)
}

/** Results as `slug: value`, from a list of objects with both or from an object by slug. */
function valuesIn(said: unknown): unknown {
  if (isObject(said)) return Object.entries(said).map(([slug, value]) => `${slug}: ${value}`)
  if (!Array.isArray(said)) return said
  return said.map((each) => (isObject(each) ? `${each.slug}: ${each.value}` : each))
}

/** Whether a word of the program means a status, by its map or literally. */
function isStatus(said: unknown, dotted: string, map: Readonly<Record<string, string>>): boolean {
  const low = readStatus(dotted)?.low ?? dotted
  const spellings = [dotted, low, dotted.split('.')[0] ?? dotted]
  const mapped = spellings.find((name) => map[name] !== undefined)
  return mapped === undefined ? spellings.includes(String(said)) : map[mapped] === String(said)
}

interface Result {
  readonly slug: string
  readonly value: number | null
  /** The text that is reported instead of a number. */
  readonly result?: string | null
}

async function truthOf(
  truth: (typeof truths)[number],
  { order, userId }: Subject,
  world: PetriWorld,
): Promise<unknown> {
  const read = <Body>(path: string) => world.call<Body>('GET', path)
  switch (truth) {
    case 'status':
      return order?.last_event?.status ?? null
    case 'interpretation':
      return order?.interpretation ?? null
    case 'results': {
      if (!order?.interpretation) return []
      const { results } = await read<{ results: readonly Result[] }>(`/v3/order/${order.id}/result`)
      return results.map(({ slug, value, result }) => ({ slug, value: value ?? result ?? null }))
    }
    case 'providers': {
      const { providers } = await read<{ providers: readonly { slug: string; status: string }[] }>(
        `/v2/user/providers/${userId}`,
      )
      return providers.filter(({ status }) => status === 'connected').map(({ slug }) => slug)
    }
    case 'orders': {
      const { orders } = await read<{ orders: readonly Order[] }>(`/v3/orders?size=100&user_id=${userId}`)
      return orders.map(({ id }) => id)
    }
  }
}

/** The keys of the rows of a user that can be read. */
async function keysOfRows(world: PetriWorld, resource: string, userId: string): Promise<readonly string[]> {
  const read = <Body>(path: string) => world.call<Body>('GET', path)
  const range = `start_date=${toDate(START - 365 * DAY_MS)}&end_date=${toDate(START + 365 * DAY_MS)}`
  if (summaryResources.includes(resource)) {
    const body = await read<Record<string, readonly { id: string }[]>>(
      `/v2/summary/${resource}/${userId}?${range}`,
    )
    return (body[resource] ?? []).map(({ id }) => id)
  }
  const keys: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next: string = cursor === '' ? '' : `&next_cursor=${encodeURIComponent(cursor)}`
    const page: SeriesPage = await read(`/v2/timeseries/${userId}/${resource}/grouped?${range}${next}`)
    for (const { data } of Object.values(page.groups).flat())
      append(
        keys,
        data.map(({ timestamp }) => timestamp),
      )
    cursor = page.next_cursor
  }
  return keys
}

interface SeriesPage {
  readonly groups: Readonly<Record<string, readonly { readonly data: readonly { timestamp: string }[] }[]>>
  readonly next_cursor: string | null
}

/** Delivers the last message once more: it must be accepted and change nothing that the program shows. */
export const judgeRepetition =
  ({ invariants, world, warn }: Checks): Judge =>
  async (played) => {
    const [last] = (await world.webhooks.messages()).filter(({ status }) => status === 'delivered').slice(-1)
    if (!last) return undefined
    const before = await viewsOf(invariants, played)
    await world.webhooks.resend({ message_id: last.id })
    await world.clock.settle()
    const after = await viewsOf(invariants, played)
    if (before === after) return undefined
    const again = await viewsOf(invariants, played)
    if (again !== after) {
      warn(differently(invariants.map(({ url }) => url).join(', '), after, again))
      return undefined
    }
    return {
      oracle: 'repetition',
      problem: `A second delivery of the same ${last.event_type} changed what the program shows, from ${detailOf(before)} to ${detailOf(after)}.`,
    }
  }

async function viewsOf(invariants: readonly Invariant[], played: Played): Promise<string> {
  const views: unknown[] = []
  for (const invariant of invariants)
    for (const { ids } of subjectsOf(invariant, played))
      views.push(await readView(invariant, ids).catch(reasonOf))
  return JSON.stringify(views)
}
