import type { NewJob } from '../scheduler/job.ts'
import type { Message } from './table.ts'

/** A scheduled attempt to deliver a message; the subject is its id. */
export const ATTEMPT = 'webhooks.attempt'
/** An attempt a user asked for; the subject is the message's id. */
export const RESEND = 'webhooks.resend'
/** Delivers a message again, as delivery faults ask for; the subject is the message's id. */
export const DUPLICATE = 'webhooks.duplicate'
/** Sends a group of buffered messages; the subject is the group. */
export const RELEASE = 'webhooks.release'

/** Disables an endpoint that has failed for too long; the subject is its id. */
export const DISABLE = 'webhooks.disable'

/** The data of a job that attempts a delivery. */
export interface AttemptOptions {
  readonly endpointId: string
  /** The message had failed before a user asked for this attempt, and fails again if the attempt does. */
  readonly reopened?: boolean
  /** The message was buffered and delayed already. */
  readonly cleared?: boolean
  /** It was delayed to keep to the endpoint's rate limit already. */
  readonly admitted?: boolean
  /** How many duplicates are still to be sent, this one included. */
  readonly duplicates?: number
}

/** The first attempt of a message, due at once. */
export const firstAttempt = ({
  id,
  endpoint_id: endpointId,
  created_at,
}: Pick<Message, 'id' | 'endpoint_id' | 'created_at'>): NewJob & { readonly due: number } => {
  const data: AttemptOptions = { endpointId }
  return { due: created_at, kind: ATTEMPT, subject: id, data }
}
