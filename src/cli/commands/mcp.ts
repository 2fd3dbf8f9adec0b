import type { Command } from 'commander'
import { send } from '../client.ts'
import { commandName, readClientConfig } from '../config.ts'
import { probe } from '../probe.ts'
import { exampleText, type TargetOptions } from '../remote.ts'

export function registerMcp(program: Command): void {
  program
    .command('mcp')
    .description(
      'serve tools for coding agents (MCP) on standard input and output; they call a running Petri',
    )
    .option('--url <url>', 'where Petri runs [PETRI_URL, or as PETRI_HOST and PETRI_PORT say]')
    .option('--api-key <key>', 'key of the world it is about [PETRI_API_KEY]')
    .addHelpText('after', exampleText(['claude mcp add petri -- npx petri mcp']))
    .action(async (options: TargetOptions) => {
      const config = readClientConfig(options)
      const { serveStdio } = await import('../../mcp/stdio.ts')
      await serveStdio((call) => send(config, call))
      // The agent may start Petri later; until then each call fails with this message.
      const found = await probe(config.url)
      if (found.kind !== 'petri')
        console.error(`No Petri answers at ${config.url}; "${commandName()} start" starts one.`)
    })
}
