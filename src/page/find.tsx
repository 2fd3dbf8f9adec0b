import { useComputed, useSignal } from '@preact/signals'
import { advance, patchClock } from './advance.ts'
import { closeDialog, Dialog, Search } from './forms.tsx'
import { go, views } from './navigation.ts'
import { clock } from './store.ts'
import { disarmFaults } from './views/faults.tsx'
import { clearRequests } from './views/requests.tsx'

/** Something that a text can mean; the command does the same. */
type Match = readonly [name: string, command: string, act: () => unknown]

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i
const DURATION = /^(\d+(\.\d+)?[smhdw]\s*)+$/

/** What a text can mean, the likeliest first. */
function find(text: string): Match[] {
  const wanted = text.trim()
  const lower = wanted.toLowerCase()
  const near = [...goTo(), ...commands()].filter(([name]) => name.toLowerCase().includes(lower))
  return [...named(wanted), ...near, ...searches(wanted)].slice(0, 12)
}

/** Ids and durations. */
function named(text: string): Match[] {
  if (UUID.test(text))
    return [
      [`Order ${text}`, `npx petri-sandbox order show ${text}`, () => go(`/orders/${text}`)],
      [`User ${text}`, '', () => go(`/users/${text}`)],
    ]
  if (text.startsWith('msg_'))
    return [[`Message ${text}`, `npx petri-sandbox webhook show ${text}`, () => go(`/webhooks/${text}`)]]
  if (text.startsWith('req_'))
    return [[`Request ${text}`, `npx petri-sandbox requests show ${text}`, () => go(`/requests/${text}`)]]
  if (DURATION.test(text))
    return [[`Advance by ${text}`, `npx petri-sandbox clock advance ${text}`, () => advance({ by: text })]]
  return []
}

function searches(text: string): Match[] {
  if (text.length < 2) return []
  const encoded = encodeURIComponent(text)
  return [
    [
      `Search orders for ${text}`,
      `npx petri-sandbox orders --search ${text}`,
      () => go(`/orders?search=${encoded}`),
    ],
    [`Scenario ${text}`, `npx petri-sandbox scenario show ${text}`, () => go(`/scenarios/${encoded}`)],
  ]
}

const goTo = (): Match[] => views.map(([view, name]) => [`Go to ${name}`, '', () => go(`/${view}`)])

function commands(): Match[] {
  const { frozen, next_due } = clock.value ?? {}
  const toNext: Match[] = next_due
    ? [
        [
          'Advance to what is due next',
          `npx petri-sandbox clock advance --to ${next_due}`,
          () => advance({ to: next_due }),
        ],
      ]
    : []
  return [
    ...toNext,
    ['Advance until idle', 'npx petri-sandbox clock advance --until-idle', () => advance({ until: 'idle' })],
    ['Advance by a day', 'npx petri-sandbox clock advance 1d', () => advance({ by: '1d' })],
    frozen
      ? ['Run the clock', 'npx petri-sandbox clock thaw', () => patchClock({ frozen: false })]
      : ['Freeze the clock', 'npx petri-sandbox clock freeze', () => patchClock({ frozen: true })],
    ['Place an order', '', () => go('/orders?dialog=place')],
    ['Clear all requests', 'npx petri-sandbox requests clear', clearRequests],
    ['Disarm all faults', 'npx petri-sandbox faults clear', disarmFaults],
  ]
}

/** Opens what is named, or runs a command. */
export const Find = () => (
  <Dialog name="find" title="Find or do">
    <Finder />
  </Dialog>
)

function Finder() {
  const text = useSignal('')
  const at = useSignal(0)
  const found = useComputed(() => find(text.value))
  const choose = (chosen: Match | undefined) => {
    if (!chosen) return
    const [, , act] = chosen
    closeDialog()
    void act()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') choose(found.value[at.value])
    if (step === undefined) return
    event.preventDefault()
    at.value = Math.max(0, Math.min(found.value.length - 1, at.value + step))
  }
  return (
    <>
      <Search
        label="Id, user, scenario, duration or command"
        placeholder="an id, a name, 3d, a command…"
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
          <li key={match[0]}>
            <button type="button" class={ordinal === at.value ? 'on' : ''} onClick={() => choose(match)}>
              <span>{match[0]}</span>
              <code>{match[1]}</code>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
