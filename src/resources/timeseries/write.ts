import { DAY_MS, SECOND_MS } from '../../kernel/instant.ts'
import type { Series } from './catalogue.ts'
import type { Sample } from './sample.ts'

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** Writes instants in the wire's form, with fractions of a second where there are any; fast for ascending instants. */
function instantWriter(): (instant: number) => string {
  let day = Number.NaN
  let date = ''
  let [last, written] = [Number.NaN, '']
  return (instant) => {
    if (instant === last) return written
    const number = Math.floor(instant / DAY_MS)
    if (number !== day) {
      day = number
      date = new Date(number * DAY_MS).toISOString().slice(0, 11)
    }
    const rest = instant - number * DAY_MS
    const seconds = Math.floor(rest / SECOND_MS)
    const micros = Math.round((rest - seconds * SECOND_MS) * 1000)
    const clock = `${twoDigits[(seconds / 3600) | 0]}:${twoDigits[((seconds / 60) | 0) % 60]}:${twoDigits[seconds % 60]}`
    last = instant
    written = `${date}${clock}${micros === 0 ? '' : `.${String(micros).padStart(6, '0')}`}+00:00`
    return written
  }
}

/** Writes samples as JSON; a page has up to ten thousand. */
export function sampleWriter({ unit, kind }: Series): (sample: Sample) => string {
  const toText = instantWriter()
  const unitText = `,"unit":${JSON.stringify(unit)},"timestamp":"`
  return ({ start, end, offsetSeconds, value, type, more }) => {
    const startText = toText(start)
    let text = `{"id":null,"timezone_offset":${offsetSeconds},"type":${type === null ? 'null' : JSON.stringify(type)}${unitText}${startText}"`
    if (kind !== 'point') text += `,"start":"${startText}","end":"${toText(end)}"`
    if (value !== null) text += `,"value":${typeof value === 'number' ? value : JSON.stringify(value)}`
    if (more) text += `,${JSON.stringify(more).slice(1, -1)}`
    return `${text}}`
  }
}
