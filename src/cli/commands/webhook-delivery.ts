import { UsageProblem } from '../config.ts'
import { wholeIdOf } from '../ids.ts'
import { columns, paint } from '../output.ts'
import { remote, textOf } from '../remote.ts'

interface DeliveryView {
  readonly endpoint_id: string | null
  readonly endpoints: readonly Omit<DeliveryView, 'endpoints'>[]
  readonly [rule: string]: unknown
}

const path = '/_petri/webhooks/delivery'

/** The delivery faults: shown without options, set with options, removed with `--off`. */
export const deliveryCommand = remote({
  usage: 'delivery',
  summary: 'show or set the delivery faults; rules that are left out are off',
  options: [
    ['--duplicate <count>', 'deliver each message so many extra times, with the same svix-id'],
    ['--reorder [window]', 'hold messages in windows (2 unless said), and send each last to first'],
    ['--delay <duration>', 'let a message wait before its first attempt'],
    ['--drop-first <count>', 'lose the first attempts of each message on the way'],
    ['--bad-signature', 'sign another body; a receiver should refuse it'],
    ['--stale-timestamp', 'sign with a timestamp ten minutes old; a receiver should refuse it'],
    ['--burst <count>', 'hold messages until so many are there, then send all'],
    ['--endpoint <endpoint>', 'only to this endpoint'],
    ['--off', 'let deliveries be as they should'],
  ],
  examples: [
    'petri webhook delivery --duplicate 1 --reorder',
    'petri webhook delivery --bad-signature --endpoint ep_…',
    'petri webhook delivery --off',
  ],
  async run(
    petri,
    _,
    { endpoint, off, duplicate, reorder, delay, dropFirst, badSignature, staleTimestamp, burst },
  ) {
    const endpoint_id = await wholeIdOf(petri, 'endpoint', textOf(endpoint))
    const input = {
      duplicate,
      reorder,
      delay,
      drop_first: dropFirst,
      bad_signature: badSignature,
      stale_timestamp: staleTimestamp,
      burst,
    }
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    const isSetting = Object.keys(given).length > 0
    if (off === true && isSetting) throw new UsageProblem('With --off, only --endpoint can be given.')
    if (isSetting) return petri.put<DeliveryView>(path, { ...given, reorder: windowOf(reorder), endpoint_id })
    if (off === true) await petri.delete(path, { endpoint_id })
    return petri.get<DeliveryView>(path, { endpoint_id })
  },
  print: (view) => [view, ...view.endpoints].map(describe).join('\n'),
})

/** The window size of an option value. */
const windowOf = (reorder: unknown) =>
  typeof reorder === 'string' && /^\d+$/.test(reorder) ? Number(reorder) : reorder

function describe({ endpoint_id, endpoints: _, ...rules }: Partial<DeliveryView>): string {
  const on = Object.entries(rules).filter(([, value]) => value !== null && value !== false && value !== 0)
  const where = endpoint_id ? `to ${endpoint_id}` : 'to all endpoints'
  if (on.length === 0) return `${where}: as they should`
  return `${where}:\n${columns(on.map(([rule, value]) => [`  ${paint(rule, 'yellow')}`, String(value)]))}`
}
