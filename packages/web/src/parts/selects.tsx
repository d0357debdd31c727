import { Select } from '@mantine/core'
import { common } from '../texts/common.ts'
import { format } from '../texts/format.ts'

export interface Choice {
  value: string
  label: string
}

/** The number of names in a list; typing narrows it. */
const SHOWN = 50

/** Chooses one of many names by typing. A value from an old link that is not on offer is shown unchanged. */
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
      clearButtonProps={{ 'aria-label': format(common.clear, { what: label }) }}
    />
  )
}

export const named = (name: string): Choice => ({ value: name, label: name })

const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** Chooses one of the browser's time zones by typing. */
export function TimeZoneSelect({
  label,
  description,
  value,
  onChange,
  disabled,
}: {
  label: string
  description?: string
  value: string
  onChange: (timeZone: string) => void
  disabled?: boolean
}) {
  return (
    <Select
      label={label}
      description={description}
      // The browser may list the zone of a site under another name.
      data={ZONES.includes(value) ? ZONES : [value, ...ZONES]}
      value={value}
      onChange={(zone) => zone && onChange(zone)}
      searchable
      allowDeselect={false}
      disabled={disabled}
      required
      withAsterisk={false}
    />
  )
}
