import { describe, expect, it } from 'vitest'
import { isSuccess } from '../../src/kernel/http-call.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { bareHost, whyBlocked } from '../../src/webhooks/addresses.ts'
import { describeFailure, failureText, OutgoingCalls } from '../../src/webhooks/outgoing.ts'
import { afterFailure, type Failing, shouldDisable, waitAfter } from '../../src/webhooks/retry-schedule.ts'
import { BlockedAddressError } from '../../src/webhooks/transport.ts'

describe('the retry schedule', () => {
  const noReply = { status: null, retryAfter: undefined }

  it('waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, and then no more', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((failures) => waitAfter(failures, noReply, 0))
    expect(waits).toEqual([
      5000,
      5 * MINUTE_MS,
      30 * MINUTE_MS,
      2 * HOUR_MS,
      5 * HOUR_MS,
      10 * HOUR_MS,
      10 * HOUR_MS,
      undefined,
    ])
  })

  it('heeds Retry-After of a busy receiver between once and twice the wait', () => {
    const busy = (retryAfter: string, status = 429) => waitAfter(2, { status, retryAfter }, 0)
    expect(busy('1')).toBe(300_000)
    expect(busy('400')).toBe(400_000)
    expect(busy('100000', 503)).toBe(600_000)
    expect(busy('Thu, 01 Jan 1970 00:07:00 GMT')).toBe(420_000)
    expect(busy('soon')).toBe(300_000)
    expect(busy('400', 500)).toBe(300_000)
    expect(busy(' 400 ')).toBe(400_000)
    expect(busy('400 seconds')).toBe(300_000)
    expect(busy('in 400')).toBe(300_000)
    const at = { status: 503, retryAfter: 'Thu, 01 Jan 1970 00:08:00 GMT' }
    expect(waitAfter(2, at, 60_000)).toBe(420_000)
    expect(busy('Wed, 31 Dec 1969 23:00:00 GMT')).toBe(300_000)
  })

  it('counts a reply as delivered from 200 to 299 only', () => {
    expect([null, 199, 200, 299, 300].map(isSuccess)).toEqual([false, false, true, true, false])
  })
})

describe('an endpoint that fails', () => {
  const failingAt = (...hours: number[]) =>
    hours.reduce<Failing | null>((failing, hour) => afterFailure(failing, hour * HOUR_MS), null)

  it('begins its five days with two failures 12 to 24 hours apart', () => {
    expect(failingAt(0, 11)?.counting_since).toBeNull()
    expect(failingAt(0, 12)?.counting_since).toBe(12 * HOUR_MS)
    expect(failingAt(0, 24)?.counting_since).toBe(24 * HOUR_MS)
    expect(failingAt(0, 25)?.counting_since).toBeNull()
    expect(failingAt(0, 11, 25)?.counting_since).toBe(25 * HOUR_MS)
    expect(failingAt(0, 6, 12)).toEqual({ first_at: 0, last_at: 12 * HOUR_MS, counting_since: 12 * HOUR_MS })
    expect(failingAt(0, 30, 43)?.counting_since).toBe(43 * HOUR_MS)
  })

  it('is given up with the first failure after five of them', () => {
    const hopeless = (...hours: number[]) => {
      const failing = failingAt(...hours)
      return failing !== null && shouldDisable(failing)
    }
    expect(hopeless(0, 12, 12 + 5 * 24 - 1)).toBe(false)
    expect(hopeless(0, 12, 12 + 5 * 24 - 1 / HOUR_MS)).toBe(false)
    expect(hopeless(0, 12, 12 + (5 * DAY_MS) / HOUR_MS)).toBe(true)
  })
})

describe('an endpoint that fails is kept', () => {
  const isKept = (...instants: number[]) => {
    const failing = instants.reduce<Failing | null>((before, at) => afterFailure(before, at), null)
    return failing !== null && !shouldDisable(failing)
  }
  const tenDays = 10 * DAY_MS

  it('when it has failed but once, or only now and then', () => {
    expect(isKept(tenDays)).toBe(true)
    const oncePerDay = Array.from({ length: 12 }, (_, day) => day * (DAY_MS + 1))
    expect(isKept(...oncePerDay)).toBe(true)
  })

  it('when its failures are just too close together, or too far apart, to begin the five days', () => {
    expect(isKept(0, 12 * HOUR_MS - 1, tenDays)).toBe(true)
    expect(isKept(0, DAY_MS + 1, tenDays)).toBe(true)
    expect(isKept(0, 12 * HOUR_MS, tenDays)).toBe(false)
    expect(isKept(0, DAY_MS, tenDays)).toBe(false)
  })

  it('until the five days are over to the millisecond', () => {
    const begun = 12 * HOUR_MS
    expect(isKept(0, begun, begun + 5 * DAY_MS - 1)).toBe(true)
    expect(isKept(0, begun, begun + 5 * DAY_MS)).toBe(false)
  })
})

