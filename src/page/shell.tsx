import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Activity } from './activity.tsx'
import { ClockBar } from './clock-bar.tsx'
import { Button, Link, toggle } from './components.tsx'
import { Find } from './find.tsx'
import { Dialog, Opens } from './forms.tsx'
import { Icon, Logo } from './icons.tsx'
import { followInput } from './keyboard.ts'
import { view, views } from './navigation.ts'
import { clock, connection, notice, toast, trouble } from './store.ts'
import { WorldSwitcher } from './worlds.tsx'

const FIND_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'

/** The frame of all views. */
export function Shell({ children }: { children: ComponentChildren }) {
  const isActivityOpen = useSignal(false)
  useEffect(() => followInput(), [])
  return (
    <>
      <div class="frame">
        <Button class="skip" onClick={() => document.getElementById('main')?.focus()}>
          Skip to content
        </Button>
        <header class="top">
          <Link to="/orders" class="brand">
            <Logo />
            <span>Petri</span>
          </Link>
          <WorldSwitcher />
          <ClockBar />
          <Opens dialog="find" class="find">
            Find <span>or do</span> <kbd>{FIND_KEY}</kbd>
          </Opens>
          <Button class="drawer" aria-expanded={isActivityOpen.value} onClick={() => toggle(isActivityOpen)}>
            Activity
          </Button>
        </header>
        <Rail />
        <main id="main" tabIndex={-1}>
          <Banners />
          {children}
        </main>
        <div class={isActivityOpen.value ? 'side open' : 'side'}>
          <Activity />
        </div>
      </div>
      <Toast />
      <Find />
      <Help />
    </>
  )
}

const connectionProblems = {
  live: undefined,
  waiting: 'Petri does not answer. The page continues when it does.',
  off: 'The API key of this world is no longer valid. Reload the page to choose another world.',
}

function Banners() {
  const problem = connectionProblems[connection.value]
  return (
    <>
      {problem && <p class="banner lost">{problem}</p>}
      {clock.value?.standing && <p class="banner warn">{clock.value.standing}</p>}
      {trouble.value.length > 0 && (
        <p class="banner warn">
          Injected faults: {trouble.value.join(', ')}. <Link to="/faults">See faults</Link>
        </p>
      )}
      {notice.value && (
        <p class="banner">
          {notice.value}{' '}
          <Button
            class="small"
            onClick={() => {
              notice.value = undefined
            }}
          >
            Close
          </Button>
        </p>
      )}
    </>
  )
}

/** Read aloud once by screen readers. */
function Toast() {
  const message = toast.value
  return (
    <div class="toasts" role="status">
      {message && (
        <div class={message.isError ? 'toast error' : 'toast'}>
          <b>{message.title}</b>
          <ul>
            {(message.lines ?? []).map((line) => (
              <li key={line}>{line}</li>
            ))}
            {message.link && (
              <li>
                <ToastLink {...message.link} />
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
  ['g and a letter', views.map(([, name, letter]) => `${letter} ${name}`).join(', ')],
  ['j, k', 'next and previous row'],
  ['n, p', 'next and previous change of a payload'],
  ['Enter', 'open what has the focus'],
  ['/', 'search in this view'],
  ['.', 'advance to the next job'],
  [FIND_KEY, 'find or do'],
  ['Escape', 'close'],
] as const

const Help = () => (
  <Dialog name="keys" title="Keys">
    <dl class="keys">
      {keys.map(([key, meaning]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)

/** The views. On a phone they are wider than the window, and the open one is scrolled to. */
function Rail() {
  const rail = useRef<HTMLElement>(null)
  useEffect(() => {
    const open = rail.current?.querySelector('[aria-current]')
    if (!rail.current || !open) return
    const [own, around] = [open.getBoundingClientRect(), rail.current.getBoundingClientRect()]
    rail.current.scrollLeft += own.left - around.left - (around.width - own.width) / 2
  }, [view.value])
  return (
    <nav ref={rail} class="rail" aria-label="Views">
      {views.map(([each, name]) => (
        <Link key={each} to={`/${each}`} aria-current={view.value === each ? 'page' : undefined}>
          <Icon name={each} />
          {name}
        </Link>
      ))}
    </nav>
  )
}
