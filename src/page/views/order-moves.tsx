import { useSignal } from '@preact/signals'
import { Button, optionsOf, toggle } from '../components.tsx'
import { inWords, lowOf, phaseOf } from '../format.ts'
import {
  Check,
  Confirm,
  Dialog,
  Form,
  Opens,
  openDialog,
  Select,
  SelectField,
  Submit,
  useForm,
} from '../forms.tsx'
import type { Lifecycle, OrderLife, Workflow } from '../responses.ts'
import { perform, useData } from '../store.ts'

const isFinal = (status: string) => ['failed', 'cancelled'].includes(phaseOf(status))

const movePath = ({ order }: OrderLife) => `/_petri/orders/${order.id}/move`

/** Moves an order manually. */
export const moveOrder = (life: OrderLife, move: object): Promise<unknown> =>
  perform('Moving the order', 'POST', movePath(life), move)

/** The legal moves as buttons, final statuses apart; any other move needs a confirmation. */
export function Moves({ life, workflow }: { life: OrderLife; workflow: Workflow }) {
  const isForced = useSignal(false)
  const wanted = useSignal('')
  const others = workflow.statuses
    .map(({ status }) => status)
    .filter((status) => !life.legal.includes(status))
  const button = (status: string) => (
    <Button
      key={status}
      class={isFinal(status) ? 'danger' : ''}
      data-move={status}
      onClick={() => moveOrder(life, { status })}
    >
      {inWords(status)}
    </Button>
  )
  return (
    <div class="moves">
      <span>Move manually</span>
      {life.legal.length === 0 && <span class="dim">no move is legal from here: the status is final</span>}
      {life.legal.filter((status) => !isFinal(status)).map(button)}
      {life.legal.some(isFinal) && <span class="bar" />}
      {life.legal.filter(isFinal).map(button)}
      {life.legal.length > 0 && (
        <Opens dialog="move" aria-label="A move with details">
          ⋯
        </Opens>
      )}
      <span class="grow" />
      <Check checked={isForced.value} onChange={() => toggle(isForced)}>
        any move (force)
      </Check>
      {isForced.value && (
        <Select
          label="Any status"
          value=""
          options={[['', 'choose a status…'], ...optionsOf(others, inWords)]}
          onChange={(status) => {
            wanted.value = status
            openDialog('force')
          }}
        />
      )}
      {wanted.value && (
        <Confirm
          name="force"
          title="Force a move"
          action="Force it"
          onConfirm={() => moveOrder(life, { status: wanted.value, force: true })}
        >
          The lifecycle has no move from here to “{inWords(wanted.value)}”, and the live service would never
          make it. Make it anyway?
        </Confirm>
      )}
      <Dialog name="move" title="A move with details">
        <MoveForm life={life} />
      </Dialog>
    </div>
  )
}

/** A move with a detail, a courier or an interpretation. */
function MoveForm({ life }: { life: OrderLife }) {
  const { body: lifecycle } = useData<Lifecycle>('/_petri/lifecycle', false)
  const form = useForm(`move.${life.order.id}`, {
    status: life.legal[0] ?? '',
    detail: '',
    courier: '',
    interpretation: '',
  })
  const { detail, courier, interpretation } = form.values
  // A status that was legal when the form was filled in may not be now.
  const status = life.legal.includes(form.values.status) ? form.values.status : (life.legal[0] ?? '')
  const details = lifecycle?.status_details[lowOf(status)] ?? []
  const move = {
    status,
    status_detail: detail || undefined,
    shipment: courier ? { outbound_courier: courier } : undefined,
    results: interpretation ? { interpretation } : undefined,
  }
  return (
    <Form errors={form.errors} onSubmit={() => form.send('Moving the order', 'POST', movePath(life), move)}>
      <SelectField
        label="Status"
        {...form.bind('status')}
        value={status}
        options={optionsOf(life.legal, inWords)}
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
        options={[['', 'unchanged'], ...optionsOf(['normal', 'abnormal', 'critical', 'unknown'])]}
      />
      <Submit disabled={status === ''} curl={['POST', movePath(life), move]}>
        Move
      </Submit>
    </Form>
  )
}
