import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

export type Options = readonly (readonly [value: string, text: string])[]

/** Buttons of which one is pressed. */
export const Choice = ({
  label,
  options,
  chosen,
  onChoose,
}: {
  label: string
  options: Options
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

interface FormProps {
  readonly class?: string
  readonly children: ComponentChildren
  readonly onSubmit: () => unknown
}

export const Form = ({ onSubmit, ...rest }: FormProps) => (
  <form
    {...rest}
    onSubmit={(event) => {
      event.preventDefault()
      void onSubmit()
    }}
  />
)

const Field = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children.
  <label class="field">
    <span>{label}</span>
    {children}
  </label>
)

/** What a field shows, and what is told of each change. */
interface Bound {
  readonly value: string
  readonly onChange: (value: string) => void
}

interface TextProps extends Bound {
  readonly type?: 'text' | 'search' | 'url' | 'password' | 'datetime-local'
  readonly placeholder?: string
  readonly required?: boolean
  readonly size?: number
  readonly list?: string
  readonly autocomplete?: 'off'
  readonly 'aria-controls'?: string
  readonly onKeyDown?: (event: KeyboardEvent) => void
}

interface Labelled {
  readonly label: string
}

const Input = ({ value, onChange, ...rest }: TextProps) => (
  <input {...(rest as object)} value={value} onInput={(event) => onChange(event.currentTarget.value)} />
)

export const TextField = ({ label, ...rest }: TextProps & Labelled) => (
  <Field label={label}>
    <Input {...rest} />
  </Field>
)

/** Without a visible label, where the placeholder says enough. */
export const NamedInput = ({ label, ...rest }: TextProps & Labelled) => <Input aria-label={label} {...rest} />

export const Search = (props: TextProps & Labelled) => <NamedInput type="search" {...props} />

type AreaProps = Bound & Labelled & { readonly rows: number }

export const TextArea = ({ label, value, onChange, ...rest }: AreaProps) => (
  <Field label={label}>
    <textarea
      spellcheck={false}
      {...rest}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  </Field>
)

type SelectProps = Bound & Labelled & { readonly options: Options }

export const Select = ({ label, value, options, onChange }: SelectProps) => (
  <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
    {options.map(([each, text]) => (
      <option key={each} value={each}>
        {text}
      </option>
    ))}
  </select>
)

export const SelectField = (props: SelectProps) => (
  <Field label={props.label}>
    <Select {...props} />
  </Field>
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

/** Names as the options of a choice. */
export const optionsOf = (
  names: readonly string[],
  nameOf: (name: string) => string = (name) => name,
): Options => names.map((name) => [name, nameOf(name)] as const)

/** What was typed into a form, kept for this tab until it is sent. */
export function useForm<Values extends Readonly<Record<string, string>>>(name: string, first: Values) {
  const key = `petri.draft.${name}`
  const values = useSignal<Values>({ ...first, ...stored(key) })
  const set = (change: Partial<Values>) => {
    values.value = { ...values.value, ...change }
    sessionStorage.setItem(key, JSON.stringify(values.value))
  }
  return {
    values: values.value,
    set,
    /** The field of a name, as a control takes it. */
    bind: (field: keyof Values & string): Bound => ({
      value: values.value[field] ?? '',
      onChange: (value) => set({ [field]: value } as Partial<Values>),
    }),
    clear() {
      values.value = first
      sessionStorage.removeItem(key)
    },
  }
}

function stored(key: string): object {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as object
  } catch {
    return {}
  }
}
