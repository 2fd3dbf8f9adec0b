import { append } from '../../kernel/list.ts'
import { plural } from '../../kernel/readable.ts'
import {
  AnalyteSeed,
  LabSeed,
  LabTestSeed,
  MarkerSeed,
  ResultSeed,
} from '../../resources/catalogue/schema.ts'
import type { Catalogue } from '../../resources/catalogue/service.ts'
import type { Replies } from './replies.ts'
import { completeFile, type LeftOut, listOf, pick, type Recorder, validRow, type Wire } from './seed-rows.ts'

const PAGE_SIZE = 100
/** More pages than a catalogue has; a service that never ends its list is not asked for ever. */
const MAX_PAGES = 2000

/** Records laboratories, markers and lab tests. */
export const recordLabCatalogue: Recorder = async (replies, bundled, leftOut) => {
  const labs = listOf(await replies.get('/v3/lab_tests/labs', { list: '' })).flatMap((lab) =>
    toLab(lab, bundled, leftOut),
  )
  const labTests = await readLabTests(replies)
  const listed = await readMarkers(replies, '/v3/lab_tests/markers')
  const ofLabTests = new Map<string, Wire[]>()
  for (const { id } of labTests)
    ofLabTests.set(id, await readMarkers(replies, `/v3/lab_tests/${encodeURIComponent(id)}/markers`))

  const slugs = new Map(labs.map(({ id, slug }) => [id as unknown, slug]))
  const every = new Map([...listed, ...[...ofLabTests.values()].flat()].map((marker) => [marker.id, marker]))
  const vocabulary = createVocabulary(bundled, leftOut)
  const reflex = reflexMarkers(labTests, ofLabTests)
  const strays = [...every.values()].filter(({ lab_id }) => !slugs.has(lab_id))
  if (strays.length > 0) leftOut.push(`${plural(strays.length, 'marker')} of unknown laboratories`)
  const markers = [...every.values()].flatMap((marker) => {
    const lab = slugs.get(marker.lab_id)
    if (lab === undefined) return []
    return toMarker({ marker, lab, reflex: reflex.get(marker.id) ?? [] }, vocabulary, bundled, leftOut)
  })
  const known = new Set(markers.map(({ id }) => id))
  return [
    completeFile('labs', labs),
    { name: 'analytes', rows: vocabulary.analytes(), complete: false },
    completeFile('results', vocabulary.results()),
    completeFile('orderables', []),
    completeFile('lab-profiles', []),
    completeFile(
      'markers',
      markers.map((marker) => ({ ...marker, reflex: marker.reflex.filter((id) => known.has(id)) })),
    ),
    completeFile(
      'lab-tests',
      labTests.flatMap((labTest) => toLabTest(labTest, known, bundled, leftOut)),
    ),
  ]
}

async function readLabTests(replies: Replies): Promise<Wire[]> {
  const labTests: Wire[] = []
  let cursor = ''
  for (let page = 0; page < MAX_PAGES; page++) {
    const reply: Wire = await replies.get(`/v3/lab_test?lab_test_limit=50${cursor}`, { list: 'data' })
    append(labTests, listOf(reply?.data))
    if (typeof reply?.next_cursor !== 'string') break
    cursor = `&next_cursor=${encodeURIComponent(reply.next_cursor)}`
  }
  return labTests
}

async function readMarkers(replies: Replies, path: string): Promise<Wire[]> {
  const markers: Wire[] = []
  for (let page = 1; page <= MAX_PAGES; page++) {
    const reply: Wire = await replies.get(`${path}?size=${PAGE_SIZE}&page=${page}`, { list: 'markers' })
    const found = listOf(reply?.markers)
    append(markers, found)
    // The number of pages may be null.
    const isLast = typeof reply?.pages === 'number' ? page >= reply.pages : found.length < PAGE_SIZE
    if (isLast) break
  }
  return markers
}

/** A laboratory with the fields that are not on the wire, which come from the bundled one. */
function toLab(lab: Wire, bundled: Catalogue, leftOut: LeftOut) {
  const own = bundled.labs().get(lab?.slug)
  return validRow(leftOut, `laboratory ${lab?.slug}`, LabSeed, {
    ...pick(lab, 'id', 'slug', 'name', 'first_line_address', 'city', 'zipcode'),
    ...pick(lab, 'collection_methods', 'sample_types', 'logo_url'),
    state: own?.state ?? '',
    genders: own?.genders && [...own.genders],
    clia_number: own?.clia_number ?? '00D0000000',
  })
}

/** The markers that a lab test lists only with its reflex markers, by the last marker of the lab test. */
function reflexMarkers(labTests: readonly Wire[], ofLabTests: ReadonlyMap<string, Wire[]>) {
  const reflex = new Map<unknown, number[]>()
  for (const labTest of labTests) {
    const own = listOf(labTest.markers).map(({ id }) => id)
    const others = (ofLabTests.get(labTest.id) ?? []).map(({ id }) => id).filter((id) => !own.includes(id))
    if (own.length > 0 && others.length > 0) reflex.set(own.at(-1), others)
  }
  return reflex
}

