import { useSignal } from '@preact/signals'
import type { Lifecycle, OrderLife, Workflow } from '../answers.ts'
import { call } from '../api.ts'
import { useData } from '../data.ts'
import { Dialog, Field } from '../forms.tsx'
import { attempt } from '../store.ts'
import { inWords, lowOf, phaseOf } from '../words.ts'

const isEnd = (status: string) => phaseOf(status) === 'failed' || phaseOf(status) === 'cancelled'

/** Moves an order by hand. */
export const useMove =
  (orderId: string) =>
  (status: string, more: object = {}) =>
    attempt('The move', () => call('POST', `/_petri/orders/${orderId}/move`, { status, ...more }))

/** The legal moves as buttons, ends apart; any other only where it is asked for twice. */
export function Moves({ life, workflow }: { life: OrderLife; workflow: Workflow }) {
  const isForced = useSignal(false)
  const asked = useSignal<string | undefined>(undefined)
  const hasOptions = useSignal(false)
  const move = useMove(life.order.id)
  const others = workflow.statuses
    .map(({ status }) => status)
    .filter((status) => !life.legal.includes(status))
  const button = (status: string) => (
    <button
      key={status}
      type="button"
      class={isEnd(status) ? 'danger' : ''}
      onClick={() => void move(status)}
    >
      {inWords(status)}
    </button>
  )
  return (
    <div class="moves">
      <span>Move by hand</span>
      {life.legal.length === 0 && <span class="dim">nothing is legal from here: it is final</span>}
      {life.legal.filter((status) => !isEnd(status)).map(button)}
      {life.legal.some(isEnd) && <span class="bar" />}
      {life.legal.filter(isEnd).map(button)}
      <button
        type="button"
        aria-label="A move with details"
        onClick={() => {
          hasOptions.value = true
        }}
      >
        ⋯
      </button>
      <span class="grow" />
      <label class="check">
        <input
          type="checkbox"
          checked={isForced.value}
          onChange={(event) => {
            isForced.value = event.currentTarget.checked
          }}
        />{' '}
        any move (force)
      </label>
      {isForced.value && (
        <select
          aria-label="Any status"
          value=""
          onChange={(event) => {
            asked.value = event.currentTarget.value
          }}
        >
          <option value="">choose a status…</option>
          {others.map((status) => (
            <option key={status} value={status}>
              {inWords(status)}
            </option>
          ))}
        </select>
      )}
      {asked.value && (
        <ForceDialog
          status={asked.value}
          onClose={() => {
            asked.value = undefined
          }}
          onForce={(status) => void move(status, { force: true })}
        />
      )}
      {hasOptions.value && (
        <OptionsDialog
          life={life}
          onClose={() => {
            hasOptions.value = false
          }}
        />
      )}
    </div>
  )
}

const ForceDialog = ({
  status,
  onClose,
  onForce,
}: {
  status: string
  onClose: () => void
  onForce: (status: string) => void
}) => (
  <Dialog title="Force a move" onClose={onClose}>
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
          onClose()
        }}
      >
        Force it
      </button>
      <button type="button" onClick={onClose}>
        Leave it
      </button>
    </div>
  </Dialog>
)

/** A move with a detail, a courier or an interpretation. */
function OptionsDialog({ life, onClose }: { life: OrderLife; onClose: () => void }) {
  const { body: lifecycle } = useData<Lifecycle>('/_petri/lifecycle', false)
  const input = useSignal({ status: life.legal[0] ?? '', detail: '', courier: '', interpretation: '' })
  const set = (change: Partial<typeof input.value>) => {
    input.value = { ...input.value, ...change }
  }
  const { status, detail, courier, interpretation } = input.value
  const move = useMove(life.order.id)
  const details = lifecycle?.status_details[lowOf(status)] ?? []
  const submit = async (event: Event) => {
    event.preventDefault()
    const moved = await move(status, {
      ...(detail && { status_detail: detail }),
      ...(courier && { shipment: { outbound_courier: courier } }),
      ...(interpretation && { results: { interpretation } }),
    })
    if (moved !== undefined) onClose()
  }
  const select = (
    label: string,
    name: keyof typeof input.value,
    options: readonly string[],
    empty?: string,
  ) => (
    <Field label={label}>
      <select value={input.value[name]} onChange={(event) => set({ [name]: event.currentTarget.value })}>
        {empty !== undefined && <option value="">{empty}</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {inWords(option)}
          </option>
        ))}
      </select>
    </Field>
  )
  return (
    <Dialog title="A move with details" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        {select('Status', 'status', life.legal)}
        {details.length > 0 && select('Status detail', 'detail', details, 'none')}
        {select('Courier on the way out', 'courier', ['USPS', 'UPS', 'FedEx'], 'as it is')}
        {select(
          'Interpretation of the results',
          'interpretation',
          ['normal', 'abnormal', 'critical', 'unknown'],
          'as it is',
        )}
        <button type="submit" class="primary" disabled={status === ''}>
          Move
        </button>
      </form>
    </Dialog>
  )
}
