import { Button, optionsOf } from '../components.tsx'
import { inWords, lowOf, phaseOf } from '../format.ts'
import { Dialog, Form, Opens, SelectField, Submit, useForm } from '../forms.tsx'
import type { OrderLife, Workflow } from '../responses.ts'
import { perform, useLifecycle } from '../store.ts'
import { worstFirst } from './orders.tsx'

const isFinal = (status: string) => ['failed', 'cancelled'].includes(phaseOf(status))

const movePath = ({ order }: OrderLife) => `/_petri/orders/${order.id}/move`

/** Moves an order manually. */
export const moveOrder = (life: OrderLife, move: object): Promise<unknown> =>
  perform('Moving the order', 'POST', movePath(life), move)

/** The legal moves as buttons of a menu, final statuses last. */
export const Moves = ({ life, menu }: { life: OrderLife; menu: string }) => (
  <section class="moves">
    <h3>Move it to</h3>
    {life.legal.length === 0 && <p class="dim">No move is legal from here: the status is final.</p>}
    {[...life.legal]
      .sort((a, b) => Number(isFinal(a)) - Number(isFinal(b)))
      .map((status) => (
        <Button
          key={status}
          class={isFinal(status) ? 'danger' : ''}
          data-move={status}
          popovertarget={menu}
          popovertargetaction="hide"
          onClick={() => moveOrder(life, { status })}
        >
          {inWords(status)}
        </Button>
      ))}
    <Opens dialog="move">Any status, with details…</Opens>
  </section>
)

/** A move with a detail, a courier or an interpretation, and to any status if it is forced. */
export const MoveDialog = (props: { life: OrderLife; workflow: Workflow }) => (
  <Dialog name="move" title="Move the order">
    <MoveForm {...props} />
  </Dialog>
)

function MoveForm({ life, workflow }: { life: OrderLife; workflow: Workflow }) {
  const lifecycle = useLifecycle()
  const form = useForm(`move.${life.order.id}`, {
    status: life.legal[0] ?? life.order.last_event.status,
    detail: '',
    courier: '',
    interpretation: '',
  })
  const { detail, courier, interpretation } = form.values
  const { status } = form.values
  const isForced = !life.legal.includes(status)
  const others = workflow.statuses.map((each) => each.status).filter((each) => !life.legal.includes(each))
  const details = lifecycle?.status_details[lowOf(status)] ?? []
  const move = {
    status,
    status_detail: detail || undefined,
    shipment: courier ? { outbound_courier: courier } : undefined,
    results: interpretation ? { interpretation } : undefined,
    force: isForced || undefined,
  }
  return (
    <Form errors={form.errors} onSubmit={() => form.send('Moving the order', 'POST', movePath(life), move)}>
      <SelectField
        label="Status"
        {...form.bind('status')}
        options={[
          ...optionsOf(life.legal, inWords),
          ...optionsOf(others, (each) => `${inWords(each)} (by force)`),
        ]}
        note={
          isForced ? 'The lifecycle has no such move, and the live service would never make it.' : undefined
        }
      />
      {details.length > 0 && (
        <SelectField
          label="Status detail"
          {...form.bind('detail')}
          options={[['', 'none'], ...optionsOf(details, inWords)]}
        />
      )}
      <SelectField
        label="Outbound courier"
        {...form.bind('courier')}
        options={[['', 'unchanged'], ...optionsOf(['USPS', 'UPS', 'FedEx'])]}
      />
      <SelectField
        label="Interpretation of the results"
        {...form.bind('interpretation')}
        options={[['', 'unchanged'], ...optionsOf(worstFirst)]}
      />
      <Submit curl={['POST', movePath(life), move]}>{isForced ? 'Force it' : 'Move'}</Submit>
    </Form>
  )
}
