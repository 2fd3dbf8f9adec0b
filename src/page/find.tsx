import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { hasWords } from '../kernel/words.ts'
import {
  type Action,
  actionsAwaited,
  actionsOfOpenOrder,
  addressAction,
  advanceAction,
  doActions,
  named,
  settingActions,
  viewActions,
} from './actions.ts'
import { get, later, withQuery } from './api.ts'
import { messageUrl, Time } from './components.tsx'
import { inWords, shortId } from './format.ts'
import { closeDialog, Dialog, Search } from './forms.tsx'
import { go } from './navigation.ts'
import { type ApiDocument, operationsOf } from './openapi.ts'
import type {
  Board,
  BoardRow,
  Call,
  Endpoint,
  ListPage,
  Message,
  Scenario,
  UserSummary,
} from './responses.ts'

/** Actions that the typed text can mean. */
interface Group {
  readonly title: string
  readonly matches: readonly Action[]
}

const MOST_OF_A_KIND = 5
/** How long typing must pause before Petri is asked. */
const PAUSE_MS = 120
/** The shortest text that Petri is asked for. */
const MIN_LENGTH = 2

/** Actions, views and settings, which need no search. */
const ownGroups = (text: string): Group[] => [
  {
    title: 'Do',
    matches: [...advanceAction(text), ...addressAction(text), ...named(doActions(), text)],
  },
  { title: 'Settings', matches: named(settingActions(), text) },
  { title: 'Views', matches: named(viewActions(), text) },
]

/** Things of this world that contain the text, and actions on them. */
async function search(text: string): Promise<Group[]> {
  const isMeant = hasWords(text)
  const limit = MOST_OF_A_KIND
  const newest = { q: text, order: 'desc', limit }
  const groups: readonly (readonly [title: string, ...parts: Promise<Action[]>[]])[] = [
    ['For the customer', awaitedActions().then((all) => named(all, text))],
    ['This order', actionsOfOpenOrder().then((all) => named(all, text))],
    ['Orders', listed<BoardRow>('/_petri/orders', { search: text, limit }, orderMatch)],
    ['Users', listed<UserSummary>('/_petri/users', { search: text, limit }, userMatch)],
    [
      'Messages',
      listed<Message>('/_petri/webhooks/messages', { ...newest, fields: 'summary' }, messageMatch),
    ],
    ['Requests', listed<Call>('/_petri/requests', newest, requestMatch)],
    [
      'Scenarios',
      listed<Scenario>('/_petri/scenarios', {}, scenarioMatch, ({ name, summary }) =>
        isMeant(`${name} ${summary}`),
      ),
    ],
    [
      'Endpoints',
      listed<Endpoint>('/_petri/webhooks/endpoints', {}, endpointMatch, ({ id, url, description }) =>
        isMeant(`${id} ${url} ${description ?? ''}`),
      ),
    ],
    ['API', apiForms(text)],
  ]
  return Promise.all(
    groups.map(async ([title, ...parts]) => ({ title, matches: (await Promise.all(parts)).flat() })),
  )
}

const orderMatch = ({ id, patient, recipient, lab_test, status, since }: BoardRow): Action => ({
  name: `${patient ?? recipient ?? 'Order'}, ${lab_test}`,
  note: `${inWords(status)}, ${shortId(id)}`,
  at: since,
  command: `order show ${id}`,
  run: () => go(`/orders/${id}`),
})

const messageMatch = ({ id, event_type, status, order_id, created_at }: Message): Action => ({
  name: event_type,
  note: order_id ? `${status}, order ${shortId(order_id)}` : status,
  at: created_at,
  command: `webhook show ${id}`,
  run: () => go(messageUrl(id)),
})

const requestMatch = ({ id, method, path, status, at }: Call): Action => ({
  name: `${method} ${path}`,
  note: String(status),
  at,
  command: `requests show ${id}`,
  run: () => go(`/requests/${id}`),
})

const scenarioMatch = ({ name, summary }: Pick<Scenario, 'name' | 'summary'>): Action => ({
  name,
  note: summary,
  command: `scenario show ${name}`,
  run: () => go(`/scenarios/${encodeURIComponent(name)}`),
})

const endpointMatch = ({ url, disabled, description }: Endpoint): Action => ({
  name: url,
  note: [description, disabled && 'disabled'].filter(Boolean).join(', '),
  command: 'webhook endpoints',
  run: () => go('/webhooks?tab=endpoints'),
})

