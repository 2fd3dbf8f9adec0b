import { describe, expect, it } from 'vitest'
import { Problem } from '../../src/kernel/problem.ts'
import type { Marker } from '../../src/resources/catalogue/service.ts'
import {
  assertInsurable,
  assertLabAccepts,
  completeAnswers,
  drawSaidBy,
  joinNotes,
} from '../../src/resources/orders/rules.ts'

// Rules of an order that need no world: the laboratory's questions, notes, and whom it accepts.

type Question = NonNullable<Marker['aoe']>['questions'][number]

const question = (id: number, more: Partial<Question> = {}): Question => ({
  id,
  code: `Q${id}`,
  value: `QUESTION ${id}`,
  type: 'text',
  required: true,
  sequence: id,
  answers: [],
  constraint: null,
  default: null,
  ...more,
})
const choice = (code: string, id: number): Question['answers'][number] => ({ id, code, value: code })
const fasting = (required: boolean) =>
  question(1, { code: 'FSTING', type: 'choice', required, answers: [choice('N', 1), choice('Y', 2)] })

/** A marker that asks these questions. */
const asking = (id: number, ...questions: Question[]) => ({
  id,
  name: `Marker ${id}`,
  is_insurable: true,
  aoe: { questions },
})
const silent = { id: 9, name: 'Silent', is_insurable: false }

const given = (marker_id: number, question_id: number, answer: string) => ({ marker_id, question_id, answer })

/** The message of what a function throws. */
function refusal(run: () => unknown): unknown {
  try {
    run()
    return 'none'
  } catch (error) {
    return error instanceof Problem ? error.detail : error
  }
}

describe('the questions of a laboratory', () => {
  const complete = (
    markers: Pick<Marker, 'id' | 'aoe'>[],
    answers: ReturnType<typeof given>[],
    isFasting = false,
  ) => completeAnswers(markers, answers, { fasting: isFasting })

  it('have to be answered if they are required, each named once', () => {
    const optional = question(4, { required: false })
    const markers = [asking(7, question(2), question(3), optional), asking(8, question(2)), silent]
    expect(refusal(() => complete(markers, []))).toBe(
      'Missing required questions - "QUESTION 2", "QUESTION 3"',
    )
    expect(refusal(() => complete(markers, [given(7, 2, 'x')]))).toBe(
      'Missing required questions - "QUESTION 3", "QUESTION 2"',
    )
    expect(refusal(() => complete(markers, [given(7, 2, 'x'), given(8, 2, 'x')]))).toBe(
      'Missing required questions - "QUESTION 3"',
    )
    const all = [given(7, 2, 'x'), given(7, 3, 'x'), given(8, 2, 'y')]
    expect(complete(markers, all)).toEqual(all)
  })

  it('about fasting are answered by the lab test for each marker that asks and has no answer', () => {
    const markers = [
      asking(7, fasting(true), question(2, { required: false })),
      asking(8, fasting(false)),
      silent,
    ]
    expect(complete(markers, [])).toEqual([given(7, 1, 'N'), given(8, 1, 'N')])
    expect(complete(markers, [], true)).toEqual([given(7, 1, 'Y'), given(8, 1, 'Y')])
    expect(complete(markers, [given(8, 1, 'Y')])).toEqual([given(8, 1, 'Y'), given(7, 1, 'N')])
  })

  it('are those of the marker that is named', () => {
    const markers = [asking(7, question(2)), asking(8, question(3))]
    expect(refusal(() => complete(markers, [given(8, 2, 'x')]))).toBe(
      'Invalid question_id 2 for marker id 8.',
    )
    expect(refusal(() => complete([...markers, silent], [given(9, 2, 'x')]))).toBe(
      'Marker id 9 does not have AOE.',
    )
    expect(refusal(() => complete(markers, [given(5, 2, 'x')]))).toBe('Marker id 5 does not have AOE.')
    expect(refusal(() => complete([asking(6)], [given(6, 2, 'x')]))).toBe('Marker id 6 does not have AOE.')
  })

  it.each<[Question['type'], string, accepted: boolean]>([
    ['choice', 'A', true],
    ['choice', ' A ', true],
    ['choice', 'a', false],
    ['choice', 'A,B', false],
    ['multi_choice', 'A', true],
    ['multi_choice', 'A,B', true],
    ['multi_choice', 'A, B', true],
    ['multi_choice', 'A,X', false],
    ['multi_choice', 'AB', false],
    ['multi_choice', '', false],
    ['numeric', '12', true],
    ['numeric', 'x12', false],
    ['numeric', '12x', false],
    ['numeric', '12.x', false],
    ['numeric', '.55', true],
    ['numeric', '  -1.25  ', true],
    ['text', 'any', true],
    ['text', ' ', false],
    ['text', '', false],
  ])('of type %s take the answer %j: %s', (type, answer, accepted) => {
    const marker = asking(7, question(2, { type, answers: [choice('A', 1), choice('B', 2)] }))
    const answers = [given(7, 2, answer)]
    const refused = `Invalid answer ${answer.toUpperCase()} for question QUESTION 2.`
    expect(refusal(() => complete([marker], answers))).toBe(accepted ? 'none' : refused)
  })
})

