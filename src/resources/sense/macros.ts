import { STAGES } from '../timeseries/service.ts'
import { type Column, time } from './column.ts'

const PERFECT_SECONDS = 8 * 3600

/** A score of every night: the provider's, otherwise computed from duration and stages. */
const sleepScore: Column = {
  kind: 'number',
  read({ score, total, efficiency }) {
    if (typeof score === 'number') return score
    if (typeof total !== 'number' || typeof efficiency !== 'number') return null
    const length = Math.min(1, total / PERFECT_SECONDS)
    return Math.round(60 * length + 0.4 * efficiency)
  },
}

/** The time of falling asleep: the start of the time in bed plus the latency. */
const asleepAt: Column = {
  kind: 'text',
  read({ bedtime_start: start, latency }, { local }) {
    if (typeof start !== 'string') return null
    const instant = Date.parse(start) + (typeof latency === 'number' ? latency * 1000 : 0)
    return local(new Date(instant).toISOString())
  },
}

/** Local hours: the middle of a night is early before the first and late from the second on. */
const EARLY = 3
const LATE = 5

/** Morning or evening person, by the middle of the night. */
const chronotype: Column = {
  kind: 'text',
  read({ bedtime_start: start, bedtime_stop: stop }, { local }) {
    if (typeof start !== 'string' || typeof stop !== 'string') return null
    const middle = local(new Date((Date.parse(start) + Date.parse(stop)) / 2).toISOString())
    if (middle === null) return null
    const hour = Number(middle.slice(11, 13)) + Number(middle.slice(14, 16)) / 60
    if (hour >= 18 || hour < EARLY) return 'morning'
    return hour < LATE ? 'intermediate' : 'evening'
  },
}

/** The number of awakenings between falling asleep and the last sleep, from the stages of the night. */
const awakenings: Column = {
  kind: 'number',
  read({ stage_type: stages }) {
    if (!Array.isArray(stages)) return null
    const isAsleep = (stage: unknown) => stage !== STAGES.awake && stage !== -1
    const first = stages.findIndex(isAsleep)
    const last = stages.findLastIndex(isAsleep)
    return stages.filter(
      (stage, at) => at > first && at < last && stage === STAGES.awake && stages[at - 1] !== STAGES.awake,
    ).length
  },
}

/** Values the service computes for a night. */
export const macroColumns: Readonly<Record<string, Column>> = {
  sleep_score: sleepScore,
  chronotype,
  asleep_at: asleepAt,
  awake_at: time('bedtime_stop'),
  awakenings,
}
