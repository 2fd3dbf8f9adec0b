import { beforeEach, describe, expect, it } from 'vitest'
import type { PdfContent } from '../../src/resources/report-parser/pdf.ts'
import type { PdfReader } from '../../src/resources/report-parser/pdf-reader.ts'
import { parsingJobs } from '../../src/resources/report-parser/table.ts'
import { advance, createUser, setFeatures } from '../support/orders.ts'
import { forEachTest, NOBODY, payloadsOf } from '../support/petri.ts'
import { png, type TestFile, upload } from '../support/reports.ts'

// The lives of jobs. What is read from files: report-parser.test.ts.

const petri = forEachTest()
let user_id: string
beforeEach(async () => {
  user_id = await createUser(petri)
})

const image = (name = 'scan.png'): TestFile => ({ name, bytes: png })
const send = (files: readonly TestFile[] = [image()], fields: Record<string, string> = {}) =>
  upload(petri, files, { user_id, ...fields })
const reviewed = (files?: readonly TestFile[]) => send(files, { needs_human_review: 'true' })
const jobOf = (id: string) => petri.read(`/lab_report/v1/parser/job/${id}`)

/** The events so far, oldest first. */
const told = () => payloadsOf(petri).map(({ event_type, user_id, data }) => ({ event_type, user_id, data }))

/** The status of a job after each of these durations, one after the other. */
async function statusesAfter(id: string, durations: readonly string[]) {
  const statuses = []
  for (const by of durations) {
    await advance(petri, by)
    statuses.push((await jobOf(id)).status)
  }
  return statuses
}

describe('a job', () => {
  it('begins at once, and is finished after half a minute', async () => {
    const { id, status } = (await send()).body
    expect(status).toBe('upload_pending')
    expect(await statusesAfter(id, ['0s', '29999ms', '1ms', '1d'])).toEqual([
      'started',
      'started',
      'completed',
      'completed',
    ])
  })

  it('is announced as it starts and as it ends, as it is read then', async () => {
    const { id } = (await send()).body
    await advance(petri, '0s')
    const started = await jobOf(id)
    await advance(petri, '30s')
    const finished = await jobOf(id)
    expect(started).toMatchObject({ id, job_id: id, data: null, failure_reason: null, is_reviewed: false })
    expect(finished).toMatchObject({ failure_reason: null, is_reviewed: false, needs_human_review: false })
    expect(told()).toEqual([
      { event_type: 'lab_report.parsing_job.created', user_id, data: started },
      { event_type: 'lab_report.parsing_job.updated', user_id, data: finished },
    ])
  })

  it('is among the effects of an advance at each status', async () => {
    const { id } = (await reviewed()).body
    const { effects } = (await advance(petri, '1h')).body
    const ofJobs = effects.filter(({ kind }: { kind: string }) => kind === 'parsing_job')
    expect(ofJobs).toEqual([
      { at: '2026-01-05T09:00:00.000Z', kind: 'parsing_job', job_id: id, user_id, status: 'started' },
      { at: '2026-01-05T09:00:30.000Z', kind: 'parsing_job', job_id: id, user_id, status: 'pending_review' },
      { at: '2026-01-05T09:30:30.000Z', kind: 'parsing_job', job_id: id, user_id, status: 'completed' },
    ])
  })

  it('that is not there is not found', async () => {
    const answer = await petri.get(`/lab_report/v1/parser/job/${NOBODY}`)
    expect(answer).toRefuse(404, 'Parsing job not found')
  })

  it.each([
    ['0s', 1],
    ['1m', 2],
  ])('that is gone after %s goes no further', async (by, count) => {
    const { id } = (await reviewed()).body
    await advance(petri, by)
    petri.world().db.delete(parsingJobs, id)
    await advance(petri, '1d')
    expect(told()).toHaveLength(count)
  })
})

