import { asCurl, call } from '../api.ts'
import { useData } from '../data.ts'
import { closeDialog, Dialog } from '../dialog.tsx'
import { Form, TextField, useForm } from '../forms.tsx'
import type { Coverage } from '../responses.ts'
import { attempt } from '../store.ts'
import { say } from '../toast.ts'
import { Copy } from '../ui.tsx'

/** Sends an event of the catalogue about an order or a user. */
export const Trigger = ({ type = 'labtest.order.updated' }: { type?: string | undefined }) => (
  <Dialog name="trigger" title="Trigger an event">
    <TriggerForm key={type} type={type} />
  </Dialog>
)

function TriggerForm({ type }: { type: string }) {
  const { body: coverage } = useData<Coverage>('/_petri/coverage', false)
  const { met = {}, never = [] } = coverage?.event_types ?? {}
  const form = useForm(`trigger.${type}`, { type, order: '', user: '' })
  const { type: event_type, order, user } = form.values
  const input = {
    event_type,
    ...(order && { order_id: order.trim() }),
    ...(user && { user_id: user.trim() }),
  }
  const submit = async () => {
    const done = await attempt('Triggering the event', () => call('POST', '/_petri/trigger', input))
    if (done === undefined) return
    form.clear()
    closeDialog()
    say({ title: `${event_type} is sent` })
  }
  return (
    <Form onSubmit={submit}>
      <TextField label="Event type" list="event-types" {...form.bind('type')} />
      <datalist id="event-types">
        {[...Object.keys(met), ...never].sort().map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <TextField label="Order id, if it is about one" {...form.bind('order')} />
      <TextField label="User id, if it is about one" {...form.bind('user')} />
      <div class="row">
        <button type="submit" class="primary">
          Send it
        </button>
        <Copy text={() => asCurl('POST', '/_petri/trigger', input)}>Copy as curl</Copy>
      </div>
    </Form>
  )
}
