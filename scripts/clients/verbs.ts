import { bare, type ClientModel, type FieldModel, type OperationModel, type TypeModel } from './model.ts'

/** A method of the kits in all languages: a call of the control API as a test writes it. */
export interface Verb {
  /** Where it is, such as `orders`; empty for those of the world itself. */
  readonly group: string
  readonly name: string
  readonly summary: string
  /** The operation it calls, or a call of the service. */
  readonly operation: string
  /** Fields of the body or query that are arguments, before all others. */
  readonly takes?: readonly string[]
  /** Whether it takes the other fields, too. */
  readonly options?: true
  /** Its body or response has fields of any name. */
  readonly raw?: true
  /** Fields of the body that are always the same. */
  readonly sends?: Readonly<Record<string, string | boolean>>
  /** The field of the body that has all arguments but those of a wait. */
  readonly wraps?: 'message' | 'request'
  /** The field of the response that it returns; all rows of all pages if that is a list with pages. */
  readonly returns?: string
  /** The response is of no interest. */
  readonly returnsNothing?: true
  /** Then it gets the order of its first argument. */
  readonly returnsOrder?: true
  /** Go and Java have a form with their own type of times or durations. */
  readonly time?: 'duration' | 'instant'
}

const verb = (path: string, summary: string, operation: string, more: Partial<Verb> = {}): Verb => {
  const [group = '', name = ''] = path.includes('.') ? path.split(/\.(?=[^.]*$)/) : ['', path]
  return { group, name, summary, operation, ...more }
}

/** The calls of the service that kits make, with their types in the control API. */
const serviceCalls: readonly OperationModel[] = [
  serviceCall('get_user', '/v2/user/{user_id}', 'User'),
  serviceCall('get_order', '/v3/order/{order_id}', 'Order'),
]

function serviceCall(name: string, path: string, returns: string): OperationModel {
  const pathFields = [...path.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field)
  const summary = `Get what the service returns`
  return {
    name,
    summary,
    method: 'GET',
    path,
    pathFields,
    query: [],
    returns: { kind: 'named', name: returns },
  }
}

/** What each group of methods is, for its documentation. */
export const groups: Readonly<Record<string, string>> = {
  clock: 'The time of a world',
  users: 'The users of a world',
  labTests: 'The lab tests of a world',
  orders: 'The orders of a world',
  scenarios: 'Scenarios of orders and of feeds, and personas',
  webhooks: 'The webhooks of a world',
  'webhooks.endpoints': 'The endpoints that webhooks are delivered to',
  'webhooks.faults': 'Webhooks that come twice, late, out of order or with a wrong signature',
  requests: 'The calls of the program under test',
  faults: 'Calls that fail',
  snapshots: 'States of a world with a name',
  state: 'The whole state of a world',
}

