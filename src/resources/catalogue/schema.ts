import * as z from 'zod'
import { streetFields } from '../../api/address.ts'
import { usStates } from '../../api/fields.ts'
import { nullableText, type Parsed, schema, unnamed } from '../../api/schema.ts'
import { keysOf } from '../../kernel/fields.ts'

/** Schemas of the rows in `seeds/`. Unknown fields are rejected. */

/** Laboratories with patient service centers, compendia and unmatched results. Source: docs/contract/lab-tests.md. */
export const centralLabs = ['labcorp', 'quest', 'bioreference', 'sonora_quest'] as const

export const collectionMethods = [
  'testkit',
  'walk_in_test',
  'at_home_phlebotomy',
  'on_site_collection',
] as const
export const sampleTypes = ['dried_blood_spot', 'arm_collector', 'serum', 'saliva', 'urine', 'stool'] as const
export const genders = ['female', 'male', 'other', 'unknown'] as const
/** Laboratories that can send data. Source: docs/contract/connections.md#connections. */
export const sendingLabs = [
  'ayumetrix',
  'spiriplex',
  'ussl',
  'quest',
  'sonora_quest',
  'labcorp',
  'bioreference',
  'us_biotek',
  'manual',
  'sanocardio',
  'ihd',
  'nexus',
  'my_uti',
  'crl',
  'mtl',
] as const
export const labSlugs = [
  ...sendingLabs,
  'diagnosticsolutions',
  'cellsciencesystems',
  'genova',
  'zrt',
  'precision_analytical',
  'boston_heart_at_home_kit',
] as const
export const labTestStatuses = ['active', 'pending_approval', 'inactive'] as const
export const accountStatuses = ['active', 'pending', 'suspended', 'ready_to_launch'] as const
export const delegatedFlows = [
  'order_delegated',
  'result_delegated',
  'fully_delegated',
  'not_delegated',
] as const
export const billingTypes = [
  'client_bill',
  'commercial_insurance',
  'patient_bill_passthrough',
  'patient_bill',
  'upfront_payment',
] as const

export const capabilities = [
  'stat',
  'appointment_scheduling_via_junction',
  'appointment_scheduling_with_lab',
] as const
export type Capability = (typeof capabilities)[number]
export const serviceTypes = ['appointment-ready', 'appointment-request'] as const

const slug = () => z.string().regex(/^[a-z0-9]+([_-][a-z0-9]+)*$/)
/** A slug as the service sends it. */
const wireSlug = () => z.string().min(1)
const turnaround = () => z.int().min(0).nullable()

export const LabSeed = unnamed(() =>
  z.strictObject({
    id: z.int(),
    slug: z.enum(labSlugs),
    name: z.string(),
    first_line_address: z.string(),
    city: z.string(),
    state: z.string(),
    zipcode: z.string(),
    collection_methods: z.array(z.enum(collectionMethods)),
    sample_types: z.array(z.enum(sampleTypes)),
    /** Genders of the patients it accepts; all by default. */
    genders: z.array(z.enum(genders)).optional(),
    logo_url: nullableText(),
    /** Two digits, D, seven digits. */
    clia_number: z.string().regex(/^\d{2}D\d{7}$/),
  }),
)
export type LabSeed = Parsed<typeof LabSeed>

/** Bounds, both included unless `text` says otherwise (`>39`, `<5.7`); null is open. Between two bounds it is `low-high`. */
const Range = unnamed(() =>
  z.strictObject({ low: z.number().nullable(), high: z.number().nullable(), text: z.string().optional() }),
)
type WrittenRange = Parsed<typeof Range>

export const withText = (range: WrittenRange | undefined, decimals = 0) =>
  range && {
    ...range,
    text: range.text ?? [range.low, range.high].map((each) => (each ?? 0).toFixed(decimals)).join('-'),
  }

