import { runAtOnce, runInSlices } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import { currentStatusOf, methodOf } from './apply-step.ts'
import type { LowStatus, Method } from './lifecycle.ts'
import { type OrderRow, orders } from './table.ts'

/** The fields that lists of orders filter and sort by. Instants in milliseconds since 1970, texts in lower case. */
export interface OrderEntry {
  readonly id: string
  /** Counts from 0 in the order of creation. */
  readonly position: number
  readonly userId: string
  readonly low: LowStatus
  /** Dotted. */
  readonly status: string
  readonly method: Method
  readonly createdAt: number
  readonly updatedAt: number
  readonly interpretation: OrderRow['interpretation']
  readonly patientName: string
  readonly recipientName: string
  readonly dob: string
  readonly sampleId: string
  readonly activateBy: string | null
}

const entryOf = (order: OrderRow, position: number): OrderEntry => {
  const { patient_details: patient, shipping_details: shipping } = order
  return {
    id: order.id,
    position,
    userId: order.user_id,
    low: currentStatusOf(order),
    status: order.last_event.status,
    method: methodOf(order),
    createdAt: Date.parse(order.created_at),
    updatedAt: Date.parse(order.updated_at),
    interpretation: order.interpretation,
    patientName: (patient ? `${patient.first_name} ${patient.last_name}` : '').toLowerCase(),
    recipientName: (shipping?.receiver_name ?? '').toLowerCase(),
    dob: patient?.dob ?? '',
    sampleId: (order.sample_id ?? '').toLowerCase(),
    activateBy: order.activate_by,
  }
}

const columnNames = [
  'low',
  'method',
  'createdAt',
  'updatedAt',
  'interpretation',
  'patientName',
  'recipientName',
  'dob',
  'userId',
  'id',
] as const

type Columns = { readonly [Name in (typeof columnNames)[number]]: OrderEntry[Name][] }

const columnsOf = (): Columns =>
  Object.fromEntries(columnNames.map((name) => [name, []])) as unknown as Columns

/** An index of all orders of a world, so that filters need not parse rows. */
export class OrderDirectory {
  readonly #entries: OrderEntry[] = []
  /** By position; scanning a hundred thousand of one field costs a tenth of reading it from as many objects. */
  readonly columns = columnsOf()
  readonly #byId = new Map<string, OrderEntry>()
  readonly #counts = new Map<string, number>()
  #critical = 0
  #unregistered = 0
  #byName: OrderEntry[] | undefined
  #isFilled = false
  /** Enters the orders there are, one a step. */
  readonly filling: Generator<void, void>

  constructor(rows: Iterable<OrderRow>) {
    this.filling = this.#fill(rows)
  }

  /** In the order of creation. */
  get entries(): readonly OrderEntry[] {
    return this.#entries
  }

  /** How many orders have each dotted status. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  /** How many have critical results. */
  get critical(): number {
    return this.#critical
  }

  /** How many kits are with a customer who has not registered them. */
  get unregistered(): number {
    return this.#unregistered
  }

  /** By the patient's name, then in order of creation. */
  get byName(): readonly OrderEntry[] {
    this.#byName ??= [...this.#entries].sort(compareNames)
    return this.#byName
  }

  find(id: string): OrderEntry | undefined {
    return this.#byId.get(id)
  }

  /** Enters an order as it is now; one that `filling` has still to come to is left to it. */
  put(row: OrderRow): void {
    if (this.#isFilled || this.#byId.has(row.id)) this.#enter(row)
  }

  *#fill(rows: Iterable<OrderRow>): Generator<void, void> {
    for (const row of rows) {
      this.#enter(row)
      yield
    }
    this.#isFilled = true
  }

  #enter(row: OrderRow): void {
    const before = this.#byId.get(row.id)
    const entry = entryOf(row, before?.position ?? this.#entries.length)
    this.#entries[entry.position] = entry
    for (const name of columnNames) (this.columns[name] as unknown[])[entry.position] = entry[name]
    this.#byId.set(row.id, entry)
    if (before) this.#count(before, -1)
    this.#count(entry, 1)
    if (this.#byName) moveInOrder(this.#byName, before, entry)
  }

  #count({ status, interpretation, low, method, patientName }: OrderEntry, change: number): void {
    if (interpretation === 'critical') this.#critical += change
    if (low === 'with_customer' && method === 'testkit' && patientName === '') this.#unregistered += change
    const count = (this.#counts.get(status) ?? 0) + change
    if (count === 0) this.#counts.delete(status)
    else this.#counts.set(status, count)
  }
}

const compareNames = (a: OrderEntry, b: OrderEntry) =>
  a.patientName < b.patientName ? -1 : a.patientName > b.patientName ? 1 : a.position - b.position

function moveInOrder(sorted: OrderEntry[], before: OrderEntry | undefined, entry: OrderEntry): void {
  if (before) sorted.splice(placeIn(sorted, before), 1)
  sorted.splice(placeIn(sorted, entry), 0, entry)
}

/** The position of an entry, or where it would be inserted. */
function placeIn(sorted: readonly OrderEntry[], entry: OrderEntry): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = sorted[middle]
    if (other && compareNames(other, entry) < 0) low = middle + 1
    else high = middle
  }
  return low
}

const directories = new WeakMap<World, OrderDirectory>()

/** Filled when it is first asked for, if it is not by then, and kept up to date from then on. */
export function directoryOf(world: World): OrderDirectory {
  const directory = directories.get(world) ?? addDirectory(world)
  runAtOnce(directory.filling)
  return directory
}

/** Fills the directory of a world with many orders while nothing else is to be done, so that the first list does not wait. */
export function fillDirectory(world: World): void {
  if (world.db.count(orders) > MANY_ORDERS) void runInSlices(addDirectory(world).filling)
}

const MANY_ORDERS = 1000

function addDirectory(world: World): OrderDirectory {
  const directory = new OrderDirectory(world.db.all(orders))
  directories.set(world, directory)
  return directory
}

/** All writes of orders go through this table. */
export function putOrder(world: World, order: OrderRow): OrderRow {
  directories.get(world)?.put(order)
  return world.db.put(orders, order)
}
