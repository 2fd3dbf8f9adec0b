import { beforeEach, describe, expect, it } from 'vitest'
import { labTests } from '../../src/resources/lab-tests/table.ts'
import { field } from '../support/field.ts'
import {
  advance,
  createUser,
  kitTestId,
  moveOrder,
  orderBy,
  orderForPatient,
  readOrder,
  setFeatures,
  standardTest,
  statusesOf,
} from '../support/orders.ts'
import { NOBODY, ok, payloadsOf, startTestWorld, type TestPetri, valueError } from '../support/petri.ts'

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestWorld()
})

let nth = 0
const begin = (body: object, key = `key ${++nth}`) =>
  petri.post('/v3/unmatched_result_test', { order_source: 'managed', ...body }, { 'x-idempotency-key': key })

/** Runs a case to its end; answers the run. */
async function run(name: string, more: object = {}) {
  const { status, body } = await begin({ case: name, ...more })
  expect(status, JSON.stringify(body)).toBe(202)
  await advance(petri, '1m')
  return await petri.read(`/v3/unmatched_result_test/${body.run_id}`)
}

/** Makes a result go astray; answers it, and the orders that played a part. */
async function astray(name: string, more: object = {}) {
  const done = await run(name, more)
  expect(done, JSON.stringify(done.error)).toMatchObject({
    status: 'succeeded',
    stage: 'succeeded',
    error: null,
  })
  const result = await petri.read(`/v3/unmatched_result/${done.raw_result_id}`)
  const ids: Record<string, { order_id: string; user_id: string }> = done.orders
  return { result, orders: ids }
}

const provided = (orders?: object) => ({ order_source: 'provided', orders })

/** A walk-in test of markers; its id. */
const newLabTest = async (marker_ids: number[]): Promise<string> => {
  const body = { name: 'Other', method: 'walk_in_test', description: '', marker_ids }
  return (await petri.post('/v3/lab_tests', body)).body.id
}

const accept = (id: string, body: object = {}) => petri.post(`/v3/unmatched_result/${id}/accept`, body)
const resolve = (id: string, action: string, note?: string) =>
  petri.post(`/v3/unmatched_result/${id}/resolve`, { action, note })
const list = (query = '') => petri.read(`/v3/unmatched_result?${query}`)
const lastOf = (order: { events: { status: string }[] }) => order.events.at(-1)?.status

const reviews = () => payloadsOf(petri, 'labtest.match_review')

