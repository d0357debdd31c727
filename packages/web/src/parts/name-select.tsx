import { Select } from '@mantine/core'
import { common } from '../texts/common.ts'

export interface Choice {
  value: string
  label: string
}

/** How many names a list shows at once; typing narrows it. */
const SHOWN = 50

/** One of many names, found by typing. A name that is not among them, of an old link, is shown as it is. */
export function NameSelect({
  label,
  placeholder,
  choices,
  value,
  onChange,
  disabled = false,
  description,
}: {
  label: string
  placeholder: string
  choices: readonly Choice[]
  value: string | null
  onChange: (value: string | null) => void
  disabled?: boolean
  description?: string
}) {
  const known = value === null || choices.some((choice) => choice.value === value)
  return (
    <Select
      label={label}
      placeholder={placeholder}
      description={description}
      data={known ? choices : [{ value, label: value }, ...choices]}
      value={value}
      onChange={onChange}
      disabled={disabled}
      searchable
      clearable
      allowDeselect={false}
      limit={SHOWN}
      nothingFoundMessage={common.nothingFound}
      clearButtonProps={{ 'aria-label': common.clear(label) }}
    />
  )
}

export const named = (name: string): Choice => ({ value: name, label: name })
