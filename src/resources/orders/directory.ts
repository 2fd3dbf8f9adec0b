import { compare, countBefore } from '../../kernel/compare.ts'
import { runAtOnce, runInSlices, sortInSteps } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import type { LowStatus, Method } from './lifecycle.ts'
import { currentStatusOf, methodOf, type OrderRow, orders } from './table.ts'
import { trackingNumbersOf } from './tracking.ts'

/** The fields that orders are found, filtered and sorted by. Instants in milliseconds since 1970, texts in lower case. */
interface OrderEntry {
  readonly id: string
  readonly userId: string
  readonly transactionId: string
  readonly low: LowStatus
  /** Dotted. */
  readonly status: string
  readonly method: Method
  readonly createdAt: number
  readonly updatedAt: number
  readonly interpretation: OrderRow['interpretation']
  readonly patientName: string
  readonly recipientName: string
  /** The sample id as printed on the kit. */
  readonly sampleId: string
  /** The tracking numbers of its shipments, joined by `SEPARATOR`. */
  readonly parcels: string
  readonly activateBy: string | null
  /** Both ids, the patient's name and birthday and the recipient, joined by `SEPARATOR`. */
  readonly searched: string
}

const SEPARATOR = '\n'

function entryOf(order: OrderRow, shared: Map<string, string>): OrderEntry {
  const { id, patient_details: patient, shipping_details: shipping } = order
  const userId = sharedText(shared, order.user_id)
  const patientName = (patient ? `${patient.first_name} ${patient.last_name}` : '').toLowerCase()
  const recipientName = (shipping?.receiver_name ?? '').toLowerCase()
  return {
    id,
    userId,
    transactionId: order.order_transaction?.id ?? '',
    low: currentStatusOf(order),
    status: sharedText(shared, order.last_event.status),
    method: methodOf(order),
    createdAt: Date.parse(order.created_at),
    updatedAt: Date.parse(order.updated_at),
    interpretation: order.interpretation,
    patientName,
    recipientName,
    sampleId: order.sample_id ?? '',
    parcels: trackingNumbersOf(order).join(SEPARATOR),
    activateBy: order.activate_by,
    searched: [id, userId, patientName, patient?.dob ?? '', recipientName].join(SEPARATOR),
  }
}

/** Tests the order at a position of the directory. */
export type OrderTest = (position: number) => boolean

/** The fields, besides the id, that orders are looked up by. */
type SearchedField = 'userId' | 'sampleId' | 'transactionId'

type Columns = { readonly [Name in keyof OrderEntry]: OrderEntry[Name][] }

const newColumns = (): Columns => ({
  id: [],
  userId: [],
  transactionId: [],
  low: [],
  status: [],
  method: [],
  createdAt: [],
  updatedAt: [],
  interpretation: [],
  patientName: [],
  recipientName: [],
  sampleId: [],
  parcels: [],
  activateBy: [],
  searched: [],
})

const columnNames = Object.keys(newColumns()) as (keyof OrderEntry)[]

/** An index of all orders of a world, so that filters need not parse rows. Positions count from 0 in the order of creation. */
export class OrderDirectory {
  /** Columns by position; scanning a column is ten times as fast as reading a field of as many objects. */
  readonly columns = newColumns()
  readonly #positions: number[] = []
  readonly #byId = new Map<string, number>()
  readonly #bySample = new PositionsByText()
  readonly #byTransaction = new PositionsByText()
  readonly #counts = new Map<string, number>()
  /** Each user and status as one shared string, because comparing identical strings is faster. */
  readonly #shared = new Map<string, string>()
  #critical = 0
  #unregistered = 0
  readonly #names = new SortedPositions(this.columns.patientName, '')
  readonly #changes = new SortedPositions(this.columns.updatedAt, 0)
  #isFilled = false
  /** Adds the stored orders, one at a step. */
  readonly filling: Generator<void, void>

  constructor(rows: Iterable<OrderRow>) {
    this.filling = this.#fill(rows)
  }

