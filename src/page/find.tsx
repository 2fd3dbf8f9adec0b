import { useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { advance, patchClock } from './advance.ts'
import { get, later, withQuery } from './api.ts'
import { messageUrl } from './components.tsx'
import { inWords, shortId } from './format.ts'
import { closeDialog, Dialog, openDialog, Search } from './forms.tsx'
import { go, views } from './navigation.ts'
import type { Board, Call, Endpoint, FeedInFull, Message, Page, Scenario, UserList } from './responses.ts'
import { clock, world } from './store.ts'
import { disarmFaults } from './views/faults.tsx'
import { clearRequests } from './views/requests.tsx'
import { applyTheme, THEMES } from './views/settings.tsx'

/** Something that the typed text can mean. */
interface Match {
  readonly name: string
  readonly note: string
  /** The command line that does the same. */
  readonly command?: string
  readonly open: () => unknown
}

const MOST_OF_A_KIND = 5
/** How long typing must pause before Petri is asked. */
const PAUSE_MS = 120

const DURATION = /^(?:advance(?: by)?\s+)?\+?((?:\d+(?:\.\d+)?[smhdw]\s*)+)$/i

/** Views, settings and commands, which need no search. */
function commandsFor(text: string): Match[] {
  const by = DURATION.exec(text)?.[1]?.trim()
  const steps: Match[] = by
    ? [command(`Advance by ${by}`, `clock advance ${by.replaceAll(' ', '')}`, () => advance({ by }))]
    : []
  const lower = text.toLowerCase()
  const all = [...goTo(), ...commands(), ...settings()]
  return [...steps, ...all.filter(({ name }) => name.toLowerCase().includes(lower))]
}

const command = (name: string, line: string, open: () => unknown): Match => ({
  name,
  note: 'command',
  ...(line && { command: `npx petri-sandbox ${line}` }),
  open,
})

const goTo = (): Match[] =>
  views.map(([view, name]) => ({ name: `Go to ${name}`, note: 'view', open: () => go(`/${view}`) }))

function commands(): Match[] {
  const { frozen, next_due, pending = 0 } = clock.value ?? {}
  const clockMoves = [
    ...(next_due
      ? [
          command('Advance to what is due next', `clock advance --to ${next_due}`, () =>
            advance({ to: next_due }),
          ),
        ]
      : []),
    ...(pending > 0
      ? [command('Advance until idle', 'clock advance --until-idle', () => advance({ until: 'idle' }))]
      : []),
    command('Advance by a day', 'clock advance 1d', () => advance({ by: '1d' })),
    frozen
      ? command('Run the clock', 'clock run', () => patchClock({ frozen: false }))
      : command('Freeze the clock', 'clock freeze', () => patchClock({ frozen: true })),
  ]
  return [
    ...clockMoves,
    command('Place an order', 'order place', () => go('/orders?dialog=place')),
    command('Reset this world', 'reset', () => openDialog('worlds')),
    command('Switch to another world', '', () => openDialog('worlds')),
    command('Clear all requests', 'requests clear', clearRequests),
    command('Disarm all faults', 'faults clear', disarmFaults),
  ]
}

function settings(): Match[] {
  const themes = THEMES.map(([theme, name]) => ({
    name: `${name} theme`,
    note: 'setting',
    open: () => applyTheme(theme),
  }))
  const features = Object.keys(world.value?.features ?? {}).map((name) => ({
    name: inWords(name),
    note: 'feature, in Settings',
    command: `npx petri-sandbox world features ${name}=…`,
    open: () => go(`/settings?feature=${name}`),
  }))
  return [...themes, ...features]
}

/** What exists in this world and contains the text. */
async function search(text: string): Promise<Match[]> {
  const lower = text.toLowerCase()
  const has = (...fields: readonly (string | null | undefined)[]) =>
    fields.some((field) => field?.toLowerCase().includes(lower))
  const limit = MOST_OF_A_KIND
  const found = await Promise.all([
    listed<Board['data'][number]>('/_petri/orders', { search: text, limit }, (order) => ({
      name: `${order.patient ?? order.recipient ?? 'Order'}, ${order.lab_test}`,
      note: `order ${shortId(order.id)}, ${inWords(order.status)}`,
      command: `npx petri-sandbox order show ${order.id}`,
      open: () => go(`/orders/${order.id}`),
    })),
    findUsers(text, limit),
    listed<Scenario>('/_petri/scenarios', {}, scenarioMatch, ({ name, summary }) => has(name, summary)),
    listed<FeedInFull>('/_petri/feeds', {}, scenarioMatch, ({ name, summary }) => has(name, summary)),
    listed<Endpoint>(
      '/_petri/webhooks/endpoints',
      {},
      ({ url, disabled }) => ({
        name: url,
        note: disabled ? 'endpoint, disabled' : 'endpoint',
        command: 'npx petri-sandbox webhook endpoints',
        open: () => go('/webhooks'),
      }),
      ({ id, url, description }) => has(id, url, description),
    ),
    listed<Call>('/_petri/requests', { q: text, order: 'desc', limit }, ({ id, method, path, status }) => ({
      name: `${method} ${path}`,
      note: `request, ${status}`,
      command: `npx petri-sandbox requests show ${id}`,
      open: () => go(`/requests/${id}`),
    })),
    listed<Message>(
      '/_petri/webhooks/messages',
      { q: text, order: 'desc', fields: 'summary', limit },
      ({ id, event_type, status }) => ({
        name: event_type,
        note: `message ${shortId(id)}, ${status}`,
        command: `npx petri-sandbox webhook show ${id}`,
        open: () => go(messageUrl(id)),
      }),
    ),
  ])
  return found.flat()
}

const scenarioMatch = ({ name }: { readonly name: string }): Match => ({
  name,
  note: 'scenario',
  command: `npx petri-sandbox scenario show ${name}`,
  open: () => go(`/scenarios/${encodeURIComponent(name)}`),
})

/** The first items of a list as matches; none if the list cannot be read. */
async function listed<Item>(
  path: string,
  query: Readonly<Record<string, string | number>>,
  matchOf: (item: Item) => Match,
  isWanted: (item: Item) => boolean = () => true,
): Promise<Match[]> {
  const { data } = await get<Page<Item>>(withQuery(path, query)).catch(() => ({ data: [] }))
  return data.filter(isWanted).slice(0, MOST_OF_A_KIND).map(matchOf)
}

async function findUsers(text: string, limit: number): Promise<Match[]> {
  const path = withQuery('/v2/user/search', { search_input: text, order_direction: 'desc', limit })
  const { users } = await get<UserList>(path).catch(() => ({ users: [] }))
  return users.map(({ user_id, client_user_id }) => ({
    name: client_user_id,
    note: `user ${shortId(user_id)}`,
    open: () => go(`/users/${user_id}`),
  }))
}

/** Opens what is found by its name, or runs a command. */
export const Find = () => (
  <Dialog name="find" title="Find or do">
    <Finder />
  </Dialog>
)

function Finder() {
  const text = useSignal('')
  const at = useSignal(0)
  const searched = useSignal<{ readonly text: string; readonly matches: readonly Match[] }>({
    text: '',
    matches: [],
  })
  const wanted = text.value.trim()
  useEffect(() => {
    if (wanted.length < 2) return
    return later(PAUSE_MS, async () => {
      const matches = await search(wanted)
      if (text.peek().trim() === wanted) searched.value = { text: wanted, matches }
    })
  }, [wanted])
  const found = useComputed(() => {
    const typed = text.value.trim()
    const own = searched.value.text === typed ? searched.value.matches : []
    return [...commandsFor(typed), ...own]
  })
  const isSearching = wanted.length > 1 && searched.value.text !== wanted
  const choose = (chosen: Match | undefined) => {
    if (!chosen) return
    closeDialog()
    void chosen.open()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key !== 'Enter' && step === undefined) return
    // Otherwise Enter would also press what has the focus once this dialog is gone.
    event.preventDefault()
    if (step === undefined) choose(found.value[at.value])
    else at.value = Math.max(0, Math.min(found.value.length - 1, at.value + step))
  }
  return (
    <>
      <Search
        label="Order, user, scenario, endpoint, request, setting or command"
        placeholder="a name, an id, dark, advance 3d…"
        aria-controls="found"
        value={text.value}
        onChange={(typed) => {
          text.value = typed
          at.value = 0
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="found" class="found">
        {found.value.map((match, ordinal) => (
          <li key={ordinal}>
            <button type="button" class={ordinal === at.value ? 'on' : ''} onClick={() => choose(match)}>
              <span>
                {match.name} <small class="dim">{match.note}</small>
              </span>
              <code>{match.command}</code>
            </button>
          </li>
        ))}
      </ul>
      {found.value.length === 0 && (
        <p class="quiet">{isSearching ? 'Searching…' : `Nothing in this world matches “${wanted}”.`}</p>
      )}
    </>
  )
}
