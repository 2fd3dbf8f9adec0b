import { createRandom } from '../../src/kernel/random.ts'
import { standardNormal } from '../../src/people/traits.ts'

/** A measurement with its published mean and standard deviation; those of the logarithm where `log`. */
export interface Feature {
  readonly name: string
  readonly mean: number
  readonly sd: number
  readonly log?: boolean
}

type Vector = readonly number[]

/** Draws of a normal distribution with these means, deviations and correlations (pairs of names). */
export function published(
  features: readonly Feature[],
  correlations: readonly (readonly [one: string, other: string, r: number])[],
  count: number,
): Vector[] {
  const random = createRandom('published')
  const at = (name: string) => features.findIndex((feature) => feature.name === name)
  const matrix = features.map((_, row): number[] => features.map((__, column) => (row === column ? 1 : 0)))
  for (const [one, other, r] of correlations) {
    const [a, b] = [at(one), at(other)]
    for (const [row, column] of [
      [a, b],
      [b, a],
    ] as const)
      (matrix[row] ?? [])[column] = r
  }
  const lower = cholesky(matrix)
  return Array.from({ length: count }, (_, nth) => {
    const own = features.map(({ name }) => standardNormal(random, `${nth}/${name}`))
    return features.map(({ mean, sd }, row) => mean + sd * dot(lower[row] ?? [], own))
  })
}

/** Throws for correlations that cannot be together. */
function cholesky(matrix: readonly Vector[]): Vector[] {
  const lower: number[][] = matrix.map((row) => row.map(() => 0))
  for (const [row, values] of matrix.entries()) {
    for (let column = 0; column <= row; column++) {
      const left = (values[column] ?? 0) - dot((lower[row] ?? []).slice(0, column), lower[column] ?? [])
      if (row === column && left <= 0) throw new Error('The correlations contradict each other.')
      const value = row === column ? Math.sqrt(left) : left / (lower[column]?.[column] ?? 1)
      ;(lower[row] ?? [])[column] = value
    }
  }
  return lower
}

const dot = (one: Vector, other: Vector): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)

/** What a model sees: each value in published deviations, its square, and the products of each two. */
function seen(features: readonly Feature[], vector: Vector): Vector {
  const bound = (value: number) => Math.max(-4, Math.min(4, value))
  const scaled = features.map(({ mean, sd }, at) => bound(((vector[at] ?? mean) - mean) / sd))
  const products = scaled.flatMap((one, at) => scaled.slice(at).map((other) => bound(one * other)))
  return [1, ...scaled, ...products]
}

const FOLDS = 5
const STEPS = 400
const RATE = 0.5
/** Keeps weights small that the data do not demand. */
const RIDGE = 0.01

/**
 * How well a logistic model, trained on four fifths, tells one kind from the other on the rest: the area under the ROC
 * curve. 0.5 is chance, 1 is always right.
 */
export function areaUnderCurve(
  features: readonly Feature[],
  real: readonly Vector[],
  made: readonly Vector[],
): number {
  const all = [...real.map((vector) => [vector, 0] as const), ...made.map((vector) => [vector, 1] as const)]
  const rows = all.map(([vector, label]) => ({ x: seen(features, vector), label }))
  const scores = rows.map(() => 0)
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = train(rows.filter((_, at) => at % FOLDS !== fold))
    for (const [at, { x }] of rows.entries()) if (at % FOLDS === fold) scores[at] = dot(weights, x)
  }
  const ranked = rows
    .map(({ label }, at) => ({ label, score: scores[at] ?? 0 }))
    .sort((a, b) => a.score - b.score)
  const rankSum = ranked.reduce((sum, { label }, at) => sum + (label === 1 ? at + 1 : 0), 0)
  return (rankSum - (made.length * (made.length + 1)) / 2) / (real.length * made.length)
}

function train(rows: readonly { readonly x: Vector; readonly label: number }[]): number[] {
  const weights = (rows[0]?.x ?? []).map(() => 0)
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight, at) => (at === 0 ? 0 : RIDGE * weight))
    for (const { x, label } of rows) {
      const error = 1 / (1 + Math.exp(-dot(weights, x))) - label
      for (const [at, value] of x.entries())
        gradient[at] = (gradient[at] ?? 0) + (error * value) / rows.length
    }
    for (const [at, slope] of gradient.entries()) weights[at] = (weights[at] ?? 0) - RATE * slope
  }
  return weights
}
