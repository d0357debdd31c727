import { Select } from '@mantine/core'

const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** The zone of whoever looks at the page: the likely one for a site that they add. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** All time zones that the browser knows, to be found by typing. */
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
      // A site may have a name for its zone that this browser lists under another.
      data={ZONES.includes(value) ? ZONES : [value, ...ZONES]}
      value={value}
      onChange={(zone) => zone && onChange(zone)}
      searchable
      allowDeselect={false}
      maxDropdownHeight={260}
      disabled={disabled}
      required
      withAsterisk={false}
    />
  )
}
