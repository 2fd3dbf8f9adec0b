import { signal } from '@preact/signals'
import { later } from './api.ts'

export interface Toast {
  readonly title: string
  readonly lines?: readonly string[]
  readonly link?: { readonly to: string; readonly text: string }
  readonly isError?: boolean
}

/** What is said to whoever looks or listens, until the next is said. */
export const toast = signal<Toast | undefined>(undefined)

const hiding: { stop?: () => void } = {}

export function say(said: Toast): void {
  hiding.stop?.()
  toast.value = said
  hiding.stop = later(said.isError ? 12_000 : 6000, () => {
    toast.value = undefined
  })
}
