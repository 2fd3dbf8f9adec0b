import { call, withQuery } from '../api.ts'
import { useData } from '../data.ts'
import type { OrderLife } from '../responses.ts'
import { attempt, now } from '../store.ts'
import { Panel } from '../ui.tsx'
import { inWords, relativeTo, stampOf } from '../words.ts'

interface Appointment {
  readonly status: string
  readonly start_at: string | null
  readonly external_id: string | null
  readonly can_reschedule: boolean
}

interface Slot {
  readonly booking_key: string
  readonly start: string
}

interface Offers {
  readonly slots: readonly { readonly slots: readonly Slot[] }[]
}

/** What the service calls the appointment of a method in its paths. */
const kindOf = ({ order }: OrderLife): string | undefined =>
  ({
    walk_in_test: 'psc',
    at_home_phlebotomy: 'phlebotomy',
    testkit: undefined,
    on_site_collection: undefined,
  })[order.details.type]

/** The appointment at which the sample is taken, once there is one. */
export function AppointmentOf({ life }: { life: OrderLife }) {
  const { id, events } = life.order
  const kind = events.some(({ status }) => status.includes('appointment')) ? kindOf(life) : undefined
  const path = `/v3/order/${id}/${kind}/appointment`
  const { body } = useData<Appointment>(kind && path)
  if (!kind) return null
  const { status, start_at, external_id, can_reschedule } = body ?? {
    ...{ status: 'none', start_at: null, external_id: null, can_reschedule: false },
  }
  const canBook = life.legal.some((each) => /appointment_(scheduled|pending)$/.test(each))
  const isOpen = ['pending', 'reserved', 'confirmed', 'scheduled'].includes(status)
  return (
    <Panel title="Appointment" aside={<span class="dim">{external_id}</span>}>
      <div class="row">
        <span class="grow">
          {inWords(status)}
          {start_at && `, ${stampOf(start_at)}, ${relativeTo(start_at, now.value)}`}
        </span>
        {isOpen && can_reschedule && (
          <button type="button" class="small" onClick={() => void reschedule(life, path, start_at)}>
            Move to the next slot
          </button>
        )}
        {isOpen && (
          <button type="button" class="small danger" onClick={() => void cancel(path, kind)}>
            Cancel it
          </button>
        )}
        {!isOpen && canBook && (
          <button type="button" class="small" onClick={() => void book(life)}>
            Book another
          </button>
        )}
      </div>
    </Panel>
  )
}

const cancel = (path: string, kind: string) =>
  attempt('Cancelling the appointment', async () => {
    const reasons = await call<{ id: string }[]>('GET', `/v3/order/${kind}/appointment/cancellation-reasons`)
    const reason = { cancellation_reason_id: reasons[0]?.id, notes: 'Cancelled on the page' }
    return call('PATCH', `${path}/cancel`, reason)
  })

/** Books the first slot that the service offers near the patient. */
export const book = (life: OrderLife) =>
  attempt('Booking the appointment', async () => {
    const [slot] = await offeredSlots(life)
    if (!slot) throw new Error('The service offers no slot near the patient.')
    const { id } = life.order
    return call('POST', `/v3/order/${id}/${kindOf(life)}/appointment/book`, { booking_key: slot.booking_key })
  })

/** Moves the appointment to the next slot that the service offers at another time. */
const reschedule = (life: OrderLife, path: string, startAt: string | null) =>
  attempt('Rescheduling the appointment', async () => {
    const slots = await offeredSlots(life)
    const later = slots.find(({ start }) => Date.parse(start) > Date.parse(startAt ?? ''))
    const slot = later ?? slots.find(({ start }) => Date.parse(start) !== Date.parse(startAt ?? ''))
    if (!slot) throw new Error('The service offers no other slot near the patient.')
    return call('PATCH', `${path}/reschedule`, { booking_key: slot.booking_key })
  })

/** The slots near the patient, the earliest first. */
async function offeredSlots(life: OrderLife): Promise<Slot[]> {
  const { patient_address, lab_test } = life.order
  if (!patient_address) return []
  const kind = kindOf(life)
  const { first_line, second_line, city, state, zip: zip_code } = patient_address
  const available = `/v3/order/${kind}/appointment/availability`
  const { slots } = await (kind === 'psc'
    ? call<Offers>('POST', withQuery(available, { lab: lab_test.lab?.slug, zip_code }))
    : call<Offers>('POST', available, { first_line, second_line, city, state, zip_code }))
  return slots.flatMap((day) => day.slots).sort((a, b) => Date.parse(a.start) - Date.parse(b.start))
}
