import { petriLine, petriUrl } from '../api.ts'
import { Button, Copy, CopyLine, Facts, Mono, Panel, Secret } from '../components.tsx'
import type { World } from '../responses.ts'
import { world } from '../store.ts'
import { openPlaced, placeForScenario } from './place-order.tsx'

/** Settings of a program that calls this world, as lines to copy. */
export const ConnectionFacts = ({ described: { api_key, webhook_secret } }: { described: World }) => (
  <>
    <Facts
      facts={[
        ['Address', <Mono>{petriUrl()}</Mono>],
        [
          'API key',
          <>
            <Mono>{api_key}</Mono> <Copy text={api_key} />
          </>,
        ],
        ['Webhook secret', <Secret value={webhook_secret} />],
      ]}
    />
    <h3>In your program</h3>
    <CopyLine text={`new VitalClient({ apiKey: '${api_key}', environment: '${petriUrl()}' })`} />
    <h3>With curl</h3>
    <CopyLine text={`curl -H 'x-vital-api-key: ${api_key}' ${petriUrl()}/v2/user`} />
    <h3>To receive webhooks</h3>
    <CopyLine text={petriLine(`listen --add${api_key === 'sk_us_petri' ? '' : ` --api-key ${api_key}`}`)} />
  </>
)

/** Shown while a world has no orders: how to connect a program, and a first order to watch. */
export function Connect() {
  const described = world.value
  if (!described) return null
  return (
    <Panel title="Connect your program" note="no order yet">
      <p>
        Point your client at this address with this key. Its orders, calls and webhooks appear here as they
        happen.
      </p>
      <ConnectionFacts described={described} />
      <div class="inline">
        <Button class="primary" onClick={placeSample}>
          Place a sample order
        </Button>
        <span class="dim">
          A test kit for a fictitious patient, which follows the scenario {described.scenario}.
        </span>
      </div>
    </Panel>
  )
}

const placeSample = async (): Promise<void> =>
  openPlaced(await placeForScenario(), 'Move the clock to see it proceed.')
