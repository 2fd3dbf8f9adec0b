import type { Route } from '../../api/operation.ts'
import { sampleAddress, samplePatient } from '../../client/sample-patient.ts'
import { centralLabs, collectionMethods } from '../../resources/catalogue/schema.ts'

/** The bodies of one side's replies so far, by the names of the questions. */
// biome-ignore lint/suspicious/noExplicitAny: a reply of another service may have any shape.
export type Bodies = Readonly<Record<string, any>>

/** A request that both sides are asked. */
export interface Question {
  /** A name under which later questions find the reply. */
  readonly name?: string
  readonly route: Route
  /** Its name among questions with the same route. */
  readonly about?: string
  /** The fields of the path, and of query or body; undefined if the replies so far do not have them. */
  readonly input?: object | ((mine: Bodies, theirs: Bodies) => object | undefined)
  /** Whether it is sent without the key. */
  readonly anonymous?: boolean
  /** Whether it is repeated for a while until the order in the reply is final. */
  readonly waits?: boolean
  /** Whether it is asked even if the other side cannot be. */
  readonly always?: boolean
}

type Method = (typeof collectionMethods)[number]

const radii = ['25', '100']
const payorNames = ['aetna', 'blue', 'medicare']

/** Reads of the catalogue and of places, and requests that are refused. */
export const readQuestions = (zips: readonly string[]): readonly Question[] => [
  { name: 'labs', route: 'GET /v3/lab_tests/labs' },
  { name: 'labTests', route: 'GET /v3/lab_tests' },
  { route: 'GET /v3/lab_test' },
  ...collectionMethods.flatMap(aboutLabTest),
  ...centralLabs.map(
    (lab_slug): Question => ({
      route: 'GET /v3/lab_tests/markers',
      about: lab_slug,
      input: { lab_slug, size: 20 },
    }),
  ),
  { route: 'GET /v3/lab_test/lab_account' },
  { route: 'GET /v2/providers' },
  ...payorNames.map(
    (insurance_name): Question => ({
      route: 'GET /v3/insurance/search/payor',
      about: insurance_name,
      input: { insurance_name },
    }),
  ),
  ...zips.flatMap(aboutZip),
  ...refusals,
]

function aboutLabTest(method: Method): Question[] {
  const input: Question['input'] = (mine, theirs) => {
    const lab_test_id = labTestId(method, mine, theirs)
    return lab_test_id === undefined ? undefined : { lab_test_id }
  }
  const name = `markers of ${method}`
  return [
    { route: 'GET /v3/lab_tests/{lab_test_id}', about: method, input },
    { name, route: 'GET /v3/lab_tests/{lab_test_id}/markers', about: method, input },
    {
      route: 'GET /v3/lab_tests/{lab_id}/markers/{provider_id}',
      about: method,
      input: ({ [name]: page }) => {
        const marker = page?.markers?.[0]
        return marker && { lab_id: marker.lab_id, provider_id: marker.provider_id }
      },
    },
  ]
}

function aboutZip(zip_code: string): Question[] {
  return [
    ...radii.map(
      (radius): Question => ({
        route: 'GET /v3/order/area/info',
        about: `${zip_code}, ${radius} miles`,
        input: { zip_code, radius },
      }),
    ),
    ...centralLabs.map((slug): Question => {
      const input = ({ labs }: Bodies) => {
        const lab_id = Array.isArray(labs) ? labs.find((lab) => lab?.slug === slug)?.id : undefined
        return lab_id && { zip_code, lab_id }
      }
      return { route: 'GET /v3/order/psc/info', about: `${zip_code}, ${slug}`, input }
    }),
  ]
}

const NOBODY = '00000000-0000-4000-8000-000000000000'

