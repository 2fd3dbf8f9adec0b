import { asCurl, call } from '../api.ts'
import { closeDialog, Dialog, Opens } from '../dialog.tsx'
import { Form, optionsOf, SelectField, TextField, useForm } from '../forms.tsx'
import { attempt, now } from '../store.ts'
import { say } from '../toast.ts'
import { Copy } from '../ui.tsx'
import { countOf } from '../words.ts'

const SERIES = ['heartrate', 'glucose', 'steps', 'hrv', 'blood_oxygen', 'weight', 'body_temperature']
const MINUTE_MS = 60_000

/** Samples of a user from somebody's hand, the last of them now. */
export const AddSamples = ({ userId, providers }: { userId: string; providers: readonly string[] }) => (
  <>
    <Opens dialog="samples">Add samples</Opens>
    <Dialog name="samples" title="Add samples">
      <SampleForm userId={userId} providers={providers} />
    </Dialog>
  </>
)

function SampleForm({ userId, providers }: { userId: string; providers: readonly string[] }) {
  const form = useForm(`samples.${userId}`, {
    resource: SERIES[0] ?? '',
    provider: providers[0] ?? '',
    values: '',
    minutes: '5',
  })
  const { resource, provider, values, minutes } = form.values
  const numbers = values.split(/[\s,;]+/).filter(Boolean)
  const samples = numbers.map((value, at) => ({
    timestamp: new Date(
      Date.parse(now.value) - (numbers.length - 1 - at) * Number(minutes) * MINUTE_MS,
    ).toISOString(),
    value: Number(value),
  }))
  const path = `/_petri/users/${userId}/data`
  const input = { resource, provider, samples }
  const add = async () => {
    const added = await attempt('Adding the samples', () => call('POST', path, input))
    if (added === undefined) return
    form.clear()
    closeDialog()
    say({ title: `${countOf(samples.length, 'sample')} added`, lines: [`${resource} of ${provider}`] })
  }
  return (
    <Form onSubmit={add}>
      <SelectField
        label="What was measured"
        options={optionsOf(SERIES, (name) => name.replaceAll('_', ' '))}
        {...form.bind('resource')}
      />
      <SelectField
        label="By"
        options={optionsOf(providers, (name) => name.replaceAll('_', ' '))}
        {...form.bind('provider')}
      />
      <TextField
        label="Values, the last of them now"
        required
        placeholder="61 62 63"
        {...form.bind('values')}
      />
      <TextField label="Minutes between them" {...form.bind('minutes')} />
      <div class="row">
        <button type="submit" class="primary">
          Add
        </button>
        <Copy text={() => asCurl('POST', path, input)}>Copy as curl</Copy>
      </div>
    </Form>
  )
}
