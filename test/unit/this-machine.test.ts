import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { receiverHostOf } from '../../src/client/receivers.ts'
import { isOwnHost } from '../../src/http/same-site.ts'
import { hostsWithoutProxy } from '../../src/intercept/variables.ts'
import { isLoopback, isThisMachine } from '../../src/kernel/this-machine.ts'
import { describeFailure } from '../../src/webhooks/outgoing.ts'

// biome-ignore format: a table is read by its columns.
const hosts: readonly (readonly [host: string, isLoopback: boolean, isThisMachine: boolean])[] = [
  ['localhost',                true,  true],
  ['LocalHost',                true,  true],
  ['localhost.',               true,  true],
  ['app.localhost',            true,  true],
  ['APP.localhost.',           true,  true],
  ['127.0.0.1',                true,  true],
  ['127.0.0.2',                true,  true],
  ['127.255.255.255',          true,  true],
  ['127.0.0.1.',               true,  true],
  ['::1',                      true,  true],
  ['[::1]',                    true,  true],
  ['0:0:0:0:0:0:0:1',          true,  true],
  ['::ffff:127.0.0.1',         true,  true],
  ['::FFFF:127.8.8.8',         true,  true],
  ['[::ffff:7f00:1]',          true,  true],
  ['0.0.0.0',                  false, true],
  ['::',                       false, true],
  ['[::]',                     false, true],
  ['',                         false, false],
  ['unknown',                  false, false],
  ['a user of Petri',          false, false],
  ['localhost.example.com',    false, false],
  ['notlocalhost',             false, false],
  ['127.0.0.1.example.com',    false, false],
  ['127.evil',                 false, false],
  ['127.0.0.1.5',              false, false],
  ['127.0.0',                  false, false],
  ['127.0.0.256',              false, false],
  ['1127.0.0.1',               false, false],
  ['126.255.255.255',          false, false],
  ['128.0.0.0',                false, false],
  ['0.0.0.1',                  false, false],
  ['192.0.2.7',                false, false],
  ['::2',                      false, false],
  ['::1:5',                    false, false],
  ['a::1',                     false, false],
  ['2001:127.0.0.1',           false, false],
  ['::127.0.0.1',              false, false],
  ['::ffff:192.0.2.7',         false, false],
  ['petri.test',               false, false],
]

describe('this machine', () => {
  it.each(hosts)('is %j: only ever %s, at the end of a call %s', (host, always, called) => {
    expect(isLoopback(host)).toBe(always)
    expect(isThisMachine(host)).toBe(called)
  })

  it('has the addresses of its network, which are not loopback', () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    for (const { address, internal } of addresses) {
      expect(isThisMachine(address), address).toBe(true)
      expect(isLoopback(address), address).toBe(internal)
    }
  })

  it('is called without a proxy', () => {
    expect(hostsWithoutProxy({}).every(isLoopback)).toBe(true)
  })

  it('is where receivers listen for a Petri that sees calls come from it', () => {
    for (const caller of [null, '127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect(receiverHostOf(caller)).toBe('127.0.0.1')
    expect(receiverHostOf('172.17.0.1')).toBe('172.17.0.1')
    expect(receiverHostOf('fd00::2')).toBe('[fd00::2]')
  })

  it('is the container itself in the hint about an unreachable receiver', () => {
    const refused = Object.assign(new Error(), { code: 'ECONNREFUSED' })
    const hint = (url: string) =>
      describeFailure(refused, { url, timeoutMs: 1, inContainer: true }).advice?.includes(
        'host.docker.internal',
      ) === true
    expect(['http://APP.localhost:1/', 'http://[::ffff:127.0.0.1]:1/'].map(hint)).toEqual([true, true])
    expect(hint('http://192.0.2.7:1/')).toBe(false)
  })

  it('is an own host of Petri, with or without a port', () => {
    for (const host of [
      '[::1]:4080',
      '127.0.0.1',
      '[::ffff:127.0.0.1]:4080',
      'app.localhost.',
      '0.0.0.0:4080',
    ])
      expect(isOwnHost(host), host).toBe(true)
    expect(isOwnHost('127.0.0.1.example.com')).toBe(false)
  })
})
