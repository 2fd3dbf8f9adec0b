import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { query, setQuery } from './route.ts'

/** The dialog that is open stands in the address, so that a reload brings it back. */
export const openDialog = (name: string): void => setQuery({ dialog: name })
export const closeDialog = (): void => setQuery({ dialog: '' })
export const isOpen = (name: string): boolean => query.value.get('dialog') === name

interface Props {
  readonly name: string
  readonly title: string
  readonly children: ComponentChildren
}

/** Shown while the address names it. Closes with Escape and gives the focus back. */
export const Dialog = (props: Props) => (isOpen(props.name) ? <OpenDialog {...props} /> : null)

function OpenDialog({ title, children }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    element.current?.showModal()
    // The first field rather than the button that closes.
    element.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog ref={element} aria-label={title} onClose={closeDialog}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="small" onClick={() => element.current?.close()} aria-label="Close">
          ✕
        </button>
      </header>
      {children}
    </dialog>
  )
}

/** A button that opens a dialog. */
export const Opens = ({
  dialog,
  children,
  ...rest
}: {
  dialog: string
  children: ComponentChildren
  class?: string
  'aria-label'?: string
}) => (
  <button type="button" aria-haspopup="dialog" {...rest} onClick={() => openDialog(dialog)}>
    {children}
  </button>
)
