import { countOf } from './format.ts'
import type { Resent } from './responses.ts'
import { perform, say } from './store.ts'

/** Sends webhooks again now, and says why there are none. */
export async function resend(which: { message_id?: string; endpoint_id?: string }): Promise<void> {
  const done = await perform<Resent>('Resending', 'POST', '/_petri/webhooks/resend', which)
  if (done)
    say({ title: `${countOf(done.resent, 'webhook')} resent`, lines: done.reason ? [done.reason] : [] })
}
