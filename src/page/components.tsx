import { type Signal, useSignal } from '@preact/signals'
import {
  type AnchorHTMLAttributes,
  type ButtonHTMLAttributes,
  type ComponentChildren,
  Fragment,
} from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { readableInstant } from '../kernel/readable.ts'
import { asCurl, later } from './api.ts'
import { inWords, shortId, toneOf } from './format.ts'

interface Classed {
  readonly class?: string
}

type ButtonProps = Omit<ButtonHTMLAttributes, 'onClick'> & { readonly onClick: () => unknown }

export const Button = ({ onClick, ...rest }: ButtonProps) => (
  <button type="button" {...rest} onClick={() => void onClick()} />
)

type LinkProps = Omit<AnchorHTMLAttributes, 'role'> & { readonly to: string }

export const Link = ({ to, ...rest }: LinkProps) => <a href={`#${to}`} {...rest} />

/** A status with its colour and shape. */
export const StatusTag = ({ status, tone = toneOf(status) }: { status: string; tone?: string }) => (
  <span class={`tag ${tone}`}>
    <i aria-hidden="true" />
    {inWords(status)}
  </span>
)

/** The HTTP status of a reply, if there was one. */
export const Code = ({ status }: { status: number | null }) => (
  <span class={`code c${status === null ? 'x' : String(status)[0]}`}>{status ?? 'no reply'}</span>
)

export const Id = ({ id }: { id: string }) => (
  <code class="id" title={id}>
    {shortId(id)}
  </code>
)

interface OrderLinkProps {
  readonly id: string
  /** The whole row of its table opens the order. */
  readonly row?: boolean
  /** Shown instead of the id. */
  readonly children?: ComponentChildren
}

export const OrderLink = ({ id, row, children = <Id id={id} /> }: OrderLinkProps) => (
  <Link to={`/orders/${id}`} {...(row && { 'data-row': '' })}>
    {children}
  </Link>
)

export const messageUrl = (id: string): string => `/webhooks/${encodeURIComponent(id)}`

/** A name that may wrap after a dot, a dash or a slash. */
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

export const Time = ({ at }: { at: string }) => <time dateTime={at}>{readableInstant(at)}</time>

export const Empty = ({ children, line }: { children: ComponentChildren; line?: string | undefined }) => (
  <div class="empty">
    <p>{children}</p>
    {line && <CopyLine text={line} />}
  </div>
)

/** A command line with a button that copies it. */
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
    <Button class="small" onClick={copy}>
      {isCopied.value ? 'Copied' : children}
    </Button>
  )
}

export const CopyCurl = ({ call }: { call: Parameters<typeof asCurl> }) => (
  <Copy text={() => asCurl(...call)}>Copy as curl</Copy>
)

/** Browsers give a clipboard only to secure pages; the deprecated command works in all. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    try {
      return await navigator.clipboard.writeText(text)
    } catch {
      // The deprecated command follows.
    }
  }
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

/** Downloads a file. */
export function saveAs(name: string, content: BlobPart): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content]))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

interface PanelProps {
  readonly title: ComponentChildren
  readonly note?: ComponentChildren
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}

export const Panel = ({ title, note, aside, children }: PanelProps) => (
  <section class="panel">
    <header>
      <h2>{title}</h2>
      {(note !== undefined || aside) && <div class="aside">{aside ?? <Dim>{note}</Dim>}</div>}
    </header>
    {children}
  </section>
)

export const Dim = ({ children }: { children: ComponentChildren }) => <span class="dim">{children}</span>

interface ScrollProps extends Classed {
  readonly label: string
  readonly children: ComponentChildren
}

/** Scrolls sideways if it is wider than its panel, also by keyboard. */
export const Scroll = ({ label, children, class: name = '' }: ScrollProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
  <section class={`scroll ${name}`} tabIndex={0} aria-label={label}>
    {children}
  </section>
)

