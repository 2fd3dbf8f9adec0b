import { describe, expect, it } from 'vitest'
import { sign, signatures } from '../../src/webhooks/signature.ts'

describe('a signature', () => {
  it.each([
    [
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1614265330,
      '{"test": 2432232314}',
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    ],
    [
      'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX',
      'msg_2b3c4d5e',
      1700000000,
      '{"event_type":"daily.data.steps.created","data":{},"team_id":"6b74423d-0504-4470-9afb-477252ccf67a","user_id":"4a29dbc7-6db3-4c83-bfac-70a20a4be1b2","client_user_id":"demo"}',
      'v1,gdDoHpps3PALnTVpag73QiLju2NHnvXEiRGlW1dy+zI=',
    ],
  ])('is what the contract gives for %s', (secret, id, timestamp, body, signature) => {
    expect(sign(secret, id, timestamp, body)).toBe(signature)
    expect(sign(secret.replace('whsec_', ''), id, timestamp, body)).toBe(signature)
  })

  it('is given once for each secret, newest first', () => {
    const newer = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const older = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX'
    expect(signatures([newer, older], 'msg_1', 1, '{}')).toBe(
      `${sign(newer, 'msg_1', 1, '{}')} ${sign(older, 'msg_1', 1, '{}')}`,
    )
  })
})