interface FoundMarker {
  readonly marker: Wire
  readonly lab: LabSeed['slug']
  readonly reflex: readonly number[]
}

function toMarker(
  { marker, lab, reflex }: FoundMarker,
  vocabulary: Vocabulary,
  bundled: Catalogue,
  leftOut: LeftOut,
) {
  const { id, type, price, aoe, is_orderable, expected_results } = marker
  const own = bundled.markers().get(id)
  return validRow(leftOut, `marker ${id}`, MarkerSeed, {
    ...pick(marker, 'id', 'provider_id', 'name', 'slug', 'description', 'unit'),
    ...pick(marker, 'a_la_carte_enabled', 'common_tat_days', 'worst_case_tat_days'),
    lab,
    results: listOf(expected_results).flatMap((result) => vocabulary.analyteOf(result, lab)),
    type: type ?? 'biomarker',
    price: price ?? 'N/A',
    is_orderable: is_orderable ?? true,
    is_insurable: own?.is_insurable ?? true,
    reflex: own && own.reflex.length > 0 ? [...own.reflex] : reflex,
    aoe: aoe ? { questions: listOf(aoe.questions).map(toQuestion) } : undefined,
  })
}

const toQuestion = (question: Wire) => ({
  ...pick(question, 'id', 'required', 'code', 'value', 'type', 'sequence', 'constraint', 'default'),
  answers: listOf(question.answers).map((answer) => pick(answer, 'id', 'code', 'value')),
})

function toLabTest(labTest: Wire, markers: ReadonlySet<number>, bundled: Catalogue, leftOut: LeftOut) {
  const own = [...bundled.labTests().values()].find((each) => each.id === labTest.id)
  return validRow(leftOut, `lab test ${labTest.slug}`, LabTestSeed, {
    ...pick(labTest, 'id', 'slug', 'name', 'method', 'sample_type', 'price', 'status', 'fasting'),
    ...pick(labTest, 'has_collection_instructions'),
    description: labTest.description ?? own?.description ?? null,
    lab: labTest.lab?.slug,
    markers: listOf(labTest.markers)
      .map(({ id }) => id)
      .filter((id) => markers.has(id)),
    reports: own?.reports?.filter((marker) => markers.has(marker)),
  })
}

type Vocabulary = ReturnType<typeof createVocabulary>

/** Finds an analyte for each result: the bundled one with its LOINC code, which has reference ranges, or a new one. */
function createVocabulary(bundled: Catalogue, leftOut: LeftOut) {
  const byCode = new Map(
    [...bundled.analytes().values()].map((each) => [each.loinc?.code ?? each.slug, each]),
  )
  const analytes = new Map<string, AnalyteSeed>()
  const results = new Map<string, ResultSeed>()
  const resultOf = new Map<unknown, string>()

  function newAnalyte(result: Wire, lab: string): AnalyteSeed[] {
    const { loinc = null, id } = result
    const own = byCode.get(loinc?.code ?? result.slug)
    const base = own?.slug ?? slugFrom(loinc?.slug ?? result.slug)
    // A laboratory reports an analyte once, and an analyte has one LOINC code.
    const isFree = (slug: string) => {
      const known = analytes.get(slug) ?? (own ? undefined : bundled.analytes().get(slug))
      return (
        !results.has(`${lab}/${slug}`) && (!known || JSON.stringify(known.loinc) === JSON.stringify(loinc))
      )
    }
    const slug = isFree(base) ? base : `${base}-${id}`
    return validRow(leftOut, `result ${id}`, AnalyteSeed, {
      ...(own ?? blankAnalyte(result)),
      slug,
      loinc: loinc && pick(loinc, 'id', 'code', 'name', 'slug', 'unit'),
    })
  }

  return {
    /** The slug of the analyte of a result; none if it cannot be recorded. */
    analyteOf(result: Wire, lab: string): string[] {
      const { id, provider_id, name, slug, required } = result
      const known = resultOf.get(id)
      if (known !== undefined) return [known]
      return newAnalyte(result, lab).flatMap((analyte) => {
        const row = { id, lab, analyte: analyte.slug, provider_id: provider_id ?? '', name, slug, required }
        return validRow(leftOut, `result ${id}`, ResultSeed, row).map((valid) => {
          analytes.set(analyte.slug, analyte)
          results.set(`${lab}/${analyte.slug}`, valid)
          resultOf.set(id, analyte.slug)
          return analyte.slug
        })
      })
    },
    analytes: () => [...analytes.values()],
    results: () => [...results.values()],
  }
}

/** An analyte whose name and unit alone are known. */
function blankAnalyte({ name, loinc }: Wire): Omit<AnalyteSeed, 'slug' | 'loinc'> {
  const unit = loinc?.unit ?? null
  const fields = { name, category: 'recorded', unit }
  return unit === null
    ? { ...fields, kind: 'qualitative', normal: 'Negative', abnormal: 'Positive' }
    : { ...fields, kind: 'numeric', typical: { low: 1, high: 100 } }
}

const slugFrom = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'analyte'
