import type { Clock } from '../kernel/clock.ts'
import { roughly } from '../kernel/readable.ts'

/** A wall clock that is set back by less than this is only being adjusted. */
const SET_BACK_MS = 1000

/** Why a live clock stands still, and what to do; undefined while it does not. */
export function whyStanding({ waitsMs }: Clock): string | undefined {
  if (waitsMs < SET_BACK_MS) return undefined
  return (
    `The machine's clock was set back, so this live world stands still for another ${roughly(waitsMs)}. ` +
    'POST /_petri/clock/rebase lets it continue now, from where it stands.'
  )
}
