import type { Command } from 'commander'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { wholeProgram } from '../../src/cli/program.ts'
import { main, type Started, startPetri, stop } from '../support/cli.ts'
import { calledCommands, runEveryCommand } from '../support/every-command.mjs'
import { openNetwork } from '../support/open-network.ts'

let started: Started
beforeAll(async () => {
  started = await startPetri()
})
afterAll(() => stop(started.child))
openNetwork()

/** The full names of the commands that have an action. */
const namesIn = (parent: Command, path = ''): string[] =>
  parent
    .createHelp()
    .visibleCommands(parent)
    .filter((command) => command.name() !== 'help')
    .flatMap((command) => {
      const name = `${path}${command.name()}`
      const children = namesIn(command, `${name} `)
      return children.length > 0 ? children : [name]
    })

it('every command has a call', async () => {
  expect([...new Set(calledCommands)].sort()).toEqual(namesIn(await wholeProgram()).sort())
})

// Some eighty processes, one after the other. The check of the package runs the other formats.
it('every command runs as it is built', { timeout: 180_000 }, async () => {
  expect(await runEveryCommand({ main, url: started.ready.url, format: 'text' })).toEqual([])
})
