import type { Output } from '../../src/cli/context.ts'
import { runCli } from '../../src/cli/program.ts'
import type { Finished } from './cli.ts'

/** Runs the command line in this process, without a terminal; only the variables given are set. */
export async function runPetri(args: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
  const [stdout, stderr] = [recorder(), recorder()]
  const status = await runCli(args, { environment: env, stdout, stderr })
  return { status, stdout: stdout.text(), stderr: stderr.text() }
}

function recorder(): Output & { text(): string } {
  const written: string[] = []
  return { write: (text) => written.push(text), text: () => written.join('') }
}
