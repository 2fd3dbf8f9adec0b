import { beforeEach, vi } from 'vitest'

// The network is shut unless a test opens it.
beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('this test allows no network')))
})
