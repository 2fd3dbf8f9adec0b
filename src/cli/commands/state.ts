import { readFileSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { CliError } from '../config.ts'
import { registerRemote, remote } from '../remote.ts'
import { type ClockView, describeClock } from './clock.ts'

export function registerState(program: Command): void {
  registerRemote(program.command('state').description('a whole world as one JSON document'), commands)
}

const path = '/_petri/state'

const commands = [
  remote({
    usage: 'export [file]',
    summary: 'write this world to a file, or print it, without secrets',
    examples: ['petri state export world.json', 'petri state export | jq .clock'],
    async run(petri, [file]) {
      const state = await petri.get<object>(path)
      if (file === undefined) return state
      const text = `${JSON.stringify(state, null, 2)}\n`
      tryFile(file, () => writeFileSync(file, text))
      return { file, bytes: Buffer.byteLength(text) }
    },
    print: (answer, [file]) =>
      file === undefined ? JSON.stringify(answer, null, 2) : `The world is in ${file}.`,
  }),
  remote({
    usage: 'import <file>',
    summary: 'replace this world with an exported one; "-" reads standard input. Team and keys stay',
    examples: ['petri state import world.json'],
    run: (petri, [file = '']) =>
      petri.put<{ clock: ClockView }>(
        path,
        tryFile(file, () => readFileSync(file === '-' ? 0 : file, 'utf8')),
      ),
    print: ({ clock }, [file]) => `The world is as ${file} has it.\n${describeClock(clock)}`,
  }),
]

function tryFile<Result>(file: string, attempt: () => Result): Result {
  try {
    return attempt()
  } catch (error) {
    throw new CliError(`${file}: ${(error as Error).message}`)
  }
}
