import { useSignal } from '@preact/signals'
import type { Coverage } from '../answers.ts'
import { call } from '../api.ts'
import { useData } from '../data.ts'
import { Dialog, Field } from '../forms.tsx'
import { attempt, say } from '../store.ts'

/** Sends an event of the catalogue about an order or a user. */
export function Trigger({ onClose, type = 'labtest.order.updated' }: { onClose: () => void; type?: string }) {
  const { body: coverage } = useData<Coverage>('/_petri/coverage', false)
  const types = [
    ...Object.keys(coverage?.event_types.met ?? {}),
    ...(coverage?.event_types.never ?? []),
  ].sort()
  const input = useSignal({ type, order: '', user: '' })
  const set = (change: Partial<typeof input.value>) => {
    input.value = { ...input.value, ...change }
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    const { type: event_type, order, user } = input.value
    const about = { ...(order && { order_id: order }), ...(user && { user_id: user }) }
    const done = await attempt('Triggering', () => call('POST', '/_petri/trigger', { event_type, ...about }))
    if (done === undefined) return
    say({ title: `${event_type} is sent`, lines: [] })
    onClose()
  }
  return (
    <Dialog title="Trigger an event" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <Field label="Event type">
          <input
            list="event-types"
            value={input.value.type}
            onInput={(event) => set({ type: event.currentTarget.value })}
          />
        </Field>
        <datalist id="event-types">
          {types.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <Field label="Order id, if it is about one">
          <input
            value={input.value.order}
            onInput={(event) => set({ order: event.currentTarget.value.trim() })}
          />
        </Field>
        <Field label="User id, if it is about one">
          <input
            value={input.value.user}
            onInput={(event) => set({ user: event.currentTarget.value.trim() })}
          />
        </Field>
        <button type="submit" class="primary">
          Send it
        </button>
      </form>
    </Dialog>
  )
}
