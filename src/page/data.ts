import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { CallError, get } from './api.ts'
import { news } from './store.ts'

export interface Data<Body> {
  readonly body: Body | undefined
  readonly error: CallError | undefined
}

const NOTHING: Data<never> = { body: undefined, error: undefined }

/**
 * What a path answers, read again whenever something happened; nothing without a path. The last answer stays until the next
 * is there, also while another filter is asked for, and no answer is dropped because more has happened meanwhile.
 */
export function useData<Body>(path: string | undefined, isLive = true): Data<Body> {
  const data = useSignal<Data<Body> & { readonly path: string | undefined }>({ ...NOTHING, path })
  const order = useRef({ path, asked: 0, shown: 0 })
  const beat = isLive ? news.value : 0
  useEffect(() => {
    order.current.path = path
    if (!path) return
    const ordinal = ++order.current.asked
    const show = (next: Data<Body>) => {
      if (order.current.path !== path || ordinal < order.current.shown) return
      order.current.shown = ordinal
      data.value = { ...next, path }
    }
    get<Body>(path).then(
      (body) => show({ body, error: undefined }),
      (error: CallError) => show({ body: error.status === 0 ? data.peek().body : undefined, error }),
    )
  }, [path, beat])
  return placeOf(data.value.path) === placeOf(path) ? data.value : NOTHING
}

/** A path without its query. */
const placeOf = (path: string | undefined) => path?.split('?')[0]

export const isMissing = (error: CallError | undefined): boolean =>
  error instanceof CallError && error.status === 404