interface TableProps<Item> {
  /** Of a table that scrolls. */
  readonly label?: string
  /** The heading of each column, if it has one, and the class of its cells. The first and the last stay in view. */
  readonly columns: readonly (readonly [heading: string, cellClass?: string])[]
  readonly rows: readonly Item[]
  readonly keyOf: (row: Item) => string
  readonly cells: (row: Item) => readonly ComponentChildren[]
  readonly rowClass?: (row: Item) => string
  /** Shown instead of a table without rows. */
  readonly empty?: string
}

export function Table<Item>({ label, columns, rows, keyOf, cells, rowClass, empty }: TableProps<Item>) {
  if (rows.length === 0 && empty) return <p class="quiet">{empty}</p>
  const hasHeadings = columns.some(([heading]) => heading !== '')
  const table = (
    <table class={hasHeadings ? 'rows' : 'rows tight'}>
      {hasHeadings && (
        <thead>
          <tr>
            {columns.map(([heading, cellClass]) => (
              <th key={heading} class={cellClass === 'num' ? 'num' : undefined}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} class={rowClass?.(row)}>
            {cells(row).map((cell, at) => (
              <td key={at} class={columns[at]?.[1]} data-heading={columns[at]?.[0] || undefined}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
  return label ? <Scroll label={label}>{table}</Scroll> : table
}

/** Named facts; those without a value are left out. */
export const Facts = ({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ComponentChildren])[]
}) => (
  <dl class="facts">
    {facts.map(
      ([name, value]) =>
        value && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
)

export const Mono = ({ children }: { children: ComponentChildren }) => <span class="mono">{children}</span>

interface SplitProps extends Classed {
  readonly label: string
  readonly list: ComponentChildren
  /** Where the list is, if the address names the item; a narrow screen then shows the item instead of the list. */
  readonly back: string | undefined
  readonly children: ComponentChildren
}

/** A list next to the item chosen from it; on a narrow screen one of the two. */
export const Split = ({ label, list, back, children, class: name = '' }: SplitProps) => (
  <div class={back ? 'split open' : 'split'}>
    <nav class={`list ${name}`} aria-label={label}>
      {list}
    </nav>
    <div class="detail" tabIndex={-1}>
      {back && (
        <Link to={back} class="back">
          ‹ {label}
        </Link>
      )}
      {children}
    </div>
  </div>
)

interface ListItemProps {
  readonly to: string
  readonly isChosen: boolean
  readonly lead?: ComponentChildren
  readonly title: ComponentChildren
  readonly note: ComponentChildren
  readonly end?: ComponentChildren
}

/** The chosen one is brought into sight within its list, because a link may name any. */
export function ListItem({ to, isChosen, lead, title, note, end }: ListItemProps) {
  const item = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isChosen && item.current) showInList(item.current)
  }, [isChosen])
  return (
    <div ref={item}>
      <Link data-row="" to={to} aria-current={isChosen ? 'true' : undefined}>
        {lead}
        <span>
          <b class="mono">{title}</b>
          <small class="dim">{note}</small>
        </span>
        {end}
      </Link>
    </div>
  )
}

/** Scrolls the list only: the view around it stays at its title. */
function showInList(item: Element): void {
  const list = item.closest('.list')
  if (!list) return
  const [own, around] = [item.getBoundingClientRect(), list.getBoundingClientRect()]
  const isShown = own.top >= around.top && own.bottom <= around.bottom
  if (!isShown) list.scrollTop += own.top - around.top - (around.height - own.height) / 2
}

/** Names the browser's tab after what is open. */
export function useTabTitle(text: string): void {
  useEffect(() => {
    document.title = `${text} · Petri`
  }, [text])
}

interface TitleProps {
  readonly title: string
  /** What the browser's tab is called, if it is more than the title. */
  readonly tab?: string
  readonly note?: ComponentChildren
  /** The path that the view reads. */
  readonly shows?: string
  readonly children?: ComponentChildren
}

export function Title({ title, tab = title, note, shows, children }: TitleProps) {
  useTabTitle(tab)
  return (
    <div class="title">
      <h1 tabIndex={-1}>{title}</h1>
      {note && <Dim>{note}</Dim>}
      {(children || shows) && (
        <div class="controls">
          {children}
          {shows && <CopyCurl call={['GET', shows]} />}
        </div>
      )}
    </div>
  )
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly (readonly [to: string, name: ComponentChildren, isOpen: boolean])[]
}

/** Links to the parts of a view; one is open. */
export const Tabs = ({ label, tabs }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(([to, name, isOpen]) => (
      <Link key={to} to={to} aria-current={isOpen ? 'true' : undefined}>
        {name}
      </Link>
    ))}
  </nav>
)

export const Crumbs = ({ to, title, id }: { to: string; title: string; id: string }) => (
  <nav class="crumbs" aria-label="Breadcrumb">
    <Link to={to}>{title}</Link> / <code>{shortId(id)}</code>
  </nav>
)

/** A secret, hidden until it is asked for. */
export function Secret({ value }: { value: string }) {
  const isShown = useSignal(false)
  return (
    <span class="secret">
      <code>{isShown.value ? value : '••••••••••••'}</code>
      <Button class="small" onClick={() => toggle(isShown)}>
        {isShown.value ? 'Hide' : 'Show'}
      </Button>
      <Copy text={value} />
    </span>
  )
}

export function toggle(flag: Signal<boolean>): void {
  flag.value = !flag.value
}

export type Options = readonly (readonly [value: string, text: string])[]

/** Names as options. */
export const optionsOf = (
  names: readonly string[],
  nameOf: (name: string) => string = (name) => name,
): Options => names.map((name) => [name, nameOf(name)] as const)

interface ChoiceProps {
  readonly label: string
  readonly options: Options
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A button that opens a menu, which stays where it is whatever becomes of its actions. */
export const Menu = ({ id, title, children }: { id: string; title: string; children: ComponentChildren }) => (
  <div class="menu">
    <button type="button" aria-haspopup="true" popovertarget={id}>
      {title} ▾
    </button>
    <div id={id} popover>
      {children}
    </div>
  </div>
)

/** A row of buttons; one is pressed. */
export const Choice = ({ label, options, value, onChange }: ChoiceProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in all browsers.
  <div class="seg" role="group" aria-label={label}>
    {options.map(([each, text]) => (
      <Button key={each} aria-pressed={each === value} onClick={() => onChange(each)}>
        {text}
      </Button>
    ))}
  </div>
)

/** The properties of a control that shows and sets a signal. */
export const bound = (signal: Signal<string>) => ({
  value: signal.value,
  onChange: (value: string) => {
    signal.value = value
  },
})

interface JsonProps {
  readonly value: unknown
  /** Marks what differs from it. */
  readonly before?: unknown
}

/** JSON as coloured text; strings that clients sent are never HTML. */
function Json({ value, indent = 0, ...compared }: JsonProps & { indent?: number }) {
  if (value === null || typeof value !== 'object') {
    const text = JSON.stringify(value) ?? 'none'
    const shown = <span class={`j-${value === null ? 'null' : typeof value}`}>{text}</span>
    if (!('before' in compared) || compared.before === value) return shown
    return (
      <mark tabIndex={-1} title={`there: ${JSON.stringify(compared.before) ?? 'none'}`}>
        {shown}
      </mark>
    )
  }
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  if (entries.length === 0) return <>{isList ? '[]' : '{}'}</>
  const pad = '  '.repeat(indent + 1)
  return (
    <>
      {isList ? '[\n' : '{\n'}
      {entries.map(([name, field], at) => (
        <span key={name}>
          {pad}
          {!isList && <span class="j-key">{JSON.stringify(name)}: </span>}
          <Json
            value={field}
            indent={indent + 1}
            {...('before' in compared && {
              before: (compared.before as Record<string, unknown> | null | undefined)?.[name],
            })}
          />
          {at < entries.length - 1 ? ',\n' : '\n'}
        </span>
      ))}
      {'  '.repeat(indent)}
      {isList ? ']' : '}'}
    </>
  )
}

export const JsonBlock = ({ value, label, ...compared }: JsonProps & { label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
  <section class="json" tabIndex={0} aria-label={label}>
    <pre>{typeof value === 'string' ? value : <Json value={value ?? null} {...compared} />}</pre>
  </section>
)
