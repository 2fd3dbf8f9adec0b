import { Dialog, Form, Submit, SuggestField, useForm } from '../forms.tsx'
import type { BoardRow, Coverage, UserSummary } from '../responses.ts'
import { say, useData, useList } from '../store.ts'

/** Sends an event of the catalogue about an order or a user. */
export const Trigger = ({ type = 'labtest.order.updated' }: { type?: string | undefined }) => (
  <Dialog name="trigger" title="Trigger an event">
    <TriggerForm key={type} type={type} />
  </Dialog>
)

function TriggerForm({ type }: { type: string }) {
  const { body: coverage } = useData<Coverage>('/_petri/coverage', false)
  const { met = {}, never = [] } = coverage?.event_types ?? {}
  const orders = useList<BoardRow>('/_petri/orders?limit=100', false)
  const users = useList<UserSummary>('/_petri/users?limit=100', false)
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
      <SuggestField
        label="Event type"
        options={[...Object.keys(met), ...never].sort().map((each) => [each, ''])}
        {...form.bind('type')}
      />
      <SuggestField
        label="Order, by id or patient, if it is about one"
        options={orders.map(({ id, patient, recipient, lab_test }) => [
          id,
          `${patient ?? recipient}, ${lab_test}`,
        ])}
        {...form.bind('order')}
      />
      <SuggestField
        label="User, by id or name, if it is about one"
        options={users.map(({ user_id, name, client_user_id }) => [user_id, name ?? client_user_id])}
        {...form.bind('user')}
      />
      <Submit curl={['POST', '/_petri/trigger', body]}>Send it</Submit>
    </Form>
  )
}
