import { batch, signal } from '@preact/signals'
import { every, get, later, onShown, type StreamData, type StreamEvent, wallNow } from './api.ts'
import { forgetKey, listWorlds, type Opened, open, openWith } from './credentials.ts'
import { deliveryRules, isSet } from './delivery-rules.ts'
import { mergeHistory, readHistory } from './history.ts'
import type { Clock, World } from './responses.ts'
import { type Connection, coalesce, followStream } from './stream.ts'
import { say } from './toast.ts'

/** The most happenings that are kept for the activity. */
const MAX_ACTIVITY = 400

export const opened = signal<Opened | undefined>(undefined)
export const worlds = signal<readonly World[]>([])
export const world = signal<World | undefined>(undefined)
export const clock = signal<Clock | undefined>(undefined)
export const connection = signal<Connection>('waiting')
export const activity = signal<readonly StreamData[]>([])
/** Counts up when what is shown should be read again. */
export const news = signal(0)
/** An advance that is under way, how much it has told, and whether this tab began it. */
export const advancing = signal<{ readonly happenings: number; readonly isOwn: boolean } | undefined>(
  undefined,
)
export const notice = signal<string | undefined>(undefined)
/** What makes things go wrong now: armed faults, and deliveries that misbehave. */
export const trouble = signal<readonly string[]>([])
/** The world's time; that of a live world is worked out from when the clock was read. */
export const now = signal(new Date(0).toISOString())

/** What is known beside what is shown. */
const hidden: { clockReadAt: number; stopFollowing?: () => void; isStale: boolean } = {
  clockReadAt: 0,
  isStale: false,
}

export function setClock(read: Clock): void {
  hidden.clockReadAt = wallNow()
  batch(() => {
    clock.value = read
    now.value = read.now
    if (read.advancing) advancing.value ??= { happenings: 0, isOwn: false }
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
  hidden.stopFollowing?.()
  opened.value = result
  if ('refusal' in result) return
  batch(() => {
    worlds.value = result.worlds
    world.value = result.world
    activity.value = []
    setClock(result.world.clock)
  })
  hidden.stopFollowing = followStream({ name: result.world.team_id, onEvents, onConnection })
  void readTrouble().catch(() => undefined)
  void readActivity()
}

/** Goes over to another world. */
export async function switchTo(key: string): Promise<void> {
  const token = opened.value && 'token' in opened.value ? opened.value.token : undefined
  await unlock(key, token)
  news.value++
}

/** Goes over to a world that there still is. */
async function leaveWorld(why: string): Promise<void> {
  hidden.stopFollowing?.()
  forgetKey()
  await start()
  notice.value =
    world.value && opened.value && 'world' in opened.value ? `${why} This is ${world.value.name}.` : why
  news.value++
}

function onConnection(state: Connection): void {
  const before = connection.value
  connection.value = state
  if (state === 'live' && before !== 'live') refresh()
  if (state === 'off') void leaveWorld('The world that was shown here is gone.')
}

function onEvents(events: readonly StreamEvent[]): void {
  const told = events.filter(({ kind }) => kind !== 'hello' && kind !== 'reload').map(({ data }) => data)
  if (advancing.value)
    advancing.value = { ...advancing.value, happenings: advancing.value.happenings + told.length }
  for (const { kind, change } of told) if (kind === 'world') onWorld(String(change))
  const lines = told.filter(({ kind }) => !QUIET.has(kind))
  if (lines.length > 0) activity.value = [...lines.reverse(), ...activity.value].slice(0, MAX_ACTIVITY)
  const latest = told.findLast(({ kind }) => kind === 'clock')
  if (latest) setClock({ ...clock.value, ...latest } as unknown as Clock)
  if (told.some(({ kind }) => kind === 'fault' || kind === 'settings'))
    void readTrouble().catch(() => undefined)
  if (events.some(({ kind }) => kind === 'reload')) void readActivity()
  refresh()
}

/** Told for the page itself, not for whoever looks. */
const QUIET = new Set(['clock', 'fault', 'settings', 'snapshot', 'world'])

const worldWords: Readonly<Record<string, string>> = {
  reset: 'This world was reset.',
  restored: 'This world was put back to a snapshot.',
  imported: 'Another state was imported into this world.',
}

function onWorld(change: string): void {
  if (change === 'dropped') return void leaveWorld('The world that was shown here was dropped.')
  notice.value = worldWords[change]
  activity.value = []
  void readActivity()
}

/** What had happened before this page was opened, as far as Petri still tells. */
async function readActivity(): Promise<void> {
  const past = await readHistory().catch(() => [])
  activity.value = mergeHistory(activity.value, past).slice(0, MAX_ACTIVITY)
}

async function readShown(): Promise<void> {
  news.value++
  setClock(await get<Clock>('/_petri/clock'))
}

const readAgain = coalesce(readShown)

/** Reads again what is shown, once it is quiet; in a tab that nobody sees, once somebody does. */
export function refresh(): void {
  hidden.isStale = document.visibilityState === 'hidden'
  if (!hidden.isStale) readAgain()
}

onShown(() => {
  if (!hidden.isStale) return
  hidden.isStale = false
  void readShown().catch(() => undefined)
})

export async function readWorlds(): Promise<void> {
  const known = await listWorlds()
  const described = await get<World>('/_petri/world')
  worlds.value = known.length > 0 ? known : [described]
  world.value = described
}

async function readTrouble(): Promise<void> {
  const [{ faults }, rules] = await Promise.all([
    get<{ faults: { operation: string; times: number | null; hits: number }[] }>('/_petri/faults'),
    get<Record<string, unknown>>('/_petri/webhooks/delivery'),
  ])
  const armed = faults.filter(({ times, hits }) => times === null || hits < times).length
  const misbehaving = deliveryRules.filter(([name]) => isSet(rules[name]))
  trouble.value = [
    ...(armed > 0 ? [`${armed} ${armed === 1 ? 'fault is' : 'faults are'} armed`] : []),
    ...misbehaving.map(([name]) => `deliveries: ${name.replaceAll('_', ' ')}`),
  ]
}

/** Does something, and says what went wrong if it does. */
export async function attempt<Result>(
  title: string,
  act: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    const result = await act()
    refresh()
    return result
  } catch (error) {
    say({ title: `${title} failed`, lines: [(error as Error).message], isError: true })
    return undefined
  }
}

/** Lets the clock of a live world tick. */
export const startTicking = (): (() => void) =>
  every(1000, () => {
    const read = clock.value
    if (!read || read.frozen) return
    now.value = new Date(Date.parse(read.now) + (wallNow() - hidden.clockReadAt)).toISOString()
  })
