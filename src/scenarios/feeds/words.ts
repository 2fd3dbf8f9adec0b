import { writeDuration } from '../../kernel/duration.ts'
import type { FeedStep } from './steps.ts'

const during = (ms: number | null) => (ms === null ? 'from then on' : `for ${writeDuration(ms)}`)
const seriesText = (of: readonly string[] | null) => (of === null ? 'all series' : of.join(', '))
const later = (ms: number | null) =>
  ms === null
    ? 'never arrives'
    : ms === 0
      ? 'arrives at its end'
      : `arrives ${writeDuration(ms)} after its end`

/** A step as a phrase. */
export function inWords(step: FeedStep): string {
  switch (step.verb) {
    case 'gap':
      return `nothing is seen ${during(step.forMs)}; it ${later(step.arrivesMs)}`
    case 'outage':
      return `the provider hands over nothing ${during(step.forMs)}, then all of it`
    case 'duplicate':
      return `${seriesText(step.of)} come twice ${during(step.forMs)}`
    case 'change':
      return `${seriesText(step.of)} are ${step.by} times what they were ${during(step.forMs)}${
        step.arrivesMs === null ? '' : `; the correction ${later(step.arrivesMs)}`
      }`
    case 'incomplete':
      return `${seriesText(step.of)} come with ${step.by} of their values ${during(step.forMs)}; the rest of each ${later(step.arrivesMs)}`
    case 'second_source':
      return `a ${step.sourceType} sends ${seriesText(step.of)} as well ${during(step.forMs)}`
    case 'time_zone':
      return `the wearer spends the next local day in ${step.zone}`
    case 'skip_days':
      return `${step.share} of the days have no data ${during(step.forMs)}`
    case 'worn':
      return `the device is worn ${writeDuration(step.wornMs)} a day ${during(step.forMs)}`
    case 'error':
      return `the connection breaks: ${step.errorType}`
    case 'reconnect':
      return 'the user connects again'
    case 'device':
      return `the ${step.sourceType ?? 'usual'} device is another: ${Object.values(step.change).join(', ')}`
    case 'sample':
      return `one ${step.series}${step.type === null ? '' : ` (${step.type})`} of ${step.value}`
  }
}
