import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'

/** A document that a person writes, with its mistakes below. */
export function DocumentField({
  label,
  description,
  text,
  onChange,
  problems,
  rows = 12,
}: {
  label: string
  description: ReactNode
  text: string
  onChange: (text: string) => void
  /** Each on a line of its own. */
  problems: readonly string[]
  rows?: number
}) {
  return (
    <Textarea
      label={label}
      description={description}
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={problems.length > 0 && problems.map((problem) => <div key={problem}>{problem}</div>)}
      errorProps={{ component: 'div' }}
      autosize
      minRows={rows}
      maxRows={2 * rows}
      spellCheck={false}
      autoCapitalize="off"
      autoCorrect="off"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
    />
  )
}
