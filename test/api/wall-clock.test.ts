import { afterEach, expect, it } from 'vitest'
import { START, startTestPetri, type TestPetri } from '../support/petri.ts'

let petri: TestPetri
afterEach(() => petri.close())

it('that was set back lets live worlds stand, is reported once, and leaves no world in the future', async () => {
  const wall = { now: START }
  const bugs: string[] = []
  petri = await startTestPetri({ wall: () => wall.now, reportBug: (error) => bugs.push(String(error)) })
  await petri.call('PATCH', '/_petri/clock', { frozen: false })
  const now = async () => Date.parse((await petri.get('/_petri/clock')).body.now)
  const before = await now()
  wall.now -= 60_000
  expect(await now()).toBe(before)
  for (let times = 0; times < 2; times++) await petri.petri.worlds.maintain()
  expect(bugs).toEqual([expect.stringContaining('set back by 60 s')])
  expect((await petri.get('/_petri/health')).body).toMatchObject({
    status: 'degraded',
    detail: expect.stringContaining('stand still'),
  })
  wall.now += 61_000
  expect(await now()).toBe(before + 1000)
  expect((await petri.get('/_petri/health')).body.status).toBe('ok')
})
