import { quotedIfNeeded } from '../kernel/shell.ts'
import { hasWords } from '../kernel/words.ts'
import { advance, patchClock } from './advance.ts'
import { get } from './api.ts'
import { inWords } from './format.ts'
import { keepDraft, openDialog } from './forms.tsx'
import { go, segments, views } from './navigation.ts'
import { resend } from './resend.ts'
import type { Board, OrderLife } from './responses.ts'
import { clock, perform, world } from './store.ts'
import { act } from './views/explanation.tsx'
import { disarmFaults } from './views/faults.tsx'
import { clearRequests } from './views/requests.tsx'
import { applyTheme, THEMES } from './views/settings.tsx'

/** Something that can be done or opened, found by the words of its name and by others that people may type. */
export interface Action {
  readonly name: string
  readonly words?: string
  readonly note?: string | undefined
  /** When it was. */
  readonly at?: string
  /** The command that does the same, as `order place`. */
  readonly command?: string | undefined
  /** The form of the argument that may be typed behind its words. */
  readonly takes?: RegExp
  /** The argument is empty if none is typed. */
  readonly run: (argument: string) => unknown
}

const ANY = /^.+$/
const ADDRESS = /^https?:\/\/\S+$/
const DURATION = /^\+?((?:\d+(?:\.\d+)?(?:ms|min|[smhdw])\s*)+)$/i

/** Fills in a form, which then is opened. */
function fill(form: string, values: Readonly<Record<string, string>>, to: string): void {
  const given = Object.entries(values).filter(([, value]) => value !== '')
  if (given.length > 0) keepDraft(form, Object.fromEntries(given))
  go(to)
}

function clockActions(): Action[] {
  const { frozen, next_due, pending = 0 } = clock.value ?? {}
  const moves: Action[] = []
  if (next_due)
    moves.push({
      name: 'Advance to the next job',
      words: 'clock',
      command: `clock advance --to ${next_due}`,
      run: () => advance({ to: next_due }),
    })
  if (pending > 0)
    moves.push({
      name: 'Advance until idle',
      words: 'clock',
      command: 'clock advance --until-idle',
      run: () => advance({ until: 'idle' }),
    })
  return [
    ...moves,
    {
      name: 'Advance by a day',
      words: 'clock',
      command: 'clock advance 1d',
      run: () => advance({ by: '1d' }),
    },
    {
      name: frozen ? 'Run the clock' : 'Freeze the clock',
      words: 'live frozen',
      command: frozen ? 'clock run' : 'clock freeze',
      run: () => patchClock({ frozen: !frozen }),
    },
    { name: 'Set the clock or its pace', words: 'time speed', run: () => openDialog('clock') },
  ]
}

const addEndpoint = (url: string) => fill('endpoint', { url }, '/webhooks?tab=endpoints')

const webhookActions = (): Action[] => [
  {
    name: 'Add a webhook endpoint',
    words: 'new url receiver create',
    command: 'webhook add URL',
    takes: ADDRESS,
    run: addEndpoint,
  },
  {
    name: 'Show the webhook endpoints',
    words: 'health disabled enable secret rotate',
    command: 'webhook endpoints',
    run: () => go('/webhooks?tab=endpoints'),
  },
  {
    name: 'Webhook faults',
    words: 'duplicate reorder delay drop bad signature stale burst',
    command: 'webhook faults',
    run: () => go('/webhooks?tab=endpoints'),
  },
  {
    name: 'Trigger an event',
    words: 'send webhook',
    command: 'trigger EVENT',
    takes: /^\w+(?:\.\w+)+$/,
    run: (type) => fill('trigger.labtest.order.updated', { type }, '/webhooks?dialog=trigger'),
  },
  {
    name: 'Resend failing webhooks',
    words: 'messages now given up waiting',
    command: 'webhook resend',
    run: () => resend({}),
  },
]

/** Every other form and command of the page. */
const formActions = (): Action[] => [
  {
    name: 'Place an order',
    words: 'new kit test scenario patient',
    command: 'order place',
    takes: ANY,
    run: (patient) => fill('place', { patient }, '/orders?dialog=place'),
  },
  {
    name: 'Create a user',
    words: 'new people add',
    command: 'user create',
    takes: ANY,
    run: (name) => fill('user', { name }, '/users'),
  },
  {
    name: 'Write a scenario',
    words: 'new scenario editor',
    command: 'scenario new NAME',
    run: () => go('/scenarios?new=1'),
  },
  {
    name: 'Arm a fault',
    words: 'inject 503 429 slow latency fail error operation',
    command: "faults add 'GET /v3/order/{order_id}' --status 503",
    takes: /^(?:(?:GET|POST|PUT|PATCH|DELETE) \/\S*|\/\S*|\w+_\w+)$/i,
    run: (operation) => fill('fault', { operation }, '/faults'),
  },
  {
    name: 'Disarm all faults',
    words: 'remove clear',
    command: 'faults clear',
    run: disarmFaults,
  },
  {
    name: 'Save a snapshot',
    words: 'new state',
    command: 'snapshot save NAME',
    takes: ANY,
    run: (name) =>
      name
        ? perform('Saving the snapshot', 'PUT', `/_petri/snapshots/${encodeURIComponent(name)}`)
        : go('/snapshots'),
  },
  {
    name: 'Restore a snapshot',
    words: 'state back',
    command: 'snapshot restore NAME',
    run: () => go('/snapshots'),
  },
  {
    name: 'Export or import this world',
    words: 'state file',
    command: 'state export',
    run: () => go('/snapshots'),
  },
  {
    name: 'Clear all requests',
    words: 'journal',
    command: 'requests clear',
    run: clearRequests,
  },
  { name: 'Reset this world', words: 'delete', command: 'reset', run: () => openDialog('worlds') },
  { name: 'Switch to another world', words: 'open', run: () => openDialog('worlds') },
  {
    name: 'Create a world',
    words: 'new add',
    command: 'world new',
    takes: ANY,
    run: (name) => {
      if (name) keepDraft('world', { name })
      openDialog('worlds')
    },
  },
  {
    name: 'Connect a program',
    words: 'api key address curl secret',
    command: 'env',
    run: () => go('/settings'),
  },
  { name: 'Keyboard shortcuts', words: 'keys help', run: () => openDialog('keys') },
]

