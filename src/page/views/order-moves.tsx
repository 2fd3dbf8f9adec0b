import { useSignal } from '@preact/signals'
import { asCurl, call } from '../api.ts'
import { useData } from '../data.ts'
import { closeDialog, Dialog, Opens, openDialog } from '../dialog.tsx'
import { Check, Form, optionsOf, Select, SelectField, useForm } from '../forms.tsx'
import type { Lifecycle, OrderLife, Workflow } from '../responses.ts'
import { attempt } from '../store.ts'
import { Copy } from '../ui.tsx'
import { inWords, lowOf, phaseOf } from '../words.ts'

const isEnd = (status: string) => phaseOf(status) === 'failed' || phaseOf(status) === 'cancelled'

const movePath = (orderId: string) => `/_petri/orders/${orderId}/move`

/** Moves an order by hand. */
export const useMove =
  (orderId: string) =>
  (status: string, more: object = {}) =>
    attempt('Moving the order', () => call('POST', movePath(orderId), { status, ...more }))

/** The legal moves as buttons, ends apart; any other only where it is asked for twice. */
export function Moves({ life, workflow }: { life: OrderLife; workflow: Workflow }) {
  const isForced = useSignal(false)
  const asked = useSignal('')
  const move = useMove(life.order.id)
  const others = workflow.statuses
    .map(({ status }) => status)
    .filter((status) => !life.legal.includes(status))
  const button = (status: string) => (
    <button
      key={status}
      type="button"
      class={isEnd(status) ? 'danger' : ''}
      data-move={status}
      onClick={() => void move(status)}
    >
      {inWords(status)}
    </button>
  )
  return (
    <div class="moves">
      <span>Move by hand</span>
      {life.legal.length === 0 && <span class="dim">no move is legal from here: the status is final</span>}
      {life.legal.filter((status) => !isEnd(status)).map(button)}
      {life.legal.some(isEnd) && <span class="bar" />}
      {life.legal.filter(isEnd).map(button)}
      {life.legal.length > 0 && (
        <Opens dialog="move" aria-label="A move with details">
          ⋯
        </Opens>
      )}
      <span class="grow" />
      <Check
        checked={isForced.value}
        onChange={(checked) => {
          isForced.value = checked
        }}
      >
        any move (force)
      </Check>
      {isForced.value && (
        <Select
          label="Any status"
          value=""
          options={[['', 'choose a status…'], ...optionsOf(others, inWords)]}
          onChange={(status) => {
            asked.value = status
            openDialog('force')
          }}
        />
      )}
      {asked.value && (
        <ForceDialog status={asked.value} onForce={(status) => void move(status, { force: true })} />
      )}
      <Dialog name="move" title="A move with details">
        <MoveForm life={life} />
      </Dialog>
    </div>
  )
}

const ForceDialog = ({ status, onForce }: { status: string; onForce: (status: string) => void }) => (
  <Dialog name="force" title="Force a move">
    <p>
      The lifecycle has no move from here to “{inWords(status)}”, and the live service would never make it.
      Make it all the same?
    </p>
    <div class="row">
      <button
        type="button"
        class="danger"
        onClick={() => {
          onForce(status)
          closeDialog()
        }}
      >
        Force it
      </button>
      <button type="button" onClick={closeDialog}>
        Cancel
      </button>
    </div>
  </Dialog>
)

const interpretations = ['normal', 'abnormal', 'critical', 'unknown']

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
  // What was legal when the form was begun may not be now.
  const status = life.legal.includes(form.values.status) ? form.values.status : (life.legal[0] ?? '')
  const move = useMove(life.order.id)
  const details = lifecycle?.status_details[lowOf(status)] ?? []
  const more = {
    ...(detail && { status_detail: detail }),
    ...(courier && { shipment: { outbound_courier: courier } }),
    ...(interpretation && { results: { interpretation } }),
  }
  const submit = async () => {
    const moved = await move(status, more)
    if (moved === undefined) return
    form.clear()
    closeDialog()
  }
  const names = (empty: string, all: readonly string[]) => [['', empty] as const, ...optionsOf(all, inWords)]
  return (
    <Form onSubmit={submit}>
      <SelectField
        label="Status"
        {...form.bind('status')}
        value={status}
        options={optionsOf(life.legal, inWords)}
      />
      {details.length > 0 && (
        <SelectField label="Status detail" {...form.bind('detail')} options={names('none', details)} />
      )}
      <SelectField
        label="Courier on the way out"
        {...form.bind('courier')}
        options={[['', 'as it is'], ...optionsOf(['USPS', 'UPS', 'FedEx'])]}
      />
      <SelectField
        label="Interpretation of the results"
        {...form.bind('interpretation')}
        options={names('as it is', interpretations)}
      />
      <div class="row">
        <button type="submit" class="primary" disabled={status === ''}>
          Move
        </button>
        <Copy text={() => asCurl('POST', movePath(life.order.id), { status, ...more })}>Copy as curl</Copy>
      </div>
    </Form>
  )
}
