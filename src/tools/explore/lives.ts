import { once } from '../../kernel/once.ts'
import { createCatalogue } from '../../resources/catalogue/service.ts'
import { emailSlugs, oauthSlugs } from '../../resources/link/schema.ts'

type ConsentSlug = (typeof oauthSlugs | typeof emailSlugs)[number]

/** One provider for each of the lives in `seeds/provider-traits.json` that a user can consent to. */
export const lives: () => readonly ConsentSlug[] = once(() => {
  const { traitsOf } = createCatalogue()
  const byLife = new Map<string, ConsentSlug>()
  for (const slug of [...oauthSlugs, ...emailSlugs]) {
    const { history, consent_again, late_minutes, session_offset, sample_offset, device_id } = traitsOf(slug)
    const life = JSON.stringify([
      history,
      consent_again,
      late_minutes,
      session_offset,
      sample_offset,
      device_id,
    ])
    if (!byLife.has(life)) byLife.set(life, slug)
  }
  return [...byLife.values()]
})
