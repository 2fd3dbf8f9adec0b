import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { petri, type Started, startPetri, stop } from '../support/cli.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'

const data = join(makeFolder('petri-running-'), 'data')
let started: Started
beforeAll(async () => {
  started = await startPetri(['--data', data])
  // A process takes seconds to start where the machine is busy.
}, 60_000)
openNetwork()
afterAll(() => (started.child.signalCode ? undefined : stop(started.child)))

describe('a Petri on another port', () => {
  it('is found by commands through its folder', async () => {
    const { stdout } = await runPetri(['env', '--shell', 'dotenv'], { PETRI_DATA: data })
    expect(stdout).toContain(`PETRI_URL=${started.ready.url}\n`)
    expect(await runPetri(['health'], { PETRI_DATA: data })).toAnswer(0)
  })

  it('is found in the folder .petri of the current one', { tags: 'slow' }, async () => {
    const folder = makeFolder('petri-running-')
    const other = await startPetri(['--data', join(folder, '.petri')])
    try {
      const { stdout } = await petri(['env', '--shell', 'dotenv'], {}, folder)
      expect(stdout).toContain(`PETRI_URL=${other.ready.url}\n`)
    } finally {
      await stop(other.child)
    }
    expect(existsSync(join(folder, '.petri/running.json'))).toBe(false)
  })

  it('is not looked for where an address is given', async () => {
    const given = { PETRI_DATA: data, PETRI_PORT: '9' }
    const { stderr } = await runPetri(['clock'], given)
    expect(stderr).toContain('No answer from http://127.0.0.1:9')
    expect(stderr).toContain('PETRI_URL or --url names another')
  })

  it('is not looked for after it was killed', async () => {
    const file = join(data, 'running.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      pid: started.child.pid,
      url: started.ready.url,
    })
    started.child.kill('SIGKILL')
    await new Promise((ended) => started.child.once('close', ended))
    expect(existsSync(file)).toBe(true)
    const { stderr } = await runPetri(['clock'], { PETRI_DATA: data })
    expect(stderr).toContain('No answer from http://127.0.0.1:4080')
  })
})
