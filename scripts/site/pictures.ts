import { type FunctionComponent, h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { LifecycleMap } from '../../src/page/lifecycle-map.tsx'
import type { ScenarioStatus, Workflow } from '../../src/page/responses.ts'
import { layoutOf, sizeOf } from '../../src/page/stop-map.tsx'
import { TIMELINE, Timeline } from '../../src/page/views/planned-statuses.tsx'

/** When a scenario changes the status of an order, as the page in the browser draws it. */
export const timelinePicture = (statuses: readonly ScenarioStatus[]): string =>
  picture(Timeline, { statuses }, TIMELINE)

/** The statuses of a workflow and the moves between them, as the page in the browser draws them. */
export const workflowPicture = (workflow: Workflow): string =>
  picture(
    LifecycleMap,
    { workflow, life: { order: { events: [], last_event: null }, legal: [], planned: [] }, now: '' },
    sizeOf(layoutOf(workflow)),
  )

interface Size {
  readonly width: number
  readonly height: number
}

/** A file of its own: what the page's stylesheet says of the picture, and a background, for it may be shown on any. */
function picture<Props extends object>(
  drawing: FunctionComponent<Props>,
  props: Props,
  { width, height }: Size,
): string {
  const drawn = renderToString(h(drawing, props)).replace(/^<svg[^>]*>|<\/svg>$/g, '')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<style>${style}</style>`,
    '<rect class="card" width="100%" height="100%" rx="8"/>',
    drawn,
    '</svg>\n',
  ].join('\n')
}

const style = `
:root { --card: #fff; --line: #bcc5cc; --ink: #16202a; --dim: #56626e; --accent: #0b6e63;
  --received: #52606d; --collecting_sample: #1d5fd0; --sample_with_lab: #6d3fc9; --completed: #0f7a3d;
  --failed: #b8261b; --cancelled: #5b6773; --attention: #8a4f00 }
@media (prefers-color-scheme: dark) {
  :root { --card: #171b1e; --line: #47525b; --ink: #e8edf0; --dim: #9aa7b1; --accent: #3fc5b1;
    --received: #a3b1bd; --collecting_sample: #7db0ff; --sample_with_lab: #bd9cff; --completed: #58d08b;
    --failed: #ff8f84; --cancelled: #9aa7b1; --attention: #f3b65a }
}
.card { fill: var(--card) }
text { font: 12px system-ui, sans-serif; fill: var(--ink); paint-order: stroke; stroke: var(--card); stroke-width: 4px }
.axis { stroke: var(--line); stroke-width: 2 }
.stem { stroke: var(--line) }
.tick { fill: var(--dim) }
${['received', 'collecting_sample', 'sample_with_lab', 'completed', 'failed', 'cancelled', 'attention']
  .map((tone) => `.${tone} circle { fill: var(--${tone}) }`)
  .join('\n')}
.edge { fill: none; stroke: var(--line); stroke-width: 1.6 }
.stop text { text-anchor: middle; font-size: 11.5px }
.stop .dot { fill: var(--card); stroke: var(--accent); stroke-width: 1.8 }
`
