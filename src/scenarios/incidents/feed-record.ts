import { DAY_MS, fromIso, toDate } from '../../kernel/instant.ts'
import { isObject, type JsonObject, objectIn } from '../../kernel/json.ts'
import { compact, largest, smallest } from '../../kernel/list.ts'
import { findSeries, resourceOf } from '../../resources/timeseries/service.ts'
import { type DocumentReaders, readDocument, summaryIn } from './document-kinds.ts'
import { type LoggedMessage, readLogged } from './log.ts'
import { RecordError } from './record.ts'

/** A sample with its times and changes, in milliseconds since 1970. */
export interface RecordedSample {
  readonly start: number
  readonly end: number
  readonly type: string | null
  /** When it first came. */
  readonly firstAt: number
  /** How often it came again unchanged. */
  copies: number
  /** Its latest value, and when that came. */
  value: number | undefined
  lastAt: number
  /** The first change of a sample that was over when it came before. */
  correction: { readonly at: number; readonly from: number } | undefined
}

/** The samples of one device of a series. */
export interface RecordedStream {
  /** Its name in events; undefined if the file does not say it. */
  readonly resource: string | undefined
  readonly sourceType: string
  /** By start. */
  readonly samples: Map<number, RecordedSample>
}

/** An event of a connection itself. */
export type ConnectionAct =
  | { readonly does: 'connect'; readonly at: number }
  | { readonly does: 'history'; readonly at: number }
  | { readonly does: 'error'; readonly at: number; readonly errorType: string }
  | { readonly does: 'device'; readonly at: number; readonly isNew: boolean; readonly device: JsonObject }

/** A workout that was of another sport afterwards. */
export interface RecordedSport {
  /** When that came, in milliseconds since 1970. */
  readonly at: number
  /** The day of the workout. */
  readonly date: string
  readonly sport: JsonObject
}

/** When the data of a connection came, without values that are anybody's. */
export interface FeedRecord {
  readonly provider: string | undefined
  readonly streams: readonly RecordedStream[]
  readonly acts: readonly ConnectionAct[]
  readonly sports: readonly RecordedSport[]
  /** The offsets from UTC in seconds, by the instants of the samples that have one. */
  readonly offsets: ReadonlyMap<number, number>
  /** When data of a resource first came, by resource and date of the data. */
  readonly arrivals: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Whether the record says when its data came. */
  readonly isTimed: boolean
  readonly began: number
  readonly ended: number
}

/** The resource of samples whose file does not say it. */
export const UNNAMED = 'samples'

/** Which data are read, if there are those of several users or connections. */
export interface FeedChoice {
  readonly user?: string | undefined
  readonly provider?: string | undefined
}

/** The event or list that a document is part of. */
interface Context {
  readonly at: number | undefined
  readonly isEvent: boolean
  readonly resource: string | undefined
}

/** Collects the record of one connection from documents that are added one by one. */
export class FeedReader {
  readonly #choice: FeedChoice
  #user: string | undefined
  #provider: string | undefined
  #isTimed = false
  /** The latest instant at which something came. Without times in the file, that of the newest data so far. */
  #now = Number.NEGATIVE_INFINITY
  #document = 0
  readonly #lastDocument = new WeakMap<RecordedSample, number>()
  readonly #streams = new Map<string, RecordedStream>()
  readonly #acts: ConnectionAct[] = []
  readonly #sports: RecordedSport[] = []
  /** The sport of each workout, by its id. */
  readonly #sportOf = new Map<unknown, unknown>()
  readonly #offsets = new Map<number, number>()
  readonly #arrivals = new Map<string, Map<string, number>>()
  readonly #messages = new Set<string>()
  #isRecognised = false
  #isDated = false

