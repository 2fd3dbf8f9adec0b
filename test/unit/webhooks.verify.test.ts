import { Webhook } from 'svix'
import { describe, expect, it } from 'vitest'
import { verificationError } from '../../src/webhooks/signature.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const NOW = 1_767_603_600
const BODY = '{"event_type":"labtest.order.updated","data":{"text":"Grüße"}}'

const signedBy = (secret: string, at = NOW) => new Webhook(secret).sign('msg_1', new Date(at * 1000), BODY)
const headersOf = (signature: string, at = NOW) => ({
  'svix-id': 'msg_1',
  'svix-timestamp': String(at),
  'svix-signature': signature,
})
const judge = (headers: Record<string, string | string[] | undefined>, body = BODY) =>
  verificationError([SECRET], { headers, body }, NOW)

describe('a receiver', () => {
  it('accepts what the official library signed, also beside another signature, and five minutes off', () => {
    expect(judge(headersOf(signedBy(SECRET)))).toBeUndefined()
    expect(judge(headersOf(`${signedBy(OTHER)} ${signedBy(SECRET)}`))).toBeUndefined()
    for (const at of [NOW - 300, NOW + 300]) {
      expect(judge(headersOf(signedBy(SECRET, at), at))).toBeUndefined()
    }
  })

  it.each([
    ['another secret', headersOf(signedBy(OTHER)), BODY, 'no signature matches'],
    ['another body', headersOf(signedBy(SECRET)), `${BODY} `, 'no signature matches'],
    ['another version', headersOf(signedBy(SECRET).replace('v1,', 'v2,')), BODY, 'no signature matches'],
    ['an old timestamp', headersOf(signedBy(SECRET, NOW - 301), NOW - 301), BODY, '301 s old'],
    ['one to come', headersOf(signedBy(SECRET, NOW + 301), NOW + 301), BODY, 'is 301 s in the future'],
    [
      'a number and more',
      { ...headersOf(signedBy(SECRET)), 'svix-timestamp': `${NOW}s` },
      BODY,
      'not a number',
    ],
    [
      'more and a number',
      { ...headersOf(signedBy(SECRET)), 'svix-timestamp': `s${NOW}` },
      BODY,
      'not a number',
    ],
    ['an empty id', { ...headersOf(signedBy(SECRET)), 'svix-id': '' }, BODY, 'missing'],
    ['no timestamp', { ...headersOf(signedBy(SECRET)), 'svix-timestamp': undefined }, BODY, 'missing'],
    [
      'a timestamp in words',
      { ...headersOf(signedBy(SECRET)), 'svix-timestamp': 'now' },
      BODY,
      'not a number',
    ],
    ['no signature', { ...headersOf(''), 'svix-signature': undefined }, BODY, 'missing'],
    ['an id given twice', { ...headersOf(signedBy(SECRET)), 'svix-id': ['msg_1', 'msg_1'] }, BODY, 'missing'],
    ['a signature with wider letters', headersOf('v1,ä'), BODY, 'no signature matches'],
  ])('refuses %s', (_, headers, body, reason) => {
    expect(judge(headers, body)).toContain(reason)
  })
})
