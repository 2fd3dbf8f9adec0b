import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { type Started, startPetri as start, stop } from '../support/cli.ts'
import { field } from '../support/field.ts'
import { makeFolder } from '../support/new-folder.ts'
import { openNetwork } from '../support/open-network.ts'
import { rounds } from '../support/rounds.ts'

openNetwork()

/** A minute, after which a holder that did not renew its lock counts as dead. */
const LONG_MS = 60_000

async function startPetri(args: readonly string[]): Promise<Started> {
  const started = await start(args)
  onTestFinished(() => void started.child.kill('SIGKILL'))
  return started
}

/** Calls of one Petri; `users` are those that it has acknowledged. */
function client({ ready }: Started) {
  const users: string[] = []
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await fetch(`${ready.url}${path}`, {
      method,
      headers: { 'x-service-api-key': ready.api_key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const createUser = async (name: string) => {
    const { status } = await call('POST', '/v2/user', { client_user_id: name })
    if (status === 200) users.push(name)
    return status
  }
  return { users, call, createUser }
}

/** Lets the lock look as the holder of another container leaves it that was suspended for long: nobody can ask whether it lives. */
function age(lock: string): void {
  const holder = JSON.parse(readFileSync(lock, 'utf8'))
  writeFileSync(lock, JSON.stringify({ ...holder, host: 'other', space: 'another container' }))
  const then = new Date(Date.now() - LONG_MS)
  utimesSync(lock, then, then)
}

// Three processes are started in each round.
it('a holder that was suspended while another took over changes nothing of it once it goes on', {
  timeout: rounds(120_000),
}, async () => {
  const random = createRandom('two holders')
  for (let round = 0; round < rounds(2); round++) {
    const root = makeFolder('petri-holders-')
    const folder = ['--data', root, '--frozen', '--now', '2026-01-05']
    const first = await startPetri(folder)
    const a = client(first)
    const shared: string = (await a.call('POST', '/_petri/worlds')).body.team_id
    await a.call('PUT', '/_petri/snapshots/kept')
    let isSuspended = false
    const work = async (act: (times: number) => Promise<unknown>) => {
      for (let times = 0; !isSuspended; times++) await act(times)
    }
    const working = [
      work((times) => a.createUser(`a${times}`)),
      work(() => a.call('PUT', '/_petri/snapshots/a')),
      work(async () => {
        const { status, body } = await a.call('POST', '/_petri/worlds')
        if (status === 201) await a.call('DELETE', `/_petri/worlds/${body.team_id}`)
      }),
    ]
    await pause(random.integer(`round/${round}`, 0, 300))
    first.child.kill('SIGSTOP')
    isSuspended = true
    age(join(root, 'petri.lock'))

    const second = await startPetri(folder)
    const b = client(second)
    for (let user = 0; user < 5; user++) expect(await b.createUser(`b${user}`)).toBe(200)
    const own: string = (await b.call('POST', '/_petri/worlds')).body.team_id
    expect(await b.call('PUT', '/_petri/snapshots/b')).toAnswer(200)
    first.child.kill('SIGCONT')
    const refused = [
      a.createUser('lost'),
      ...(
        [
          ['DELETE', `/_petri/worlds/${shared}`],
          ['PUT', '/_petri/snapshots/kept'],
          ['DELETE', '/_petri/snapshots/kept'],
          ['POST', '/_petri/snapshots/kept/restore'],
          ['POST', '/_petri/reset'],
          ['POST', '/_petri/worlds'],
        ] as const
      ).map(async ([method, path]) => (await a.call(method, path)).status),
    ]
    for (let user = 5; user < 20; user++) expect(await b.createUser(`b${user}`)).toBe(200)
    // 507 while what is stored is read again, after the first of them could not be stored.
    for (const status of await Promise.all(refused)) expect([503, 507]).toContain(status)
    await Promise.all(working)
    expect((await a.call('GET', '/_petri/health')).body.status).toBe('degraded')
    // One that ends in order must leave the folder alone as well.
    await stop(first.child, round % 2 === 0 ? 'SIGTERM' : 'SIGKILL')
    expect(await b.createUser('last')).toBe(200)
    await stop(second.child, 'SIGKILL')

    const third = await startPetri(folder)
    expect(third.before).toEqual([])
    const c = client(third)
    const { users } = (await c.call('GET', '/v2/user?limit=500')).body
    const names = users.map(field('client_user_id'))
    expect(names).toEqual(expect.arrayContaining([...a.users, ...b.users]))
    expect(names).not.toContain('lost')
    const worlds: { team_id: string }[] = (await c.call('GET', '/_petri/worlds')).body.data
    expect(worlds.map(field('team_id'))).toEqual(expect.arrayContaining([shared, own]))
    const { data: snapshots } = (await c.call('GET', '/_petri/snapshots')).body
    expect(snapshots.map(field('name'))).toEqual(expect.arrayContaining(['b', 'kept']))
    await stop(third.child)
  }
})
