import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { programVariable } from '../../intercept/hosts.ts'
import type { Wrap } from '../../intercept/namespace.ts'
import { wallClock } from '../../kernel/clock.ts'
import { type Environment, platform } from '../../kernel/platform.ts'
import { wait } from '../../terminal/context.ts'
import { CliError } from '../../terminal/errors.ts'
import { callWithLimit } from '../../terminal/probe.ts'
import { processesWith } from './bypassing.ts'
import { readOr } from './proc-files.ts'

/** A program that runs alongside the command. */
export interface ProgramUnderTest {
  /** How it ended, if it has. */
  ended(): string | undefined
  stop(): Promise<void>
}

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE_MS = 5000

interface StartOptions {
  readonly wrap?: Wrap | undefined
  /** The file it writes to; standard error by default, so that standard output is the command's alone. */
  readonly output?: string
}

/** Starts a program with a shell. */
export function startProgram(
  line: string,
  env: Environment,
  { wrap, output }: StartOptions,
): ProgramUnderTest {
  const [file = '', ...args] = wrap ? wrap(['/bin/sh', '-c', line]) : [line]
  const written = output === undefined ? 2 : openSync(output, 'w')
  const mark = `${process.pid}-${wallClock()}`
  // In a process group of its own, so that all that the shell starts is stopped.
  const child = spawn(file, args, {
    shell: wrap === undefined,
    detached: platform.hasProcessGroups,
    stdio: ['ignore', written, written],
    env: { ...env, [programVariable]: mark },
  })
  const exit = once(child, 'exit').catch((error: Error) => [error.message, null])
  let ended: string | undefined
  void exit.then(([status, signal]) => {
    const how = signal ? `it was ended by ${signal}` : `it ended with status ${status}`
    ended = output === undefined ? how : `${how}; its output is in ${output}`
  })
  return {
    ended: () => ended,
    async stop() {
      const { pid } = child
      if (pid === undefined) return
      const killAt = wallClock() + GRACE_MS
      // The shell may end before what it has started.
      for (
        let isRunning = signalAll(pid, mark, 'SIGTERM');
        isRunning && wallClock() < killAt;
        isRunning = signalAll(pid, mark, 0)
      )
        await wait(POLL_MS)
      signalAll(pid, mark, 'SIGKILL')
      await exit
    },
  }
}

/** Signals a program with all that it has started, also in other process groups; returns whether any of it is running. */
function signalAll(pid: number, mark: string, signal: NodeJS.Signals | 0): boolean {
  const targets = [platform.hasProcessGroups ? -pid : pid, ...processesWith(programVariable, mark)]
  return targets.map((target) => readOr(false, () => process.kill(target, signal))).includes(true)
}

const READY_MS = 60_000
const POLL_MS = 50
const SERVER_ERROR = 500

/** Resolves when a URL answers without a server error. Throws after a minute, when the program ends, and when it is interrupted. */
export async function waitUntilReady(
  url: URL,
  program: ProgramUnderTest | undefined,
  interrupted?: AbortSignal,
): Promise<void> {
  const until = wallClock() + READY_MS
  for (;;) {
    const problem = await whyNotReady(url, interrupted)
    interrupted?.throwIfAborted()
    if (problem === undefined) return
    const ended = program?.ended()
    if (ended !== undefined) throw new CliError(`The program of --start is not ready: ${ended}.`)
    if (wallClock() >= until)
      throw new CliError(`${url.href} was not ready within ${READY_MS / 1000} seconds: ${problem}.`)
    await wait(POLL_MS)
  }
}

async function whyNotReady(url: URL, interrupted: AbortSignal | undefined): Promise<string | undefined> {
  try {
    const { status } = await callWithLimit(url, { interrupted, headOnly: true })
    return status < SERVER_ERROR ? undefined : `it answered ${status}`
  } catch (error) {
    return (error as Error).message
  }
}