/** A name in small letters and hyphens, as the service makes slugs. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
const Limits = unnamed(() => z.strictObject({ low: z.number().nullable(), high: z.number().nullable() }))
const AgeBand = unnamed(() =>
  z.strictObject({
    /** Of both where left out. */
    sex: z.enum(['male', 'female']).optional(),
    from: z.int().min(0),
    /** For the rest of life where left out. */
    to: z.int().min(0).optional(),
    low: z.number(),
    high: z.number(),
  }),
)

/** An analyte: its names and its reference ranges. */
export const AnalyteSeed = unnamed(() =>
  z
    .strictObject({
      slug: slug(),
      name: z.string(),
      category: z.string(),
      kind: z.enum(['numeric', 'qualitative']).default('numeric'),
      unit: nullableText().default(null),
      /** Digits after the point in a result; none by default. */
      decimals: z.int().optional(),
      /** Reference range of adults. */
      range: Range().optional(),
      /** Reference range of men, if different. */
      male: Range().optional(),
      /** Reference range of women, if different. */
      female: Range().optional(),
      /** Reference ranges by age in years, both included, where adults have others. Common US laboratory values, rounded. */
      ages: z.array(AgeBand()).optional(),
      /** Range of made-up normal values if the reference range is open or unknown. */
      typical: z.strictObject({ low: z.number(), high: z.number() }).optional(),
      /** Values beyond these, or the abnormal text, are critical: laboratories phone them. All others are never critical. */
      critical: Limits()
        .extend({ source: z.string().min(1) })
        .optional(),
      /**
       * What occurs in people who walk in; no made-up result is beyond. Urine and sedimentation: the scale of the strip, the
       * tube. The others are assumed, around the extremes of case reports.
       */
      possible: z.strictObject({ low: z.number(), high: z.number() }).optional(),
      /** What the method measures; results beyond are printed as `<0.005` and `>2000`. */
      measured: Limits().optional(),
      /** The steps of a result that is read from a scale. */
      step: z.number().positive().optional(),
      /** The texts of a qualitative result. */
      normal: z.string().optional(),
      abnormal: z.string().optional(),
      loinc: z
        .strictObject({
          /** By default the digits of the code. */
          id: z.int().optional(),
          code: z.string(),
          name: z.string(),
          /** By default that of the name. */
          slug: wireSlug().optional(),
          /** The unit, if it differs from that of the analyte. */
          unit: nullableText().optional(),
        })
        .nullable(),
    })
    .transform(({ range, male, female, loinc, ...rest }) => {
      const { decimals } = rest
      return {
        ...rest,
        ...(range && { range: withText(range, decimals) }),
        ...(male && { male: withText(male, decimals) }),
        ...(female && { female: withText(female, decimals) }),
        loinc: loinc && {
          ...loinc,
          id: loinc.id ?? Number(loinc.code.replace('-', '')),
          slug: loinc.slug ?? slugOf(loinc.name),
        },
      }
    }),
)
export type AnalyteSeed = Parsed<typeof AnalyteSeed>

/** How long a laboratory takes from the receipt of a sample to a result. */
export const TurnaroundSeed = unnamed(() =>
  z.strictObject({
    /** An analyte, or the category of those that have no row of their own. */
    of: z.string(),
    hours: z.number().positive(),
    source: z.string().min(1),
  }),
)
export type TurnaroundSeed = Parsed<typeof TurnaroundSeed>

/** A unit as laboratories print it, and its code in UCUM; null if there is none. */
export const UnitSeed = unnamed(() => z.strictObject({ unit: z.string(), ucum: nullableText() }))
export type UnitSeed = Parsed<typeof UnitSeed>

/** How one laboratory reports an analyte. */
export const ResultSeed = unnamed(() =>
  z.strictObject({
    id: z.int(),
    lab: z.enum(labSlugs),
    analyte: slug(),
    provider_id: z.string(),
    name: z.string().optional(),
    slug: wireSlug().optional(),
    required: z.boolean().default(true),
  }),
)
export type ResultSeed = Parsed<typeof ResultSeed>

