import { getHeapStatistics } from 'node:v8'

/** How much of the limit of the heap is in use, garbage included: a part of 1. */
export function heapUse(): number {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  return used_heap_size / heap_size_limit
}
