import { describe, expect, it } from 'vitest'
import { MAX_PDF_BYTES } from '../../src/kernel/user-file.ts'
import { orders } from '../../src/resources/orders/table.ts'
import { resultsByName } from '../../src/resources/results/expected.ts'
import { whyNoPdf } from '../../src/resources/results/own-pdf.ts'
import { resultPdfs } from '../../src/resources/results/table.ts'
import { field } from '../support/field.ts'
import { advance, createUser, giveResults, patient, readOrder } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import { FERRITIN, orderMarkers, POTASSIUM, report, reportOf, storedOrder } from '../support/quest-reports.ts'

const petri = forEachTest()

describe('the list of results', () => {
  const list = (query = '') => petri.read(`/v3/result${query}`)
  const idsOf = async (query = '') =>
    (await list(query)).data.map(({ order }: { order: { id: string } }) => order.id)

  /** Orders of named patients, whose first reports come a day apart. */
  async function reported(...names: string[]) {
    const ids: string[] = []
    for (const first_name of names) {
      const details = { first_name, email: `${first_name}@example.com` }
      const id = await orderMarkers(petri, [FERRITIN, POTASSIUM], {
        user: await createUser(petri, `Client_${first_name}`),
        details,
      })
      await report(petri, id, 'completed', { values: { ferritin: 60, potassium: 4.2 } })
      await advance(petri, '1d')
      ids.push(id)
    }
    return ids as [string, string, string]
  }

  it('has each order with a report in short, newest order first', async () => {
    const [james, maria] = await reported('James', 'Maria')
    await orderMarkers(petri, [FERRITIN])
    expect(await idsOf()).toEqual([maria, james])
    const order = await readOrder(petri, james)
    const { metadata } = (await reportOf(petri, james)).body
    const { lab, ...test } = order.lab_test
    expect((await list()).data[1]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: order.user_id,
      interpretation: 'normal',
      has_missing_results: false,
      date_collected: metadata.date_collected,
      created_at: order.events.at(-1).created_at,
      order: { id: james, last_status: 'completed', last_status_timestamp: order.last_event.created_at },
      patient_details: { first_name: 'James', last_name: patient.last_name, email: 'James@example.com' },
      lab: { id: lab.id, name: lab.name, slug: lab.slug },
      lab_test: { id: test.id, name: test.name, method: 'walk_in_test' },
    })
  })

  it('has one line for an order, created with its first report, as its last one says', async () => {
    const id = await orderMarkers(petri, [FERRITIN, POTASSIUM])
    await report(petri, id, 'partial_results', { values: { ferritin: 60 } })
    await advance(petri, '1d')
    await report(petri, id, 'completed', { values: { ferritin: 60 }, missing: ['potassium'] })
    await report(petri, id, 'corrected', { values: { ferritin: 5 } })
    const { data, next_cursor } = await list()
    const { events } = await readOrder(petri, id)
    expect(next_cursor).toBeNull()
    expect(data).toMatchObject([
      {
        interpretation: 'abnormal',
        has_missing_results: true,
        created_at: events.at(-3).created_at,
        order: { last_status: 'corrected', last_status_timestamp: events.at(-1).created_at },
      },
    ])
  })

  it('has no names of a patient that the order does not have', async () => {
    const [id] = await reported('James')
    petri.world().db.put(orders, { ...storedOrder(petri, id), patient_details: null })
    expect((await list()).data).toMatchObject([
      { order: { id }, patient_details: { first_name: null, last_name: null, email: null } },
    ])
  })

  it('is read a page at a time', async () => {
    const [james, maria, nora] = await reported('James', 'Maria', 'Nora')
    const first = await list('?results_limit=2')
    expect(first.data.map(({ order }: { order: { id: string } }) => order.id)).toEqual([nora, maria])
    expect(await idsOf(`?next_cursor=${first.next_cursor}`)).toEqual([james])
    const all = await list('?results_limit=3')
    expect(all.next_cursor).toBeNull()
    expect(new Set(all.data.map(field('id'))).size).toBe(3)
    expect(await petri.get('/v3/result?next_cursor=nonsense')).toAnswer(400)
    for (const wrong of ['results_limit=0', 'created_at_start=soon'])
      expect(await petri.get(`/v3/result?${wrong}`), wrong).toAnswer(422)
  })

  it('is found by patient, order and client user id', async () => {
    const [james, maria] = await reported('James', 'Maria')
    for (const text of ['maria', 'maria@example', 'client_maria', maria])
      expect(await idsOf(`?search_input=${text}`), text).toEqual([maria])
    expect(await idsOf(`?search_input=${james}`)).toEqual([james])
    expect(await idsOf('?search_input=nobody')).toEqual([])
    expect(await idsOf('?search_input=')).toEqual([maria, james])
  })

  it('is found by the instants between which the first report came, both included', async () => {
    const [james, maria] = await reported('James', 'Maria')
    const at = async (id: string) => Date.parse((await readOrder(petri, id)).events.at(-1).created_at)
    const text = (instant: number) => encodeURIComponent(new Date(instant).toISOString())
    const first = await at(james)
    const second = await at(maria)
    expect(await idsOf(`?created_at_start=${text(second)}`)).toEqual([maria])
    expect(await idsOf(`?created_at_start=${text(second + 1000)}`)).toEqual([])
    expect(await idsOf(`?created_at_end=${text(first)}`)).toEqual([james])
    expect(await idsOf(`?created_at_end=${text(first - 1000)}`)).toEqual([])
    expect(await idsOf('?created_at_start=2026-01-06')).toEqual([maria])
    expect(await idsOf('?created_at_end=2026-01-05')).toEqual([james])
    expect(await idsOf(`?created_at_start=${text(first)}&created_at_end=${text(second)}`)).toEqual([
      maria,
      james,
    ])
  })
})