export const PanelSeed = unnamed(() =>
  z.strictObject({ slug: slug(), name: z.string(), analytes: z.array(slug()) }),
)
export type PanelSeed = Parsed<typeof PanelSeed>

/** An orderable test of a laboratory: a panel or one analyte. Name and slug default to those. */
export const MarkerSeed = unnamed(() =>
  z
    .strictObject({
      id: z.int(),
      lab: z.enum(labSlugs),
      /** The laboratory's order code; leading zeros count. */
      provider_id: z.string(),
      panel: slug().optional(),
      analyte: slug().optional(),
      /** Analytes, if different from those of the panel. */
      results: z.array(slug()).optional(),
      name: z.string().optional(),
      slug: wireSlug().optional(),
      /** The name if omitted. */
      description: nullableText().optional(),
      /** The unit, if it differs from that of the analyte. */
      unit: nullableText().optional(),
      /** By default `panel` for one with a panel. */
      type: z.enum(['biomarker', 'panel']).optional(),
      /** US dollars, or `N/A`. */
      price: z
        .string()
        .regex(/^(\d+(\.\d+)?|N\/A)$/)
        .default('N/A'),
      a_la_carte_enabled: z.boolean().default(true),
      /** Days; null where unknown. By default those of the slowest analyte. */
      common_tat_days: turnaround().optional(),
      worst_case_tat_days: turnaround().optional(),
      is_orderable: z.boolean().default(true),
      /** Whether insurers pay for it. */
      is_insurable: z.boolean().default(true),
      /** Reflex markers the laboratory adds if this one is out of range. */
      reflex: z.array(z.int()).default([]),
      /** Questions that many markers have, by name; `aoe` has those of its own. */
      asks: z.array(z.enum(asks)).optional(),
      aoe: z.strictObject({ questions: z.array(QuestionSeed()) }).optional(),
    })
    .refine(({ panel, analyte }) => !(panel && analyte), 'has both panel and analyte')
    .refine(({ panel, analyte, results }) => panel || analyte || results, 'needs panel, analyte or results')
    .transform(({ id, type, asks: asked, ...rest }) => ({
      ...rest,
      id,
      ...(asked && { aoe: aoeOf(asked) }),
      type: type ?? (rest.panel ? ('panel' as const) : ('biomarker' as const)),
    })),
)
export type MarkerSeed = Parsed<typeof MarkerSeed>

export const LabTestSeed = unnamed(() =>
  z.strictObject({
    /** The id in every world. Without one it follows from the seed of the world, and the slug gets the team's prefix. */
    id: z.uuid().optional(),
    slug: wireSlug(),
    name: z.string(),
    description: nullableText(),
    method: z.enum(collectionMethods),
    lab: z.enum(labSlugs),
    sample_type: z.enum(sampleTypes),
    price: z.number(),
    status: z.enum(labTestStatuses).default('active'),
    fasting: z.boolean(),
    has_collection_instructions: z.boolean().nullable(),
    /** Marker ids. */
    markers: z.array(z.int()),
    /** Ids of the markers that a report has if none are listed. */
    reports: z.array(z.int()).optional(),
  }),
)
export type LabTestSeed = Parsed<typeof LabTestSeed>

const stateList = () => z.array(z.enum([...usStates]))
const withoutBilling = ['DC', 'PR']
/** A list of states, or the fifty but those of a list. */
const BillingStates = unnamed(() =>
  z.union([
    stateList(),
    z
      .strictObject({ except: stateList() })
      .transform(({ except }) =>
        [...usStates].filter((state) => !withoutBilling.includes(state) && !except.includes(state)),
      ),
  ]),
)