  /** The positions of all orders, in the order of creation. */
  get positions(): readonly number[] {
    return this.#positions
  }

  /** The number of orders with each dotted status. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  /** The number of orders with critical results. */
  get critical(): number {
    return this.#critical
  }

  /** The number of kits that are with the customer and not registered. */
  get unregistered(): number {
    return this.#unregistered
  }

  /** The positions of all orders by patient name, then in the order of creation. */
  byName(): Promise<readonly number[]> {
    return this.#names.sorted()
  }

  /** The positions of all orders by their last change, then in the order of creation. */
  byChange(): Promise<readonly number[]> {
    return this.#changes.sorted()
  }

  find(id: string): number | undefined {
    return this.#byId.get(id)
  }

  /** The positions of the orders with a value, in the order of creation. */
  findBy(field: SearchedField, value: string): readonly number[] {
    if (field === 'sampleId') return this.#bySample.find(value)
    if (field === 'transactionId') return this.#byTransaction.find(value)
    return this.#positions.filter(this.userTest(value))
  }

  /** A test whether an order belongs to a user. */
  userTest(id: string): OrderTest {
    const { userId } = this.columns
    const shared = this.#shared.get(id)
    return (at) => userId[at] === shared
  }

  /** A test whether an id, the patient's name or birthday, or the recipient contains a text. */
  searchTest(input: string): OrderTest {
    const part = input.toLowerCase()
    const { searched } = this.columns
    if (part.includes(SEPARATOR)) return () => false
    return (at) => (searched[at] as string).includes(part)
  }

  /** Adds or updates an order. An order that `filling` has not reached yet is left to it. */
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
    const entry = entryOf(row, this.#shared)
    const position = this.#byId.get(row.id) ?? this.#positions.length
    const isNew = position === this.#positions.length
    const { patientName, sampleId, transactionId, updatedAt } = this.columns
    this.#bySample.move(position, sampleId[position], entry.sampleId)
    this.#byTransaction.move(position, transactionId[position], entry.transactionId)
    if (!isNew) this.#count(position, -1)
    const isRenamed = patientName[position] !== entry.patientName
    if (isRenamed && !isNew) this.#names.remove(position)
    const isChanged = updatedAt[position] !== entry.updatedAt
    if (isChanged && !isNew) this.#changes.remove(position)
    for (const name of columnNames) (this.columns[name] as unknown[])[position] = entry[name]
    if (isNew) this.#positions.push(position)
    this.#byId.set(row.id, position)
    this.#count(position, 1)
    if (isRenamed) this.#names.insert(position)
    if (isChanged) this.#changes.insert(position)
  }

  #count(position: number, change: number): void {
    const { status, interpretation, low, method, patientName } = this.columns
    if (interpretation[position] === 'critical') this.#critical += change
    const isKit = low[position] === 'with_customer' && method[position] === 'testkit'
    if (isKit && patientName[position] === '') this.#unregistered += change
    const key = status[position] as string
    const count = (this.#counts.get(key) ?? 0) + change
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}

/** Positions by a text that few orders share. The empty text is not indexed. */
export class PositionsByText {
  readonly #found = new Map<string, number | readonly number[]>()

  /** In ascending order. */
  find(text: string): readonly number[] {
    const found = this.#found.get(text) ?? []
    return typeof found === 'number' ? [found] : found
  }

  move(position: number, from: string | undefined, to: string): void {
    if (from === to) return
    if (from)
      this.#set(
        from,
        this.find(from).filter((other) => other !== position),
      )
    if (to)
      this.#set(
        to,
        [...this.find(to), position].sort((a, b) => a - b),
      )
  }

  /** A single position is stored as a number, which takes a third of the memory of a list. */
  #set(text: string, positions: readonly number[]): void {
    const [first, another] = positions
    if (first === undefined) this.#found.delete(text)
    else this.#found.set(text, another === undefined ? first : positions)
  }
}

