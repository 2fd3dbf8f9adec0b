import { spawnSync } from 'node:child_process'
import { median } from '../statistics.mjs'

const secondsOf = (args) => {
  const began = performance.now()
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
  return (performance.now() - began) / 1000
}

/** Runs an empty program by `petri exec` and without it, in turn. */
export function measureExec({ main, rounds }) {
  const overheads = Array.from({ length: rounds }, () => {
    const alone = secondsOf(['-e', ''])
    return secondsOf([main, 'exec', '--', process.execPath, '-e', '']) - alone
  })
  return { exec: median(overheads) }
}
