import { plural } from '../../src/kernel/readable.ts'
import { escapeLine } from '../../src/terminal/context.ts'
import type { MadeCall } from './sequence.ts'
import type { WalkResult } from './walk.ts'

/** The report of a walk. */
export interface WalkDetails extends WalkResult {
  readonly seed: number
}

/** The shortest sequences of calls that show the differences. */
export function describeFindings({ calls, sequences, seed, findings }: WalkDetails): string {
  const made = `Made ${plural(calls, 'call')} to each service in ${plural(sequences, 'sequence')}; seed ${seed}.`
  const stories = findings.flatMap(({ differences, calls: made }, at) => [
    escapeLine(
      `Sequence ${at + 1}, for ${plural(differences.length, 'difference')} of ${differences[0]?.where ?? ''}`,
    ),
    ...made.map((call, position) => escapeLine(`  ${position + 1}. ${describeCall(call)}`)),
    '',
  ])
  return [...stories, made].join('\n')
}

/** The maximum length of a body. */
const MAX_BODY = 300

function describeCall({ method, path, body, own, other }: MadeCall): string {
  const text = body === undefined ? '' : ` ${JSON.stringify(body)}`
  const shown = text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)}...` : text
  return `${method} ${path}${shown}: ${own === other ? own : `${own} -> ${other}`}`
}
