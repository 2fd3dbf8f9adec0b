import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startProgram } from '../../src/cli/exec/program-under-test.ts'
import { platform } from '../../src/kernel/platform.ts'
import { isProcessAlive } from '../../src/kernel/process-alive.ts'
import { petri, startPetri, stop } from '../support/cli.ts'
import { runPetri } from '../support/cli-in-process.ts'
import { listening } from '../support/listening.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'

openNetwork()

const headers = { 'x-vital-api-key': 'sk_us_petri', 'content-type': 'application/json' }
const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })

/** A receiver that answers each webhook after a while. */
async function slowReceiver(delayMs: number) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => setTimeout(() => response.writeHead(204).end(), delayMs))
  })
  return { url: `${await listening(server)}/webhooks`, close: () => server.close() }
}

describe('petri stop', () => {
  it('ends the Petri at a URL, and waits until it has ended', { tags: 'slow' }, async () => {
    const data = makeFolder('petri-')
    const { child, ready } = await startPetri(['--data', data])
    const ended = once(child, 'close')
    const stopped = await petri(['stop', '--url', ready.url], { PETRI_DATA: data })
    expect(isProcessAlive(child.pid as number)).toBe(false)
    expect(stopped).toEqual({ status: 0, stdout: `Stopped the Petri at ${ready.url}.\n`, stderr: '' })
    expect(await ended).toEqual([0, null])
    await expect(fetch(`${ready.url}/_petri/health`)).rejects.toThrow()
  })

  it('ends no Petri of another folder, and says how to stop the one on the default port', async () => {
    const { status, stdout, stderr } = await runPetri(['stop'], { PETRI_DATA: '/nowhere' })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/^No Petri of this folder is running/)
  })

  it('says that there is nothing to stop', { tags: 'slow' }, async () => {
    const { status, stderr } = await petri(['stop', '--url', 'http://127.0.0.1:9'])
    expect(status).toBe(1)
    expect(stderr).toContain('http://127.0.0.1:9')
  })

  it('needs the control token where one is set', { tags: 'slow' }, async () => {
    const { child, ready } = await startPetri([], { PETRI_CONTROL_TOKEN: 'token' })
    const ended = once(child, 'close')
    const stopWith = (token: string) => petri(['stop', '--url', ready.url], { PETRI_CONTROL_TOKEN: token })
    expect((await stopWith('')).stderr).toContain(
      `${ready.url} has a control token, and none was sent. Set PETRI_CONTROL_TOKEN to it.`,
    )
    expect((await stopWith('wrong')).stderr).toContain('does not know this control token.')
    expect(await fetch(`${ready.url}/_petri/health`)).toAnswer(200)
    const stopped = await stopWith('token')
    expect(stopped).toMatchObject({ status: 0, stderr: '' })
    expect(await ended).toEqual([0, null])
  })
})

describe('a Petri that is stopped', () => {
  it('ends a running advance after its current job, and answers it', { tags: 'slow' }, async () => {
    const receiver = await slowReceiver(300)
    const { child, ready } = await startPetri(['--frozen', '--webhook-url', receiver.url])
    await post(`${ready.url}/_petri/orders`, {})
    const advancing = post(`${ready.url}/_petri/clock/advance`, { until: 'idle' })
    const isAdvancing = async () =>
      ((await (await fetch(`${ready.url}/_petri/clock`, { headers })).json()) as { advancing: boolean })
        .advancing
    await expect.poll(isAdvancing).toBe(true)
    const status = stop(child)
    const response = await advancing
    expect(response).toAnswer(200)
    expect(await response.json()).toMatchObject({ stopped: true })
    expect(await status).toBe(0)
    receiver.close()
  })
})

describe.runIf(platform.hasProcFileSystem)('a program of --start', () => {
  it('is stopped with what has left its process group', { tags: 'slow' }, async () => {
    const file = join(makeFolder('petri-'), 'pid')
    const line = `(setsid sh -c 'echo $$ > ${file}; exec sleep 60' &); sleep 60`
    const program = startProgram(line, { PATH: process.env.PATH }, {})
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toMatch(/^\d+\n$/)
    const commandLine = `/proc/${readFileSync(file, 'utf8').trim()}/cmdline`
    expect(readFileSync(commandLine, 'utf8')).toContain('sleep')
    await program.stop()
    expect(existsSync(commandLine) && readFileSync(commandLine, 'utf8')).toBeFalsy()
  })
})

describe('a log in JSON', () => {
  it.each([
    [['--prot', '1'], 2, 'There is no flag --prot'],
    [['--data', '/dev/null/petri'], 1, 'is not a folder'],
  ])(
    'ends with a line of JSON when Petri cannot start with %j',
    { tags: 'slow' },
    async (flags, status, expected) => {
      const refused = await petri(['start', '--port', '0', ...flags], { PETRI_LOG_FORMAT: 'json' })
      expect(refused).toMatchObject({ status, stdout: '' })
      const lines = refused.stderr.trimEnd().split('\n')
      expect(lines).toHaveLength(1)
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({
        level: 'error',
        message: expect.stringContaining(expected),
      })
    },
  )
})
