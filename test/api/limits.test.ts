import { describe, expect, it } from 'vitest'
import { inputLimits } from '../../src/api/limits.ts'
import { forAllTests } from '../support/petri.ts'

const petri = forAllTests()

describe('an input beyond the limits', () => {
  it('is refused where it stands: a text, a list, an object', async () => {
    const long = await petri.post('/v2/user', { client_user_id: 'x'.repeat(inputLimits.text + 1) })
    expect(long).toRefuse(422, [{ type: 'string_too_long', loc: ['body', 'client_user_id'] }])
    const codes = Array(inputLimits.list + 1).fill('E11.9')
    const list = await petri.post('/v2/user', { client_user_id: 'a', tags: codes })
    expect(list).toRefuse(422, [{ type: 'too_long', loc: ['body', 'tags'] }])
    const fields = Object.fromEntries(
      Array.from({ length: inputLimits.fields + 1 }, (_, at) => [`f${at}`, 1]),
    )
    expect(await petri.post('/v2/user', fields)).toAnswer(422)
  })

  it('is taken up to them', async () => {
    const body = { client_user_id: 'x'.repeat(inputLimits.text) }
    expect(await petri.post('/v2/user', body)).toAnswer(200)
  })

  it('is the same in a query', async () => {
    const { status, body } = await petri.get(`/v3/orders?search_input=${'x'.repeat(inputLimits.text + 1)}`)
    expect(status).toBe(422)
    expect(body.detail[0].loc).toEqual(['query', 'search_input'])
  })
})

describe('a 422', () => {
  it('limits the number of errors and the repeated input', async () => {
    const bad = Array(inputLimits.list).fill({ event_type: 7, url: 'x'.repeat(1000) })
    const { status, body } = await petri.put('/_petri/faults', { faults: bad.slice(0, 100) })
    expect(status).toBe(422)
    expect(body.detail.length).toBeLessThanOrEqual(inputLimits.problems)
    expect(JSON.stringify(body).length).toBeLessThan(2 * inputLimits.echo)
  })
})