describe('a PDF of the user', () => {
  const put = (id: string, pdf: unknown) => giveResults(petri, id, { pdf })
  const bytes = (size: number) => Buffer.from('%PDF-'.padEnd(size))

  it('begins as a PDF does, and has two mebibytes at most', () => {
    expect(MAX_PDF_BYTES).toBe(2_097_152)
    expect(whyNoPdf(bytes(5))).toBeUndefined()
    expect(whyNoPdf(bytes(MAX_PDF_BYTES))).toBeUndefined()
    expect(whyNoPdf(bytes(MAX_PDF_BYTES + 1))).toBe('is longer than 2097152 bytes')
    for (const text of ['', '%PDF', 'PDF-1.7', ' %PDF-'])
      expect(whyNoPdf(Buffer.from(text))).toBe('is not a PDF')
  })

  it('is Base64 with or without line breaks', async () => {
    const id = await orderMarkers(petri, [FERRITIN])
    const text = bytes(40).toString('base64')
    expect(await put(id, `${text.slice(0, 20)}\r\n ${text.slice(20)}\n`)).toAnswer(200)
    expect(petri.world().db.get(resultPdfs, id)).toEqual({ order_id: id, pdf: text })
  })

  it.each([
    [7, 'pdf must be the Base64 of a PDF'],
    ['', 'pdf must be the Base64 of a PDF'],
    ['JVBERi0', 'pdf must be the Base64 of a PDF'],
    ['*VBERi0xLjcK', 'pdf must be the Base64 of a PDF'],
    ['JVBERi0xLjcK!', 'pdf must be the Base64 of a PDF'],
    ['=JVBERi0xLjc', 'pdf must be the Base64 of a PDF'],
    ['R0lGODlh', 'the file in pdf is not a PDF'],
  ])('is not %j', async (pdf, message) => {
    const { status, body } = await put(await orderMarkers(petri, [FERRITIN]), pdf)
    expect(status).toBe(422)
    expect(body.detail[0].msg).toContain(message)
  })
})

describe('the names of results', () => {
  const put = (id: string, name: string) => giveResults(petri, id, { values: { [name]: 7 } })

  it.each([
    ['feritin', '"feritin" is not a result of this order. Did you mean "ferritin"?'],
    ['glucose', '"glucose" is not a result of this order. It has ferritin, 25009000, 2276-4.'],
    ['xyz', '"xyz" is not a result of this order. It has ferritin, 25009000, 2276-4.'],
  ])('do not include %s', async (name, detail) => {
    expect(await put(await orderMarkers(petri, [FERRITIN]), name)).toRefuse(400, detail)
  })

  it('are of all laboratories, each with the analytes that they name', () => {
    const names = resultsByName(petri.world().services.catalogue)
    const slugsOf = (name: string) => names.get(name)?.map(field('slug'))
    expect(slugsOf('ferritin')).toEqual(['ferritin'])
    expect(slugsOf('2276-4')).toEqual(['ferritin'])
    expect(slugsOf('25009000')).toEqual(['ferritin'])
    expect(slugsOf('unheard')).toBeUndefined()
  })
})
