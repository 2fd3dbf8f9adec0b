import childProcess, { ChildProcess } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import workerThreads, { type WorkerOptions } from 'node:worker_threads'
import { isObject } from '../kernel/json.ts'
import { isProcessAlive } from '../kernel/process-alive.ts'
import { runVariable } from './hosts.ts'

type Variables = Readonly<Record<string, string | undefined>>

export interface ChildOptions {
  /** The process of `petri exec`. */
  readonly pid: number
  /** The file that Node loads first. */
  readonly hook: string
  /** The variables of the run, and the values that they would have without it. */
  readonly variables: Variables
  readonly own: Variables
}

/** Variables whose values a program with the hook does not need, because its sockets are redirected. */
const proxyVariable = /_proxy$/i

/** Loads the hook before all modules of the user. `--require`, because `--import` loads the module system of each process 15 ms earlier. */
export function nodeOptions(own: string | undefined, hook: string): string {
  if (own?.includes(hook)) return own
  return [`--require ${JSON.stringify(hook)}`, own].filter(Boolean).join(' ')
}

/** Sets the proxy variables of this process to the values that they would have without the run. */
export function restoreProxies({ variables, own }: ChildOptions, environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(variables)) {
    if (!proxyVariable.test(name) || environment[name] !== variables[name]) continue
    const value = own[name]
    if (value === undefined) delete environment[name]
    else environment[name] = value
  }
}

/** Gives all processes and threads of this process the variables of the run, whatever environment it starts them with. */
export function passOnToChildren(options: ChildOptions, inherited: NodeJS.ProcessEnv): void {
  const run = inherited[runVariable]
  const complete = (environment: Variables) =>
    isProcessAlive(options.pid) ? withVariables(environment, options, run) : environment
  completeSpawn(complete)
  completeSynchronous(complete, inherited)
  completeWorkers(complete)
  syncBuiltinESMExports()
}

type Complete = (environment: Variables) => Variables

/** A variable that the program has set itself stays, except that Node still loads the hook. */
function withVariables(
  environment: Variables,
  { hook, variables, own }: ChildOptions,
  run: string | undefined,
): Variables {
  const isUntouched = (name: string) => environment[name] === undefined || environment[name] === own[name]
  const added = Object.entries(variables).filter(([name]) => isUntouched(name))
  return {
    ...environment,
    ...Object.fromEntries(added),
    NODE_OPTIONS: nodeOptions(environment.NODE_OPTIONS, hook),
    [runVariable]: run,
  }
}

/** All functions that do not wait for the end of a process call this one, which gets the environment as a list. */
function completeSpawn(complete: Complete): void {
  const prototype = ChildProcess.prototype as unknown as { spawn(options: SpawnOptions): unknown }
  const { spawn } = prototype
  prototype.spawn = function (this: ChildProcess, options) {
    if (!options?.envPairs) return spawn.call(this, options)
    const pairs = options.envPairs.map((pair) => {
      // On Windows, the names of some variables start with "=".
      const end = pair.indexOf('=', 1)
      return [pair.slice(0, end), pair.slice(end + 1)]
    })
    const completed = Object.entries(complete(Object.fromEntries(pairs)))
    const envPairs = completed.map(([name, value]) => `${name}=${value}`)
    return spawn.call(this, { ...options, envPairs })
  }
}

interface SpawnOptions {
  readonly envPairs?: readonly string[]
}

function completeSynchronous(complete: Complete, inherited: Variables): void {
  for (const name of ['spawnSync', 'execFileSync', 'execSync'] as const) {
    const original = childProcess[name] as (...args: readonly unknown[]) => unknown
    const completed = (...args: readonly unknown[]) => {
      const { env = inherited, ...options } = (args.find(isObject) ?? {}) as { env?: Variables }
      return original(...args.filter((value) => !isObject(value)), { ...options, env: complete(env) })
    }
    Object.assign(childProcess, { [name]: completed })
  }
}

/** Without an environment of its own, a thread has the options of this one. */
function completeWorkers(complete: Complete): void {
  const { Worker: Original } = workerThreads
  class Worker extends Original {
    constructor(file: string | URL, options?: WorkerOptions) {
      const env = options?.env
      super(file, isObject(env) ? { ...options, env: complete(env as Variables) } : options)
    }
  }
  Object.assign(workerThreads, { Worker })
}
