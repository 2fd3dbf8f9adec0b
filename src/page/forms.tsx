import { useSignal } from '@preact/signals'
import {
  type AllHTMLAttributes,
  type ButtonHTMLAttributes,
  type ComponentChildren,
  createContext,
} from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import { messageOfEntry } from '../kernel/detail-text.ts'
import { type asCurl, type CallError, call } from './api.ts'
import { Button, CopyCurl, type Options } from './components.tsx'
import { detailOf } from './format.ts'
import { parameter, setQuery } from './navigation.ts'
import { attempt } from './store.ts'

/** The errors of a form by field; those of no field have an empty name. */
type FieldErrors = Readonly<Record<string, string>>

const Errors = createContext<FieldErrors>({})

interface FormProps {
  readonly class?: string
  /** Shown next to their fields, the others at the end. */
  readonly errors?: FieldErrors
  readonly children: ComponentChildren
  readonly onSubmit: () => unknown
}

export const Form = ({ onSubmit, errors = {}, children, ...rest }: FormProps) => (
  <Errors.Provider value={errors}>
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit()
      }}
    >
      {children}
      {errors[''] && (
        <p class="error" role="alert">
          {errors['']}
        </p>
      )}
    </form>
  </Errors.Provider>
)

interface SubmitProps {
  readonly children: ComponentChildren
  readonly disabled?: boolean
  /** The call it makes. */
  readonly curl?: Parameters<typeof asCurl>
}

/** The last row of a form: the button that submits it, and the same call as a command. */
export const Submit = ({ children, disabled, curl }: SubmitProps) => (
  <div class="row">
    <button type="submit" class="primary" disabled={disabled}>
      {children}
    </button>
    {curl && <CopyCurl call={curl} />}
  </div>
)

interface ControlProps {
  readonly label: string
  /** The field of the form. */
  readonly name?: string
  readonly value: string
  readonly onChange: (value: string) => void
}

interface FieldProps {
  readonly label: string
  readonly name?: string | undefined
  /** What it does, below the control. */
  readonly note?: string | undefined
  readonly children: ComponentChildren
}

function Field({ label, name = '', note, children }: FieldProps) {
  const error = useError(name)
  return (
    <div class="field">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children. */}
      <label>
        <span>{label}</span>
        {children}
        {note && <small>{note}</small>}
      </label>
      {error && (
        <small class="error" role="alert" id={`error-${name}`}>
          {error}
        </small>
      )}
    </div>
  )
}

const useError = (name: string) => {
  const errors = useContext(Errors)
  return name && errors[name]
}

/** Says of a control that its value was refused, and where the reason is. */
const useValidity = (name = '') =>
  useError(name) ? { 'aria-invalid': true, 'aria-describedby': `error-${name}` } : {}

interface TextProps extends ControlProps, Omit<AllHTMLAttributes<HTMLInputElement>, keyof ControlProps> {
  readonly note?: string | undefined
}

/** Without a visible label, where the placeholder says enough. */
export const NamedInput = ({ label, onChange, ...rest }: TextProps) => (
  <input aria-label={label} {...(rest as object)} onInput={(event) => onChange(event.currentTarget.value)} />
)

export const Search = (props: TextProps) => <NamedInput type="search" {...props} />

/** Searches by a parameter of the address, from the first page. */
export const SearchBy = ({ name, ...rest }: { name: string; label: string; placeholder: string }) => (
  <Search {...rest} value={parameter(name)} onChange={(text) => setQuery({ [name]: text, offset: '' })} />
)

/** With several rows, an area without spell checking. */
export function TextField({ label, note, onChange, rows, ...rest }: TextProps) {
  const control = {
    ...(rest as object),
    ...useValidity(rest.name),
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  }
  return (
    <Field label={label} name={rest.name} note={note}>
      {rows ? <textarea spellcheck={false} rows={rows} {...control} /> : <input {...control} />}
    </Field>
  )
}

/** A text field that suggests values. */
export const SuggestField = ({ options, ...rest }: TextProps & { readonly options: Options }) => (
  <>
    <TextField {...rest} list={`${rest.name}-options`} />
    <datalist id={`${rest.name}-options`}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </datalist>
  </>
)

type SelectProps = ControlProps & { readonly options: Options; readonly note?: string | undefined }

export const Select = ({ label, name, value, options, onChange }: SelectProps) => (
  <select
    aria-label={label}
    value={value}
    {...useValidity(name)}
    onChange={(event) => onChange(event.currentTarget.value)}
  >
    {options.map(([each, text]) => (
      <option key={each} value={each}>
        {text}
      </option>
    ))}
  </select>
)

export const SelectField = (props: SelectProps) => (
  <Field label={props.label} name={props.name} note={props.note}>
    <Select {...props} />
  </Field>
)

