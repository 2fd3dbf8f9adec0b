import { useComputed, useSignal } from '@preact/signals'
import { advance } from './advance.ts'
import { call } from './api.ts'
import { closeDialog, Dialog } from './dialog.tsx'
import { Search } from './forms.tsx'
import { places } from './places.ts'
import { go } from './route.ts'
import { attempt, clock } from './store.ts'

interface Found {
  readonly name: string
  /** The command that does the same. */
  readonly command: string
  act(): unknown
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i

/** What a text can mean, the likeliest first. */
function find(text: string): Found[] {
  const wanted = text.trim()
  const lower = wanted.toLowerCase()
  const near = [...views(), ...commands()].filter(({ name }) => name.toLowerCase().includes(lower))
  return [
    ...named(wanted),
    ...(lower === '' ? [...views(), ...commands()] : near),
    ...searches(wanted),
  ].slice(0, 12)
}

/** Ids and durations. */
function named(text: string): Found[] {
  if (UUID.test(text)) {
    return [
      { name: `Order ${text}`, command: `petri order show ${text}`, act: () => go(`/orders/${text}`) },
      { name: `User ${text}`, command: '', act: () => go(`/users/${text}`) },
    ]
  }
  if (/^msg_/.test(text)) {
    return [
      { name: `Message ${text}`, command: `petri webhook show ${text}`, act: () => go(`/webhooks/${text}`) },
    ]
  }
  if (/^req_/.test(text)) {
    return [
      { name: `Request ${text}`, command: `petri requests show ${text}`, act: () => go(`/requests/${text}`) },
    ]
  }
  if (/^(\d+(\.\d+)?[smhdw]\s*)+$/.test(text)) {
    return [
      {
        name: `Advance by ${text}`,
        command: `petri clock advance ${text}`,
        act: () => advance({ by: text }),
      },
    ]
  }
  return []
}

/** Where a text is looked for that names nothing by itself. */
function searches(text: string): Found[] {
  if (text.length < 2) return []
  return [
    {
      name: `Search orders for ${text}`,
      command: `petri orders --search ${text}`,
      act: () => go(`/orders?search=${encodeURIComponent(text)}`),
    },
    {
      name: `Scenario ${text}`,
      command: `petri scenario show ${text}`,
      act: () => go(`/scenarios/${encodeURIComponent(text)}`),
    },
  ]
}

const views = (): Found[] =>
  places.map(([place, name]) => ({ name: `Go to ${name}`, command: '', act: () => go(`/${place}`) }))

function commands(): Found[] {
  const { frozen, next_due } = clock.value ?? {}
  return [
    ...(next_due
      ? [
          {
            name: 'Advance to what is due next',
            command: `petri clock advance --to ${next_due}`,
            act: () => advance({ to: next_due }),
          },
        ]
      : []),
    {
      name: 'Advance until idle',
      command: 'petri clock advance --until-idle',
      act: () => advance({ until: 'idle' }),
    },
    { name: 'Advance by a day', command: 'petri clock advance 1d', act: () => advance({ by: '1d' }) },
    frozen
      ? { name: 'Let the clock run', command: 'petri clock thaw', act: () => patchClock({ frozen: false }) }
      : { name: 'Freeze the clock', command: 'petri clock freeze', act: () => patchClock({ frozen: true }) },
    { name: 'Place an order', command: '', act: () => go('/orders?dialog=place') },
    {
      name: 'Clear all requests',
      command: 'petri requests clear',
      act: () => attempt('Clearing the journal', () => call('DELETE', '/_petri/requests')),
    },
    {
      name: 'Disarm all faults',
      command: 'petri faults clear',
      act: () => attempt('Disarming all faults', () => call('DELETE', '/_petri/faults')),
    },
  ]
}

const patchClock = (change: object) =>
  attempt('Changing the clock', () => call('PATCH', '/_petri/clock', change))

/** Goes to what is named, or does it. */
export const Find = () => (
  <Dialog name="find" title="Find or do">
    <Finder />
  </Dialog>
)

function Finder() {
  const text = useSignal('')
  const at = useSignal(0)
  const found = useComputed(() => find(text.value))
  const choose = (chosen: Found | undefined) => {
    if (!chosen) return
    closeDialog()
    void chosen.act()
  }
  const onKey = (event: KeyboardEvent) => {
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
        onKeyDown={onKey}
      />
      <ul id="found" class="found">
        {found.value.map((each, ordinal) => (
          <li key={each.name}>
            <button type="button" class={ordinal === at.value ? 'on' : ''} onClick={() => choose(each)}>
              <span>{each.name}</span>
              <code>{each.command}</code>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
