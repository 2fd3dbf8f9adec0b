import { signal } from '@preact/signals'
import { elapsed } from './api.ts'
import { places } from './places.ts'
import { go } from './route.ts'
import { advance, clock } from './store.ts'

export const isFindOpen = signal(false)
export const isHelpOpen = signal(false)

const views = new Map<string, string>(places.map(([place, , letter]) => [letter, place]))

/** Milliseconds in which a letter after `g` counts. */
const CHORD_MS = 1500

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, dialog, [contenteditable], .editor') !== null

/** Answers a function that stops it. */
export function handleKeys(): () => void {
  let chordAt = Number.NEGATIVE_INFINITY
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'k' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      isFindOpen.value = true
      return
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
    const isChord = elapsed() - chordAt < CHORD_MS
    chordAt = event.key === 'g' ? elapsed() : Number.NEGATIVE_INFINITY
    const view = isChord ? views.get(event.key) : undefined
    if (view) go(`/${view}`)
    else if (press(event.key)) event.preventDefault()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}

/** Answers whether the key does something. */
function press(key: string): boolean {
  const next = clock.value?.next_due
  if (key === '.' && next) void advance({ to: next })
  else if (key === '?') isHelpOpen.value = true
  else if (key === '/') focusOn('main input[type=search]')
  else if (key === 'j') moveFocus(1)
  else if (key === 'k') moveFocus(-1)
  else return false
  return true
}

const focusOn = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus()

/** From row to row of the list in view. */
function moveFocus(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')]
  const at = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement))
  rows[Math.max(0, Math.min(rows.length - 1, at + step))]?.focus()
}