const userMatch = ({ user_id, client_user_id, name, created_on }: UserSummary): Action => ({
  name: name ?? client_user_id,
  note: name ? client_user_id : shortId(user_id),
  at: created_on,
  run: () => go(`/users/${user_id}`),
})

/** The first items of a list as matches; none if the list cannot be read. */
async function listed<Item>(
  path: string,
  query: Readonly<Record<string, string | number>>,
  match: (item: Item) => Action,
  isWanted: (item: Item) => boolean = () => true,
): Promise<Action[]> {
  const { data } = await get<ListPage<Item>>(withQuery(path, query)).catch(() => ({ data: [] }))
  return data.filter(isWanted).slice(0, MOST_OF_A_KIND).map(match)
}

/** Actions of customers for whom the newest orders wait. */
async function awaitedActions(): Promise<Action[]> {
  const { data } = await get<Board>('/_petri/orders?limit=200').catch(() => ({ data: [] }))
  return actionsAwaited(data)
}

/** The forms of the API view. */
async function apiForms(text: string): Promise<Action[]> {
  const document = await get<ApiDocument>('/openapi.json').catch(() => undefined)
  const isMeant = hasWords(text)
  const all = document ? operationsOf(document) : []
  return all
    .filter(({ id, method, path, summary }) => isMeant(`${method} ${path} ${summary} ${id}`))
    .slice(0, MOST_OF_A_KIND)
    .map(({ id, method, path, summary }) => ({
      name: `${method} ${path}`,
      note: summary,
      run: () => go(`/api/${id}`),
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
  const searched = useSignal<{ readonly text: string; readonly groups: readonly Group[] }>({
    text: '',
    groups: [],
  })
  const list = useRef<HTMLDivElement>(null)
  const wanted = text.value.trim()
  useEffect(() => {
    if (wanted.length < MIN_LENGTH) return
    return later(PAUSE_MS, async () => {
      const groups = await search(wanted)
      if (text.peek().trim() === wanted) searched.value = { text: wanted, groups }
    })
  }, [wanted])
  const groups = useComputed(() => {
    const typed = text.value.trim()
    const own = searched.value.text === typed ? searched.value.groups : []
    return [...ownGroups(typed), ...own].filter(({ matches }) => matches.length > 0)
  })
  const found = groups.value.flatMap(({ matches }) => matches)
  useEffect(() => {
    list.current?.querySelector('.on')?.scrollIntoView({ block: 'nearest' })
  }, [at.value])
  const isSearching = wanted.length >= MIN_LENGTH && searched.value.text !== wanted
  const choose = (chosen: Action | undefined) => {
    if (!chosen) return
    closeDialog()
    void chosen.run('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key !== 'Enter' && step === undefined) return
    // Otherwise Enter would also press what has the focus once this dialog is gone.
    event.preventDefault()
    if (step === undefined) choose(found[at.value])
    else at.value = Math.max(0, Math.min(found.length - 1, at.value + step))
  }
  return (
    <>
      <Search
        label="An action, order, user, message, request, scenario, endpoint, setting or operation"
        placeholder="register, webhook endpoint, a name, an id, dark, advance 3d…"
        aria-controls="found"
        value={text.value}
        onChange={(typed) => {
          text.value = typed
          at.value = 0
        }}
        onKeyDown={onKeyDown}
      />
      <div id="found" class="found" ref={list}>
        {groups.value.map(({ title, matches }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <ul>
              {matches.map((match, ordinal) => (
                <FoundItem
                  key={ordinal}
                  match={match}
                  isOn={found[at.value] === match}
                  onChoose={() => choose(match)}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {found.length === 0 && (
        <p class="quiet">{isSearching ? 'Searching…' : `Nothing in this world matches “${wanted}”.`}</p>
      )}
    </>
  )
}

interface FoundProps {
  readonly match: Action
  readonly isOn: boolean
  readonly onChoose: () => void
}

const FoundItem = ({ match: { name, note, at, command }, isOn, onChoose }: FoundProps) => (
  <li>
    <button type="button" class={isOn ? 'on' : ''} onClick={onChoose}>
      <span>
        {name} {note && <small class="dim">{note}</small>}
      </span>
      {at && <Time at={at} />}
      {!at && command && <code>npx petri-sandbox {command}</code>}
    </button>
  </li>
)
