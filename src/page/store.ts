import { batch, signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { JsonObject } from '../kernel/json.ts'
import { compact } from '../kernel/list.ts'
import { messageOf } from '../kernel/reason.ts'
import { mergePast, readPast } from './activity-log.ts'
import {
  CallError,
  call,
  every,
  get,
  later,
  onShown,
  type StreamData,
  type StreamEvent,
  wallNow,
} from './api.ts'
import { forgetKey, listWorlds, type Opened, open, openWith } from './credentials.ts'
import { countOf } from './format.ts'
import { place } from './navigation.ts'
import { type ApiDocument, fieldsOf, type Schema } from './openapi.ts'
import type { Clock, Fault, Lifecycle, ListPage, Scenario, World } from './responses.ts'
import { type Connection, coalesce, followStream } from './stream.ts'
import { isSet, webhookFaults } from './webhook-faults.ts'

/** The most items of the stream that are kept for the activity. */
const MAX_ACTIVITY = 400

export const opened = signal<Opened | undefined>(undefined)
export const worlds = signal<readonly World[]>([])
export const world = signal<World | undefined>(undefined)
export const clock = signal<Clock | undefined>(undefined)
export const connection = signal<Connection>('waiting')
export const activity = signal<readonly StreamData[]>([])
/** Counts up when the view should be read again. */
export const version = signal(0)
/** The running advance: the number of its effects so far, and whether this tab started it. */
export const advancing = signal<{ readonly effects: number; readonly isOwn: boolean } | undefined>(undefined)
export const notice = signal<string | undefined>(undefined)
/** The faults that are active: those armed, and those of webhooks. */
export const trouble = signal<readonly string[]>([])
/** The world's time; in a live world computed from when the clock was read. */
export const now = signal(new Date(0).toISOString())

/** State that nothing shows. */
const internal: {
  clockReadAt: number
  stopFollowing?: () => void
  stopHiding?: () => void
  isStale: boolean
} = {
  clockReadAt: 0,
  isStale: false,
}

export function setClock(read: Clock): void {
  internal.clockReadAt = wallNow()
  batch(() => {
    clock.value = read
    now.value = read.now
    if (read.advancing) advancing.value ??= { effects: 0, isOwn: false }
    else if (!advancing.value?.isOwn) advancing.value = undefined
  })
}

export async function start(): Promise<void> {
  try {
    await show(await open())
  } catch {
    connection.value = 'waiting'
    later(1000, () => void start())
  }
}

export async function unlock(key: string | undefined, token: string | undefined): Promise<void> {
  await show(await openWith({ key, token }))
}

async function show(result: Opened): Promise<void> {
  internal.stopFollowing?.()
  opened.value = result
  if ('refusal' in result) return
  batch(() => {
    worlds.value = result.worlds
    world.value = result.world
    activity.value = []
    setClock(result.world.clock)
  })
  internal.stopFollowing = followStream({ name: result.world.team_id, onEvents, onConnection })
  void readTrouble().catch(() => undefined)
  void readActivity()
}

/** Opens another world. */
export async function switchTo(key: string): Promise<void> {
  const token = opened.value && 'token' in opened.value ? opened.value.token : undefined
  await unlock(key, token)
  version.value++
}

/** Opens a world that still exists. */
async function leaveWorld(why: string): Promise<void> {
  internal.stopFollowing?.()
  forgetKey()
  await start()
  notice.value =
    world.value && opened.value && 'world' in opened.value ? `${why} This is ${world.value.name}.` : why
  version.value++
}

function onConnection(state: Connection): void {
  const before = connection.value
  connection.value = state
  if (state === 'live' && before !== 'live') refresh()
  if (state === 'off') void leaveWorld('This world no longer exists.')
}

function onEvents(events: readonly StreamEvent[]): void {
  const items = events.filter(({ kind }) => kind !== 'hello' && kind !== 'reload').map(({ data }) => data)
  const running = advancing.value
  if (running) advancing.value = { ...running, effects: running.effects + items.length }
  for (const { kind, change } of items) if (kind === 'world') onWorld(String(change))
  const lines = items.filter(({ kind }) => !UNLISTED.has(kind))
  if (lines.length > 0) activity.value = [...lines.reverse(), ...activity.value].slice(0, MAX_ACTIVITY)
  const latest = items.findLast(({ kind }) => kind === 'clock')
  if (latest) setClock({ ...clock.value, ...latest } as unknown as Clock)
  if (items.some(({ kind }) => kind === 'fault' || kind === 'settings'))
    void readTrouble().catch(() => undefined)
  if (events.some(({ kind }) => kind === 'reload')) void readActivity()
  refresh()
}

/** Kinds that concern the page, and are not listed as activity. */
const UNLISTED = new Set(['clock', 'fault', 'settings', 'snapshot', 'world', 'refused'])

const worldNotices: Readonly<Record<string, string>> = {
  reset: 'This world was reset.',
  restored: 'This world was restored from a snapshot.',
  imported: 'Another state was imported into this world.',
}

function onWorld(change: string): void {
  if (change === 'dropped') return void leaveWorld('This world was deleted.')
  notice.value = worldNotices[change]
  activity.value = []
  void readActivity()
}

/** Adds what happened before this page was opened, if Petri still lists it. */
async function readActivity(): Promise<void> {
  const past = await readPast().catch(() => [])
  activity.value = mergePast(activity.value, past).slice(0, MAX_ACTIVITY)
}

async function readShown(): Promise<void> {
  version.value++
  setClock(await get<Clock>('/_petri/clock'))
}

const readAgain = coalesce(readShown)

/** Reads the view again after a quiet moment; in a hidden tab, once it is visible. */
export function refresh(): void {
  internal.isStale = document.visibilityState === 'hidden'
  if (!internal.isStale) readAgain()
}

export async function readWorlds(): Promise<void> {
  const known = await listWorlds()
  const described = await get<World>('/_petri/world')
  worlds.value = known.length > 0 ? known : [described]
  world.value = described
}

async function readTrouble(): Promise<void> {
  const [{ faults }, rules] = await Promise.all([
    get<{ faults: Fault[] }>('/_petri/faults'),
    get<JsonObject>('/_petri/webhooks/faults'),
  ])
  const armed = faults.filter(({ times, hits }) => times === null || hits < times).length
  const active = webhookFaults.filter(([name]) => isSet(rules[name]))
  trouble.value = compact([
    armed > 0 && `${countOf(armed, 'fault')} armed`,
    ...active.map(([name]) => `webhooks: ${name.replaceAll('_', ' ')}`),
  ])
}

/** Runs an action and reports its error, or only passes on why Petri refused it; undefined if it failed. */
export async function attempt<Result>(
  title: string,
  act: () => Promise<Result>,
  onRefused?: (error: CallError) => void,
): Promise<Result | undefined> {
  try {
    const result = await act()
    refresh()
    return result
  } catch (error) {
    if (onRefused && error instanceof CallError) onRefused(error)
    else say({ title: `${title} failed`, lines: [messageOf(error)], isError: true })
    return undefined
  }
}

/** Makes a call and reports its error; undefined if it failed. */
export const perform = <Body>(
  title: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body | undefined> => attempt(title, () => call<Body>(method, path, body))

/** Changes a setting of the world, and reads the worlds again. */
export const changeWorld = (title: string, change: object): Promise<unknown> =>
  attempt(title, async () => {
    await call('PATCH', '/_petri/world', change)
    await readWorlds()
  })

/** Lets the clock of a live world tick, and refreshes the view when the tab is shown again. */
export function startTicking(): void {
  every(1000, () => {
    const read = clock.value
    if (!read || read.frozen || read.standing) return
    now.value = new Date(Date.parse(read.now) + (wallNow() - internal.clockReadAt)).toISOString()
  })
  onShown(() => {
    if (!internal.isStale) return
    internal.isStale = false
    void readShown().catch(() => undefined)
  })
}

interface Toast {
  readonly title: string
  readonly lines?: readonly string[]
  readonly link?: { readonly to: string; readonly text: string } | undefined
  readonly isError?: boolean
}

/** The latest message to the user, until it expires or another view is opened. */
export const toast = signal<Toast | undefined>(undefined)
place.subscribe(() => {
  toast.value = undefined
})

export function say(message: Toast): void {
  internal.stopHiding?.()
  toast.value = message
  internal.stopHiding = later(message.isError ? 12_000 : 6000, () => {
    toast.value = undefined
  })
}

interface Data<Body> {
  readonly body: Body | undefined
  readonly error: CallError | undefined
}

const NOTHING: Data<never> = { body: undefined, error: undefined }

/**
 * The response to a GET of a path, read again whenever something happened; nothing without a path. The last response stays
 * until the next arrives, also when only the query changes; none is dropped because more happened meanwhile.
 */
export function useData<Body>(path: string | undefined, isLive = true): Data<Body> {
  const data = useSignal<Data<Body> & { readonly path: string | undefined }>({ ...NOTHING, path })
  const requests = useRef({ path, sent: 0, shown: 0 })
  const beat = isLive ? version.value : 0
  useEffect(() => {
    requests.current.path = path
    if (!path) return
    const ordinal = ++requests.current.sent
    const show = (next: Data<Body>) => {
      if (requests.current.path !== path || ordinal < requests.current.shown) return
      requests.current.shown = ordinal
      data.value = { ...next, path }
    }
    get<Body>(path).then(
      (body) => show({ body, error: undefined }),
      (error: CallError) => show({ body: error.status === 0 ? data.peek().body : undefined, error }),
    )
  }, [path, beat])
  return withoutQuery(data.value.path) === withoutQuery(path) ? data.value : NOTHING
}

const NO_ROWS: readonly never[] = []

/** The rows of a list; none until it is read. */
export const useList = <Item>(path: string | undefined, isLive = true): readonly Item[] =>
  useData<ListPage<Item>>(path, isLive).body?.data ?? NO_ROWS

/** The scenarios of orders in this world. */
export const useScenarios = (): readonly Scenario[] => useList('/_petri/scenarios?kind=order', false)

/** The lifecycle of orders, which no world changes. */
export const useLifecycle = (): Lifecycle | undefined => useData<Lifecycle>('/_petri/lifecycle', false).body

/** The fields of a schema as the description of the API has them, each with what it does; none until it is read. */
export function useFields(schema: string): Readonly<Record<string, Schema>> {
  const { body: document } = useData<ApiDocument>('/openapi.json', false)
  return document ? fieldsOf(document, document.components.schemas[schema]).fields : {}
}

const withoutQuery = (path: string | undefined) => path?.split('?')[0]
