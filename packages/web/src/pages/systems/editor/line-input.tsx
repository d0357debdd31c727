import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { editor as texts } from '../../../texts/editor.ts'
import { addressText, readAddress } from './address-text.ts'

/** Fields as one line. What is no fields yet stays here until it is. */
export function LineInput({
  label,
  description,
  size,
  value,
  error,
  onChange,
}: {
  label: string
  description?: string
  size?: 'xs'
  value: Readonly<Record<string, unknown>>
  error: string | undefined
  onChange: (value: Record<string, unknown>) => void
}) {
  const [typed, setTyped] = useState<{ line: string; of: unknown }>()
  const isTyping = typed !== undefined && typed.of === JSON.stringify(value)
  const line = isTyping ? typed.line : addressText(value)
  return (
    <TextInput
      label={label}
      description={description}
      {...(size && { size })}
      value={line}
      error={readAddress(line) ? error : texts.noFields}
      spellCheck={false}
      autoCapitalize="off"
      onChange={({ currentTarget }) => {
        const read = readAddress(currentTarget.value)
        setTyped({ line: currentTarget.value, of: JSON.stringify(read ?? value) })
        if (read) onChange(read)
      }}
    />
  )
}
