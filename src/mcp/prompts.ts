import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js'
import { omit } from '../kernel/fields.ts'
import { didYouMean } from '../kernel/nearest.ts'

type Arguments = Readonly<Record<string, string>>

interface PromptDeclaration extends Prompt {
  readonly arguments: { name: string; description: string; required: boolean }[]
  /** The message with which the agent starts. */
  text(given: Arguments): string
}

/** Prompts for an agent, with the tools they need. */
const declarations: readonly PromptDeclaration[] = [
  {
    name: 'reproduce_incident',
    title: 'Reproduce an incident',
    description:
      'Replay what went wrong in production in the sandbox, and find out how the program handles it.',
    arguments: [
      { name: 'incident', description: 'What happened, in your words or as a log', required: true },
      { name: 'scenario', description: 'A scenario that resembles it', required: false },
    ],
    text: ({ incident, scenario }) => `Reproduce this incident in Petri:

${incident}

1. Freeze the clock with set_clock, so that each step can be repeated.
2. ${
      scenario
        ? `Start from the scenario "${scenario}": read it with get_scenario.`
        : 'Find the scenario that resembles it most with list_scenarios, and read it with get_scenario.'
    } If none fits, read petri://docs/scenarios.md, write one, check it with check_scenario and upload it with upload_scenario.
3. If the service itself failed, add the failure with add_faults.
4. Place an order with place_order and run it with advance_clock until the incident shows.
5. Compare what happened with the incident: explain_order, list_webhooks, and list_requests with ignored=true.
6. Report the steps that reproduce it, the cause, and a test that fails until the program is fixed.`,
  },
  {
    name: 'test_webhook_handler',
    title: 'Test my webhook handler',
    description: 'Send every kind of delivery to a webhook handler, and check how it responds.',
    arguments: [
      { name: 'url', description: 'Where the handler receives webhooks', required: true },
      {
        name: 'event_types',
        description: 'The event types it handles, with commas; all by default',
        required: false,
      },
    ],
    text: ({ url, event_types }) => `Test the webhook handler at ${url} with Petri.

1. Add it with add_webhook_endpoint${event_types ? ` for the event types ${event_types}` : ''}. Its response contains the secret that signs the webhooks.
2. Place an order with place_order and run it with advance_clock until "idle". Every message should be delivered: look at list_webhooks, and at each failure with get_webhook.
3. Send one message again with resend_webhooks and its message_id. The handler should respond with 2xx and handle the event once, because the svix-id is the same.
4. Let Petri duplicate and reorder messages: read "Webhook faults" in petri://docs/webhooks.md. The handler should end in the same state.
5. Let Petri sign badly and with stale timestamps. The handler should refuse both with 401 or 400.
6. Report what the handler does wrong, with the message ids, and a test for each.`,
  },
  {
    name: 'explain_stuck_order',
    title: 'Explain why an order is stuck',
    description: 'Find out why an order does not reach its next status, and what makes it continue.',
    arguments: [{ name: 'order_id', description: 'The order; the newest by default', required: false }],
    text: ({
      order_id,
    }) => `Explain why ${order_id ? `the order ${order_id}` : 'the newest order of list_orders'} in Petri does not continue.

1. Call explain_order: its status, its legal moves, the next step of its scenario, when that is due, and what it waits for.
2. Compare the due time with the clock of get_world. A frozen clock moves only with advance_clock.
3. If it waits for an action of the customer, such as a registration or an appointment, name the call that the program has to make. Look for that call in list_requests.
4. If its webhooks failed, look at list_webhooks with its order_id, and at the attempts with get_webhook.
5. Say in a few sentences why it is stuck and what makes it continue. Change nothing unless you are asked to.`,
  },
]

export const prompts: Prompt[] = declarations.map((prompt) => omit(prompt, 'text'))

/** Throws an error for an unknown prompt and for missing or unknown arguments. */
export function getPrompt(name: string, given: Arguments = {}): GetPromptResult {
  const prompt = declarations.find((known) => known.name === name)
  if (!prompt)
    throw new Error(
      `There is no prompt ${name}.${didYouMean(
        name,
        declarations.map((known) => known.name),
      )}`,
    )
  const known = prompt.arguments.map((argument) => argument.name)
  for (const each of Object.keys(given))
    if (!known.includes(each)) throw new Error(`${name} takes no argument ${each}.${didYouMean(each, known)}`)
  const missing = prompt.arguments.find((argument) => argument.required && !given[argument.name])
  if (missing) throw new Error(`${name} needs the argument ${missing.name}: ${missing.description}.`)
  const content = { type: 'text' as const, text: prompt.text(given) }
  return { description: prompt.description, messages: [{ role: 'user', content }] }
}
