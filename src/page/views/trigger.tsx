import { Dialog, Form, Submit, TextField, useForm } from '../forms.tsx'
import type { Board, Coverage, UserSummaries } from '../responses.ts'
import { say, useData } from '../store.ts'

/** Sends an event of the catalogue about an order or a user. */
export const Trigger = ({ type = 'labtest.order.updated' }: { type?: string | undefined }) => (
  <Dialog name="trigger" title="Trigger an event">
    <TriggerForm key={type} type={type} />
  </Dialog>
)

function TriggerForm({ type }: { type: string }) {
  const { body: coverage } = useData<Coverage>('/_petri/coverage', false)
  const { met = {}, never = [] } = coverage?.event_types ?? {}
  const { body: board } = useData<Board>('/_petri/orders?limit=100', false)
  const { body: people } = useData<UserSummaries>('/_petri/users?limit=100', false)
  const form = useForm(`trigger.${type}`, { type, order: '', user: '' })
  const { type: event_type, order, user } = form.values
  const body = {
    event_type,
    order_id: order ? order.trim() : undefined,
    user_id: user ? user.trim() : undefined,
  }
  const submit = async () => {
    if (await form.send('Triggering the event', 'POST', '/_petri/trigger', body))
      say({ title: `${event_type} is sent` })
  }
  return (
    <Form errors={form.errors} onSubmit={submit}>
      <TextField label="Event type" list="event-types" {...form.bind('type')} />
      <datalist id="event-types">
        {[...Object.keys(met), ...never].sort().map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <TextField label="Order, by id or patient, if it is about one" list="orders" {...form.bind('order')} />
      <datalist id="orders">
        {(board?.data ?? []).map(({ id, patient, recipient, lab_test }) => (
          <option key={id} value={id}>
            {patient ?? recipient}, {lab_test}
          </option>
        ))}
      </datalist>
      <TextField label="User, by id or name, if it is about one" list="users" {...form.bind('user')} />
      <datalist id="users">
        {(people?.data ?? []).map(({ user_id, name, client_user_id }) => (
          <option key={user_id} value={user_id}>
            {name ?? client_user_id}
          </option>
        ))}
      </datalist>
      <Submit curl={['POST', '/_petri/trigger', body]}>Send it</Submit>
    </Form>
  )
}
