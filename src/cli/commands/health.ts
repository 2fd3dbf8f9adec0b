import type { Command } from 'commander'
import { CliError, readClientConfig } from '../config.ts'
import { print } from '../context.ts'
import { probe } from '../probe.ts'

export function registerHealth(program: Command): void {
  program
    .command('health')
    .description('ask a running Petri whether it is well; exit status 0 or 1, for containers')
    .option('--url <url>', 'where it runs [PETRI_URL, or as PETRI_HOST and PETRI_PORT say]')
    .option('--json', 'print JSON')
    .action(async (flags: { url?: string; json?: boolean }) => {
      const { url } = readClientConfig(flags)
      const found = await probe(url)
      if (found.kind === 'petri') print(found.text)
      else if (found.kind === 'silent') throw new CliError(`No answer from ${url}: ${found.reason}`)
      else throw new CliError(`${url} answered ${found.status}, but not like Petri.`)
    })
}
