// npm start [-- flags of `petri start`]: installs and builds what is missing, and starts Petri.
import { prepare } from './prepare.mjs'

prepare()
process.argv.splice(2, 0, 'start')
await import('../dist/cli/main.js')
