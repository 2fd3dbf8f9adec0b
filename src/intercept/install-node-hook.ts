import { passOnToChildren, restoreProxies } from './child-environment.ts'
import { runVariable } from './hosts.ts'
import { type HookOptions, install } from './node-hook.ts'

/** Node loads this file before each program of a run. The options are in a variable, because files may be removed. */
const { env } = process
const run = env[runVariable]
const options = run === undefined ? undefined : (JSON.parse(run) as HookOptions)
install(options)
if (options) {
  restoreProxies(options, env)
  passOnToChildren(options, env)
}