describe('a test of unmatched results', () => {
  it('goes through its stages on the clock', { tags: 'slow' }, async () => {
    const started = await begin({ case: 'no_match' })
    expect(started).toAnswer(202, { status: 'queued', run_id: expect.any(String) })
    const path = `/v3/unmatched_result_test/${started.body.run_id}`
    expect(await petri.read(path)).toMatchObject({
      status: 'queued',
      stage: 'queued',
      started_at: null,
    })
    await advance(petri, '1s')
    expect(await petri.read(path)).toMatchObject({ status: 'running', stage: 'validating' })
    const { effects } = (await advance(petri, '1m')).body
    const done = await petri.read(path)
    expect(done).toMatchObject({
      status: 'succeeded',
      raw_result_id: expect.any(String),
      started_at: '2026-01-05T09:00:01+00:00',
      completed_at: '2026-01-05T09:00:08+00:00',
    })
    expect(effects).toContainEqual(
      expect.objectContaining({
        kind: 'match_review',
        raw_result_id: done.raw_result_id,
        status: 'pending_customer_review',
      }),
    )
    expect((await petri.read(`/_petri/agenda?subject=${done.run_id}`)).data).toEqual([])
    expect(await petri.get(`/v3/unmatched_result_test/${NOBODY}`)).toRefuse(
      404,
      'Unmatched result test not found',
    )
  })

  it('refuses what does not go together', async () => {
    const refused = (text: string) => ({
      detail: valueError([], text, expect.any(Object)),
    })
    const of = (name: string, orders?: object) => ({ case: name, ...provided(orders) })
    const wrong: [object, string][] = [
      [{ case: 'wrong_collection' }, 'case wrong_collection needs provided orders'],
      [
        { case: 'match_completed', orders: { provenance: NOBODY } },
        'orders must not be set for managed runs',
      ],
      [of('match_completed'), 'orders must have exactly the roles: provenance'],
      [of('match_completed', { candidate: NOBODY }), 'orders must have exactly the roles: provenance'],
      [of('match_demo', {}), 'orders must have exactly the roles: candidate_a, candidate_b'],
      [of('no_match', { candidate: NOBODY }), 'orders must have exactly the roles: none'],
      [of('match_completed', { provenance: NOBODY }), `Order ${NOBODY} does not exist`],
      [of('match_demo', { candidate_b: NOBODY, candidate_a: NOBODY }), `Order ${NOBODY} does not exist`],
    ]
    for (const [body, text] of wrong) expect(await begin(body)).toAnswer(422, refused(text))
    for (const body of [{ case: 'nonsense' }, { case: 'no_match', colour: 'red' }])
      expect(await begin(body)).toAnswer(422)
    expect(await begin({ case: 'match_completed', orders: {} })).toAnswer(202)
    expect(await begin(of('no_match', {}))).toAnswer(202)
  })

  it('lists its cases, with the orders each needs', async () => {
    const { data } = await petri.read('/v3/unmatched_result_test/case')
    expect(data).toHaveLength(8)
    expect(data).toContainEqual({
      case: 'match_demo',
      order_roles: ['candidate_a', 'candidate_b'],
      required_statuses: { candidate_a: 'requisition_created', candidate_b: 'requisition_created' },
      lab_constraints: expect.arrayContaining(['central_lab']),
    })
  })

  it('fails with a reason when its orders or lab tests do not fit', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    expect(await run('match_completed', provided({ provenance: order.id }))).toMatchObject({
      status: 'failed',
      stage: 'failed',
      error: { code: 'invalid_order_status', message: expect.stringContaining('completed') },
    })
    expect(await run('no_match', { lab_test_id: await newLabTest([1975]) })).toMatchObject({
      status: 'succeeded',
    })
  })
})

describe('a test of unmatched results that cannot go on', () => {
  const failed = (code: string, message: string) => ({ status: 'failed', error: { code, message } })

  it('ends with the time, and without another stage', async () => {
    const done = await run('no_match', { lab_test_id: NOBODY })
    expect(done).toMatchObject({
      ...failed('lab_test_not_found', `Lab test ${NOBODY} does not exist.`),
      stage: 'failed',
      raw_result_id: null,
      updated_at: '2026-01-05T09:00:02+00:00',
      completed_at: '2026-01-05T09:00:02+00:00',
    })
  })

  it('has orders at central laboratories, and of one user where there is one', async () => {
    const kit = await orderForPatient(petri)
    expect(await run('match_completed', provided({ provenance: kit.id }))).toMatchObject(
      failed('invalid_lab', `Order ${kit.id} is not at a central laboratory.`),
    )
    const ofUser = async (name: string) => {
      const { id } = await orderBy(petri, 'walk_in_test', { user_id: await createUser(petri, name) })
      await moveOrder(petri, id, 'requisition_created', { force: true })
      return id
    }
    const orders = provided({ candidate_b: await ofUser('b'), candidate_a: await ofUser('a') })
    expect(await run('match_demo', orders)).toMatchObject(
      failed('invalid_orders', 'The orders must be of one user.'),
    )
    expect(await run('multiple_demo_match', orders)).toMatchObject({ status: 'succeeded' })
  })

  it('has lab tests of central laboratories, and of two where one is wrong', async () => {
    const kit = await kitTestId(petri)
    expect(await run('no_match', { lab_test_id: kit })).toMatchObject(
      failed('invalid_lab', `Lab test ${kit} is not of a central laboratory.`),
    )
    const [one, other] = [await newLabTest([8001]), await newLabTest([8006])]
    expect(await run('wrong_lab', { lab_test_id: one, wrong_lab_test_id: other })).toMatchObject(
      failed('invalid_lab', 'The two lab tests must be of different laboratories.'),
    )
    expect(await run('no_match')).toMatchObject(
      failed('lab_test_required', 'Several lab tests fit; lab_test_id must be set.'),
    )
  })

  it('has lab tests that can be ordered', async () => {
    const off = async (method: string) => {
      const id = await standardTest(petri, method)
      await petri.patch(`/v3/lab_tests/${id}`, { active: false })
      return id
    }
    const inactive = await off('walk_in_test')
    expect(await run('match_completed', { lab_test_id: inactive })).toMatchObject(
      failed('bad_request', 'test is not active'),
    )
    // One walk-in test is left, which is a standard one at another laboratory.
    const { result } = await astray('no_match')
    expect(result.lab.slug).toBe('labcorp')
    expect(await run('wrong_lab')).toMatchObject(
      failed('no_lab_test', 'The team has no lab test of another central laboratory.'),
    )
    const { db } = petri.world()
    for (const row of db.all(labTests))
      if (row.method !== 'testkit') db.put(labTests, { ...row, status: 'inactive' })
    expect(await run('no_match')).toMatchObject(
      failed('no_lab_test', 'The team has no lab test of a central laboratory.'),
    )
  })

  it('does not choose a lab test that was generated for an order', async () => {
    await orderBy(petri, 'walk_in_test', {
      order_set: { add_on: { marker_ids: [8001] } },
      collection_method: 'walk_in_test',
    })
    expect(await run('no_match')).toMatchObject({ status: 'succeeded' })
  })
})