export const verbs: readonly Verb[] = [
  verb('clock.get', 'Returns where the clock stands, and what is due', 'clock_get'),
  verb(
    'clock.advance',
    'Moves the clock, for example by "3d". All that is due on the way happens',
    'clock_advance',
    {
      takes: ['by'],
      time: 'duration',
    },
  ),
  verb('clock.advanceTo', 'Moves the clock to an instant', 'clock_advance', {
    takes: ['to'],
    time: 'instant',
  }),
  verb(
    'clock.advanceUntil',
    'Moves the clock until "idle", when nothing is left to do, or until the "next" job is done',
    'clock_advance',
    { takes: ['until'] },
  ),
  verb('clock.now', 'Returns the instant of the clock', 'clock_get', { returns: 'now', time: 'instant' }),
  verb('clock.settle', 'Lets happen what is due now', 'clock_advance', { sends: { by: '0s' } }),
  verb('clock.freeze', 'Stops the clock', 'clock_patch', { sends: { frozen: true } }),
  verb('clock.run', 'Lets the clock run', 'clock_patch', { sends: { frozen: false } }),
  verb('clock.setPace', 'Sets how fast scenarios run in a live world', 'clock_patch', { takes: ['pace'] }),
  verb('users.create', 'Creates a user; fields that are left out are generated', 'users_create', {
    takes: ['client_user_id'],
    options: true,
  }),
  verb('users.get', 'Returns a user, as the service does', 'get_user'),
  verb('users.setScenario', "Sets the scenario of the user's orders", 'users_scenario_put', {
    takes: ['scenario'],
  }),
  verb(
    'users.setFeed',
    'Assigns a feed scenario to the connection of a user to a provider',
    'connections_feed_put',
    {
      takes: ['scenario'],
    },
  ),
  verb('users.addData', 'Adds samples or a summary of a wearable, with their events', 'user_data_put', {
    options: true,
  }),
  verb('labTests.create', 'Creates a lab test from markers', 'lab_tests_create', { options: true }),
  verb('orders.place', 'Places an order; what is left out is generated', 'orders_place', { options: true }),
  verb('orders.get', 'Returns an order, as the service does', 'get_order'),
  verb('orders.list', 'Returns orders by status, method or text', 'orders_list', { options: true }),
  verb('orders.life', 'Returns all that is known of an order, and how it continues', 'orders_get'),
  verb('orders.move', 'Moves an order to a status, such as "lost"', 'orders_move', {
    takes: ['status'],
    options: true,
  }),
  verb('orders.setResults', 'Sets exact results', 'orders_results_put', { options: true }),
  verb('orders.scenario', 'Returns the scenario of an order, and what is left of it', 'orders_scenario_get'),
  verb('orders.setScenario', 'Puts an order into a scenario', 'orders_scenario_put', {
    takes: ['scenario'],
    options: true,
  }),
  verb(
    'orders.reach',
    'Advances the clock until an order has reached a status; refused if nothing that is pending reaches it',
    'clock_advance',
    { takes: ['order_id', 'status'], returnsOrder: true },
  ),
  verb(
    'orders.wait',
    'Waits until an order has a status; refused at once in a frozen world unless there is a timeout',
    'wait',
    { takes: ['order_id', 'status'], options: true, returns: 'order' },
  ),
  verb('scenarios.list', 'Returns those of a kind, or all', 'scenarios_list', {
    takes: ['kind'],
    returns: 'data',
  }),
  verb('scenarios.get', 'Returns one with its source', 'scenarios_get'),
  verb('scenarios.add', 'Adds one to this world, as YAML', 'scenarios_put', { takes: ['source'] }),
  verb('scenarios.remove', 'Removes one of this world', 'scenarios_delete'),
  verb('webhooks.deliverTo', 'Delivers webhooks to a URL', 'webhook_endpoints_create', {
    takes: ['url'],
    options: true,
  }),
  verb('webhooks.messages', 'Returns all messages with their attempts', 'webhook_messages_list', {
    options: true,
    returns: 'data',
  }),
  verb('webhooks.message', 'Returns a message with its attempts', 'webhook_messages_get'),
  verb('webhooks.wait', 'Waits until messages were delivered', 'wait', {
    options: true,
    wraps: 'message',
    returns: 'messages',
  }),
  verb(
    'webhooks.resend',
    'Sends again now what was given up or waits for its next attempt, or one message. Returns how many',
    'webhook_resend',
    { options: true, returns: 'resent' },
  ),
  verb('webhooks.endpoints.list', 'Returns all', 'webhook_endpoints_list', { returns: 'data' }),
  verb('webhooks.endpoints.change', 'Changes one', 'webhook_endpoints_patch', { options: true }),
  verb('webhooks.endpoints.remove', 'Removes one', 'webhook_endpoints_delete'),
  verb(
    'webhooks.endpoints.rotateSecret',
    'Gives one a new secret; the old one also signs for a day',
    'webhook_endpoints_rotate_secret',
    { options: true },
  ),
  verb('webhooks.faults.get', 'Returns those of the world and of its endpoints', 'webhook_faults_get'),
  verb('webhooks.faults.set', 'Replaces all of the world, or of one endpoint', 'webhook_faults_put', {
    options: true,
  }),
  verb('webhooks.faults.clear', 'Removes all', 'webhook_faults_delete'),
  verb('requests.list', 'Returns all calls', 'requests_list', { options: true, returns: 'data' }),
  verb('requests.get', 'Returns a call with what it caused', 'requests_get'),
  verb('requests.wait', 'Waits for calls', 'wait', { options: true, wraps: 'request', returns: 'requests' }),
  verb('requests.clear', 'Forgets them', 'requests_delete'),
  verb('faults.list', 'Returns all', 'faults_get', { returns: 'faults' }),
  verb('faults.set', 'Replaces all', 'faults_put', { takes: ['faults'], returns: 'faults' }),
  verb('faults.clear', 'Removes all', 'faults_delete'),
  verb('snapshots.list', 'Returns all', 'snapshots_list', { returns: 'data' }),
  verb('snapshots.save', 'Saves the state of the world', 'snapshots_put', { returnsNothing: true }),
  verb('snapshots.restore', 'Makes the world as it was', 'snapshots_restore', { returnsNothing: true }),
  verb('snapshots.remove', 'Deletes one', 'snapshots_delete'),
  verb('state.export', 'Returns the state', 'state_get', { raw: true }),
  verb('state.import', 'Replaces the state of the world', 'state_put', { raw: true, returnsNothing: true }),
  verb('trigger', 'Sends an event of the catalogue about an object of the world', 'trigger', {
    options: true,
  }),
  verb('coverage', 'Returns what the clients of this world have met', 'coverage'),
  verb(
    'agenda',
    'Returns the pending jobs, the earliest first; those of one order, message or user if named',
    'agenda',
    {
      options: true,
    },
  ),
  verb('lifecycle', 'Returns the statuses of an order by workflow, and where each leads', 'lifecycle'),
  verb('describe', 'Returns the settings and counts of the world', 'world_get'),
  verb('set', 'Changes the scenario and features', 'world_patch', { options: true }),
  verb('reset', 'Makes the world as it was at first, or with another seed', 'reset', {
    options: true,
    returnsNothing: true,
  }),
]

