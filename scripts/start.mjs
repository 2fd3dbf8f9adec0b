// npm start [-- flags of `petri start`]: installs what Petri runs with and builds it, if that is missing, and starts it.
import { prepare } from './prepare.mjs'

prepare({ dev: false })
process.argv.splice(2, 0, 'start')
await import('../dist/cli/main.js')
