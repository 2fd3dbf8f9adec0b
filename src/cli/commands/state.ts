import { createReadStream } from 'node:fs'
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import type { World } from '../../client/responses.ts'
import { codeOf, reasonOf, whyUnreadable } from '../../kernel/reason.ts'
import { statFile } from '../../kernel/user-file.ts'
import type { Client } from '../../terminal/client.ts'
import { CliError } from '../../terminal/errors.ts'
import { showProgress } from '../../terminal/output.ts'
import { type Input, type RemoteCommand, registerRemote } from '../remote.ts'
import { describeClock } from './clock.ts'

export function register(program: Command): void {
  registerRemote(program.command('state').description('a whole world as one JSON document'), stateCommands)
}

const stateCommands: readonly RemoteCommand[] = [
  {
    usage: 'export [file]',
    summary: 'write this world to a file, or print it, without secrets',
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
        file === '-'
          ? createReadStream('', { fd: 0 })
          : (await openFile(String(file), 'r')).createReadStream()
      return petri.call('PUT /_petri/state', source)
    },
    print: ({ clock }: World, { file }) => `Imported the world from ${file}.\n${describeClock(clock)}`,
  },
]

async function exportState(petri: Client, { file }: Input): Promise<unknown> {
  const state = await petri.stream('GET /_petri/state')
  if (typeof file !== 'string') return state
  const out = await openFile(file, 'w').catch(async (error) => {
    state.destroy()
    throw error
  })
  try {
    await showProgress(writeFile(out, state))
    return { file, bytes: (await out.stat()).size }
  } catch (error) {
    throw new CliError(`${file} is incomplete: ${reasonOf(error)}`)
  } finally {
    await out.close()
  }
}

/** Throws an error that names the file. */
async function openFile(file: string, flags: 'r' | 'w'): Promise<FileHandle> {
  try {
    // Opening a pipe waits for its other end.
    if (flags === 'r') statFile(file)
    return await open(file, flags)
  } catch (error) {
    const code = codeOf(error)
    const folder = dirname(file)
    if (code === 'ENOENT' && flags === 'w')
      throw new CliError(`There is no folder ${folder} to write ${file} to.`)
    throw new CliError(`${whyUnreadable(file, error)}.`)
  }
}
