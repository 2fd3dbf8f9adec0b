import { table } from '../storage/table.ts'

/** How far an order has come in its story. */
export interface OrderStory {
  readonly order_id: string
  readonly story: string
  /** Index of the step that comes next. */
  readonly next: number
  /** What it is waiting for, if not for time. */
  readonly waits?: 'registration' | 'appointment'
  /** Set when the order left its story: why, and the statuses that were dropped. */
  readonly left?: { readonly because: string; readonly dropped: readonly string[] }
}

export const orderStories = table<OrderStory>('order_stories', (row) => row.order_id)

/** A story that was given to this world alone. */
export interface UploadedStory {
  readonly name: string
  readonly source: string
  /** The magic ZIP code that picks it. */
  readonly zip: string | null
}

export const uploadedStories = table<UploadedStory>('stories', ({ name }) => name)

/** The story a user's orders follow unless something nearer chooses. */
export interface UserStory {
  readonly user_id: string
  readonly story: string
}

export const userStories = table<UserStory>('user_stories', (row) => row.user_id)
