import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { countsOf } from '../../kernel/list.ts'
import { startInterval } from '../../kernel/pause.ts'
import { platform } from '../../kernel/platform.ts'
import { plural } from '../../kernel/readable.ts'
import { readOr } from './proc-files.ts'

/** Milliseconds between two looks at the processes of a run. A program takes longer to start and to make a call. */
const LOOK_MS = 50

/** The runtimes that a variable redirects to Petri, and how its value is recognised. */
const runtimes = [
  {
    runtime: 'Node',
    name: /^node(js)?$/,
    isSet: (entry: string) => /^NODE_OPTIONS=.*node-hook\.cjs/.test(entry),
  },
  {
    runtime: 'Python',
    name: /^python[\d.]*$/,
    isSet: (entry: string, { HTTPS_PROXY }: Variables) => entry === `HTTPS_PROXY=${HTTPS_PROXY}`,
  },
] as const

type Variables = Readonly<Record<string, string>>

export interface Bypassing {
  /** How many processes of a runtime have started without the variables of the run, in lines. */
  lines(): string[]
  stop(): void
}

/** Watches the processes that this one starts, and theirs. Without `/proc`, none is seen. */
export function watchBypassing(variables: Variables): Bypassing {
  /** The file that each process runs, to look again when it runs another. */
  const files = new Map<number, string>()
  const found = new Map<number, string>()
  const look = () => {
    for (const pid of descendantsOf(process.pid)) {
      const file = readOr(undefined, () => readlinkSync(`/proc/${pid}/exe`))
      if (file === undefined || files.get(pid) === file) continue
      files.set(pid, file)
      const known = runtimes.find(({ name }) => name.test(basename(file)))
      const environment =
        known && readOr(undefined, () => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'))
      if (known && environment?.every((entry) => !known.isSet(entry, variables)))
        found.set(pid, known.runtime)
    }
  }
  const stop = platform.hasProcFileSystem ? startInterval(LOOK_MS, look) : () => undefined
  return {
    stop,
    lines() {
      return [...countsOf(found.values())].map(
        ([runtime, count]) =>
          `  ${plural(count, 'process', 'processes')} of ${runtime} ran without the variables of this run (docs/exec.md).`,
      )
    },
  }
}

function descendantsOf(pid: number): number[] {
  const threads = readOr([], () => readdirSync(`/proc/${pid}/task`))
  const children = threads.flatMap(
    (thread) =>
      readOr(undefined, () => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').match(/\d+/g)) ??
      [],
  )
  return children.map(Number).flatMap((child) => [child, ...descendantsOf(child)])
}