describe('the review of a job', () => {
  it('ends half an hour after the report is parsed, whose data are there before', async () => {
    const { id } = (await reviewed()).body
    expect(await statusesAfter(id, ['30s', '1799999ms'])).toEqual(['pending_review', 'pending_review'])
    const waiting = await jobOf(id)
    expect(waiting).toMatchObject({ needs_human_review: true, is_reviewed: false })
    await advance(petri, '1ms')
    expect(await jobOf(id)).toEqual({ ...waiting, status: 'completed', is_reviewed: true })
    expect(told().map(({ event_type, data }) => [event_type, data.status])).toEqual([
      ['lab_report.parsing_job.created', 'started'],
      ['lab_report.parsing_job.updated', 'pending_review'],
      ['lab_report.parsing_job.updated', 'completed'],
    ])
  })

  it('is not seen in the form of the contract, until it is over', async () => {
    await setFeatures(petri, { contract_form: 'live' })
    const { id } = (await reviewed()).body
    expect(await statusesAfter(id, ['30s', '1799999ms'])).toEqual(['started', 'started'])
    expect((await jobOf(id)).data).toBeNull()
    await advance(petri, '1ms')
    expect(await jobOf(id)).toMatchObject({ status: 'completed', is_reviewed: true })
    expect((await jobOf(id)).data.results.length).toBeGreaterThan(0)
    expect(told().map(({ data }) => data.status)).toEqual(['started', 'completed'])
  })

  it.each([
    ['petri-low-quality.png', ['started', 'pending_review', 'failed'], true],
    ['petri-invalid-input.png', ['started', 'failed'], false],
    ['petri-not-english.png', ['started', 'failed'], false],
  ])('of %s, which cannot be parsed, is announced as %j', async (name, statuses, is_reviewed) => {
    const { id } = (await reviewed([image(name)])).body
    await advance(petri, '1d')
    expect(told().map(({ data }) => data.status)).toEqual(statuses)
    const failure_reason = name.slice('petri-'.length, -'.png'.length).replaceAll('-', '_')
    expect(await jobOf(id)).toMatchObject({ data: null, failure_reason, is_reviewed })
  })

  it('is refused to a team without reviews, which may have its reports parsed', async () => {
    await setFeatures(petri, { human_review: false })
    expect(await reviewed()).toRefuse(
      400,
      'Human review is not supported yet for your team please contact support',
    )
    expect(await send()).toAnswer(200)
  })
})

describe('what a job gives', () => {
  it('is told by the first of its files whose name is known', async () => {
    const { id } = (await send([image(), image('petri-no-match.png'), image('petri-low-quality.png')])).body
    await advance(petri, '1m')
    expect((await jobOf(id)).data.results).toMatchObject([{ test_name: 'Petrine Index' }])
  })

  const line = 'Glucose 90 mg/dL 70-99'
  it.each([
    ['that is encrypted fails', { failure: 'encrypted' }, { failure_reason: 'invalid_input' }],
    ['that is too large fails', { failure: 'too_large' }, { failure_reason: 'processing_error' }],
    ['without a text fails', { pages: 1, lines: [] }, { failure_reason: 'low_quality' }],
    ['with a table of results is read', { pages: 1, lines: [line] }, { lab_name: '' }],
    [
      'with a text of another kind is made up',
      { pages: 1, lines: ['Dear reader,'] },
      { lab_name: 'Petri synthetic report' },
    ],
  ] as const)('of a PDF %s', async (_, content: PdfContent, expected) => {
    Object.assign(petri.world().services, {
      pdfReader: { read: async () => content } as unknown as PdfReader,
    })
    const { id } = (await send([{ name: 'report.pdf', bytes: Buffer.from('%PDF-1.7') }])).body
    await advance(petri, '1m')
    const job = await jobOf(id)
    if ('failure_reason' in expected) expect(job).toMatchObject({ status: 'failed', data: null, ...expected })
    else expect(job).toMatchObject({ status: 'completed', data: { metadata: expected } })
  })
})

describe('the limit of a sandbox', () => {
  /** As many jobs as this, of which some failed. */
  async function fill(jobs: number, failed = 0) {
    const { id } = (await send()).body
    const { db } = petri.world()
    const row = db.get(parsingJobs, id)
    for (let nth = 1; nth < jobs; nth++) db.put(parsingJobs, { ...row, id: `job ${nth}` })
    for (let nth = 0; nth < failed; nth++)
      db.put(parsingJobs, { ...row, id: `failed ${nth}`, status: 'failed' })
  }
  const detail =
    'Sandbox lab report parsing is limited to 300 reports. Please upgrade your contract to continue.'

  it.each([
    [299, 0, 200],
    [299, 1, 200],
    [300, 0, 400],
    [300, 1, 400],
  ])('with %d reports and %d failed ones answers %d', async (jobs, failed, status) => {
    await setFeatures(petri, { sandbox_limits: true })
    await fill(jobs, failed)
    const answer = await send()
    expect(answer).toAnswer(status)
    if (status === 400) expect(answer.body).toEqual({ detail })
  })

  it.each([{ sandbox_limits: false }, { sandbox_limits: true, parity: 'production' }])(
    'does not hold with %j',
    async (features) => {
      await setFeatures(petri, features)
      await fill(300)
      expect(await send()).toAnswer(200)
    },
  )
})