describe('a candidate of an unmatched result', () => {
  const candidatesOf = (result: { candidate_groups: { candidates: object[] }[] }) =>
    result.candidate_groups.flatMap(({ candidates }) => candidates)

  it('has its order, how sure it is, and why', async () => {
    const { result, orders } = await astray('match_completed')
    const order = await readOrder(petri, orders.provenance?.order_id ?? '')
    const count = new Set(order.lab_test.markers.map(field('slug'))).size
    expect(candidatesOf(result)).toEqual([
      {
        candidate_type: 'provenance_order',
        order_id: order.id,
        order_transaction_id: order.order_transaction.id,
        last_status: 'completed',
        confidence_level: 'high',
        confidence_score: 0.97,
        reasons: [
          'sample_id_match',
          'matched_completed_order',
          'demographic_match',
          'same_lab',
          'marker_overlap_exact',
        ],
        marker_overlap: { ordered: count, received: count, shared: count },
        status_context: { last_status: 'completed', last_status_at: order.events.at(-1).created_at },
      },
    ])
    expect(result.lab).toMatchObject({ name: 'Quest', slug: 'quest', id: order.lab_test.lab.id })
    expect(result.markers).toHaveLength(count)
  })

  it.each([
    ['match_cancelled', 'high', 0.96, true],
    ['wrong_lab', 'medium', 0.75, false],
    ['multiple_demo_match', 'medium', 0.6, true],
    ['match_sample_id_mismatch_demo', 'low', 0.55, true],
  ])('of %s is as sure as the case: %s', async (name, confidence_level, confidence_score, isSameLab) => {
    const [candidate] = candidatesOf((await astray(name)).result)
    expect(candidate).toMatchObject({ confidence_level, confidence_score })
    const reasons = new Set((candidate as { reasons: string[] }).reasons)
    expect(reasons.has('same_lab')).toBe(isSameLab)
  })

  it.each([
    ['none', [8006], [3, 1, 0]],
    ['partial', [8001], [3, 1, 1]],
    ['partial', [8001, 8002, 8005, 8006], [3, 4, 3]],
  ])('has the overlap of its markers: %s of %o', async (overlap, marker_ids, [ordered, received, shared]) => {
    const { id } = await orderBy(petri, 'walk_in_test')
    await moveOrder(petri, id, 'completed', { force: true })
    const { result } = await astray('match_completed', {
      ...provided({ provenance: id }),
      lab_test_id: await newLabTest(marker_ids),
    })
    expect(candidatesOf(result)).toMatchObject([
      {
        reasons: expect.arrayContaining([`marker_overlap_${overlap}`]),
        marker_overlap: { ordered, received, shared },
      },
    ])
  })
})

