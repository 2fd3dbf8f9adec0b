import { describe, expect, it } from 'vitest'
import { managing, teamIdOf } from '../support/management.ts'
import { createUser } from '../support/orders.ts'
import { NOBODY, ok, startTestWorld } from '../support/petri.ts'
import { dailySteps } from '../support/sense.ts'

async function start() {
  const petri = await startTestWorld()
  const base = `/team/${teamIdOf(petri)}/sandbox`
  return { petri, manage: managing(petri), base, path: `${base}/continuous_query` }
}

describe('a continuous query', () => {
  it('is made, listed, and answered under its name until it is archived', async () => {
    const { petri, manage, path } = await start()
    const made = await ok(manage.post(path, dailySteps))
    expect(made).toMatchObject({
      status: 'active',
      slug: 'daily-steps',
      team_id: teamIdOf(petri),
      resource_dependencies: ['activity'],
      result_table_schema: { columns: ['group_key.0', 'sum.steps'] },
    })
    expect((await manage.read(path)).data).toEqual([made])
    const user_id = await createUser(petri)
    const table = `/aggregate/v1/user/${user_id}/continuous_query/daily-steps/result_table`
    expect(await petri.get(table)).toAnswer(200)
    expect(await manage.delete(`${path}/${made.id}`)).toAnswer(200, null)
    expect(await petri.get(table)).toAnswer(404)
    expect((await manage.read(path)).data).toEqual([])
  })

  it('is checked without being made', async () => {
    const { manage, base, path } = await start()
    expect((await manage.post(`${base}/validate_continuous_query`, dailySteps)).body).toEqual({
      result_table_schema: { columns: ['group_key.0', 'sum.steps'] },
      resource_dependencies: ['activity'],
      fhir_observation_previews: null,
    })
    const flat = { ...dailySteps, query: { ...dailySteps.query, group_by: [] } }
    expect(await manage.post(`${base}/validate_continuous_query`, flat)).toAnswer(422)
    expect((await manage.read(path)).data).toEqual([])
  })

  it('is refused when its slug is taken or malformed', async () => {
    const { manage, path } = await start()
    await manage.post(path, dailySteps)
    expect(await manage.post(path, dailySteps)).toAnswer(409)
    for (const slug of ['-a', 'a--b', 'Daily'])
      expect(await manage.post(path, { ...dailySteps, slug })).toRefuse(422, [
        { type: 'string_pattern_mismatch', loc: ['body', 'slug'] },
      ])
    expect(await manage.patch(`${path}/${NOBODY}`, { title: 'x' })).toRefuse(
      404,
      'Continuous query not found',
    )
    expect(await manage.delete(`${path}/${NOBODY}`)).toAnswer(404)
    expect((await manage.read(path)).data).toHaveLength(1)
  })
})