describe('an address', () => {
  it.each([
    '169.254.169.254',
    '169.254.0.1',
    'fe80::1',
    'febf::1',
    '100.100.100.200',
    'fd00:ec2::254',
    '168.63.129.16',
    '0.0.0.0',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
  ])('like %s is refused', (address) => expect(whyBlocked(address)).toContain('never calls'))

  it.each(['metadata.google.internal', 'Metadata.Google.Internal.', 'instance-data'])(
    'that is the name %s is refused, however it is written',
    (name) => expect(whyBlocked(name)).toContain(`${name} is a link-local, cloud metadata`),
  )

  it('is read out of a URL without the brackets of IPv6', () => {
    expect(bareHost('http://[fe80::1]:8080/hook')).toBe('fe80::1')
    expect(bareHost('http://a.test:8080/hook')).toBe('a.test')
  })

  it.each([
    'metadata.test',
    'metadata..',
    '127.0.0.1',
    '::1',
    '10.0.0.7',
    '192.168.1.1',
    '93.184.216.34',
    'fd00::1',
    'localhost',
  ])('like %s is called', (address) => expect(whyBlocked(address)).toBeUndefined())
})

describe('a failure in words', () => {
  const words = (error: unknown, url = 'http://localhost:3999/hook', inContainer = false) =>
    failureText(describeFailure(error, { url, timeoutMs: 15_000, inContainer }))
  const coded = (code: string, message = 'oh') => Object.assign(new Error(message), { code })

  it('names what happened', () => {
    expect(words(new DOMException('x', 'TimeoutError'))).toBe('No reply within 15 s')
    expect(words(new AggregateError([coded('ECONNREFUSED')]))).toBe(
      'Connection refused: nothing listens at localhost:3999',
    )
    expect(words(coded('ENOTFOUND'), 'http://nowhere.test/')).toBe(
      'The name nowhere.test could not be resolved (ENOTFOUND)',
    )
    expect(words(coded('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'))).toMatch(
      /^TLS failed: self-signed certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .*NODE_EXTRA_CA_CERTS/,
    )
    expect(words(coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'))).toContain('NODE_EXTRA_CA_CERTS')
    expect(words(coded('CERT_HAS_EXPIRED', 'certificate has expired'))).toBe(
      'TLS failed: certificate has expired (CERT_HAS_EXPIRED)',
    )
    expect(words(coded('ECONNRESET'))).toBe('The receiver closed the connection before it replied')
    expect(words(new BlockedAddressError('Not sent: no'))).toBe('Not sent: no')
    expect(words('odd')).toBe('odd')
    expect(words('odd', 'nowhere')).toBe('nowhere is not a URL')
  })

  it('explains localhost inside a container', () => {
    expect(words(coded('ECONNREFUSED'), undefined, true)).toContain('http://host.docker.internal:3999/hook')
    expect(words(coded('ECONNREFUSED'), 'http://10.0.0.7/', true)).not.toContain('docker')
  })

  it('gives the advice once, and none where there is none', () => {
    const calls = new OutgoingCalls(async () => expect.fail('called'))
    const url = 'http://localhost:3999/hook'
    const adviceIn = (inContainer: boolean) =>
      describeFailure(coded('ECONNREFUSED'), { url, timeoutMs: 15_000, inContainer }).advice
    expect(adviceIn(false)).toBeUndefined()
    expect(calls.adviceOnce(undefined)).toBeUndefined()
    expect(calls.adviceOnce(adviceIn(true))).toMatch(/^Petri runs in a container, .*:3999\/hook$/)
    expect(calls.adviceOnce(adviceIn(true))).toBeUndefined()
  })

  it('repeats neither the password nor the query of a URL', () => {
    const refused = words(coded('ECONNREFUSED'), 'http://me:pass-word@localhost:3999/hook?key=secret#x', true)
    expect(refused).toContain('use http://host.docker.internal:3999/hook')
    expect(refused).not.toMatch(/me:|pass-word|secret|#x/)
  })
})
