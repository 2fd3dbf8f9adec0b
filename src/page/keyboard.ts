import { advance } from './advance.ts'
import { elapsed } from './api.ts'
import { openDialog } from './forms.tsx'
import { go, views } from './navigation.ts'
import { clock } from './store.ts'

const viewByLetter = new Map<string, string>(views.map(([view, , letter]) => [letter, view]))

/** Milliseconds in which a letter after `g` counts. */
const CHORD_MS = 1500

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, dialog, [contenteditable], .editor') !== null

/** Handles keys, clicks on rows, and the focus. Returns a function that stops it. */
export function followInput(): () => void {
  const ending = new AbortController()
  const { signal } = ending
  handleKeys(signal)
  openRows(signal)
  keepFocus(signal)
  return () => ending.abort()
}

function handleKeys(signal: AbortSignal): void {
  let chordAt = Number.NEGATIVE_INFINITY
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'k' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      openDialog('find')
      return
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
    const isChord = elapsed() - chordAt < CHORD_MS
    chordAt = event.key === 'g' ? elapsed() : Number.NEGATIVE_INFINITY
    const view = isChord ? viewByLetter.get(event.key) : undefined
    if (view) go(`/${view}`)
    else if (press(event.key)) event.preventDefault()
  }
  addEventListener('keydown', onKey, { signal })
}

/** Returns whether the key has a meaning. */
function press(key: string): boolean {
  const next = clock.value?.next_due
  if (key === '.' && next) void advance({ to: next })
  else if (key === '?') openDialog('keys')
  else if (key === '/') focusOn('main input[type=search]')
  else if (key === 'j') moveFocus(1)
  else if (key === 'k') moveFocus(-1)
  else if (key === 'n') showChange(1)
  else if (key === 'p') showChange(-1)
  else return false
  return true
}

/** Opens the row of a table that is clicked next to its controls. */
function openRows(signal: AbortSignal): void {
  const onClick = ({ target }: MouseEvent) => {
    if (!(target instanceof Element) || target.closest('a, button, input, select, label, summary')) return
    if (getSelection()?.toString()) return
    target.closest('.rows tr')?.querySelector<HTMLElement>('[data-row]')?.click()
  }
  addEventListener('click', onClick, { signal })
}

const find = (selector: string) => document.querySelector<HTMLElement>(selector)

const focusOn = (selector: string) => find(selector)?.focus()

/** Moves from row to row of the list in view. */
const moveFocus = (step: number): void => focusNext('main [data-row]', step)

/** Moves from change to change of a payload that is compared. */
export const showChange = (step: number): void => focusNext('main .json mark', step)

function focusNext(selector: string, step: number): void {
  const places = [...document.querySelectorAll<HTMLElement>(selector)]
  const focused = document.activeElement
  const isInDetail = focused?.closest('.detail') != null
  const at = places.findIndex(
    (place) => place.contains(focused) || (isInDetail && place.matches('[aria-current]')),
  )
  places[Math.max(0, Math.min(places.length - 1, at + step))]?.focus()
}

/**
 * Moves the focus to a neighbour when the element that had it is removed, such as a button that was pressed, into
 * what a row opens with the keyboard, and back to that row when its list is shown again.
 */
function keepFocus(signal: AbortSignal): void {
  let around: Element[] = []
  /** The row that was opened last, by the address of its list. */
  const openedRows = new Map<string, string>()
  let wanted: string | undefined
  /** The heading of the view in which a row was opened, until the focus is in what it opened. */
  let left: Element | null | undefined
  const onClick = ({ target, detail: presses }: MouseEvent) => {
    const row = target instanceof Element && target.closest('a[data-row]')?.getAttribute('href')
    if (!row) return
    openedRows.set(location.hash, row)
    if (presses > 0) return
    left = find('main h1')
    requestAnimationFrame(restore)
  }
  const onAddress = () => {
    wanted = openedRows.get(location.hash)
  }
  const onKey = () => {
    wanted = undefined
    left = undefined
  }
  const remember = ({ target }: FocusEvent) => {
    around = []
    for (let at = target as Element | null; at && at !== document.body; at = at.parentElement) around.push(at)
  }
  const restore = () => {
    const row = wanted && find(`main [data-row][href="${CSS.escape(wanted)}"]`)
    if (row) {
      wanted = undefined
      return row.focus()
    }
    const opened = left !== undefined && (find('main .detail') ?? find('main h1'))
    if (opened && opened !== left) {
      left = undefined
      return opened.focus()
    }
    if (document.activeElement !== document.body || around.length === 0 || around[0]?.isConnected) return
    const main = document.getElementById('main')
    const home = around.find((element) => element.isConnected && !element.contains(main)) ?? main
    around = []
    home
      ?.querySelector<HTMLElement>('a[href], button:not([disabled]), input, select, textarea, [tabindex]')
      ?.focus()
  }
  const watcher = new MutationObserver(restore)
  watcher.observe(document.body, { childList: true, subtree: true })
  signal.addEventListener('abort', () => watcher.disconnect())
  document.addEventListener('focusin', remember, { signal })
  document.addEventListener('click', onClick, { signal, capture: true })
  addEventListener('hashchange', onAddress, { signal })
  addEventListener('keydown', onKey, { signal })
}