/** Positions sorted by a column, then ascending. Sorted in slices on first use, and updated from then on. */
export class SortedPositions<Value extends string | number> {
  readonly #column: readonly Value[]
  readonly #absent: Value
  #sorted: number[] | undefined
  #sorting: Promise<number[]> | undefined
  /** Positions that are inserted or removed while the rest is being sorted. */
  readonly #late = new Set<number>()

  /** `absent` stands for a value that is not set yet. */
  constructor(column: readonly Value[], absent: Value) {
    this.#column = column
    this.#absent = absent
  }

  async sorted(): Promise<readonly number[]> {
    this.#sorting ??= runInSlices(this.#sort())
    return this.#sorted ?? this.#sorting
  }

  /** Inserts a position after its value was set. */
  insert(position: number): void {
    if (this.#sorted) this.#sorted.splice(this.#placeOf(this.#sorted, position), 0, position)
    else if (this.#sorting) this.#late.add(position)
  }

  /** Removes a position before its value changes. */
  remove(position: number): void {
    if (this.#sorted) this.#sorted.splice(this.#placeOf(this.#sorted, position), 1)
    else if (this.#sorting) this.#late.add(position)
  }

  *#sort(): Generator<void, number[]> {
    const values = [...this.#column]
    const all = yield* sortInSteps([...values.keys()], (a, b) => this.#compare(values, a, b))
    this.#sorted = all.filter((position) => !this.#late.has(position))
    for (const position of this.#late) this.insert(position)
    this.#late.clear()
    return this.#sorted
  }

  /** The index of a position, or where it would be inserted. */
  #placeOf(sorted: readonly number[], position: number): number {
    return countBefore(sorted, (other) => this.#compare(this.#column, other, position) < 0)
  }

  #compare(values: readonly Value[], a: number, b: number): number {
    return compare(values[a] ?? this.#absent, values[b] ?? this.#absent) || a - b
  }
}

/** The same text, as one string for all that have it. */
function sharedText(shared: Map<string, string>, text: string): string {
  const known = shared.get(text)
  if (known === undefined) shared.set(text, text)
  return known ?? text
}

/** The directory of a world's orders, and whether it is filled. */
interface Filling {
  readonly directory: OrderDirectory
  /** Resolves once the directory is filled; undefined afterwards. */
  filled: Promise<void> | undefined
}

const fillings = new WeakMap<World, Filling>()

/** The orders with a value, in the order of creation. */
export function ordersBy(world: World, field: SearchedField, value: string): OrderRow[] {
  const { directory } = fillingOf(world)
  // A verb is synchronous, so the rest is filled in one go; operations wait for `ordersIndexed` first.
  runAtOnce(directory.filling)
  return directory.findBy(field, value).map((at) => world.db.get(orders, directory.columns.id[at] as string))
}

/** Resolves once the directory of a world is filled; undefined when it is. */
export const ordersIndexed = (world: World): Promise<void> | undefined => fillingOf(world).filled

/** The directory of a world. Resolves once it is filled, which takes slices of time on first use. */
export async function filledDirectory(world: World): Promise<OrderDirectory> {
  const { directory, filled } = fillingOf(world)
  await filled
  return directory
}

/** Fills the directory of a world with many orders in the background. */
export function fillDirectory(world: World): void {
  if (world.db.count(orders) > MANY_ORDERS) fillingOf(world)
}

const MANY_ORDERS = 1000

function fillingOf(world: World): Filling {
  const known = fillings.get(world)
  if (known) return known
  const directory = new OrderDirectory(world.db.all(orders))
  const filling: Filling = { directory, filled: undefined }
  fillings.set(world, filling)
  filling.filled = runInSlices(directory.filling).then(() => {
    filling.filled = undefined
  })
  return filling
}

/** All writes of orders go through this table. A world without orders has its directory from the first one on. */
export function putOrder(world: World, order: OrderRow): OrderRow {
  if (world.db.count(orders) === 0) fillingOf(world)
  fillings.get(world)?.directory.put(order)
  return world.db.put(orders, order)
}