describe('what answers say of the draw', () => {
  const time = question(5, { code: 'COLTIM' })
  const markers = [silent, asking(7, question(1)), asking(8, fasting(true), time, question(2))]

  it.each([
    ['0830', 510],
    ['08:30', 510],
    [' 2359 ', 1439],
    ['0000', 0],
    ['1959', 1199],
    ['2400', undefined],
    ['0860', undefined],
    ['830', undefined],
    ['08300', undefined],
    ['10830', undefined],
    ['soon', undefined],
  ])('is of the time %j the minute %s', (answer, minute) => {
    const said = minute === undefined ? undefined : { minute }
    expect(drawSaidBy(markers, [given(8, 2, '1200'), given(8, 5, answer)])).toEqual(said)
  })

  it.each([
    ['Y', true],
    [' Y ', true],
    ['N', false],
  ])('is of fasting %j: %s', (answer, is_fasting) => {
    expect(drawSaidBy(markers, [given(8, 1, answer)])).toEqual({ is_fasting })
    expect(drawSaidBy(markers, [given(8, 5, '0100'), given(8, 1, answer)])).toEqual({
      is_fasting,
      minute: 60,
    })
  })

  it('is nothing if they answer other questions, or those of markers that are not ordered', () => {
    expect(drawSaidBy(markers, [])).toBeUndefined()
    expect(
      drawSaidBy(markers, [given(7, 1, 'Y'), given(8, 2, '0830'), given(3, 5, '0830'), given(9, 5, '0830')]),
    ).toBeUndefined()
  })
})

describe('notes', () => {
  it('are joined, one a line, without those that say nothing', () => {
    expect(joinNotes('one', null, '', undefined, 'two')).toBe('one\ntwo')
    expect(joinNotes(null, undefined, '')).toBeNull()
    expect(joinNotes('x'.repeat(1000))).toHaveLength(1000)
  })

  it('are refused above a thousand characters in all', () => {
    expect(refusal(() => joinNotes('x'.repeat(500), 'y'.repeat(500)))).toEqual([
      {
        type: 'string_too_long',
        loc: ['body', 'clinical_notes'],
        msg: 'String should have at most 1000 characters',
        input: `${'x'.repeat(500)}\n${'y'.repeat(500)}`,
        ctx: { max_length: 1000 },
      },
    ])
  })
})

it('a laboratory accepts the genders that it lists, or all', () => {
  const accepts = (genders: ('female' | 'male' | 'other')[] | undefined) =>
    refusal(() =>
      assertLabAccepts({ name: 'Any', genders } as Parameters<typeof assertLabAccepts>[0], 'male'),
    )
  expect(accepts(undefined)).toBe('none')
  expect(accepts(['female', 'male'])).toBe('none')
  expect(accepts(['female'])).toBe('Lab Any does not allow gender male')
})

it('insurers pay for each marker, or for none of the order', () => {
  expect(refusal(() => assertInsurable([asking(7), asking(8)]))).toBe('none')
  expect(refusal(() => assertInsurable([asking(7), silent]))).toBe(
    'Marker Silent cannot be billed to insurance',
  )
})