describe('an unmatched result', () => {
  it('of a completed or cancelled order goes to a recreation of it', async () => {
    for (const low of ['completed', 'cancelled']) {
      petri = await startTestWorld()
      const { result, orders } = await astray(`match_${low}`, { interpretation: 'abnormal' })
      expect(result).toMatchObject({
        status: 'pending_customer_review',
        decision_code: `match_${low}`,
        allowed_actions: ['accept', 'reject', 'unsure'],
        candidate_groups: [{ candidates: [{ confidence_level: 'high', last_status: low }] }],
      })
      const before = orders.provenance?.order_id ?? ''
      const body = await ok(accept(result.id, { note: 'ours' }))
      expect(body).toMatchObject({ origin: 'recreation', interpretation: 'abnormal', status: 'completed' })
      expect(body.order_transaction.orders.at(-1)).toMatchObject({ id: body.id, parent_id: before })
      expect(lastOf(await readOrder(petri, before))).toContain(low)
      expect(await petri.read(`/v3/unmatched_result/${result.id}`)).toMatchObject({
        status: 'resolved',
        resolution_action: 'accept',
        resolved_order_id: body.id,
        resolved_user_id: orders.provenance?.user_id,
        note: 'ours',
        allowed_actions: [],
        reviewed_at: expect.any(String),
      })
      expect(await accept(result.id)).toRefuse(404, 'Unmatched result is no longer reviewable')
      expect(await resolve(result.id, 'reject')).toAnswer(404)
    }
  })

  it('of an order that was not ready moves it on', async () => {
    const order = await orderBy(petri, 'at_home_phlebotomy')
    await moveOrder(petri, order.id, 'appointment_pending', { force: true })
    const { result } = await astray('wrong_collection', provided({ provenance: order.id }))
    const { body } = await accept(result.id)
    expect(body.id).toBe(order.id)
    expect(statusesOf(body).slice(-2)).toEqual([
      'collecting_sample.at_home_phlebotomy.draw_completed',
      'completed.at_home_phlebotomy.completed',
    ])
  })

  it.each([
    ['draw_completed', 'final', ['draw_completed', 'completed']],
    ['ordered', 'final', ['draw_completed', 'completed']],
    ['ordered', 'partial', ['draw_completed', 'partial_results']],
    ['partial_results', 'final', ['draw_completed', 'partial_results', 'completed']],
  ])('draws an order at a clinic that is %s once, and its %s results follow', async (from, kind, lows) => {
    const { id } = await orderBy(petri, 'on_site_collection')
    const way = from === 'partial_results' ? ['draw_completed', 'partial_results'] : [from]
    for (const status of way) await moveOrder(petri, id, status, { force: true })
    const { result } = await astray('no_match', {
      result_status: kind,
      lab_test_id: await standardTest(petri, 'on_site_collection'),
    })
    const { body } = await accept(result.id, { order_id: id })
    const reached = statusesOf(body).map((status: string) => status.split('.').at(-1))
    expect(reached.slice(reached.indexOf('draw_completed'))).toEqual(lows)
  })

  it('of another laboratory goes to a recreation there', async () => {
    const { result, orders } = await astray('wrong_lab')
    const before = await readOrder(petri, orders.candidate?.order_id ?? '')
    expect(before.lab_test.lab.slug).not.toBe(result.lab.slug)
    expect(result.candidate_groups[0].candidates[0].reasons).toContain('possible_wrong_lab')
    const { body } = await accept(result.id)
    expect(body).toMatchObject({ origin: 'recreation', lab_test: { lab: { slug: result.lab.slug } } })
  })

  it('that matches several patients needs the choice of one', async () => {
    const { result, orders } = await astray('multiple_demo_match')
    const [a, b] = [orders.candidate_a, orders.candidate_b]
    expect(result.candidate_groups).toHaveLength(2)
    const refusals: [object, string, string, string | null][] = [
      [{}, 'order_id', 'The target is ambiguous; order_id or user_id must be set', null],
      [{ order_id: NOBODY }, 'order_id', 'Order does not exist', NOBODY],
      [{ user_id: NOBODY }, 'user_id', 'User does not exist', NOBODY],
      [
        { order_id: a?.order_id, user_id: b?.user_id },
        'order_id',
        'Order does not belong to the user',
        a?.order_id ?? '',
      ],
    ]
    for (const [body, field, text, input] of refusals)
      expect(await accept(result.id, body)).toRefuse(422, valueError([field], text, input))
    const { body } = await accept(result.id, { user_id: b?.user_id })
    expect(body).toMatchObject({ id: b?.order_id, status: 'completed' })
  })

  it('that matches several orders of one patient needs the choice of one', async () => {
    const { result, orders } = await astray('match_demo', { result_status: 'partial' })
    expect(result.candidate_groups).toHaveLength(1)
    const { order_id, user_id } = orders.candidate_a ?? {}
    expect(await accept(result.id, { user_id })).toAnswer(422)
    const { body } = await accept(result.id, { order_id, user_id })
    expect(lastOf(body)).toBe('sample_with_lab.walk_in_test.partial_results')
  })

  it('names the patient of its order', async () => {
    for (let nth = 0; nth < 4; nth++) {
      const { result, orders } = await astray('match_completed')
      const { patient_details } = await readOrder(petri, orders.provenance?.order_id ?? '')
      expect(result.patient).toMatchObject({
        first_name: patient_details.first_name,
        gender: patient_details.gender,
      })
    }
  })

  it('that matches nothing gives its patient to the new order, at an address of their own', async () => {
    const user_id = await createUser(petri, 'somebody')
    const genders = new Set<string>()
    for (let nth = 0; nth < 4; nth++) {
      const { result } = await astray('no_match')
      const { first_name, last_name, gender, dob } = result.patient
      genders.add(gender)
      const { body } = await accept(result.id, { user_id })
      expect(body).toMatchObject({
        priority: false,
        patient_details: {
          first_name,
          last_name,
          gender,
          dob: expect.stringMatching(`^${dob.slice(0, 10)}`),
        },
        patient_address: {
          receiver_name: `${first_name} ${last_name}`,
          city: 'Houston',
          state: 'TX',
          zip: '77002',
          country: 'US',
        },
      })
    }
    expect(genders).toEqual(new Set(['female', 'male']))
  })

  it('is announced with the user it is of, if there is one alone', async () => {
    const userOf = () => reviews().at(-1).user_id
    const { orders } = await astray('match_completed')
    expect(userOf()).toBe(orders.provenance?.user_id)
    const several = await astray('multiple_demo_match')
    expect(userOf()).toBeNull()
    const { candidate_b } = several.orders
    await accept(several.result.id, { user_id: candidate_b?.user_id })
    expect(userOf()).toBe(candidate_b?.user_id)
    await astray('no_match')
    expect(userOf()).toBeNull()
  })

  it('with another patient on it goes to the order of its sample when accepted', async () => {
    const { result, orders } = await astray('match_sample_id_mismatch_demo')
    const order = await readOrder(petri, String(orders.provenance?.order_id))
    expect(result.patient.last_name).not.toBe(order.patient_details.last_name)
    expect(result.patient.dob).toBe(`${order.patient_details.dob.slice(0, 10)}T00:00:00+00:00`)
    expect((await accept(result.id)).body.id).toBe(orders.provenance?.order_id)
  })

  it('that matches nothing gets a new order, or a given one', async () => {
    const user_id = await createUser(petri, 'somebody')
    const one = (await astray('no_match')).result
    expect(one.candidate_groups).toEqual([])
    expect(await accept(one.id)).toAnswer(422)
    expect(await accept(one.id, { user_id: NOBODY })).toAnswer(422)
    const { body } = await accept(one.id, { user_id })
    expect(body).toMatchObject({ user_id, origin: 'initial', status: 'completed' })
    const other = (await astray('no_match')).result
    const order = await orderBy(petri, 'walk_in_test', { user_id })
    expect((await accept(other.id, { order_id: order.id })).body.id).toBe(order.id)
  })

  it('can be rejected, or left to the staff', async () => {
    const [one, other] = [(await astray('no_match')).result, (await astray('match_completed')).result]
    expect(await resolve(one.id, 'accept')).toAnswer(422)
    expect((await resolve(one.id, 'reject', 'not ours')).body).toMatchObject({
      status: 'resolved',
      resolution_action: 'reject',
      note: 'not ours',
      allowed_actions: [],
    })
    expect((await resolve(other.id, 'unsure')).body).toMatchObject({
      status: 'pending_ops_review',
      allowed_actions: [],
    })
    expect(await resolve(other.id, 'reject')).toAnswer(404)
    expect(reviews().map(({ event_type, data }) => [event_type, data.status])).toEqual([
      ['labtest.match_review.created', 'pending_customer_review'],
      ['labtest.match_review.created', 'pending_customer_review'],
      ['labtest.match_review.updated', 'resolved'],
      ['labtest.match_review.updated', 'pending_ops_review'],
    ])
  })
})

