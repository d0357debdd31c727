import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { pasteAtOnce } from './paste-at-once.ts'

/** Browsers take many seconds to measure the lines of a longer text. */
const MAX_MEASURED = 20_000

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
      onPaste={pasteAtOnce(onChange)}
      error={problems.length > 0 && problems.map((problem) => <div key={problem}>{problem}</div>)}
      errorProps={{ component: 'div' }}
      {...(text.length < MAX_MEASURED ? { autosize: true, minRows: rows, maxRows: 2 * rows } : { rows: 2 * rows })}
      spellCheck={false}
      autoCapitalize="off"
      autoCorrect="off"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
    />
  )
}
