import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { defaultHighlightStyle, forceParsing, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { checkSource } from './api.ts'
import { completionsFor } from './completions.ts'
import type { ScenarioIssue, ScenarioKind } from './responses.ts'

export interface Editor {
  /** Marks lines with errors, and sets the kind of scenario that is completed. */
  mark(issues: readonly ScenarioIssue[], kind: ScenarioKind): void
  close(): void
}

/** The longest time opening waits for the colours of a long text. */
const MAX_PARSING_MS = 100

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--collecting)' },
  { tag: tags.string, color: 'var(--done)' },
  { tag: tags.comment, color: 'var(--dim)' },
  { tag: tags.keyword, color: 'var(--lab)' },
])

const look = EditorView.theme({
  '&': { backgroundColor: 'var(--sunk)', color: 'var(--ink)', fontSize: '12.5px' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunk)', color: 'var(--dim)', border: '0' },
  '.cm-scroller': { overflow: 'visible', fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line2)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on)' },
  // Instead of data URLs, which the content security policy refuses.
  '.cm-lint-marker-error': { content: '""', backgroundColor: 'var(--failed)', borderRadius: '50%' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--failed)' },
})

/** Opens an editor of YAML in a shadow root of an element. */
export function openEditor(host: HTMLElement, source: string, onChange: (source: string) => void): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const parent = document.createElement('div')
  root.replaceChildren(parent)
  let known: ScenarioKind = 'order'
  const view = new EditorView({
    root,
    parent,
    state: EditorState.create({
      doc: source,
      extensions: [
        lineNumbers(),
        history(),
        // Tab moves the focus, as everywhere on the page.
        keymap.of([...defaultKeymap, ...historyKeymap]),
        yaml(),
        syntaxHighlighting(colours),
        syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
        EditorView.lineWrapping,
        lintGutter(),
        autocompletion({ override: [(context) => complete(context, known)] }),
        // A list that scrolls must be reachable by keyboard.
        EditorView.updateListener.of(() =>
          root.querySelector('.cm-tooltip ul')?.setAttribute('tabindex', '0'),
        ),
        look,
        EditorView.contentAttributes.of({ 'aria-label': 'Source of the scenario' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString())
        }),
      ],
    }),
  })
  forceParsing(view, source.length, MAX_PARSING_MS)
  return {
    mark(issues, kind) {
      known = kind
      view.dispatch(
        setDiagnostics(
          view.state,
          issues.map((issue) => diagnosticOf(view.state, issue)),
        ),
      )
    },
    close: () => view.destroy(),
  }
}

function diagnosticOf({ doc }: EditorState, { line, message }: ScenarioIssue): Diagnostic {
  const { from, to } = doc.line(Math.max(1, Math.min(doc.lines, line)))
  return { from, to, severity: 'error', message }
}

async function complete(context: CompletionContext, kind: ScenarioKind): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w-]*/)
  if (!word || (word.from === word.to && !context.explicit)) return null
  const before = context.state.sliceDoc(0, context.pos)
  const isStatus = kind === 'order' && /\bstatus:\s*[\w-]*$/.test(before)
  const legal = isStatus ? await legalStatuses(context.state, word.from, context.pos) : []
  const options = completionsFor(kind, before, legal)
  return options.length === 0 ? null : { from: word.from, options }
}

/** The statuses that are legal in a step: what the check says about one that never is, the first of every order. */
async function legalStatuses({ doc }: EditorState, from: number, to: number): Promise<string[]> {
  const line = doc.lineAt(from)
  const start = line.text.slice(0, from - line.from)
  const rest = doc.sliceString(to, line.to)
  const step = `${start}ordered${rest.includes('}') || !start.includes('{') ? rest : ' }'}`
  const check = await checkSource(doc.sliceString(0, line.from) + step)
  const here = check?.refusals.filter((issue) => issue.line === line.number) ?? []
  return [...new Set(here.flatMap(({ legal }) => legal ?? []))]
}
