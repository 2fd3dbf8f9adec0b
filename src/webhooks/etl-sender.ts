import { ownCallHeaders } from '../kernel/own-calls.ts'
import type { SendEtl } from '../resources/etl/service.ts'
import { failureText, type OutgoingCalls } from './outgoing.ts'

/** Sends as webhooks are sent, with the same limits. */
export const etlSender =
  (outgoing: OutgoingCalls): SendEtl =>
  async (url, lines, run) => {
    const headers = { ...ownCallHeaders, 'content-type': 'application/x-ndjson' }
    const { error, advice } = await outgoing.post(url, { url, headers, body: lines }, run)
    if (error !== undefined) throw new Error(failureText({ error, advice }))
  }
