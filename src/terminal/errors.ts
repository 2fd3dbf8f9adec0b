/** Exit statuses of commands that fail. */
export const REFUSED = 1
export const USAGE_ERROR = 2

/** A mistake on the command line; the message is for the user. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem'
}

/** A command that failed; the message is for the user, and `answer` is the response of Petri. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly answer: object

  constructor(message: string, answer: object = { detail: message }) {
    super(message)
    this.answer = answer
  }
}

/** A command that failed and has already printed why. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly status: number

  constructor(status = REFUSED) {
    super()
    this.status = status
  }
}

/** Parses a whole number of a flag. Throws a UsageProblem if it is out of range. */
export function wholeNumber(flag: string, text: string, low: number, high: number): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= low && number <= high) return number
  throw new UsageProblem(`${flag} should be a whole number from ${low} to ${high}; it is "${text}".`)
}

/** Parses an HTTP URL of a flag. Throws a UsageProblem if it is none. */
export function httpUrl(flag: string, text: string): URL {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return new URL(text)
  throw new UsageProblem(`${flag} should be an http or https URL; it is "${text}".`)
}