/** What an account says in seeds and in responses. */
export const accountFields = () => ({
  status: z.enum(accountStatuses),
  delegated_flow: z.enum(delegatedFlows),
  provider_account_id: z.string(),
  account_name: nullableText(),
  default_clinical_notes: nullableText(),
  business_units: z.array(z.string()).nullable(),
})

export const LabAccountSeed = unnamed(() =>
  z.strictObject({
    /** The id in every world; without one it follows from the seed of the world. */
    id: z.uuid().optional(),
    slug: slug(),
    lab: z.enum(labSlugs),
    ...accountFields(),
    /** States by billing type. */
    allowed_billing: z.partialRecord(z.enum(billingTypes), BillingStates()),
    /** Whether it is available to every team, and used by teams without an own account. */
    platform: z.boolean(),
    linked: z.boolean(),
    /** Whether it may be used for orders that name no account. */
    automatic: z.boolean(),
    /** Whether lists leave it out. */
    unlisted: z.boolean().optional(),
  }),
)
export type LabAccountSeed = Parsed<typeof LabAccountSeed>

export const PayorSeed = unnamed(() =>
  z.strictObject({
    payor_code: z.string(),
    name: z.string(),
    /** Whose it is; the platform's by default. */
    source: z.enum(['platform', 'team']).optional(),
    aliases: z.array(z.string()),
    org_address: z.strictObject({
      ...streetFields(),
      zip: z.string(),
      country: z.string(),
    }),
    /** The public programme; without a state it means the plan of the patient's state. */
    program: z.enum(['medicare', 'medicaid']).optional(),
    state: z.string().optional(),
  }),
)
export type PayorSeed = Parsed<typeof PayorSeed>

export const CancerSignalOriginSeed = unnamed(() =>
  z.strictObject({ origin: z.string(), subcategory: z.string() }),
)
export type CancerSignalOriginSeed = Parsed<typeof CancerSignalOriginSeed>

