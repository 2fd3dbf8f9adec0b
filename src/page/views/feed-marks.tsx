import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get } from '../api.ts'
import { useData } from '../data.ts'
import type { Mark } from '../plot-marks.tsx'
import { news, now } from '../store.ts'
import { stampOf } from '../words.ts'

/** A period of a connection's feed scenario, as the wire has it. */
interface FeedMark {
  readonly does: 'held_back' | 'changed' | 'doubled'
  readonly series: readonly string[] | null
  readonly from: string | null
  readonly until: string | null
  readonly settled_at: string | null
}

export interface ToldMark extends Mark {
  readonly series: readonly string[] | null
  readonly words: string
}

/** The periods in which the feed scenarios of a user held back, changed or doubled data. */
export function useMarks(userId: string): readonly ToldMark[] {
  const { body } = useData<{ providers: { slug: string }[] }>(`/v2/user/providers/${userId}`)
  const slugs = (body?.providers ?? []).map(({ slug }) => slug).join()
  const marks = useSignal<readonly FeedMark[]>([])
  const beat = news.value
  useEffect(() => {
    let isStale = false
    const read = (slug: string) =>
      get<{ marks: FeedMark[] }>(`/_petri/users/${userId}/connections/${slug}/feed`).catch(() => ({
        marks: [],
      }))
    const reading = slugs === '' ? [] : slugs.split(',').map(read)
    void Promise.all(reading).then((feeds) => {
      if (!isStale) marks.value = feeds.flatMap((feed) => feed.marks)
    })
    return () => {
      isStale = true
    }
  }, [userId, slugs, beat])
  return marks.value.map((mark, at) => told(mark, at + 1, Date.parse(now.value)))
}

function told({ does, series, from, until, settled_at }: FeedMark, number: number, nowAt: number): ToldMark {
  const [begin, end] = [Date.parse(from ?? ''), Date.parse(until ?? '')]
  const period = [from && `from ${stampOf(from)}`, until && `to ${stampOf(until)}`].filter(Boolean).join(' ')
  const settled = settled_at ? Date.parse(settled_at) : undefined
  const tense = settled === undefined ? '' : settled <= nowAt ? settledWords[does] : comingWords[does]
  return {
    ...{ number, does, series },
    from: Number.isNaN(begin) ? Number.NEGATIVE_INFINITY : begin,
    until: Number.isNaN(end) ? nowAt : Math.min(end, nowAt),
    words: `${doesWords[does]} ${period}${tense && `; ${tense} ${stampOf(settled_at ?? '')}`}`,
  }
}

const doesWords = { held_back: 'held back', changed: 'changed', doubled: 'doubled' }
const settledWords = { held_back: 'arrived', changed: 'corrected', doubled: '' }
const comingWords = { held_back: 'arrives', changed: 'to be corrected', doubled: '' }

/** Those that concern a series and lie in what is shown of it. */
export const marksOf = (marks: readonly ToldMark[], series: string, since: number): readonly ToldMark[] =>
  marks.filter((mark) => (mark.series === null || mark.series.includes(series)) && mark.until > since)

/** What the numbers in a plot stand for. */
export const MarkList = ({ marks }: { marks: readonly ToldMark[] }) =>
  marks.length === 0 ? null : (
    <ol class="marks" aria-label="What the feed scenario did">
      {marks.map(({ number, does, words }) => (
        <li key={number} class={does}>
          <b>{number}</b> {words}
        </li>
      ))}
    </ol>
  )
