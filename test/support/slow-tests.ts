import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { afterEach, beforeEach, type TestContext } from 'vitest'

/** Ten times what a test without the tag takes on a quiet machine: a busy one takes up to four times as long. */
const MAX_CPU_MS = 2500
/**
 * For tests that wait, on a machine that has a processor for each process that wants one. The load is an average, and a
 * machine can be busier than it says: a test that starts programs took 4 s beside a build.
 */
const MAX_WALL_MS = 15_000

/** Why a test has to be tagged, by what it took. The first of a file also loads what the others use. */
export function reasonToTag(
  cpuMs: number,
  wallMs: number,
  isFirst = false,
  load = (loadavg()[0] ?? 0) / availableParallelism(),
): string | undefined {
  if (cpuMs > MAX_CPU_MS * (isFirst ? 3 : 1)) return `took ${Math.round(cpuMs)} ms of processor time`
  if (wallMs > MAX_WALL_MS * Math.max(1, load)) return `took ${Math.round(wallMs)} ms`
  return undefined
}

/** Milliseconds of processor time of this process and, on Linux, of the child processes that it has waited for. */
function cpuTime(): number {
  if (process.platform === 'linux') {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    // utime, stime, cutime and cstime, in hundredths of a second, after the name in parentheses. Source: man 5 proc.
    const times = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ', 15)
      .slice(11)
    return times.reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
  }
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

// The clocks of the machine, which tests may replace.
const now = performance.now.bind(performance)
let cpuBefore = 0
let wallBefore = 0
let isFirst = true

beforeEach(() => {
  cpuBefore = cpuTime()
  wallBefore = now()
})

afterEach(({ task }: TestContext) => {
  const wasFirst = isFirst
  isFirst = false
  if (task.tags?.includes('slow') || task.file.projectName !== 'node') return
  const reason = reasonToTag(cpuTime() - cpuBefore, now() - wallBefore, wasFirst)
  if (reason) throw new Error(`This test ${reason}. Make it cheaper, or tag it: { tags: 'slow' }.`)
})
