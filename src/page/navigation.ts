import { computed, signal } from '@preact/signals'

/** The views, and the letter that opens each after `g`. */
export const views = [
  ['orders', 'Orders', 'o'],
  ['users', 'Users', 'u'],
  ['webhooks', 'Webhooks', 'w'],
  ['requests', 'Requests', 'r'],
  ['scenarios', 'Scenarios', 's'],
  ['faults', 'Faults', 'f'],
  ['coverage', 'Coverage', 'c'],
  ['snapshots', 'Snapshots', 'n'],
  ['api', 'API', 'a'],
  ['settings', 'Settings', 't'],
] as const

/** Such as `/orders/…?status=failed`. It comes from the address and never changes anything by itself. */
export const route = signal(readAddress())

function readAddress(): string {
  const hash = location.hash.slice(1)
  return hash.startsWith('/') ? hash : '/orders'
}

export const segments = computed(() => (route.value.split('?')[0] ?? '').split('/').slice(1).map(decode))
/** The open view and item, without filters. */
export const place = computed(() => segments.value.join('/'))
export const view = computed(() => segments.value[0] ?? 'orders')
export const query = computed(() => new URLSearchParams(route.value.split('?')[1] ?? ''))

/** A parameter of the address; empty without one. */
export const parameter = (name: string): string => query.value.get(name) ?? ''

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const go = (to: string): void => {
  location.hash = to
  route.value = readAddress()
}

/** Changes parameters of the address; an empty one is removed. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const changed = new URLSearchParams(query.value)
  for (const [name, value] of Object.entries(changes)) {
    if (value) changed.set(name, value)
    else changed.delete(name)
  }
  const path = route.value.split('?')[0] ?? ''
  history.replaceState(null, '', `#${changed.size > 0 ? `${path}?${changed}` : path}`)
  route.value = readAddress()
}

export const followAddress = (): void =>
  addEventListener('hashchange', () => {
    route.value = readAddress()
  })
