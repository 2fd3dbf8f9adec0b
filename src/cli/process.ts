import { runCli } from './program.ts'
import { stackOf } from './stack.ts'

process.on('uncaughtException', (error) => {
  console.error(stackOf(error))
  process.exit(1)
})

// A closed pipe, as in `petri --help | head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

// Once nothing is left to do, ends without freeing the heap first, which takes 40 ms after `petri exec`.
process.on('beforeExit', () => process.exit())

// Unless the command ends, it has failed.
process.exitCode = 1
runCli(process.argv.slice(2)).then((status) => {
  process.exitCode = status
})
