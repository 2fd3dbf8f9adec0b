import { describe, expect, it } from 'vitest'
import { communications, orderMetadata } from '../../src/resources/orders/table.ts'

const metadata = {
  order_id: 'order',
  lab_account_id: 'account',
  collected_at: 1_767_603_600_000,
  is_undated: true,
  results: {
    interpretation: 'abnormal',
    missing: ['sodium'],
    types: ['numeric'],
    values: { sodium: 140, comment: 'clear' },
    unchanged: { glucose: 5 },
    notes: { Sodium: 'Repeated.' },
    comment: 'Haemolysed.',
  },
  earlier_results: [{ missing: true }, {}],
  given_results: { values: { sodium: 139 } },
  known_findings: 0,
  aoe_answers: [{ marker_id: 1, question_id: 2, answer: 'yes' }],
  draw: { is_fasting: false, minute: 480 },
  consents: [
    { consentType: 'terms-of-use', version: '1', timeOfConsent: 1_767_603_600_000 },
    { consentType: 'hipaa-authorization', version: '2', timeOfConsent: null },
    { consentType: 'mobile-terms-and-conditions', version: '3' },
  ],
}

describe('a stored row about an order', () => {
  it.each([metadata, { order_id: 'order' }, { order_id: 'order', draw: {}, results: {} }])(
    'is known as the order',
    (row) => {
      expect(orderMetadata.schema().parse(row)).toEqual(row)
      expect(orderMetadata.idOf(row as never)).toBe('order')
    },
  )

  it.each<[string, object]>([
    ['order_id', { order_id: 1 }],
    ['lab_account_id', { lab_account_id: undefined }],
    ['collected_at', { collected_at: '2026-01-05' }],
    ['is_undated', { is_undated: 'yes' }],
    ['results.interpretation', { results: { interpretation: 'good' } }],
    ['results.missing', { results: { missing: 'sodium' } }],
    ['results.types.0', { results: { types: [5] } }],
    ['results.values.sodium', { results: { values: { sodium: true } } }],
    ['results.unchanged.sodium', { results: { unchanged: { sodium: null } } }],
    ['results.notes.Sodium', { results: { notes: { Sodium: 5 } } }],
    ['results.comment', { results: { comment: null } }],
    ['earlier_results.0.comment', { earlier_results: [{ comment: 5 }] }],
    ['given_results.types', { given_results: { types: 'numeric' } }],
    ['known_findings', { known_findings: -1 }],
    ['aoe_answers.0.marker_id', { aoe_answers: [{ marker_id: '1', question_id: 2, answer: '' }] }],
    ['aoe_answers.0.question_id', { aoe_answers: [{ marker_id: 1, answer: '' }] }],
    ['aoe_answers.0.answer', { aoe_answers: [{ marker_id: 1, question_id: 2, answer: 3 }] }],
    ['draw.is_fasting', { draw: { is_fasting: 'yes' } }],
    ['draw.minute', { draw: { minute: 0.5 } }],
    ['consents.0.consentType', { consents: [{ version: '1' }] }],
    ['consents.0.version', { consents: [{ consentType: 'a', version: 1 }] }],
    ['consents.0.timeOfConsent', { consents: [{ consentType: 'a', version: '1', timeOfConsent: 'now' }] }],
  ])('is refused for its %s', (field, change) => {
    const { error } = orderMetadata.schema().safeParse({ ...metadata, ...change })
    expect(error?.issues[0]?.path.join('.')).toBe(field)
  })

  it('says whether the patient gets text messages', () => {
    const row = { order_id: 'order', sms_enabled: false }
    expect(communications.schema().parse(row)).toEqual(row)
    expect(communications.idOf(row)).toBe('order')
    expect(communications.schema().safeParse({ order_id: 'order' }).success).toBe(false)
  })
})
