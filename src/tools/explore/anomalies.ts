import { compact } from '../../kernel/list.ts'
import { happyPaths, type Method, readStatus, type Workflow } from '../../resources/orders/lifecycle.ts'
import type { FindingAction, FindingFile, FindingOrder } from '../../scenarios/finding.ts'

type Fault = NonNullable<FindingFile['faults']>[number]

/** The differences of a history from the happy path of a kit, in words; the same for the same mistake. */
export function anomaliesOf(history: FindingFile): readonly string[] {
  const [, ...others] = history.orders
  return [
    ...new Set(
      compact([
        ...history.orders.flatMap(ofOrder),
        ...others.map(({ user }) => (user === 1 ? 'second order of the user' : 'order of another user')),
        history.bodies === 'spaced' && 'spaced body',
        history.features?.unknown_futures ? 'unknown fields and values' : undefined,
        ...(history.actions ?? []).flatMap(ofAction),
        ...(history.faults ?? []).map(ofFault),
      ]),
    ),
  ]
}

export const workflowOf = ({
  method,
  registrable,
}: {
  readonly method: Method
  readonly registrable?: boolean | undefined
}): Workflow => {
  if (method !== 'testkit') return method
  return registrable ? 'registrable_kit' : 'registered_kit'
}

function ofOrder(order: FindingOrder): string[] {
  const workflow = workflowOf(order)
  const { steps, webhook_faults = {}, faults = [] } = order
  const seen = new Set<string>()
  const statuses = steps.flatMap((step) => {
    if ('appointment' in step)
      return ['start', 'complete'].includes(step.appointment) ? [] : [step.appointment]
    if (!('status' in step)) return []
    const low = readStatus(step.status)?.low ?? 'ordered'
    const isUsual = happyPaths.get(workflow).includes(low) && !seen.has(low)
    seen.add(low)
    const result = step.results?.interpretation
    return compact([
      !isUsual && low,
      result && result !== 'normal' && `${result} result`,
      step.results?.missing && 'missing results',
    ])
  })
  return compact([
    workflow !== 'registered_kit' && workflow,
    ...statuses,
    ...[webhook_faults].flat().flatMap((rule) => Object.keys(rule)),
    ...faults.map(ofFault),
  ])
}

const ofFault = ({ operation, respond, drop }: Fault) => `${respond?.status ?? drop} of ${operation}`

/** Not the registration of a kit, which belongs to its usual life. */
function ofAction(action: FindingAction): string[] {
  if ('cancel' in action) return ['cancelled by the customer']
  if ('resend' in action) return ['resend']
  if ('receiver' in action) return [`receiver ${action.receiver}`]
  if ('unmatched' in action) return ['unmatched result']
  if ('break' in action) return ['connection error']
  if ('data' in action) return ['data of a device']
  if ('disconnect' in action) return ['disconnected']
  if ('ingestion_end' in action) return ['end of ingestion']
  return 'connect' in action ? [`connection to ${action.connect}`] : []
}

/** A scenario name from the anomalies. */
export function nameFrom(anomalies: readonly string[], taken: ReadonlySet<string>): string {
  const words = anomalies.length === 0 ? ['happy-path'] : anomalies.slice(0, 3)
  const base = `found-${words.join('-')}`
    .toLowerCase()
    .replace(/\{[^}]*\}/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-+$/, '')
    .slice(0, MAX_NAME)
    .replace(/-+$/, '')
  for (let ordinal = 1; ; ordinal++) {
    const name = ordinal === 1 ? base : `${base}-${ordinal}`
    if (!taken.has(name)) return name
  }
}

const MAX_NAME = 60
