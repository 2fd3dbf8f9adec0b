import type { Command } from 'commander'
import { urlOf } from '../../listen.ts'
import { readConfig } from '../config.ts'

const TIMEOUT_MS = 5000

export function registerHealth(program: Command): void {
  program
    .command('health')
    .description('ask a running Petri whether it is well; exit status 0 or 1, for containers')
    .option('--url <url>', 'where it runs (default: as PETRI_HOST and PETRI_PORT say)')
    .action(async ({ url }: { url?: string }) => {
      const { host, port } = readConfig()
      process.exitCode = await probe(url ?? urlOf(host, port))
    })
}

async function probe(url: string): Promise<0 | 1> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(new URL('/_petri/health', url), { signal, redirect: 'error' })
    console.log(await response.text())
    return response.ok ? 0 : 1
  } catch (error) {
    console.error(`No answer from ${url}: ${reasonOf(error)}`)
    return 1
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message
}