export const ICD_CODE = /^[A-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?$/

export const DiagnosisSeed = unnamed(() =>
  z.strictObject({
    /** ICD-10-CM, with its point. */
    code: z.string().regex(ICD_CODE),
    /** In upper case, abbreviated. */
    description: z.string(),
    /** Whether it is a manifestation code, which must not be the first diagnosis. */
    is_secondary: z.boolean().default(false),
  }),
)
export type DiagnosisSeed = Parsed<typeof DiagnosisSeed>

/** Prefixes of codes that exclude each other. */
export const DiagnosisExcludeSeed = unnamed(() =>
  z.strictObject({
    code: z.string(),
    /** ICD-10-CM: `excludes1` codes must not be combined, `excludes2` codes may. */
    type: z.enum(['excludes1', 'excludes2']),
    others: z.array(z.string()),
  }),
)
export type DiagnosisExcludeSeed = Parsed<typeof DiagnosisExcludeSeed>

/** A question a laboratory asks when a marker is ordered. */
const QuestionSeed = unnamed(() =>
  z.strictObject({
    id: z.int(),
    required: z.boolean(),
    code: z.string(),
    value: z.string(),
    type: z
      .enum(['choice', 'multi_choice', 'multiple_choice', 'numeric', 'text'])
      .transform((type) => (type === 'multiple_choice' ? 'multi_choice' : type)),
    sequence: z.int(),
    answers: z.array(z.strictObject({ id: z.int32(), code: z.string(), value: z.string() })),
    constraint: nullableText().default(null),
    default: nullableText().default(null),
  }),
)

export const asks = ['fasting', 'collection_time', 'source', 'pregnancy'] as const

/** The code of the question that a lab test answers by itself. */
export const FASTING = 'FSTING'

type Question = Parsed<typeof QuestionSeed>

const yesOrNo = [
  { id: 1, code: 'N', value: 'No' },
  { id: 2, code: 'Y', value: 'Yes' },
]

const question = (
  { id, code, value, type }: Pick<Question, 'id' | 'code' | 'value' | 'type'>,
  answers: Question['answers'] = [],
  constraint: Question['constraint'] = null,
): Question => ({ id, required: false, code, value, type, sequence: 1, answers, constraint, default: null })

/** Questions by name. None is required: an order without answers is accepted. */
const questions: Readonly<Record<(typeof asks)[number], Question>> = {
  fasting: question({ id: 1, code: FASTING, value: 'FASTING', type: 'choice' }, yesOrNo),
  collection_time: question({ id: 2, code: 'COLTIM', value: 'COLLECTION TIME', type: 'text' }, [], 'HHMM'),
  source: question({ id: 3, code: 'SOURCE', value: 'SPECIMEN SOURCE', type: 'text' }),
  pregnancy: question({ id: 4, code: 'PREG', value: 'PREGNANT', type: 'choice' }, yesOrNo),
}

/** The questions with these names, as a marker has them. */
export const aoeOf = (names: readonly (typeof asks)[number][] | undefined) =>
  names && { questions: names.map((name) => questions[name]) }

/** Miles. */
export const radii = ['10', '20', '25', '50', '100'] as const
export const phlebotomyProviders = ['getlabs', 'phlebfinders', 'quest', 'sonora_quest'] as const

export const Billing = schema('Billing', () => z.enum(billingTypes))
export const LabLocationCapability = schema('LabLocationCapability', () => z.enum(capabilities))
const AppointmentServiceType = schema('AppointmentServiceType', () => z.enum(serviceTypes))

const PhlebotomyProvider = schema('PhlebotomyProvider', () => ({
  name: z.enum(phlebotomyProviders),
  service_types: z.array(AppointmentServiceType()),
}))

const PscArea = schema('PscArea', () => ({
  patient_service_centers: z.object({
    appointment_with_vital: z.boolean(),
    within_radius: z.int(),
    radius: z.string(),
    capabilities: z.array(LabLocationCapability()),
  }),
  supported_bill_types: z.array(Billing()),
  lab_id: z.int(),
}))

export const AreaInfo = schema('AreaInfo', () => ({
  zip_code: z.string(),
  phlebotomy: z.object({ is_served: z.boolean(), providers: z.array(PhlebotomyProvider()) }),
  central_labs: z.record(z.string(), PscArea()),
}))

export const authTypes = ['oauth', 'team_oauth', 'sdk', 'password', 'email', 'app', ''] as const

export const linkSourceTypes = ['app', 'ble', 'device', 'lab', 'provider'] as const
export type LinkSourceType = (typeof linkSourceTypes)[number]

// biome-ignore format: a list that is read by lines.
export const sourceTypes = [
  'unknown', 'phone', 'watch', 'app', 'multiple_sources', 'fingerprick', 'cuff', 'manual_scan', 'automatic',
  'insulin_pump', 'scale', 'chest_strap', 'ring', 'lab', 'exercise_machine', 'earphone',
] as const
export type SourceType = (typeof sourceTypes)[number]

/** A row of `seeds/providers.json`. Without the fields that may be omitted, a provider is only listed. */
export const ProviderSeed = unnamed(() =>
  z.strictObject({
    slug: z.string().min(1),
    name: z.string(),
    description: z.string(),
    /** By default it follows from the slug. */
    logo: nullableText().optional(),
    auth_type: z.enum(authTypes).nullable(),
    source_type: z.enum(linkSourceTypes).optional(),
    /** The types of devices its data come from, most common first. Source: docs/contract/connections.md#connections. */
    source_types: z.array(z.enum(sourceTypes)).min(1).optional(),
    /** Its resources, as named in events. */
    resources: z.array(z.string()),
    /** Its number in older payloads. */
    source_id: z.int().optional(),
  }),
)
export type ProviderSeed = Parsed<typeof ProviderSeed>

/** A value in `seeds/provider-traits.json`, how it is known, and from where. `knownBy` says the defaults. */
const cell = <Value extends z.ZodType>(value: Value, what: string) =>
  z
    .strictObject({
      is: value,
      known: z.enum(['published', 'observed', 'assumed']).optional(),
      source: z.string().min(1).optional(),
    })
    .refine(
      ({ known, source }) => source !== undefined || (known ?? 'assumed') === 'assumed',
      'needs a source',
    )
    .describe(what)

/** By default, a value with a source is published, and one without is assumed. */
export const knownBy = ({
  source,
  known,
}: {
  readonly source?: string | undefined
  readonly known?: string | undefined
}) => known ?? (source ? 'published' : 'assumed')

/** How the history of a provider can come. */
export const historyWays = ['pull', 'announce_first', 'daily'] as const
const offsets = ['number', 'fallback_or_zero', 'fallback_or_null', 'null', 'local_as_utc'] as const
const minutes = () => z.int().min(1)
const names = () => z.array(z.string())

/** The cells of a provider's life. What a row leaves out is as in the row `default`. */
// biome-ignore format: a table is read by its columns.
export const traitCells = () => ({
  own_app: cell(z.boolean(), "whether it can be connected only with the team's own app at the provider"),
  regions: cell(names(), 'the regions of accounts; others are refused. Empty for all'),
  history: cell(z.enum(historyWays), 'how the history arrives. `pull`: readable when the pull of its resource ends, which is announced. `announce_first`: all pulls are announced at once, and the rows follow as daily events. `daily`: as daily events, without an announcement'),
  history_days: cell(z.int().min(0), 'days of history'),
  history_days_by_resource: cell(z.record(z.string(), z.int().min(0)), 'days of history of resources that have others'),
  pull_minutes: cell(z.strictObject({ profile: minutes(), summaries: minutes(), timeseries: minutes() }), 'minutes until the pull of profile and body, of other summaries, and of timeseries has ended'),
  parts: cell(z.strictObject({ first: minutes(), last: minutes(), count: minutes() }), 'for `announce_first`: minutes until the first and the last part have arrived, and their number; the newest days come first'),
  consent_again: cell(z.enum(['pulls', 'continues']), 'what a consent to a working connection causes: another pull, or nothing'),
  delivery: cell(z.enum(['poll', 'push', 'hybrid', 'phone']), 'whether new data are polled, pushed by the provider, both, or uploaded by a phone'),
  every_minutes: cell(minutes(), 'minutes between the arrivals of new data'),
  late_minutes: cell(z.int().min(0), 'minutes that new data are late'),
  refresh: cell(z.boolean(), 'whether a refresh brings new data'),
  activity_offset: cell(z.enum(offsets), 'the time zone offset of activities'),
  session_offset: cell(z.enum(offsets), 'the time zone offset of workouts and sleep'),
  sample_offset: cell(z.enum(offsets), 'the time zone offset of samples; `local_as_utc`: null, and the time is that of the wall, written as UTC'),
  devices: cell(z.array(z.enum(sourceTypes)), 'the devices of a user; without any, the usual one'),
  device_id: cell(z.enum(['if_one', 'always', 'never']), 'which data name their device: those of a user with one device, all, or none'),
  device_id_always: cell(names(), 'resources that always name it'),
  device_id_if_one: cell(names(), 'resources that name it only if there is one'),
  tentative_sleep: cell(z.boolean(), 'whether sleep is tentative, then confirmed; otherwise its state is null'),
  sleep_fields: cell(z.array(z.enum(sleepFields)), 'fields of sleep that only some providers have'),
  nulls: cell(z.record(z.string(), names()), 'fields of summaries that are null'),
  sports: cell(names(), 'the sports of its workouts, first the one that all its users do; empty for all'),
  models: cell(z.partialRecord(z.enum(sourceTypes), z.array(z.strictObject({ model: z.string(), version: z.string().optional(), manufacturer: z.string().optional() })).min(1)), 'the devices that users have, each one of the models by chance. One that a provider does not name has the model of the first table'),
  power: cell(z.strictObject({ of: z.enum(['some', 'all']), gaps: z.boolean(), resistance: z.boolean() }), 'whose rides have power, of some users or all; whether streams have nulls in between, and the resistance of a machine'),
  titles: cell(z.record(z.string(), z.string()), 'titles of workouts by sport, by default its name; `{part}` is the part of the day'),
  bucket_seconds: cell(z.int().min(1), 'seconds of a bucket of steps, distance and active calories'),
  heartrate_seconds: cell(z.int().min(1), 'seconds between two heart rates'),
  training_seconds: cell(z.int().min(1).nullable(), 'the same during a workout, if different'),
  missed_minutes: cell(z.tuple([z.int(), z.int()]), 'minutes a day without a heart rate of a watch that is worn, at least and at most'),
  nap_minutes: cell(z.int().min(0).nullable(), 'minutes of the shortest nap that it records; null if it records none'),
  app_id: cell(nullableText(), 'the app that summaries come from'),
  only_asleep: cell(z.boolean(), 'whether it measures in sleep only'),
  spacing: cell(z.enum(['even', 'second', 'offset', 'uneven']), 'when measurements are taken: at full minutes, at the second of the minute or the offset within the interval that each user has, or at any second, with gaps'),
  naps_acknowledged: cell(z.boolean(), 'whether users acknowledge naps; otherwise they are short sleeps'),
  body_composition: cell(z.boolean(), 'whether a scale gives water, muscles, visceral fat and bones'),
  walking_heart_rate: cell(z.boolean(), 'whether activities have a heart rate while walking'),
  respiratory_rate: cell(z.enum(['at_intervals', 'by_stage']), 'samples of the respiratory rate: at intervals, or in the middle of each sleep stage'),
  glucose: cell(z.enum(['sensor', 'irregular_sensor', 'meter']), 'what measures glucose'),
  glucose_seconds: cell(z.int().min(1), 'seconds between two readings of a glucose sensor'),
  glucose_sensor: cell(z.strictObject({ days: minutes(), warm_up_minutes: minutes() }), 'how long a glucose sensor is worn and warms up'),
  glucose_limits: cell(z.tuple([z.number(), z.number()]), 'the lowest and the highest value that a glucose sensor sends, in mg/dL: what it shows as LOW and HIGH'),
  insulin: cell(z.enum(['pens', 'pump']), 'how insulin is delivered: with pens, by meal and once a day, or by a pump'),
  skin_sensor: cell(z.enum(['finger', 'wrist']), 'where the temperature of the skin is measured'),
  body_sensor: cell(z.enum(['forehead', 'mouth']), 'where the temperature of the body is measured'),
  full_hours: cell(names(), 'series whose instants are full hours'),
})

/** Fields of sleep that only some providers have. */
const sleepFields = [
  'score',
  'recovery_readiness_score',
  'temperature_delta',
  'skin_temperature',
  'hr_dip',
] as const

export const traitNames = () => keysOf(traitCells())

type TraitCells = {
  [Name in keyof ReturnType<typeof traitCells>]: z.output<ReturnType<typeof traitCells>[Name]>
}
/** How a provider lives. */
export type ProviderTraits = { readonly [Name in keyof TraitCells]: TraitCells[Name]['is'] }
export type SleepField = (typeof sleepFields)[number]
export type OffsetKind = ProviderTraits['sample_offset']

/** A row of `seeds/provider-traits.json`: of a provider, of `default`, or of `demo`, the demo connections. */
export const ProviderTraitsSeed = unnamed(() =>
  z.strictObject({ slug: z.string().min(1), ...z.strictObject(traitCells()).partial().shape }),
)
export type ProviderTraitsSeed = Parsed<typeof ProviderTraitsSeed>
