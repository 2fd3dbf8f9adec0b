import { useSignal } from '@preact/signals'
import { type ComponentChildren, Fragment } from 'preact'
import { asCurl, later } from './api.ts'
import { inWords, shortId, toneOf } from './words.ts'

interface Classed {
  readonly class?: string
}

interface LinkProps {
  readonly to: string
  readonly children: ComponentChildren
  readonly class?: string
  readonly 'aria-current'?: 'page' | 'true' | undefined
  readonly 'data-row'?: string
  readonly onClick?: () => void
}

export const Link = ({ to, children, ...rest }: LinkProps) => (
  <a href={`#${to}`} {...rest}>
    {children}
  </a>
)

/** A status with its colour, and a mark of its own shape. */
export const StatusTag = ({ status }: { status: string }) => (
  <span class={`tag ${toneOf(status)}`}>
    <i aria-hidden="true" />
    {inWords(status)}
  </span>
)

export const Code = ({ status }: { status: number | null }) => (
  <span class={`code c${status === null ? 'x' : String(status)[0]}`}>{status ?? 'none'}</span>
)

export const Id = ({ id }: { id: string }) => (
  <code class="id" title={id}>
    {shortId(id)}
  </code>
)

/** A name that may go on in the next line after a dot, a dash or a slash. */
export const Name = ({ text }: { text: string }) => (
  <>
    {text.split(/(?<=[._/?&=-])/).map((part, at) => (
      <Fragment key={at}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </>
)

export const Empty = ({ children, line }: { children: ComponentChildren; line?: string }) => (
  <div class="empty">
    <p>{children}</p>
    {line && <CopyLine text={line} />}
  </div>
)

/** A line to paste, with a button that copies it. */
export const CopyLine = ({ text }: { text: string }) => (
  <p class="copyline">
    <code>{text}</code>
    <Copy text={text} />
  </p>
)

export function Copy({
  text,
  children = 'Copy',
}: {
  text: string | (() => string)
  children?: ComponentChildren
}) {
  const isCopied = useSignal(false)
  const copy = async () => {
    await copyText(typeof text === 'string' ? text : text())
    isCopied.value = true
    later(1500, () => {
      isCopied.value = false
    })
  }
  return (
    <button type="button" class="small" onClick={() => void copy()}>
      {isCopied.value ? 'Copied' : children}
    </button>
  )
}

/** Browsers give a clipboard only to pages they trust; the older way works in all. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    try {
      return await navigator.clipboard.writeText(text)
    } catch {
      // The older way follows.
    }
  }
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

export const Panel = ({
  title,
  aside,
  children,
  class: name = '',
}: { title: ComponentChildren; aside?: ComponentChildren; children: ComponentChildren } & Classed) => (
  <section class={`panel ${name}`}>
    <header>
      <h2>{title}</h2>
      {aside && <div class="aside">{aside}</div>}
    </header>
    {children}
  </section>
)

/** What is scrolled sideways where it is wider than its panel, with the keyboard too. */
export const Scroll = ({
  label,
  children,
  class: name = '',
}: { label: string; children: ComponentChildren } & Classed) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
  <section class={`scroll ${name}`} tabIndex={0} aria-label={label}>
    {children}
  </section>
)

interface RowsProps {
  readonly label: string
  readonly heads: readonly string[]
  /** The heads of columns of numbers. */
  readonly numbers?: readonly string[]
  readonly children: ComponentChildren
}

/** A table that scrolls. */
export const Rows = ({ label, heads, numbers = [], children }: RowsProps) => (
  <Scroll label={label}>
    <table class="rows">
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} class={numbers.includes(head) ? 'num' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </Scroll>
)

export const Title = ({
  title,
  note,
  shows,
  children,
}: {
  title: ComponentChildren
  note?: ComponentChildren
  /** The path of what the view shows. */
  shows?: string
  children?: ComponentChildren
}) => (
  <div class="title">
    <h1 tabIndex={-1}>{title}</h1>
    {note && <span class="dim">{note}</span>}
    {(children || shows) && (
      <div class="controls">
        {children}
        {shows && <Copy text={() => asCurl('GET', shows)}>Copy as curl</Copy>}
      </div>
    )}
  </div>
)

/** Shown as dots until somebody wants to see it. */
export function Secret({ value }: { value: string }) {
  const isShown = useSignal(false)
  return (
    <span class="secret">
      <code>{isShown.value ? value : '••••••••••••'}</code>
      <button
        type="button"
        class="small"
        onClick={() => {
          isShown.value = !isShown.value
        }}
      >
        {isShown.value ? 'Hide' : 'Show'}
      </button>
      <Copy text={value} />
    </span>
  )
}
