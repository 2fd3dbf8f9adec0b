import { feature } from '../../contract/features.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'

/** Refuses well-formed numbers that nobody can have, where the world asks for that. Source: contract/lab-testing.md §5. */
export async function refuseImpossiblePhones(
  world: World,
  ...holders: readonly { readonly phone_number?: string | null | undefined }[]
): Promise<void> {
  if (feature(world, 'phone_numbers') !== 'possible') return
  const { isValidPhoneNumber } = await import('libphonenumber-js/min')
  const numbers = holders.flatMap(({ phone_number }) => phone_number ?? [])
  if (!numbers.every((number) => isValidPhoneNumber(number))) {
    throw new Problem('bad_request', 'Phone number is not correct')
  }
}
