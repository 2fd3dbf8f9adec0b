import { useSignal } from '@preact/signals'
import { call } from '../api.ts'
import { useData } from '../data.ts'
import { Check, Choice, optionsOf, Select } from '../forms.tsx'
import type { World } from '../responses.ts'
import { attempt, readWorlds, world } from '../store.ts'
import { applyTheme, readTheme, type Theme } from '../theme.ts'
import { CopyLine, Panel, Secret, Title } from '../ui.tsx'

interface Health {
  readonly version: string
  readonly contract_version: string
}

/** Features of the world, its keys, and lines to paste. */
export function SettingsView() {
  const { body: described } = useData<World>('/_petri/world')
  const { body: health } = useData<Health>('/_petri/health', false)
  const theme = useSignal<Theme>(readTheme())
  if (!described) return null
  const { api_key, webhook_secret, seed, features } = described
  return (
    <>
      <Title
        title="Settings"
        note={health && `Petri ${health.version}, contract ${health.contract_version}`}
        shows="/_petri/world"
      />
      <div class="cols">
        <Features features={features} />
        <div>
          <Panel title="This world">
            <dl class="facts">
              <div>
                <dt>API key</dt>
                <dd>
                  <Secret value={api_key} />
                </dd>
              </div>
              <div>
                <dt>Webhook secret</dt>
                <dd>
                  <Secret value={webhook_secret} />
                </dd>
              </div>
              <div>
                <dt>Seed</dt>
                <dd class="mono">{seed}</dd>
              </div>
              <div>
                <dt>Team</dt>
                <dd class="mono">{described.team_id}</dd>
              </div>
            </dl>
          </Panel>
          <Panel title="Lines to paste">
            <CopyLine text={`curl -H "x-service-api-key: $PETRI_API_KEY" ${location.origin}/v2/user`} />
            <CopyLine text={`new VitalClient({ apiKey, environment: '${location.origin}' })`} />
            <CopyLine text={`PETRI_WEBHOOK_URL=http://127.0.0.1:3000/webhooks petri start`} />
          </Panel>
          <Panel title="Appearance">
            <Choice
              label="Theme"
              options={[
                ['system', 'As the system'],
                ['light', 'Light'],
                ['dark', 'Dark'],
              ]}
              chosen={theme.value}
              onChoose={(value) => {
                theme.value = value as Theme
                applyTheme(theme.value)
              }}
            />
          </Panel>
        </div>
      </div>
    </>
  )
}

/** What each feature can be; a list for those that are no switch. */
const choices: Readonly<Record<string, readonly string[]>> = {
  parity: ['sandbox', 'production'],
  physician_rule: ['enforced', 'grace'],
  idempotency_mismatch: ['conflict', 'replay'],
}

const titleOf = (name: string) =>
  name.replaceAll('_', ' ').replace(/\b(abn|psc)\b/, (word) => word.toUpperCase())

function Features({ features }: { features: World['features'] }) {
  const set = (name: string, value: unknown) =>
    attempt('Changing the feature', async () => {
      await call('PATCH', '/_petri/world', { features: { [name]: value } })
      if (world.value) await readWorlds()
    })
  return (
    <Panel title="Features" aside={<span class="dim">what the service does for this team</span>}>
      <ul class="switches">
        {Object.entries(features).map(([name, value]) => (
          <li key={name}>
            {typeof value === 'boolean' ? (
              <Check checked={value} onChange={(checked) => void set(name, checked)}>
                {titleOf(name)}
              </Check>
            ) : (
              <span class="inline">
                {titleOf(name)}{' '}
                <Select
                  label={titleOf(name)}
                  value={String(value)}
                  options={optionsOf([...new Set([...(choices[name] ?? []), String(value)])])}
                  onChange={(chosen) => void set(name, chosen)}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
