/** What went wrong with a call that got no answer. Some errors of a connection have a code and no words. */
export function reasonOf(error: unknown): string {
  const { cause } = error as Error
  const { message, code } = (cause instanceof Error ? cause : error) as NodeJS.ErrnoException
  return message || String(code)
}
