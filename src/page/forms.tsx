import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Buttons of which one is pressed. */
export const Choice = ({
  label,
  options,
  chosen,
  onChoose,
}: {
  label: string
  options: readonly (readonly [value: string, text: string])[]
  chosen: string
  onChoose: (value: string) => void
}) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in all browsers.
  <div class="seg" role="group" aria-label={label}>
    {options.map(([value, text]) => (
      <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
        {text}
      </button>
    ))}
  </div>
)

/** Closes with Escape and gives the focus back. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  children: ComponentChildren
}) {
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
    <dialog ref={element} aria-label={title} onClose={onClose}>
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

export const Field = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children.
  <label class="field">
    <span>{label}</span>
    {children}
  </label>
)

interface SearchProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onSearch: (text: string) => void
}

export const Search = ({ label, placeholder, value, onSearch }: SearchProps) => (
  <input
    type="search"
    aria-label={label}
    placeholder={placeholder}
    value={value}
    onInput={(event) => onSearch(event.currentTarget.value)}
  />
)

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChange: (value: string) => void
}

export const Select = ({ label, value, options, onChange }: SelectProps) => (
  <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
    {options.map(([each, text]) => (
      <option key={each} value={each}>
        {text}
      </option>
    ))}
  </select>
)

/** What was typed into a form, kept for this tab until it is sent. */
export function useDraft(name: string, first: string) {
  const key = `petri.draft.${name}`
  const draft = useSignal(sessionStorage.getItem(key) ?? first)
  return {
    value: draft.value,
    set(value: string) {
      draft.value = value
      sessionStorage.setItem(key, value)
    },
    clear() {
      draft.value = first
      sessionStorage.removeItem(key)
    },
  }
}
