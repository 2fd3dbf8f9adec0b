import { LineText } from './activity.tsx'
import { type Line, linesOf } from './activity-lines.ts'
import type { StreamData } from './api.ts'
import { countOf, stampOf } from './words.ts'

/** The most that is listed. */
const SHOWN = 200

/** What an advance brought about, by instant. */
export function Happened({ effects }: { effects: readonly StreamData[] }) {
  const lines = linesOf([...effects].reverse()).reverse()
  const instants = new Map<string, Line[]>()
  for (const line of lines.slice(0, SHOWN)) instants.set(line.at, [...(instants.get(line.at) ?? []), line])
  if (lines.length === 0) return <p class="quiet">Nothing has happened since this tab was opened.</p>
  return (
    <>
      <dl class="happened">
        {[...instants].map(([at, own]) => (
          <div key={at}>
            <dt>
              <time dateTime={at}>{stampOf(at)}</time>
            </dt>
            {own.map((line) => (
              <dd key={line.key}>
                <LineText line={line} />
              </dd>
            ))}
          </div>
        ))}
      </dl>
      {lines.length > SHOWN && <p class="quiet">and {countOf(lines.length - SHOWN, 'more line')}</p>}
    </>
  )
}
