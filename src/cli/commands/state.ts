import { createReadStream } from 'node:fs'
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Command } from 'commander'
import type { Clock } from '../../client/responses.ts'
import { reasonOf } from '../../kernel/reason.ts'
import { CliError } from '../config.ts'
import { showProgress } from '../progress.ts'
import { registerRemote, remote } from '../remote.ts'
import { describeClock } from './clock.ts'

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
      const state = await petri.stream(path, {})
      if (file === undefined) return state
      const out = await openFile(file, 'w').catch(async (error) => {
        await state.cancel()
        throw error
      })
      try {
        await showProgress(writeFile(out, state))
        return { file, bytes: (await out.stat()).size }
      } catch (error) {
        throw new CliError(`${file} is not complete: ${reasonOf(error)}`)
      } finally {
        await out.close()
      }
    },
    print: (_, [file]) => `The world is in ${file}.`,
  }),
  remote({
    usage: 'import <file>',
    summary: 'replace this world with an exported one; "-" reads standard input. Team and keys stay',
    examples: ['petri state import world.json'],
    async run(petri, [file = '']) {
      const source =
        file === '-' ? createReadStream('', { fd: 0 }) : (await openFile(file, 'r')).createReadStream()
      return petri.put<{ clock: Clock }>(path, Readable.toWeb(source))
    },
    print: ({ clock }, [file]) => `The world is as ${file} has it.\n${describeClock(clock)}`,
  }),
]

/** Throws a sentence with the name of the file. */
async function openFile(file: string, flags: 'r' | 'w'): Promise<FileHandle> {
  try {
    const opened = await open(file, flags)
    if (!(await opened.stat()).isDirectory()) return opened
    await opened.close()
    throw new Error('is a folder, not a file')
  } catch (error) {
    throw new CliError(`${file}: ${(error as Error).message}`)
  }
}
