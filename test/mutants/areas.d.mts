export interface Area {
  /** Globs; those that begin with `!` are left out. */
  readonly mutate: readonly string[]
  /** The files of tests, without `test/` and `.test.ts`. */
  readonly tests: readonly string[]
}
export const areas: Readonly<Record<string, Area>>
