import { SECOND_MS } from '../../../kernel/instant.ts'
import { heartRate } from './curves.ts'
import type { Day } from './day.ts'
import { round } from './noise.ts'

/** An electrocardiogram taken at rest; instants in milliseconds since 1970. */
export interface Recording {
  readonly start: number
  readonly end: number
  readonly hertz: number
  readonly count: number
  readonly beatsPerMinute: number
  readonly isClear: boolean
}

const HERTZ = 512
const SECONDS = 30

/** About two a week are taken, in the morning. */
export function recordingOf(day: Day): Recording | undefined {
  const noise = day.noise('electrocardiogram')
  if (noise(0) > 0.3 || day.end === day.start) return undefined
  const start = day.instantAt(510 + Math.floor(noise(1) * 25))
  return {
    start,
    end: start + SECONDS * SECOND_MS,
    hertz: HERTZ,
    count: HERTZ * SECONDS,
    beatsPerMinute: Math.round(heartRate(day, start, 0.5)),
    isClear: noise(2) > 0.06,
  }
}

/** Amplitude in millivolts, position within the beat and width of its five waves. */
const waves = [
  [0.14, 0.18, 0.025],
  [-0.1, 0.36, 0.009],
  [1.1, 0.39, 0.011],
  [-0.24, 0.42, 0.01],
  [0.29, 0.62, 0.04],
] as const

export function voltageAt({ beatsPerMinute, hertz }: Recording, ordinal: number, chance: number): number {
  const beat = ((ordinal / hertz) * beatsPerMinute) / 60
  const phase = beat - Math.floor(beat)
  let millivolts = (chance - 0.5) * 0.02
  for (const [height, place, width] of waves)
    millivolts += height * Math.exp(-(((phase - place) / width) ** 2) / 2)
  return round(millivolts, 3)
}
