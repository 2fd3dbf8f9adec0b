import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { World } from '../../client/responses.ts'
import { reasonOf, whyUnreadable } from '../../kernel/reason.ts'
import { statFile } from '../../kernel/user-file.ts'
import type { Client } from '../../terminal/client.ts'
import { CliError } from '../../terminal/errors.ts'
import { showProgress } from '../../terminal/output.ts'
import { assertWritable } from '../../terminal/whole-file.ts'
import { type Input, type RemoteCommand, registerRemote } from '../remote.ts'
import { describeClock } from './clock.ts'

export function register(program: Command): void {
  registerRemote(program.command('state').description('a whole world as one JSON document'), stateCommands)
}

const stateCommands: readonly RemoteCommand[] = [
  {
    usage: 'export [file]',
    summary: 'write this world to a file, or print it, without secrets; "-" is standard output',
    examples: ['petri state export world.json', 'petri state export | jq .clock'],
    run: exportState,
    print: (_, { file }) => `Exported the world to ${file}.`,
  },
  {
    usage: 'import <file>',
    summary: 'replace this world with an exported one; "-" reads standard input. Keeps the team and its keys',
    examples: ['petri state import world.json'],
    async run(petri, { file }) {
      const source =
        file === '-' ? createReadStream('', { fd: 0 }) : (await openFile(String(file))).createReadStream()
      return petri.call('PUT /_petri/state', source)
    },
    print: ({ clock }: World, { file }) => `Imported the world from ${file}.\n${describeClock(clock)}`,
  },
]

async function exportState(petri: Client, { file }: Input): Promise<unknown> {
  const isToFile = typeof file === 'string' && file !== '-'
  if (isToFile) assertWritable(file)
  const state = await petri.stream('GET /_petri/state')
  if (!isToFile) return state
  try {
    await showProgress(writeFile(file, state))
    return { file, bytes: (await stat(file)).size }
  } catch (error) {
    throw new CliError(`${file} is incomplete: ${reasonOf(error)}`)
  }
}

/** Throws an error that names the file. */
async function openFile(file: string): Promise<FileHandle> {
  try {
    // Opening a pipe waits for its other end.
    statFile(file)
    return await open(file, 'r')
  } catch (error) {
    throw new CliError(`${whyUnreadable(file, error)}.`)
  }
}
