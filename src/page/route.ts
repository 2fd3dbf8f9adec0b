import { computed, signal } from '@preact/signals'

/** Where the page is, such as `/orders/…?status=failed`. It comes from the address and never does anything by itself. */
export const route = signal(readAddress())

function readAddress(): string {
  const hash = location.hash.slice(1)
  return hash.startsWith('/') ? hash : '/orders'
}

export const segments = computed(() => (route.value.split('?')[0] ?? '').split('/').slice(1).map(decode))
export const view = computed(() => segments.value[0] ?? 'orders')
export const query = computed(() => new URLSearchParams(route.value.split('?')[1] ?? ''))

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const go = (to: string): void => {
  location.hash = to
}

/** Changes a parameter of the address; empty takes it out. */
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
