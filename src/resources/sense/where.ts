import type { Kind, Value } from './columns.ts'

/** Whether a row matches; null if unknown because a cell is empty. */
export type Condition = (values: Readonly<Record<string, Value>>) => boolean | null

/** A column in a condition. */
export interface Named {
  readonly column: string
  readonly kind: Kind
}

/** An error in a condition. */
export class WhereFault extends Error {}

export interface Where {
  readonly condition: Condition
  /** The columns it reads. */
  readonly columns: readonly string[]
}

/** Limits of a condition: characters, and nesting. */
const MAX_CHARACTERS = 4000
const MAX_DEPTH = 50

const operators = ['>=', '<=', '!=', '>', '<', '='] as const
type Operator = (typeof operators)[number]

const TOKEN =
  /\s*(?:(>=|<=|!=|[><=()])|'((?:[^']|'')*)'|"([\w.]+)"|(-?\d+(?:\.\d+)?)(?![\w.])|([A-Za-z_][\w.]*))/y

interface Token {
  readonly type: 'sign' | 'text' | 'number' | 'name'
  readonly text: string
}

/** Parses a condition in SQL syntax: comparisons, NOT, AND, OR and parentheses. Source: docs/contract/health-data.md#introspection-and-sense. */
export function readWhere(text: string, resolve: (name: string) => Named | undefined): Where {
  if (text.length > MAX_CHARACTERS)
    throw new WhereFault(`a condition has at most ${MAX_CHARACTERS} characters`)
  const reader = new Reader(tokensOf(text), resolve)
  const condition = reader.either(0)
  reader.end()
  return { condition, columns: [...reader.columns] }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const rest = text.trimEnd()
  const pattern = new RegExp(TOKEN)
  for (let start = 0; start < rest.length; start = pattern.lastIndex) {
    pattern.lastIndex = start
    const match = pattern.exec(rest)
    if (!match) throw new WhereFault(`it cannot be read from "${rest.slice(start).trim().slice(0, 20)}"`)
    const [, sign, literal, quoted, digits, name] = match
    if (sign !== undefined) tokens.push({ type: 'sign', text: sign })
    else if (literal !== undefined) tokens.push({ type: 'text', text: literal.replaceAll("''", "'") })
    else if (digits !== undefined) tokens.push({ type: 'number', text: digits })
    else tokens.push({ type: 'name', text: quoted ?? name ?? '' })
  }
  return tokens
}

interface Operand {
  readonly kind: Kind
  readonly label: string
  readonly read: (values: Readonly<Record<string, Value>>) => Value
}

/** A recursive-descent parser, from the lowest precedence to the highest. */
class Reader {
  readonly columns = new Set<string>()
  readonly #tokens: readonly Token[]
  readonly #resolve: (name: string) => Named | undefined
  #at = 0

  constructor(tokens: readonly Token[], resolve: (name: string) => Named | undefined) {
    this.#tokens = tokens
    this.#resolve = resolve
  }

  either(depth: number): Condition {
    if (depth > MAX_DEPTH) throw new WhereFault(`it nests deeper than ${MAX_DEPTH}`)
    let left = this.#both(depth)
    while (this.#takeWord('OR')) {
      const before = left
      const next = this.#both(depth)
      left = (values) => or(before(values), next(values))
    }
    return left
  }

  end(): void {
    const token = this.#tokens[this.#at]
    if (token) throw new WhereFault(`"${token.text}" does not belong there`)
  }

  #both(depth: number): Condition {
    let left = this.#one(depth)
    while (this.#takeWord('AND')) {
      const before = left
      const next = this.#one(depth)
      left = (values) => not(or(not(before(values)), not(next(values))))
    }
    return left
  }

  #one(depth: number): Condition {
    let isNegated = false
    while (this.#takeWord('NOT')) isNegated = !isNegated
    const inner = this.#takeSign('(') ? this.#closed(depth) : this.#comparison()
    return isNegated ? (values) => not(inner(values)) : inner
  }

  #closed(depth: number): Condition {
    const inner = this.either(depth + 1)
    if (!this.#takeSign(')')) throw new WhereFault('a parenthesis is not closed')
    return inner
  }

  #comparison(): Condition {
    const left = this.#operand()
    const sign = this.#tokens[this.#at]
    const operator = operators.find((one) => sign?.type === 'sign' && sign.text === one)
    if (!operator)
      throw new WhereFault(`${left.label} is compared with nothing; there are ${operators.join(' ')}`)
    this.#at++
    const right = this.#operand()
    if (left.kind !== right.kind) {
      throw new WhereFault(`${left.label} is ${article[left.kind]} and ${right.label} ${article[right.kind]}`)
    }
    if (left.kind === 'list') throw new WhereFault(`${left.label} is a list, which cannot be compared`)
    return (values) => compare(operator, left.read(values), right.read(values))
  }

  #operand(): Operand {
    const token = this.#tokens[this.#at++]
    if (!token || token.type === 'sign') throw new WhereFault('a column or a value is missing')
    const label = token.type === 'text' ? `'${token.text}'` : token.text
    if (token.type === 'text') return { kind: 'text', label, read: () => token.text }
    if (token.type === 'number') return { kind: 'number', label, read: () => Number(token.text) }
    const truth = /^(?:true|false)$/i.test(token.text)
    if (truth) return { kind: 'boolean', label, read: () => token.text.toLowerCase() === 'true' }
    const named = this.#resolve(token.text)
    if (!named) throw new WhereFault(`there is no column ${token.text}`)
    const { column, kind } = named
    this.columns.add(column)
    return { kind, label, read: (values) => values[column] ?? null }
  }

  #takeWord(word: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.type !== 'name' || token.text.toUpperCase() !== word) return false
    this.#at++
    return true
  }

  #takeSign(sign: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.type !== 'sign' || token.text !== sign) return false
    this.#at++
    return true
  }
}

const article: Readonly<Record<Kind, string>> = {
  number: 'a number',
  text: 'a text',
  boolean: 'a truth value',
  list: 'a list',
}

const not = (value: boolean | null) => (value === null ? null : !value)
function or(a: boolean | null, b: boolean | null): boolean | null {
  if (a || b) return true
  return a === null || b === null ? null : false
}

function compare(operator: Operator, a: Value, b: Value): boolean | null {
  if (a === null || b === null) return null
  switch (operator) {
    case '=':
      return a === b
    case '!=':
      return a !== b
    case '>':
      return a > b
    case '>=':
      return a >= b
    case '<':
      return a < b
    default:
      return a <= b
  }
}
