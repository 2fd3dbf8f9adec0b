export interface Area {
  /** Globs; those that begin with `!` are left out. */
  readonly mutate: readonly string[]
  /** The files of tests, without `test/` and `.test.ts`. */
  readonly tests: readonly string[]
  /** The share of mutants that must be found, in per cent; 85 by default. */
  readonly atLeast?: number
}
export const areas: Readonly<Record<string, Area>>
