import { batch, signal } from '@preact/signals'
import type { Clock, World } from './answers.ts'
import { call, every, get, later, type StreamData, type StreamEvent, wallNow } from './api.ts'
import { listWorlds, type Opened, open, openWith } from './credentials.ts'
import { deliveryRules, isSet } from './delivery-rules.ts'
import { type Connection, coalesce, followStream } from './stream.ts'

/** The most happenings that are kept for the activity. */
const MOST_ACTIVITY = 400

export const opened = signal<Opened | undefined>(undefined)
export const worlds = signal<readonly World[]>([])
export const world = signal<World | undefined>(undefined)
export const clock = signal<Clock | undefined>(undefined)
export const connection = signal<Connection>('waiting')
export const activity = signal<readonly StreamData[]>([])
/** Counts up when what is shown should be read again. */
export const news = signal(0)
/** How many happenings an advance that is under way has told. */
export const advancing = signal<{ readonly happenings: number } | undefined>(undefined)
/** What is said to whoever looks or listens, until the next is said. */
export const toast = signal<Toast | undefined>(undefined)
export const notice = signal<string | undefined>(undefined)
/** What makes things go wrong now: armed faults, and deliveries that misbehave. */
export const trouble = signal<readonly string[]>([])

export interface Toast {
  readonly title: string
  readonly lines: readonly string[]
  readonly link?: { readonly to: string; readonly text: string }
  readonly isError?: boolean
}

/** The world's time; that of a live world is worked out from when the clock was read. */
export const now = signal(new Date(0).toISOString())
/** What is known beside what is shown. */
const hidden: {
  clockReadAt: number
  stopFollowing?: () => void
  hideToast?: () => void
} = { clockReadAt: 0 }

function setClock(read: Clock): void {
  hidden.clockReadAt = wallNow()
  batch(() => {
    clock.value = read
    now.value = read.now
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
  opened.value = result
  if ('refusal' in result) return
  batch(() => {
    worlds.value = result.worlds
    world.value = result.world
    activity.value = []
    setClock(result.world.clock)
  })
  hidden.stopFollowing?.()
  hidden.stopFollowing = followStream({ name: result.world.team_id, onEvents, onConnection })
  void readTrouble()
}

/** Goes over to another world. */
export async function switchTo(key: string): Promise<void> {
  const token = opened.value && 'token' in opened.value ? opened.value.token : undefined
  await unlock(key, token)
  news.value++
}

function onConnection(state: Connection): void {
  const before = connection.value
  connection.value = state
  if (state === 'live' && before !== 'live') refresh()
}

function onEvents(events: readonly StreamEvent[]): void {
  const told = events.filter(({ kind }) => kind !== 'hello' && kind !== 'reload').map(({ data }) => data)
  if (advancing.value) advancing.value = { happenings: advancing.value.happenings + told.length }
  for (const { kind, change } of told) if (kind === 'world') onWorld(String(change))
  const lines = told.filter(({ kind }) => !QUIET.has(kind))
  if (lines.length > 0) activity.value = [...lines.reverse(), ...activity.value].slice(0, MOST_ACTIVITY)
  const latest = told.findLast(({ kind }) => kind === 'clock')
  if (latest) setClock({ ...clock.value, ...latest } as unknown as Clock)
  if (told.some(({ kind }) => kind === 'fault' || kind === 'settings')) void readTrouble()
  refresh()
}

/** Told for the page itself, not for whoever looks. */
const QUIET = new Set(['clock', 'fault', 'settings', 'snapshot', 'world'])

const worldWords: Readonly<Record<string, string>> = {
  reset: 'This world was reset.',
  restored: 'This world was put back to a snapshot.',
  imported: 'Another state was imported into this world.',
  dropped: 'This world was dropped.',
}

function onWorld(change: string): void {
  notice.value = worldWords[change]
  activity.value = []
  if (change === 'dropped') later(300, () => void start())
}

const readClock = async (): Promise<void> => setClock(await get<Clock>('/_petri/clock'))

/** Reads again what is shown, once it is quiet. */
export const refresh = coalesce(async () => {
  await readClock()
  news.value++
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

export function say(said: Toast): void {
  hidden.hideToast?.()
  toast.value = said
  hidden.hideToast = later(said.isError ? 12_000 : 6000, () => {
    toast.value = undefined
  })
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
    say({ title: `${title} did not work`, lines: [(error as Error).message], isError: true })
    return undefined
  }
}

interface Advanced {
  readonly now: string
  readonly effects: readonly { readonly kind: string; readonly status?: string | number }[]
  readonly effects_dropped?: number
}

/** Moves the clock, and says what came of it. */
export async function advance(input: object): Promise<void> {
  if (advancing.value) return
  advancing.value = { happenings: 0 }
  const done = await attempt('The advance', () => call<Advanced>('POST', '/_petri/clock/advance', input))
  advancing.value = undefined
  if (!done) return
  const count = (kind: string) => done.effects.filter((effect) => effect.kind === kind).length
  const failed = done.effects.filter(({ kind, status }) => kind === 'delivery' && !isSuccess(status)).length
  const moves = `${count('order')} order moves`
  const deliveries = `${count('delivery')} deliveries${failed > 0 ? `, ${failed} failed` : ''}`
  say({
    title: `The clock stands at ${done.now.slice(0, 16).replace('T', ' ')} UTC`,
    lines: [moves, `${count('event')} events`, deliveries],
    ...(failed > 0 && { link: { to: '/webhooks', text: 'See the deliveries' } }),
  })
}

const isSuccess = (status: unknown) => typeof status === 'number' && status >= 200 && status < 300

/** Lets the clock of a live world tick. */
export const startTicking = (): (() => void) =>
  every(1000, () => {
    const read = clock.value
    if (!read || read.frozen) return
    now.value = new Date(Date.parse(read.now) + (wallNow() - hidden.clockReadAt)).toISOString()
  })
