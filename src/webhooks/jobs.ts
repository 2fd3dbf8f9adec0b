import type { Job } from '../scheduler/agenda.ts'
import type { Message } from './table.ts'

/** Tries to deliver a message by the schedule; the subject is its id. */
export const ATTEMPT = 'webhooks.attempt'
/** Tries once, because somebody asked; the subject is the message's id. */
export const RESEND = 'webhooks.resend'
/** Delivers once more what was delivered, for the delivery rules say so; the subject is the message's id. */
export const DUPLICATE = 'webhooks.duplicate'
/** Sends what was held, for it has waited long enough; the subject is the group that waits. */
export const RELEASE = 'webhooks.release'

/** What a job that tries to deliver carries. */
export interface AttemptOrder {
  readonly endpointId: string
  /** The message had failed before somebody asked, and fails again if this does. */
  readonly reopened?: boolean
  /** Held and delayed as much as it was to be. */
  readonly cleared?: boolean
  /** Duplicates to be sent, this one included. */
  readonly duplicates?: number
}

/** Due as soon as there is something to send. */
export const firstAttempt = ({
  id,
  endpoint_id: endpointId,
  created_at,
}: Pick<Message, 'id' | 'endpoint_id' | 'created_at'>): Omit<Job, 'turn'> => {
  const data: AttemptOrder = { endpointId }
  return { due: created_at, kind: ATTEMPT, subject: id, data }
}
