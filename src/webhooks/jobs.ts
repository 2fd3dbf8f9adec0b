import type { Job, NewJob } from '../scheduler/job.ts'
import type { Message } from './table.ts'

/** A scheduled attempt to deliver a message; the subject is its id. */
export const ATTEMPT = 'webhooks.attempt'
/** An attempt requested by a user; the subject is the message's id. */
export const RESEND = 'webhooks.resend'
/** Delivers a message again because of webhook faults; the subject is the message's id. */
export const DUPLICATE = 'webhooks.duplicate'
/** Sends a group of buffered messages; the subject is the group. */
export const RELEASE = 'webhooks.release'

/** Disables an endpoint that has failed for too long; the subject is its id. */
export const DISABLE = 'webhooks.disable'

/** The data of a job that attempts a delivery. */
export interface AttemptOptions {
  readonly endpointId: string
  /** Whether the message had failed before a user requested this attempt; it fails again if the attempt does. */
  readonly hadFailed?: boolean
  /** Whether the message was already buffered and delayed. */
  readonly wasBuffered?: boolean
  /** Whether it was already delayed by the endpoint's rate limit. */
  readonly wasRateLimited?: boolean
  /** The number of duplicates that are still to be sent, including this one. */
  readonly duplicates?: number
}

/** The options with which an attempt was scheduled. */
export const attemptOptionsOf = ({ data }: Pick<Job, 'data'>): AttemptOptions => data as AttemptOptions

/** The first attempt of a message, due at once. */
export const firstAttempt = ({
  id,
  endpoint_id: endpointId,
  created_at,
}: Pick<Message, 'id' | 'endpoint_id' | 'created_at'>): NewJob & { readonly due: number } => {
  const data: AttemptOptions = { endpointId }
  return { due: created_at, kind: ATTEMPT, subject: id, data }
}
