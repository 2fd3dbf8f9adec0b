import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import type { Redirection } from '../../intercept/redirection.ts'
import { wallClock } from '../../kernel/clock.ts'
import { whyUnwritable } from '../../kernel/reason.ts'
import { currentContext } from '../../terminal/context.ts'
import { CliError } from '../../terminal/errors.ts'

/** Lets a Petri answer the calls of programs to the live hosts. */
export async function redirect(
  command: 'exec' | 'explore',
  answer: RequestListener,
  isOffline: boolean,
): Promise<Redirection> {
  const { startRedirection } = await import('../../intercept/redirection.ts')
  try {
    const { environment } = currentContext()
    return await startRedirection({ answer, environment, isOffline, now: wallClock() })
  } catch (error) {
    const { path = tmpdir() } = error as NodeJS.ErrnoException
    throw new CliError(
      `petri ${command} cannot write its temporary files: ${whyUnwritable(path, error)}. Set TMPDIR to a folder that this user may write to.`,
    )
  }
}
