import { advance } from '../advance.ts'
import { petriLine } from '../api.ts'
import { Button, Copy, Panel } from '../components.tsx'
import type { OrderLife } from '../responses.ts'
import { perform } from '../store.ts'

type Explained = OrderLife['explanation']
type NextAction = Explained['actions'][number]

/** The next step of an order, in one sentence with one main button, and why the order is where it is. */
export function Explanation({ explanation: { sentence, lines, actions } }: { explanation: Explained }) {
  const [main, ...others] = actions
  return (
    <Panel title="Explanation" aside={main && <Copy text={commandHere(main.command)}>Copy as command</Copy>}>
      <div class="explanation">
        <p>{sentence}</p>
        {main && (
          <div class="row">
            <Button class="primary" onClick={() => act(main)}>
              {main.label}
            </Button>
            {others.map((other) => (
              <Button key={other.label} onClick={() => act(other)}>
                {other.label}
              </Button>
            ))}
          </div>
        )}
      </div>
      <details>
        <summary>Why it is here</summary>
        {lines.map((line) => (
          <Line key={line} text={line} />
        ))}
      </details>
    </Panel>
  )
}

/** A line of text whose commands stand between backticks. */
const Line = ({ text }: { text: string }) => (
  <p>
    {text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{commandHere(part)}</code> : part))}
  </p>
)

/** A command of Petri, addressed to the Petri that shows this page. */
function commandHere(command: string): string {
  const [, own] = /^npx petri-sandbox (.*)$/.exec(command) ?? []
  return own === undefined ? command : petriLine(own)
}

/** Does what an action says. */
export const act = ({ kind, label, method, path, body }: NextAction): Promise<unknown> =>
  kind === 'advance' ? advance(body ?? {}) : perform(label, method, path, body ?? undefined)
