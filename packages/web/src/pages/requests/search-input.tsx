import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { requests } from '../../texts/requests.ts'
import { MAX_SEARCHED } from './request-filters.ts'

const PAUSE_MS = 350

/** A text that is looked for as soon as whoever types it pauses, or at once with Enter. */
export function SearchInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value)
  const told = useRef(value)
  const tell = (typed: string) => {
    told.current = typed.trim()
    onChange(typed)
  }
  const tellLater = useDebouncedCallback(tell, PAUSE_MS)

  // Only what comes from elsewhere, such as the way back: our own words must not overtake what is being typed.
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])

  return (
    <TextInput
      type="search"
      label={requests.search}
      placeholder={requests.searchHint}
      value={text}
      maxLength={MAX_SEARCHED}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        tellLater(currentTarget.value)
      }}
      onKeyDown={({ key }) => {
        if (key !== 'Enter') return
        tellLater.cancel()
        tell(text)
      }}
    />
  )
}
