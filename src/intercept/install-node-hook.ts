import { runVariable } from './hosts.ts'
import { type HookOptions, install } from './node-hook.ts'

/** Node loads this file before each program of a run. The options are in a variable, because files may be removed. */
const options = process.env[runVariable]
install(options === undefined ? undefined : (JSON.parse(options) as HookOptions))
