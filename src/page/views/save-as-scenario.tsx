import { signal } from '@preact/signals'
import { call, petriLine, send } from '../api.ts'
import { Button, CopyLine, saveAs } from '../components.tsx'
import { Dialog, openDialog } from '../forms.tsx'
import { go } from '../navigation.ts'
import { attempt, say } from '../store.ts'

/** The scenario that was saved last. */
const saved = signal('')

const nameFor = (orderId: string) => `order-${orderId.slice(0, 8)}`

/** Saves the history of an order as a scenario file, and says what to run next. */
export async function saveAsScenario(orderId: string): Promise<void> {
  const response = await send('GET', `/_petri/orders/${orderId}/scenario.yaml`)
  const text = await response.text()
  if (!response.ok) return say({ title: 'There is no scenario yet', lines: [text], isError: true })
  saved.value = text
  saveAs(`${nameFor(orderId)}.yaml`, text)
  openDialog('saved-scenario')
}

export function SavedScenario({ orderId }: { orderId: string }) {
  const name = nameFor(orderId)
  const keep = () =>
    attempt('Keeping the scenario', async () => {
      await call('PUT', `/_petri/scenarios/${name}`, { source: saved.value })
      go(`/scenarios/${name}`)
    })
  return (
    <Dialog name="saved-scenario" title={`${name}.yaml is downloaded`}>
      <p>It repeats the history of this order. See what it does:</p>
      <CopyLine text={petriLine(`scenario try ${name}.yaml`).replace(/ --url .*/, '')} />
      <p>Upload it into this world, and place an order that follows it:</p>
      <CopyLine text={petriLine(`scenario upload ${name}.yaml`)} />
      <CopyLine text={petriLine(`order place --scenario ${name}`)} />
      <p>
        For your tests, put the file into the folder that PETRI_SCENARIOS names, and send its name in the
        header x-petri-scenario.
      </p>
      {saved.value && (
        <div class="row">
          <Button class="primary" onClick={keep}>
            Keep it in this world
          </Button>
        </div>
      )}
    </Dialog>
  )
}
