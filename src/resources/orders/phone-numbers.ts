import { feature } from '../../api/features.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'

interface Reachable {
  readonly phone_number?: string | null | undefined
}

/** Throws for a well-formed number that cannot exist, if the feature is on. Source: contract/lab-testing.md §5. */
export function withPossiblePhones<Result>(
  world: World,
  holders: readonly Reachable[],
  run: () => Result,
): Result | Promise<Result> {
  if (feature(world, 'phone_numbers') !== 'possible') return run()
  return assertPossibleNumbers(holders).then(run)
}

async function assertPossibleNumbers(holders: readonly Reachable[]): Promise<void> {
  const { isValidPhoneNumber } = await import('libphonenumber-js/min')
  const numbers = holders.flatMap(({ phone_number }) => phone_number ?? [])
  if (!numbers.every((number) => isValidPhoneNumber(number))) {
    throw new Problem('bad_request', 'Phone number is not correct')
  }
}
