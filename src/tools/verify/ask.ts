import { requestOf } from '../../kernel/http-call.ts'
import { wait } from '../../terminal/context.ts'
import type { Reply, TeamApi } from '../team-api.ts'
import type { Answered } from './describe-replies.ts'
import type { Question } from './questions.ts'

/** One of the two services that are compared. */
interface Side {
  readonly api: TeamApi
  readonly bodies: Record<string, unknown>
}

const newSide = (api: TeamApi): Side => ({ api, bodies: {} })

/** Asks both services the same questions, one at a time. Questions that one of them cannot be asked are left out. */
export async function askBoth(
  own: TeamApi,
  other: TeamApi,
  questions: readonly Question[],
): Promise<Answered[]> {
  const [left, right] = [newSide(own), newSide(other)]
  const answered: Answered[] = []
  for (const question of questions) {
    const inputs = [inputOf(question, left, right), inputOf(question, right, left)] as const
    const isForBoth = inputs.every((input) => input !== undefined)
    if (!isForBoth && !question.always) continue
    const replies = [
      inputs[0] && (await ask(left, question, inputs[0])),
      inputs[1] && (await ask(right, question, inputs[1])),
    ] as const
    if (replies[0] && replies[1])
      answered.push({ title: titleOf(question), own: replies[0], other: replies[1] })
  }
  return answered
}

const titleOf = ({ route, about }: Question) => (about === undefined ? route : `${route} (${about})`)

const inputOf = ({ input = {} }: Question, mine: Side, theirs: Side): object | undefined =>
  typeof input === 'function' ? input(mine.bodies, theirs.bodies) : input

const POLL_MS = 1000
const MAX_POLLS = 15

async function ask(side: Side, question: Question, input: object): Promise<Reply> {
  const { route, name, anonymous = false, waits = false } = question
  const request = { ...requestOf(route, input), anonymous }
  let reply = await side.api.ask(request)
  for (let poll = 1; waits && poll < MAX_POLLS && isUnderWay(reply.body); poll++) {
    await wait(POLL_MS)
    reply = await side.api.ask(request)
  }
  if (name !== undefined) side.bodies[name] = reply.body
  return reply
}

/** Whether the body is an order that the laboratory will complete by itself. */
const isUnderWay = (body: unknown): boolean =>
  (body as { status?: unknown } | undefined)?.status === 'sample_with_lab'
