import { readableInstant } from '../../kernel/readable.ts'
import { call, get, withQuery } from '../api.ts'
import { Button, Panel } from '../components.tsx'
import { inWords, relativeTo } from '../format.ts'
import type { Appointment, Availability, CancellationReason, OrderLife } from '../responses.ts'
import { attempt, now, perform, useData } from '../store.ts'

/** The name of a method in the paths of appointments. */
const kinds: Readonly<Record<string, string>> = { walk_in_test: 'psc', at_home_phlebotomy: 'phlebotomy' }

const open: readonly Appointment['status'][] = ['pending', 'reserved', 'confirmed']

const kindOf = ({ order }: OrderLife): string | undefined => kinds[order.details.type]
const pathOf = (life: OrderLife) => `/v3/order/${life.order.id}/${kindOf(life)}/appointment`

/** The appointment to take the sample, once there is one. */
export function AppointmentPanel({ life }: { life: OrderLife }) {
  const isBooked = life.order.events.some(({ status }) => status.includes('appointment'))
  const isShown = isBooked && kindOf(life) !== undefined
  const { body } = useData<Appointment>(isShown ? pathOf(life) : undefined)
  if (!isShown) return null
  const { status = 'none', start_at = null, external_id, can_reschedule } = body ?? {}
  const canBook = life.legal.some((each) => /appointment_(scheduled|pending)$/.test(each))
  const isOpen = open.some((each) => each === status)
  return (
    <Panel title="Appointment" note={external_id}>
      <div class="row">
        <span class="grow">
          {inWords(status)}
          {start_at && `, ${readableInstant(start_at)}, ${relativeTo(start_at, now.value)}`}
        </span>
        {isOpen && can_reschedule && (
          <Button class="small" onClick={() => reschedule(life, start_at)}>
            Move to the next slot
          </Button>
        )}
        {isOpen && (
          <Button class="small danger" onClick={() => cancel(life)}>
            Cancel it
          </Button>
        )}
        {!isOpen && canBook && (
          <Button class="small" onClick={() => book(life)}>
            Book another
          </Button>
        )}
      </div>
    </Panel>
  )
}

const cancel = (life: OrderLife) =>
  attempt('Cancelling the appointment', async () => {
    const [reason] = await get<CancellationReason[]>(
      `/v3/order/${kindOf(life)}/appointment/cancellation-reasons`,
    )
    const body = { cancellation_reason_id: reason?.id, notes: 'Cancelled on the page' }
    return call('PATCH', `${pathOf(life)}/cancel`, body)
  })

const book = ({ order }: OrderLife): Promise<unknown> =>
  perform('Booking the appointment', 'POST', `/_petri/orders/${order.id}/book`)

/** Moves the appointment to the next available slot at another time. */
const reschedule = (life: OrderLife, startAt: string | null) =>
  attempt('Rescheduling the appointment', async () => {
    const current = Date.parse(startAt ?? '')
    const slots = await availableSlots(life)
    const slot =
      slots.find(({ start }) => Date.parse(start) > current) ??
      slots.find(({ start }) => Date.parse(start) !== current)
    if (!slot) throw new Error('The service offers no other slot near the patient.')
    return call('PATCH', `${pathOf(life)}/reschedule`, { booking_key: slot.booking_key })
  })

/** The slots near the patient, earliest first. */
async function availableSlots(life: OrderLife) {
  const { patient_address: address, lab_test } = life.order
  const kind = kindOf(life)
  const path = `/v3/order/${kind}/appointment/availability`
  const { slots } = await (kind === 'psc'
    ? call<Availability>('POST', withQuery(path, { lab: lab_test.lab?.slug, zip_code: address?.zip }))
    : call<Availability>('POST', path, {
        first_line: address?.first_line,
        second_line: address?.second_line,
        city: address?.city,
        state: address?.state,
        zip_code: address?.zip,
      }))
  return slots.flatMap((day) => day.slots).sort((a, b) => Date.parse(a.start) - Date.parse(b.start))
}