type Kit = 'TypeScript' | 'Python' | 'Go' | 'Java'

/** What kits have in addition, each in the form of its language. */
export const extras: readonly { readonly name: string; readonly kits: readonly Kit[] }[] = [
  { name: 'call', kits: ['TypeScript', 'Python', 'Go', 'Java'] },
  { name: 'fetch', kits: ['TypeScript', 'Python', 'Go', 'Java'] },
  { name: 'close', kits: ['TypeScript', 'Python', 'Go', 'Java'] },
  { name: 'world', kits: ['TypeScript', 'Python', 'Go', 'Java'] },
  { name: 'journal', kits: ['TypeScript', 'Python', 'Go', 'Java'] },
  { name: 'receiver', kits: ['Python', 'Go', 'Java'] },
  { name: 'assertAgrees', kits: ['TypeScript', 'Python', 'Go', 'Java'] },
  { name: 'intercept', kits: ['TypeScript', 'Python', 'Go'] },
  { name: 'fixtures.patient', kits: ['TypeScript', 'Python'] },
  { name: 'fixtures.address', kits: ['TypeScript', 'Python'] },
  { name: 'client', kits: ['TypeScript'] },
  { name: 'explore', kits: ['TypeScript'] },
  { name: 'replay', kits: ['TypeScript'] },
]

/** Verbs that are options of `clock.advance` where a language has optional arguments. */
const options = ['clock.advanceTo', 'clock.advanceUntil']

const kits: readonly Kit[] = ['TypeScript', 'Python', 'Go', 'Java']