export const viewActions = (): Action[] =>
  views.map(([view, name]) => ({ name: `Go to ${name}`, run: () => go(`/${view}`) }))

export function settingActions(): Action[] {
  const themes = THEMES.map(([theme, name]) => ({ name: `${name} theme`, run: () => applyTheme(theme) }))
  const features = Object.keys(world.value?.features ?? {}).map((name) => ({
    name: inWords(name),
    note: 'feature',
    command: `world features ${name}=…`,
    run: () => go(`/settings?feature=${name}`),
  }))
  return [...themes, ...features]
}

export const doActions = (): Action[] => [...clockActions(), ...webhookActions(), ...formActions()]

/** The actions that a text names, with what it says beyond their words as their argument. */
export function named(actions: readonly Action[], text: string): Action[] {
  const typed = text.split(/\s+/).filter(Boolean)
  return actions.flatMap((action) => {
    const isWord = (word: string) => hasWords(word)(`${action.name} ${action.words ?? ''}`)
    const rest = typed.filter((word) => !isWord(word)).join(' ')
    if (rest === '') return [action]
    const isCalled = isWord(typed[0] ?? '') && action.takes?.test(rest)
    return isCalled ? [withArgument(action, rest)] : []
  })
}

/** The name of an argument in a command. */
const PLACEHOLDER = / (?:URL|NAME|EVENT)\b/

const withArgument = (action: Action, argument: string): Action => ({
  ...action,
  name: `${action.name}: ${argument}`,
  command: action.command?.replace(PLACEHOLDER, () => ` ${quotedIfNeeded(argument)}`),
  run: () => action.run(argument),
})

/** An address alone, which is where webhooks can be sent. */
export const addressAction = (text: string): Action[] =>
  ADDRESS.test(text)
    ? [
        {
          name: `Add a webhook endpoint: ${text}`,
          command: `webhook add ${quotedIfNeeded(text)}`,
          run: () => addEndpoint(text),
        },
      ]
    : []

/** `advance 3d` or only `3d`. */
export function advanceAction(text: string): Action[] {
  const by = DURATION.exec(text.replace(/^advance(?: by)?\s+/i, ''))?.[1]?.replaceAll(/\s+/g, '')
  return by
    ? [
        {
          name: `Advance by ${by}`,
          command: `clock advance ${by}`,
          run: () => advance({ by }),
        },
      ]
    : []
}

/** Actions of the open order. */
export async function actionsOfOpenOrder(): Promise<Action[]> {
  const [view, id] = segments.value
  if (view !== 'orders' || !id) return []
  const life = await get<OrderLife>(`/_petri/orders/${id}`).catch(() => undefined)
  if (!life) return []
  const now = life.explanation.actions.map((action) => ({
    name: action.label,
    note: 'this order',
    command: action.command.replace(/^npx petri-sandbox /, ''),
    run: () => act(action),
  }))
  const moves = life.legal.map((status) => ({
    name: `Move to ${inWords(status)}`,
    note: 'this order',
    command: `order move ${id} ${status}`,
    run: () => perform('Moving the order', 'POST', `/_petri/orders/${id}/move`, { status }),
  }))
  return [...now, ...moves.filter((move) => now.every(({ name }) => name !== move.name))]
}

const customerActions = [
  ['registration', 'Register the kit', 'register'],
  ['appointment', 'Book the visit', 'book'],
] as const

/** For each order that waits for its customer what the customer does. */
export const actionsAwaited = (rows: Board['data']): Action[] =>
  rows.flatMap(({ id, waits_for, patient, recipient, lab_test }) => {
    const awaited = customerActions.find(([what]) => what === waits_for)
    if (!awaited) return []
    const [, name, verb] = awaited
    return [
      {
        name: `${name} of ${patient ?? recipient ?? 'nobody'}`,
        words: `kit appointment ${lab_test}`,
        note: lab_test,
        command: `order ${verb} ${id}`,
        run: () => perform(name, 'POST', `/_petri/orders/${id}/${verb}`),
      },
    ]
  })
