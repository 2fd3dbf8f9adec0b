import { useSignal } from '@preact/signals'
import { call } from '../api.ts'
import { Choice, CopyLine, Facts, Mono, optionsOf, Panel, Secret, Title } from '../components.tsx'
import { Check, Select } from '../forms.tsx'
import type { Health, World } from '../responses.ts'
import { attempt, readWorlds, useData } from '../store.ts'

const THEMES = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

const readTheme = (): string => localStorage.getItem('petri.theme') ?? 'system'

export function applyTheme(theme: string = readTheme()): void {
  localStorage.setItem('petri.theme', theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Features of the world, its keys, and lines to paste. */
export function SettingsView() {
  const { body: described } = useData<World>('/_petri/world')
  const { body: health } = useData<Health>('/_petri/health', false)
  const theme = useSignal(readTheme())
  if (!described) return null
  return (
    <>
      <Title
        title="Settings"
        note={health && `Petri ${health.version}, contract ${health.contract_version}`}
        shows="/_petri/world"
      />
      <div class="cols">
        <Features features={described.features} />
        <div>
          <Panel title="This world">
            <Facts
              facts={[
                ['API key', <Secret value={described.api_key} />],
                ['Webhook secret', <Secret value={described.webhook_secret} />],
                ['Seed', <Mono>{described.seed}</Mono>],
                ['Team', <Mono>{described.team_id}</Mono>],
              ]}
            />
          </Panel>
          <Panel title="Lines to paste">
            <CopyLine text={`curl -H "x-service-api-key: $PETRI_API_KEY" ${location.origin}/v2/user`} />
            <CopyLine text={`new VitalClient({ apiKey, environment: '${location.origin}' })`} />
            <CopyLine text="PETRI_WEBHOOK_URL=http://127.0.0.1:3000/webhooks npx petri-sandbox start" />
          </Panel>
          <Panel title="Appearance">
            <Choice
              label="Theme"
              options={THEMES}
              value={theme.value}
              onChange={(chosen) => {
                theme.value = chosen
                applyTheme(chosen)
              }}
            />
          </Panel>
        </div>
      </div>
    </>
  )
}

/** The values of features that are not boolean. */
const featureValues: Readonly<Record<string, readonly string[]>> = {
  parity: ['sandbox', 'production'],
  physician_rule: ['enforced', 'grace'],
  idempotency_mismatch: ['conflict', 'replay'],
}

const titleOf = (name: string) =>
  name.replaceAll('_', ' ').replace(/\b(abn|psc)\b/, (word) => word.toUpperCase())

function Features({ features }: Pick<World, 'features'>) {
  const set = (name: string, value: unknown) =>
    attempt('Changing the feature', async () => {
      await call('PATCH', '/_petri/world', { features: { [name]: value } })
      await readWorlds()
    })
  return (
    <Panel title="Features" note="what the service does for this team">
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
                  value={value}
                  options={optionsOf([...new Set([...(featureValues[name] ?? []), value])])}
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
