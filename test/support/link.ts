import type { TestPetri } from './petri.ts'

/** An answer whose body need not be JSON. */
export interface Shown {
  readonly status: number
  readonly text: string
  readonly location: URL | undefined
}

/** What a browser would be shown; redirects are not followed. */
export async function browse(petri: TestPetri, address: string): Promise<Shown> {
  const path = address.replace(/^https?:\/\/[^/]+/, '')
  const response = await petri.petri.app.request(path)
  const location = response.headers.get('location')
  return {
    status: response.status,
    text: await response.text(),
    location: location === null ? undefined : new URL(location),
  }
}

export async function newToken(petri: TestPetri, user_id: string, input: object = {}): Promise<string> {
  return (await petri.post('/v2/link/token', { user_id, ...input })).body.link_token
}

/** Headers that carry a link token and no API key. */
export const withToken = (token: string, header = 'x-vital-link-token') => ({
  'x-service-api-key': '',
  [header]: token,
})

export async function connectedTo(petri: TestPetri, userId: string) {
  const body = await petri.read(`/v2/user/providers/${userId}`)
  return body.providers as {
    slug: string
    status: string
    external_user_id: string | null
    // biome-ignore lint/suspicious/noExplicitAny: tests look into details of every shape.
    error_details: any
  }[]
}

/** The kind and the detail of what is refused, or what is returned. */
export function refusalOf(act: () => unknown) {
  try {
    return act()
  } catch (error) {
    const { kind, detail } = error as { kind: string; detail: unknown }
    return [kind, detail]
  }
}
