import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { fileFolder } from '../../src/storage/folder.ts'
import { dataFolder } from '../support/keeping-folder.ts'
import { makeFolder } from '../support/new-folder.ts'
import { orderKit, readDetails, readOrder } from '../support/orders.ts'
import { START, startTestPetri, type TestPetri } from '../support/petri.ts'

let petri: TestPetri
afterEach(() => petri.close())

it('that was set back lets live worlds stand, is told of once, and leaves no world in the future', async () => {
  const wall = { now: START }
  const warnings: string[] = []
  petri = await startTestPetri({ wall: () => wall.now, warn: (message) => warnings.push(message) })
  await petri.patch('/_petri/clock', { frozen: false })
  const now = async () => Date.parse((await petri.read('/_petri/clock')).now)
  const before = await now()
  wall.now -= 60_000
  expect(await now()).toBe(before)
  for (let times = 0; times < 2; times++) await petri.petri.worlds.maintain()
  expect(warnings).toEqual([expect.stringContaining('was set back')])
  expect(await petri.read('/_petri/health')).toMatchObject({
    status: 'degraded',
    detail: expect.stringContaining('stands still'),
  })
  wall.now += 61_000
  expect(await now()).toBe(before + 1000)
  expect((await petri.read('/_petri/health')).status).toBe('ok')
})

describe("the machine's clock was set back: a live world", () => {
  const wall = { now: START }
  const HOUR = 3_600_000
  const setBack = async () => {
    wall.now = START
    petri = await startTestPetri({ wall: () => wall.now })
    await petri.patch('/_petri/clock', { frozen: false })
    wall.now -= 170 * 365 * 24 * HOUR
  }
  const clock = () => petri.read('/_petri/clock')

  it('says why it stands still where its clock and its orders are shown', async () => {
    await setBack()
    const order = await orderKit(petri)
    const sentence = expect.stringMatching(/^The machine's clock was set back.*clock\/rebase/)
    expect((await clock()).standing).toEqual(sentence)
    expect((await readDetails(petri, order.id)).explanation.lines).toEqual(expect.arrayContaining([sentence]))
  })

  it('continues from where it stands after a rebase, and runs what was due', async () => {
    await setBack()
    const order = await orderKit(petri)
    const before = await clock()
    expect(before.next_due).not.toBeNull()
    const after = await petri.post('/_petri/clock/rebase')
    expect(after).toAnswer(200, { now: before.now, standing: null })
    expect((await petri.read('/_petri/health')).status).toBe('ok')
    expect((await clock()).next_due).toBe(before.next_due)
    wall.now += HOUR
    expect(Date.parse((await clock()).now)).toBe(Date.parse(before.now) + HOUR)
    petri.world().agenda.runDue()
    await petri.world().agenda.settled()
    expect((await readOrder(petri, order.id)).events.length).toBeGreaterThan(1)
  })

  it('that is frozen, or does not stand still, is left as it is by a rebase', async () => {
    await setBack()
    wall.now = START + HOUR
    const before = (await clock()).now
    expect((await petri.post('/_petri/clock/rebase')).body.now).toBe(before)
    await petri.patch('/_petri/clock', { frozen: true })
    wall.now -= HOUR
    const frozen = await clock()
    expect((await petri.post('/_petri/clock/rebase')).body).toEqual(frozen)
  })

  it('is not earlier than it has said when its process was killed', async () => {
    const { root, start } = dataFolder()
    wall.now = START
    petri = await start({ wall: () => wall.now })
    await petri.patch('/_petri/clock', { frozen: false })
    wall.now += 3400
    const said = (await clock()).now
    wall.now -= 60_000
    expect((await clock()).now).toBe(said)
    const copy = makeFolder('petri-killed-')
    cpSync(join(root, 'worlds'), join(copy, 'worlds'), { recursive: true })
    await petri.close()
    petri = await startTestPetri({
      wall: () => wall.now,
      folder: await fileFolder(copy, { warn: (text) => expect.fail(text) }),
    })
    expect((await clock()).now).toBe(said)
  })
})