const refusals: readonly Question[] = [
  { route: 'GET /v3/lab_tests/labs', about: 'without a key', anonymous: true },
  {
    route: 'GET /v3/lab_tests/{lab_test_id}',
    about: 'an unknown id',
    input: { lab_test_id: NOBODY },
  },
  { route: 'GET /v3/lab_tests/{lab_test_id}', about: 'no id', input: { lab_test_id: 'x' } },
  { route: 'GET /v3/lab_tests/markers', about: 'page 0', input: { page: 0 } },
  { route: 'GET /v3/lab_test/lab_account', about: 'an unknown status', input: { status: 'x' } },
  { route: 'GET /v3/order/{order_id}', about: 'an unknown id', input: { order_id: NOBODY } },
  { route: 'GET /v3/order/{order_id}/result', about: 'an unknown id', input: { order_id: NOBODY } },
  { route: 'GET /v2/user/{user_id}', about: 'an unknown id', input: { user_id: NOBODY } },
  { route: 'GET /v3/order/area/info', about: 'no ZIP code', input: { zip_code: '1' } },
  {
    route: 'GET /v3/order/psc/info',
    about: 'an unknown laboratory',
    input: { zip_code: '85004', lab_id: 0 },
  },
]

/** An order of one method: placed, simulated to its end, read, and cancelled where it can be. */
export function writeQuestions(run: string): readonly Question[] {
  return collectionMethods.flatMap((method) => {
    const names = { user: `user of ${method}`, order: `order of ${method}` }
    const orderId = ({ [names.order]: reply }: Bodies) => {
      const order_id = reply?.order?.id
      return order_id === undefined ? undefined : { order_id }
    }
    const about = (route: Route, detail = '', more: Partial<Question> = {}): Question => {
      return { route, about: `${method}${detail}`, input: orderId, ...more }
    }
    const simulate: Route = `POST /v3/order/{order_id}/test?final_status=completed.${method}.completed`
    return [
      about('POST /v2/user', '', {
        name: names.user,
        input: { client_user_id: `petri-verify-${run}-${method}` },
      }),
      about('POST /v3/order', '', {
        name: names.order,
        input: (mine, theirs) => newOrder(mine[names.user]?.user_id, labTestId(method, mine, theirs)),
      }),
      about('GET /v3/order/{order_id}', ', placed'),
      about(simulate),
      about('GET /v3/order/{order_id}', ', simulated'),
      about(simulate, ', again'),
      about('GET /v3/order/{order_id}', ', simulated again', { waits: true }),
      about('GET /v3/order/{order_id}/result'),
      about('GET /v3/order/{order_id}/result/metadata'),
      about('POST /v3/order/{order_id}/cancel'),
      about('GET /v3/order/{order_id}', ', cancelled'),
      about('DELETE /v2/user/{user_id}', '', {
        input: ({ [names.user]: user }) => user?.user_id && { user_id: user.user_id },
        always: true,
      }),
    ]
  })
}

const newOrder = (user_id: string | undefined, lab_test_id: string | undefined) =>
  user_id && lab_test_id
    ? { user_id, lab_test_id, patient_details: samplePatient, patient_address: sampleAddress }
    : undefined

export interface LabTest {
  readonly id: string
  readonly slug: string
  readonly method: string
  readonly lab?: { readonly slug: string } | null
}

/** The id of a lab test with this method, of one that both sides have if there is any. */
function labTestId(method: Method, mine: Bodies, theirs: Bodies): string | undefined {
  const [own, others] = [labTestsOf(method, mine), labTestsOf(method, theirs)]
  const slugs = others.map(commonSlug)
  const chosen = own
    .filter((each) => slugs.includes(commonSlug(each)))
    .sort((a, b) => (commonSlug(a) < commonSlug(b) ? -1 : 1))[0]
  return (chosen ?? own[0])?.id
}

const labTestsOf = (method: Method, { labTests }: Bodies): LabTest[] =>
  Array.isArray(labTests) ? labTests.filter((each) => each?.method === method) : []

/** The slug without the prefix of the team. */
export const commonSlug = ({ slug }: LabTest) => String(slug).replace(/^[0-9a-f]{8}-/, '')
