import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Activity } from './activity.tsx'
import { ClockBar } from './clock-bar.tsx'
import { Dialog, Opens } from './dialog.tsx'
import { Find } from './find.tsx'
import { Icon, Logo } from './icons.tsx'
import { handleKeys, keepFocus } from './keyboard.ts'
import { places } from './places.ts'
import { view } from './route.ts'
import { connection, notice, trouble, world } from './store.ts'
import { toast } from './toast.ts'
import { Link } from './ui.tsx'
import { WorldSwitcher } from './worlds.tsx'

const FIND_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'

/** The frame of all views. */
export function Shell({ children }: { children: ComponentChildren }) {
  const isActivityOpen = useSignal(false)
  useEffect(() => handleKeys(), [])
  useEffect(() => keepFocus(), [])
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <header class="top">
        <Link to="/orders" class="brand">
          <Logo />
          <span>Petri</span>
        </Link>
        <WorldSwitcher />
        <ClockBar />
        <Opens dialog="find" class="find">
          Find or do <kbd>{FIND_KEY}</kbd>
        </Opens>
        <button
          type="button"
          class="drawer"
          aria-expanded={isActivityOpen.value}
          onClick={() => {
            isActivityOpen.value = !isActivityOpen.value
          }}
        >
          Activity
        </button>
      </header>
      <nav class="rail" aria-label="Views">
        {places.map(([place, name]) => (
          <Link key={place} to={`/${place}`} aria-current={view.value === place ? 'page' : undefined}>
            <Icon name={place} />
            {name}
          </Link>
        ))}
      </nav>
      <main id="main" tabIndex={-1}>
        <Banners />
        {children}
      </main>
      <div class={isActivityOpen.value ? 'side open' : 'side'}>
        <Activity />
      </div>
      <Toast />
      <Find />
      <Help />
    </>
  )
}

function Banners() {
  const words = {
    live: undefined,
    waiting: 'Petri does not answer. The page goes on by itself when it does.',
    off: 'The API key of this world is no longer valid. Reload the page to choose another world.',
  }[connection.value]
  return (
    <>
      {words && connection.value !== 'live' && world.value && <Lost text={words} />}
      {trouble.value.length > 0 && (
        <p class="banner warn">
          Things are made to go wrong: {trouble.value.join(', ')}. <Link to="/faults">See faults</Link>
        </p>
      )}
      {notice.value && (
        <p class="banner">
          {notice.value}{' '}
          <button
            type="button"
            class="small"
            onClick={() => {
              notice.value = undefined
            }}
          >
            Close
          </button>
        </p>
      )}
    </>
  )
}

const Lost = ({ text }: { text: string }) => <p class="banner lost">{text}</p>

/** Read out once by what reads pages aloud. */
function Toast() {
  const said = toast.value
  return (
    <div class="toasts" role="status">
      {said && (
        <div class={said.isError ? 'toast error' : 'toast'}>
          <b>{said.title}</b>
          <ul>
            {(said.lines ?? []).map((line) => (
              <li key={line}>{line}</li>
            ))}
            {said.link && (
              <li>
                <ToastLink {...said.link} />
              </li>
            )}
          </ul>
        </div>
      )}
    </div>
  )
}

/** To a view, or to a dialog. */
const ToastLink = ({ to, text }: { to: string; text: string }) =>
  to.startsWith('/') ? (
    <Link to={to}>{text}</Link>
  ) : (
    <Opens dialog={to} class="small">
      {text}
    </Opens>
  )

const keys = [
  ['g and a letter', places.map(([, name, letter]) => `${letter} ${name}`).join(', ')],
  ['j, k', 'next and previous row'],
  ['Enter', 'open what has the focus'],
  ['/', 'search in this view'],
  ['.', 'advance to what is due next'],
  [FIND_KEY, 'find or do'],
  ['Escape', 'close'],
] as const

const Help = () => (
  <Dialog name="keys" title="Keys">
    <dl class="keys">
      {keys.map(([key, does]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
