import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { fromLocalInput, toLocalInput } from '../../parts/time.ts'
import { readTime } from './report-filters.ts'

const PAUSE_MS = 600

/** A time by the clocks of the site. It counts when whoever types it pauses or leaves: a year is typed figure by figure. */
export function TimeInput({
  label,
  value,
  onChange,
  timeZone,
  error,
}: {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  timeZone: string
  error?: string | false
}) {
  const shown = value === undefined ? '' : toLocalInput(Date.parse(value), timeZone)
  const [text, setText] = useState(shown)
  const told = useRef(value)

  function tell(typed: string) {
    const at = fromLocalInput(typed, timeZone)
    const time = at === undefined ? undefined : readTime(new Date(at).toISOString())
    const isUnfinished = typed !== '' && time === undefined
    if (isUnfinished || time === told.current) return
    told.current = time
    onChange(time)
  }
  const tellLater = useDebouncedCallback(tell, PAUSE_MS)

  // Only what comes from elsewhere, such as the way back.
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setText(shown)
  }, [value, shown])

  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={text}
      max="9999-12-31T23:59"
      error={error}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        tellLater(currentTarget.value)
      }}
      onBlur={() => {
        tellLater.cancel()
        tell(text)
      }}
    />
  )
}