/** Filters by a parameter of the address. */
export const SelectBy = ({ name, label, options }: { name: string; label: string; options: Options }) => (
  <Select
    label={label}
    options={options}
    value={parameter(name)}
    onChange={(chosen) => setQuery({ [name]: chosen })}
  />
)

interface CheckProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly children: ComponentChildren
}

export const Check = ({ checked, onChange, children }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />{' '}
    {children}
  </label>
)

/** Values of a form, kept in this tab until they are sent. */
export function useForm<Values extends Readonly<Record<string, string>>>(name: string, first: Values) {
  const key = `petri.draft.${name}`
  const values = useSignal<Values>({ ...first, ...stored(key) })
  const errors = useSignal<FieldErrors>({})
  const set = (change: Partial<Values>) => {
    errors.value = {}
    values.value = { ...values.value, ...change }
    sessionStorage.setItem(key, JSON.stringify(values.value))
  }
  const clear = () => {
    values.value = first
    sessionStorage.removeItem(key)
  }
  /** Runs an action, and shows on the form why it was refused; undefined then. */
  const run = <Result,>(title: string, act: () => Promise<Result>): Promise<Result | undefined> => {
    errors.value = {}
    return attempt(title, act, (error) => {
      errors.value = errorsOf(error, Object.keys(first))
    })
  }
  return {
    values: values.value,
    errors: errors.value,
    run,
    set,
    clear,
    /** The properties of the control of a field. */
    bind: (field: keyof Values & string) => ({
      name: field,
      value: values.value[field] ?? '',
      onChange: (value: string) => set({ [field]: value } as Partial<Values>),
    }),
    /** Makes a call; clears the form and closes its dialog if that succeeds. */
    async send<Body>(title: string, method: string, path: string, body?: unknown) {
      const sent = await run(title, () => call<Body>(method, path, body))
      if (sent === undefined) return undefined
      clear()
      closeDialog()
      return sent
    },
  }
}

/** An entry of a 422 belongs to the field whose name is in its location; in a form with one field, everything does. */
function errorsOf({ body, message }: CallError, fields: readonly string[]): FieldErrors {
  const { detail } = (body ?? {}) as { detail?: unknown }
  const entries = Array.isArray(detail) ? (detail as { loc?: unknown[]; msg?: string }[]) : []
  if (entries.length === 0) return { [fields.length === 1 ? (fields[0] ?? '') : '']: message }
  const found: Record<string, string> = {}
  for (const entry of entries) {
    const words = (entry.loc ?? []).flatMap((part) => [String(part), ...String(part).split('_')])
    const field = fields.length === 1 ? fields[0] : fields.find((each) => words.includes(each))
    found[field ?? ''] ??= field ? messageOfEntry(entry.msg ?? message) : detailOf({ detail: [entry] })
  }
  return found
}

/** Fills in a form that is not shown yet. */
export function keepDraft(name: string, values: Readonly<Record<string, string>>): void {
  const key = `petri.draft.${name}`
  sessionStorage.setItem(key, JSON.stringify({ ...stored(key), ...values }))
}

function stored(key: string): object {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as object
  } catch {
    return {}
  }
}

/** The open dialog is a parameter of the address, so that it is still open after a reload. */
export const openDialog = (name: string): void => setQuery({ dialog: name })
export const closeDialog = (): void => setQuery({ dialog: '' })

interface DialogProps {
  readonly name: string
  readonly title: string
  readonly children: ComponentChildren
}

/** Shown while the address names it. Closes with Escape and gives the focus back. */
export const Dialog = (props: DialogProps) =>
  parameter('dialog') === props.name ? <OpenDialog {...props} /> : null

function OpenDialog({ title, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  // Not an effect, which would be cleaned up after the dialog is gone, when something else has got the focus.
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    // The first field rather than the button that closes.
    dialog?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    return () => dialog?.close()
  }, [])
  return (
    // Not the event "close", which comes later and would close a dialog that was opened meanwhile.
    <dialog
      ref={element}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        closeDialog()
      }}
    >
      <header>
        <h2>{title}</h2>
        <Button class="small" onClick={closeDialog} aria-label="Close">
          ✕
        </Button>
      </header>
      {children}
    </dialog>
  )
}

/** A button that opens a dialog. */
export const Opens = ({ dialog, ...rest }: ButtonHTMLAttributes & { readonly dialog: string }) => (
  <button type="button" aria-haspopup="dialog" {...rest} onClick={() => openDialog(dialog)} />
)

interface ConfirmProps extends DialogProps {
  readonly action: string
  readonly onConfirm: () => unknown
}

/** Asks before something that cannot be undone. */
export const Confirm = ({ action, onConfirm, children, ...rest }: ConfirmProps) => (
  <Dialog {...rest}>
    <p>{children}</p>
    <div class="row">
      <Button
        class="danger"
        onClick={() => {
          closeDialog()
          return onConfirm()
        }}
      >
        {action}
      </Button>
      <Button onClick={closeDialog}>Cancel</Button>
    </div>
  </Dialog>
)
