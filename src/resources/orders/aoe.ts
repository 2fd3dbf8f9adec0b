import { Problem } from '../../kernel/problem.ts'
import type { Marker } from '../catalogue/service.ts'

/** An answer to a question the laboratory asks when a marker is ordered. */
export interface AoeAnswer {
  readonly marker_id: number
  readonly question_id: number
  readonly answer: string
}

type Question = NonNullable<Marker['aoe']>['questions'][number]

/** The code of the question that a lab test answers by itself. */
const FASTING = 'FSTING'

/** Validates the answers and adds those of the lab test itself. Source: contract/lab-testing.md §10. */
export function completeAnswers(
  markers: readonly Marker[],
  given: readonly AoeAnswer[],
  { fasting }: { readonly fasting: boolean },
): AoeAnswer[] {
  for (const answer of given) assertValidAnswer(markers, answer)
  const asked = markers.flatMap((marker) =>
    (marker.aoe?.questions ?? []).map((question) => ({ marker_id: marker.id, question })),
  )
  const open = asked.filter(
    ({ marker_id, question }) =>
      !given.some((answer) => answer.marker_id === marker_id && answer.question_id === question.id),
  )
  const missing = open.filter(({ question }) => question.required && question.code !== FASTING)
  if (missing.length > 0) {
    const questions = [...new Set(missing.map(({ question }) => `"${question.value}"`))]
    throw new Problem('bad_request', `Missing required questions - ${questions.join(', ')}`)
  }
  const answered = open
    .filter(({ question }) => question.code === FASTING)
    .map(({ marker_id, question }) => ({ marker_id, question_id: question.id, answer: fasting ? 'Y' : 'N' }))
  return [...given, ...answered]
}

function assertValidAnswer(markers: readonly Marker[], { marker_id, question_id, answer }: AoeAnswer): void {
  const questions = markers.find(({ id }) => id === marker_id)?.aoe?.questions
  if (!questions?.length) throw new Problem('bad_request', `Marker id ${marker_id} does not have AOE.`)
  const question = questions.find(({ id }) => id === question_id)
  if (!question) {
    throw new Problem('bad_request', `Invalid question_id ${question_id} for marker id ${marker_id}.`)
  }
  if (!answers(question, answer)) {
    throw new Problem('bad_request', `Invalid answer ${answer} for question ${question.value}.`)
  }
}

/** Choices are answered by code, separated by commas. */
function answers({ type, answers: choices }: Question, answer: string): boolean {
  const isCode = (code: string) => choices.some((choice) => choice.code === code.trim())
  switch (type) {
    case 'choice':
      return isCode(answer)
    case 'multi_choice':
      return answer.split(',').every(isCode)
    case 'numeric':
      return /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(answer)
    default:
      return answer.trim() !== ''
  }
}