/** Each verb, and for each kit `yes`, `option` or nothing. */
export const verbsOfKits = () => {
  const all = verbs.map(({ group, name }) => ({ name: group ? `${group}.${name}` : name, kits }))
  return [...all, ...extras].map(({ name, kits: having }) => ({
    name,
    cells: kits.map((kit) => {
      if (options.includes(name) && (kit === 'TypeScript' || kit === 'Python')) return 'option'
      return having.includes(kit) ? 'yes' : ''
    }),
  }))
}

/** Which verb each kit has. */
export function tableOfVerbs(): string {
  const rows = verbsOfKits().map(({ name, cells }) => `| \`${name}\` | ${cells.join(' | ')} |`)
  return `${[
    '# Verbs of the kits',
    '',
    'Which method each kit has, in the spelling of TypeScript; `option` is one of `clock.advance`. The [scripts](conformance/README.md)',
    'play the verbs that all have, and tests of TypeScript, Python and Go compare this table with their kits.',
    '`npm run generate` writes this page.',
    '',
    `| Verb | ${kits.join(' | ')} |`,
    '|---|---|---|---|---|',
    ...rows,
    '',
    'In Go `intercept` is the transport `Transport()` and `world` the function `Start`. In TypeScript `assertAgrees` is the matcher `toAgree`,',
    'and `webhooks.deliverTo` takes a function in place of a `receiver`.',
    '',
  ].join('\n')}`
}

/** A verb with all that a language needs to write it. */
export interface ResolvedVerb extends Verb {
  readonly call: OperationModel
  /** Arguments that are parts of the path or of the body, in this order. */
  readonly arguments: readonly FieldModel[]
  /** The other fields, of the body, of what it wraps or of the query. */
  readonly others: readonly FieldModel[]
  readonly result: TypeModel
  /** The field of the response that it returns. */
  readonly returned?: FieldModel | undefined
  readonly hasPages: boolean
}

export function resolveVerbs({ objects, operations }: ClientModel): readonly ResolvedVerb[] {
  const fieldsOf = (type: TypeModel | undefined): readonly FieldModel[] =>
    type?.kind === 'named' ? (objects.find(({ name }) => name === type.name)?.fields ?? []) : []
  return verbs.map((each) => {
    const call = [...operations, ...serviceCalls].find(({ name }) => name === each.operation)
    if (!call) throw new Error(`${each.group}.${each.name}: there is no operation ${each.operation}`)
    const fields = [...fieldsOf(call.body?.type), ...call.query]
    const isText = each.name === 'add'
    const taken = (each.takes ?? []).map((name) => (isText ? pathArgument(name) : fieldNamed(fields, name)))
    const wrapped = each.wraps && fieldNamed(fields, each.wraps)
    const wait = fields.filter(({ name }) => name === 'timeout' || name === 'times')
    const all = wrapped
      ? [...fieldsOf(bare(wrapped.type)), ...wait]
      : each.operation === 'wait'
        ? wait
        : fields
    const returned = each.returns === undefined ? undefined : fieldNamed(fieldsOf(call.returns), each.returns)
    return {
      ...each,
      call,
      arguments: [...call.pathFields.map(pathArgument), ...taken],
      others: each.options ? all.filter((field) => !taken.includes(field) && field.name !== 'cursor') : [],
      result: resultOf(each, call, returned),
      returned,
      hasPages: call.query.some(({ name }) => name === 'cursor') && each.returns === 'data',
    }
  })
}

const fieldNamed = (fields: readonly FieldModel[], name: string): FieldModel => {
  const field = fields.find((each) => each.name === name)
  if (!field) throw new Error(`There is no field ${name}`)
  return field
}

const pathArgument = (name: string): FieldModel => ({ name, type: { kind: 'text' }, required: true })

function resultOf(each: Verb, call: OperationModel, returned: FieldModel | undefined): TypeModel {
  if (each.returnsNothing) return { kind: 'nothing' }
  if (each.returnsOrder) return { kind: 'named', name: 'Order' }
  return returned ? bare(returned.type) : call.returns
}
