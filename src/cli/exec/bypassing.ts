import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { runVariable } from '../../intercept/hosts.ts'
import { countsOf } from '../../kernel/list.ts'
import { startInterval } from '../../kernel/pause.ts'
import { type Environment, platform } from '../../kernel/platform.ts'
import { plural } from '../../kernel/readable.ts'
import { processIds, processName, readOr } from './proc-files.ts'

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
    isSet: (entry: string, { SSL_CERT_FILE }: Environment) => entry === `SSL_CERT_FILE=${SSL_CERT_FILE}`,
  },
] as const

export interface Bypassing {
  /** How many processes of a runtime have started without the variables of the run, in lines. */
  lines(): string[]
  stop(): void
}

/** Watches the processes that this one starts, and theirs. Without `/proc`, none is seen. */
export function watchBypassing(variables: Environment): Bypassing {
  /** The file that each process runs, to look again when it runs another. */
  const files = new Map<number, string>()
  const found = new Map<number, string>()
  const withoutVariables = new Set<number>()
  const look = () => {
    for (const pid of descendantsOf(process.pid)) {
      const file = readOr(undefined, () => readlinkSync(`/proc/${pid}/exe`))
      if (file === undefined || files.get(pid) === file) continue
      const entries = variablesOf(pid)
      // A process has none yet in the moment in which it begins to run a file.
      if (entries?.join('') === '' && !withoutVariables.has(pid)) {
        withoutVariables.add(pid)
        continue
      }
      files.set(pid, file)
      const known = runtimes.find(({ name }) => name.test(basename(file)))
      if (known && entries?.every((entry) => !known.isSet(entry, variables))) found.set(pid, known.runtime)
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

const variablesOf = (pid: number | string) =>
  readOr(undefined, () => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'))

/** The processes that outlive the run, in lines. */
export const survivorsOf = ({ [runVariable]: run }: Environment): string[] =>
  processesWith(runVariable, run).map(
    (pid) =>
      `petri exec: Process ${pid} (${processName(pid)}) is still running. Its calls to the live service no longer reach Petri.`,
  )

/** The processes that were started with a variable of this value; Linux only. */
export const processesWith = (variable: string, value: string | undefined): number[] =>
  processIds()
    .filter((pid) => variablesOf(pid)?.includes(`${variable}=${value}`))
    .map(Number)

function descendantsOf(pid: number): number[] {
  const threads = readOr([], () => readdirSync(`/proc/${pid}/task`))
  const children = threads.flatMap(
    (thread) =>
      readOr(undefined, () => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').match(/\d+/g)) ??
      [],
  )
  return children.map(Number).flatMap((child) => [child, ...descendantsOf(child)])
}
