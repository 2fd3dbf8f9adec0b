import { expect } from 'vitest'
// Commands load on first use. This one uses most modules: without it the first test of a file takes seconds.
import '../../src/cli/commands/scenario.ts'
import { runCli } from '../../src/cli/program.ts'
import type { Output } from '../../src/terminal/context.ts'
import type { Finished } from './cli.ts'
import { shipping } from './orders.ts'

/** Runs the command line in this process, without a terminal; only the variables given are set, and waiting takes no time. */
export async function runPetri(
  args: readonly string[],
  env: Record<string, string> = {},
  wait: (waitMs: number) => Promise<void> = async () => {},
): Promise<Finished> {
  const [stdout, stderr] = [recorder(), recorder()]
  const status = await runCli(args, { environment: env, stdout, stderr, wait })
  return { status, stdout: stdout.text(), stderr: stderr.text() }
}

function recorder(): Output & { text(): string } {
  const written: string[] = []
  return { write: (text) => written.push(text), text: () => written.join('') }
}

/** The command line and plain calls against a running Petri, wherever it is by then. */
export function cliSession(url: () => string) {
  const run = (...args: string[]) => runPetri(args, { PETRI_URL: url() })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async function call(method: string, path: string, body?: unknown): Promise<any> {
    const headers = { 'x-service-api-key': 'sk_us_petri', 'content-type': 'application/json' }
    const answer = await fetch(new URL(path, url()), {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
  return {
    run,
    call,
    /** Runs a command that must do, and reads what it prints as JSON. A warning may come with it. */
    async json(...args: string[]) {
      const { status, stdout, stderr } = await run(...args, '--json')
      expect(stderr).toMatch(/^(warning: |$)/)
      expect(status).toBe(0)
      return JSON.parse(stdout)
    },
    async orderKit(client_user_id = 'ada'): Promise<string> {
      const { user_id } = await call('POST', '/v2/user', { client_user_id })
      const [{ id: lab_test_id }] = await call('GET', '/v3/lab_tests?collection_method=testkit')
      const body = { user_id, lab_test_id, shipping_details: shipping }
      return (await call('POST', '/v3/order/testkit', body)).order.id
    },
  }
}