describe('an update of an unmatched result', () => {
  const update = (id: string, body: object) => petri.post(`/v3/unmatched_result/${id}/update`, body)
  const updates = (id: string, query = '') => petri.read(`/v3/unmatched_result/${id}/update?${query}`)
  const IN_PROGRESS = 'pending_customer_review:in_progress'

  it('moves it between waiting and in progress, and is listed newest first', async () => {
    const { result } = await astray('no_match')
    expect(result).toMatchObject({
      latest_activity_actor_id: null,
      latest_activity_actor_type: null,
      latest_activity_at: null,
    })
    expect(await updates(result.id)).toEqual({ data: [], next_cursor: null })
    const { body } = await update(result.id, { status: IN_PROGRESS, note: 'on it' })
    const at = body.latest_activity_at
    expect(body).toMatchObject({
      status: IN_PROGRESS,
      note: 'on it',
      allowed_actions: ['accept', 'reject', 'unsure'],
      latest_activity_actor_id: null,
      latest_activity_actor_type: 'api',
      updated_at: at,
    })
    await update(result.id, { status: 'pending_customer_review' })
    const api = { actor_id: null, actor_type: 'api', created_at: at }
    const back = { from_status: IN_PROGRESS, to_status: 'pending_customer_review', note: null, ...api }
    const forth = { from_status: 'pending_customer_review', to_status: IN_PROGRESS, note: 'on it', ...api }
    expect(await updates(result.id)).toEqual({ data: [back, forth], next_cursor: null })
    const page = await updates(result.id, 'limit=1')
    expect(page).toEqual({ data: [back], next_cursor: expect.any(String) })
    expect(await updates(result.id, `limit=1&next_cursor=${page.next_cursor}`)).toEqual({
      data: [forth],
      next_cursor: null,
    })
    expect(reviews().map(({ data }) => data.status)).toEqual([
      'pending_customer_review',
      IN_PROGRESS,
      'pending_customer_review',
    ])
  })

  it('may be a note alone, which sends no event', async () => {
    const { result } = await astray('no_match')
    const { body } = await update(result.id, { note: 'called the patient' })
    expect(body).toMatchObject({ status: 'pending_customer_review', note: 'called the patient' })
    expect((await updates(result.id)).data).toMatchObject([
      { from_status: 'pending_customer_review', to_status: 'pending_customer_review' },
    ])
    expect(reviews()).toHaveLength(1)
  })

  it('is made by each decision, also from in progress', async () => {
    const decisions = [
      ['resolved:accepted', (id: string) => accept(id, { note: 'ours' })],
      ['resolved:rejected', (id: string) => resolve(id, 'reject')],
      ['pending_ops_review', (id: string) => resolve(id, 'unsure')],
    ] as const
    for (const [to_status, decide] of decisions) {
      const { result } = await astray('match_completed')
      await update(result.id, { status: IN_PROGRESS })
      expect(await decide(result.id)).toAnswer(200)
      expect((await updates(result.id)).data[0]).toMatchObject({
        from_status: IN_PROGRESS,
        to_status,
        note: to_status === 'resolved:accepted' ? 'ours' : null,
      })
      expect(await update(result.id, { note: 'late' })).toAnswer(404)
    }
  })

  it('shows in the list: by default with those that wait, by the filter alone', async () => {
    const { result } = await astray('no_match')
    await update(result.id, { status: IN_PROGRESS })
    expect((await list()).total).toBe(1)
    expect((await list(`status=${IN_PROGRESS}`)).total).toBe(1)
    expect((await list('status=pending_customer_review')).total).toBe(0)
  })

  it('without note and status, with a status that is not the customer’s, or of nothing is refused', async () => {
    const { result } = await astray('no_match')
    for (const body of [{}, { note: null, status: null }])
      expect((await update(result.id, body)).body).toMatchObject({
        detail: [{ loc: ['body', 'status'], msg: 'Value error, note or status must be set', input: null }],
      })
    for (const body of [{ status: 'resolved' }, { note: 7 }])
      expect(await update(result.id, body)).toAnswer(422)
    expect(await update(NOBODY, { note: 'x' })).toRefuse(404, 'Unmatched result not found')
    expect(await petri.get(`/v3/unmatched_result/${result.id}/update?limit=501`)).toAnswer(422)
    expect((await updates(result.id)).data).toEqual([])
  })
})

