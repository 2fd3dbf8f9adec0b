import { call } from '../api.ts'
import { useData } from '../data.ts'
import { deliveryRules, isSet } from '../delivery-rules.ts'
import { Check } from '../forms.tsx'
import { attempt } from '../store.ts'
import { Panel } from '../ui.tsx'

export function DeliveryRules() {
  const { body } = useData<Record<string, unknown>>('/_petri/webhooks/delivery')
  const now = body ?? {}
  const set = (name: string, value: unknown) => {
    const kept = Object.fromEntries(
      deliveryRules.flatMap(([each]) => (isSet(now[each]) ? [[each, now[each]]] : [])),
    )
    return attempt('Changing the deliveries', () =>
      call('PUT', '/_petri/webhooks/delivery', { ...kept, [name]: value }),
    )
  }
  return (
    <Panel title="Deliveries that misbehave" aside={<span class="dim">in this world</span>}>
      <ul class="switches">
        {deliveryRules.map(([name, value, title, does, isLegal]) => (
          <li key={name}>
            <Check
              checked={isSet(now[name])}
              onChange={(checked) => void set(name, checked ? value : undefined)}
            >
              <span>
                <b>{title}</b> <small class="dim">{does}</small>
                {!isLegal && <small class="warn">; the live service never does this</small>}
              </span>
            </Check>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
