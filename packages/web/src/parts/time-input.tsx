import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { fromLocalInput, readTime, toLocalInput } from './time.ts'

const PAUSE_MS = 600

/** A time in the time zone of the site. It takes effect after a pause or on blur: a year is typed digit by digit. */
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
  const reported = useRef(value)

  function report(typed: string) {
    const at = fromLocalInput(typed, timeZone)
    const time = at === undefined ? undefined : readTime(new Date(at).toISOString())
    const isUnfinished = typed !== '' && time === undefined
    if (isUnfinished || time === reported.current) return
    reported.current = time
    onChange(time)
  }
  const reportLater = useDebouncedCallback(report, PAUSE_MS)

  // Take over changes from elsewhere, for example from the back button.
  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
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
        reportLater(currentTarget.value)
      }}
      onBlur={() => {
        reportLater.cancel()
        report(text)
      }}
    />
  )
}