describe('the list of unmatched results', () => {
  it('continues after a result that was resolved since, and refuses a cursor of another list or filter', async () => {
    for (let n = 0; n < 3; n++) await astray('no_match')
    const ids = (await list()).data.map(field('id'))
    const { data, next_cursor } = await list('limit=1')
    await resolve(data[0].id, 'reject')
    const rest = await list(`next_cursor=${next_cursor}`)
    expect(rest.data.map(field('id'))).toEqual(ids.slice(1))
    for (const path of [
      '/v3/unmatched_result?status=resolved&',
      `/v3/unmatched_result/${ids[0]}/update?`,
      '/v3/result?',
    ]) {
      expect(await petri.get(`${path}next_cursor=${next_cursor}`)).toRefuse(400, 'Invalid cursor')
    }
  })

  it('holds those that wait, and can be searched', async () => {
    const first = (await astray('no_match')).result
    await advance(petri, '2d')
    const { result: second, orders } = await astray('match_completed')
    const ids = async (query: string) => (await list(query)).data.map(field('id'))
    expect(await ids('')).toEqual([second.id, first.id])
    expect(await ids('decision_code=no_match')).toEqual([first.id])
    expect(await ids('lab_slug=labcorp')).toEqual([])
    expect(await ids('lab_slug=quest')).toEqual([second.id, first.id])
    expect(await ids('created_at_start=2026-01-07')).toEqual([second.id])
    expect(await ids(`search_input=${orders.provenance?.order_id}`)).toEqual([second.id])
    expect(await ids(`search_input=${first.id.toUpperCase()}`)).toEqual([first.id])
    for (const { name, provider_id } of first.markers)
      for (const text of [name, provider_id])
        expect(await ids(`search_input=${encodeURIComponent(` ${text} `)}`)).toEqual([second.id, first.id])
    expect(await ids('created_at_end=2026-01-05')).toEqual([first.id])
    expect(await ids('created_at_start=2026-01-06')).toEqual([second.id])
    expect(await ids(`search_input=${first.patient.last_name.toLowerCase()}`)).toEqual([first.id])
    expect(await ids('search_input=zebra')).toEqual([])
    const page = await list('limit=1')
    expect(page).toMatchObject({ total: 2, data: [{ id: second.id }], next_cursor: expect.any(String) })
    expect(await list(`limit=1&next_cursor=${page.next_cursor}`)).toMatchObject({
      data: [{ id: first.id }],
      next_cursor: null,
    })
    await resolve(first.id, 'reject')
    expect(await ids('')).toEqual([second.id])
    expect(await ids('status=resolved')).toEqual([first.id])
  })

  it('is there for teams that have it, and can be tested in a sandbox only', async () => {
    await setFeatures(petri, { unmatched_results: false })
    for (const path of [
      '/v3/unmatched_result',
      `/v3/unmatched_result/${NOBODY}`,
      '/v3/unmatched_result_test/case',
    ]) {
      expect(await petri.get(path), path).toRefuse(400, 'Unmatched results are not enabled for your team')
    }
    await setFeatures(petri, { unmatched_results: true, parity: 'production' })
    expect(await petri.get('/v3/unmatched_result_test/case')).toRefuse(404, 'Not Found')
    expect(await begin({ case: 'no_match' })).toAnswer(404)
    expect(await petri.get('/v3/unmatched_result')).toAnswer(200)
  })
})