  readonly #readers: DocumentReaders<Context> = {
    event: (document, context) => this.#addEvent(document, context),
    groups: ({ groups }, context) => this.#add(Object.values(groups as JsonObject), context),
    batch: (document, context) => this.#addBatch(document, context),
    summaries: (document, context) => {
      const { list, resource } = summaryIn(document) ?? {}
      this.#add(list, { ...context, resource })
    },
    list: ({ data }, context) => this.#add(data, context),
    summary: (document, context) => this.#addSummary(document, context),
    sample: (document, context) => this.#addBatch({ data: [document] }, context),
  }

  constructor(choice: FeedChoice = {}) {
    this.#choice = choice
    this.#user = choice.user
    this.#provider = choice.provider
  }

  /** Adds an event, a page of samples or summaries, or a list. `resource` is that of samples which do not say it. */
  add(document: unknown, resource?: string): void {
    this.#document++
    this.#add(document, { at: undefined, isEvent: false, resource })
  }

  #add(document: unknown, context: Context, isLogged = false): void {
    if (Array.isArray(document)) for (const each of document) this.#add(each, context)
    if (!isObject(document)) return
    const logged = isLogged ? undefined : readLogged(document)
    if (logged) this.#addLogged(logged, context)
    else readDocument(this.#readers, document, context)
  }

  #addLogged(logged: LoggedMessage, context: Context): void {
    const { key, attempts, body } = logged
    if (key !== undefined && this.#messages.has(key)) return
    if (key !== undefined) this.#messages.add(key)
    const at = attempts[0]?.at
    if (at !== undefined) this.#isTimed = true
    this.#add(body, { ...context, at }, true)
  }

  #addEvent({ event_type, data, user_id }: JsonObject, context: Context): void {
    if (!isObject(data)) return
    const [family, kind, name, change] = String(event_type).split('.')
    const owner = data.user_id ?? user_id
    if (family === 'daily' && kind === 'data' && name !== undefined) {
      const event = { ...context, isEvent: true, resource: name }
      if (Array.isArray(data.data)) this.#addBatch({ ...data, user_id: owner }, event)
      else this.#addSummary({ ...data, user_id: owner }, event, change === 'updated')
    } else if (family === 'historical') this.#addAct('history', { ...data, user_id: owner }, context)
    else if (family === 'provider') this.#addAct(`${kind}.${name}`, { ...data, user_id: owner }, context)
  }

  #addAct(what: string, data: JsonObject, { at }: Context): void {
    const provider = isObject(data.provider) ? data.provider.slug : data.provider
    if (!this.#isOf(data.user_id, provider)) return
    const now = this.#arrive(at, undefined)
    if (now === undefined) return
    if (what === 'history') this.#acts.push({ does: 'history', at: now })
    if (what === 'connection.created') this.#acts.push({ does: 'connect', at: now })
    if (what === 'connection.error')
      this.#acts.push({ does: 'error', at: now, errorType: String(data.error_type) })
    if (what === 'device.created' || what === 'device.updated')
      this.#acts.push({ does: 'device', at: now, isNew: what === 'device.created', device: data })
  }

  /** Whether data are of this connection. */
  #isOf(user: unknown, provider: unknown): boolean {
    this.#isRecognised = true
    if (typeof user === 'string') {
      this.#user ??= user
      if (user !== this.#user) {
        if (this.#choice.user !== undefined) return false
        throw new RecordError(
          `These are of two users, ${this.#user} and ${user}; choose one of them with --user.`,
        )
      }
    }
    if (typeof provider !== 'string') return true
    this.#provider ??= provider
    if (provider === this.#provider) return true
    if (this.#choice.provider !== undefined) return false
    throw new RecordError(
      `These are of two providers, ${this.#provider} and ${provider}; choose one of them with --provider.`,
    )
  }

  /** When something came; undefined if that is not known at all. */
  #arrive(at: number | undefined, newest: number | undefined): number | undefined {
    const now = at ?? (newest === undefined ? this.#now : Math.max(this.#now, newest))
    if (!Number.isFinite(now)) return undefined
    this.#now = Math.max(this.#now, now)
    return now
  }

  #addBatch({ source, data, user_id }: JsonObject, { at, isEvent, resource: name }: Context): void {
    const { provider, slug, type } = objectIn(source)
    if (!this.#isOf(user_id, provider ?? slug)) return
    const samples = compact((data as unknown[]).map((each) => readSample(each)))
    const now = this.#arrive(at, largest(samples.map(({ end }) => end)))
    if (now === undefined) return
    const series = name === undefined ? undefined : findSeries(name)
    const resource = (series && resourceOf(series)) ?? name
    const stream = this.#streamOf(resource, typeof type === 'string' ? type : 'unknown')
    for (const sample of samples) {
      this.#isDated = true
      if (sample.offset !== undefined) this.#offsets.set(sample.start, sample.offset)
      this.#markArrival(resource, toDate(sample.start), now)
      const known = stream.samples.get(sample.start)
      if (known) this.#addAgain(known, sample, now, isEvent)
      else this.#addFirst(stream, sample, now)
    }
  }

  #addFirst(stream: RecordedStream, { start, end, type, value }: ReadSample, now: number): void {
    const sample: RecordedSample = {
      ...{ start, end, type, value, firstAt: now, lastAt: now },
      ...{ copies: 0, correction: undefined },
    }
    stream.samples.set(start, sample)
    this.#lastDocument.set(sample, this.#document)
  }

  /** A sample that came before; pages of one export may overlap, so that only another event or group is a copy. */
  #addAgain(known: RecordedSample, { value }: ReadSample, now: number, isEvent: boolean): void {
    const isChanged = value !== undefined && known.value !== undefined && value !== known.value
    if (isChanged && known.lastAt >= known.end) known.correction ??= { at: now, from: known.value ?? 0 }
    if (!isChanged && (isEvent || this.#lastDocument.get(known) === this.#document)) known.copies++
    this.#lastDocument.set(known, this.#document)
    known.value = value
    known.lastAt = now
  }

  #addSummary(data: JsonObject, { at, resource }: Context, isUpdate = false): void {
    const { source } = data
    const { provider, slug } = objectIn(source)
    if (resource === undefined || !this.#isOf(data.user_id, provider ?? slug)) return
    const date = dayFields.map((field) => data[field]).find((each) => typeof each === 'string')
    const day = fromIso(date)
    const now = this.#arrive(at, day === undefined ? undefined : day + DAY_MS)
    if (day === undefined || now === undefined) return
    this.#isDated = true
    this.#markArrival(resource, toDate(day), now)
    if (resource === 'workouts' && isObject(data.sport))
      this.#addSport(data.id, { at: now, date: toDate(day), sport: data.sport }, isUpdate)
  }

  #addSport(workout: unknown, recorded: RecordedSport, isUpdate: boolean): void {
    const { slug } = recorded.sport
    if (isUpdate && this.#sportOf.get(workout) !== slug) this.#sports.push(recorded)
    this.#sportOf.set(workout, slug)
  }

  #markArrival(resource: string | undefined, date: string, now: number): void {
    const name = resource ?? UNNAMED
    const dates = this.#arrivals.get(name) ?? new Map<string, number>()
    this.#arrivals.set(name, dates)
    if (!dates.has(date)) dates.set(date, now)
  }

  #streamOf(resource: string | undefined, sourceType: string): RecordedStream {
    const key = `${resource}/${sourceType}`
    const stream = this.#streams.get(key) ?? { resource, sourceType, samples: new Map() }
    this.#streams.set(key, stream)
    return stream
  }

  /** The record of the connection. Throws if nothing in it has a time. */
  finish(): FeedRecord {
    if (!this.#isRecognised)
      throw new RecordError('These are neither samples, nor summaries, nor webhooks of health data.')
    if (!this.#isDated && this.#acts.length === 0)
      throw new RecordError('Nothing here says when it was measured.')
    const streams = [...this.#streams.values()]
    const starts = streams.flatMap(({ samples }) => [...samples.keys()])
    const dates = [...this.#arrivals.values()].flatMap((days) =>
      [...days.keys()].map((day) => Date.parse(day)),
    )
    const comings = [...this.#arrivals.values()].flatMap((days) => [...days.values()])
    const measured = starts.length > 0 ? starts : dates
    const known = [...this.#acts.map(({ at }) => at), ...(this.#isTimed ? comings : measured)]
    return {
      provider: this.#provider,
      streams,
      acts: this.#acts,
      sports: this.#sports,
      offsets: new Map([...this.#offsets].sort(([a], [b]) => a - b)),
      arrivals: this.#arrivals,
      isTimed: this.#isTimed,
      began: smallest(known),
      ended: this.#now,
    }
  }
}

/** The fields of summaries that have their day. */
const dayFields = [
  'calendar_date',
  'date',
  'session_start',
  'bedtime_start',
  'time_start',
  'timestamp',
  'period_start',
  'created_at',
] as const

interface ReadSample {
  readonly start: number
  readonly end: number
  readonly type: string | null
  readonly value: number | undefined
  readonly offset: number | undefined
}

function readSample(sample: unknown): ReadSample | undefined {
  if (!isObject(sample)) return undefined
  const { timestamp, start = timestamp, end = start, value = sample.systolic, type, timezone_offset } = sample
  const [from, until] = [start, end].map((each) => fromIso(each))
  if (from === undefined) return undefined
  return {
    start: from,
    end: until ?? from,
    type: typeof type === 'string' ? type : null,
    value: typeof value === 'number' ? value : undefined,
    offset: typeof timezone_offset === 'number' ? timezone_offset : undefined,
  }
}
