import { Paper, Textarea, type TextareaProps } from '@mantine/core'
import type { Mentionable } from '@plantroom/contract/api'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { format } from '../../texts/format.ts'
import { mentions as texts } from '../../texts/request-parts.ts'
import { type MentionQuery, mentionAt, peopleFor, withMention } from './mentions.ts'
import classes from './requests.module.css'

/** The keys that an open list handles. */
const KEYS: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'Enter', 'Tab', 'Escape'])

/** A text field that offers people after an @: arrow keys choose, Enter or Tab inserts, Escape closes the list. */
export function MentionTextarea({
  value,
  onText,
  people,
  ...rest
}: Omit<TextareaProps, 'value' | 'onChange'> & {
  value: string
  onText: (text: string) => void
  people: readonly Mentionable[]
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const [query, setQuery] = useState<MentionQuery>()
  const [active, setActive] = useState(0)
  const offered = query && !rest.readOnly ? peopleFor(people, query.query) : []
  const isOpen = offered.length > 0
  const optionId = (place: number) => `${listId}-${place}`

  function look() {
    const {
      value: text,
      selectionStart,
      selectionEnd,
    } = field.current ?? { value: '', selectionStart: 0, selectionEnd: 0 }
    setQuery(selectionStart === selectionEnd ? mentionAt(text, selectionStart) : undefined)
    setActive(0)
  }

  function insert(person: Mentionable | undefined) {
    if (!person || !query) return
    const { text, caret } = withMention(value, query, person.name)
    onText(text)
    setQuery(undefined)
    // After React has written the new text, which moves the cursor to its end.
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(caret, caret)
    })
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen) return
    if (event.shiftKey || !KEYS.has(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') setQuery(undefined)
    else if (event.key === 'ArrowDown') setActive((before) => (before + 1) % offered.length)
    else if (event.key === 'ArrowUp') setActive((before) => (before + offered.length - 1) % offered.length)
    else insert(offered[active])
  }

  return (
    <div>
      <Textarea
        {...rest}
        ref={field}
        value={value}
        onChange={({ currentTarget }) => {
          onText(currentTarget.value)
          look()
        }}
        onKeyDown={onKeyDown}
        onClick={look}
        onBlur={() => setQuery(undefined)}
        aria-autocomplete="list"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? optionId(active) : undefined}
      />
      {isOpen && (
        <Paper withBorder shadow="sm" mt={4}>
          <div id={listId} role="listbox" aria-label={texts.choices} className={classes.suggestions}>
            {offered.map((person, place) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
              <div
                key={person.userId}
                id={optionId(place)}
                role="option"
                tabIndex={-1}
                aria-selected={place === active}
                // The text field keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => insert(person)}
              >
                {format(texts.choice, { name: person.name, email: person.email })}
              </div>
            ))}
          </div>
        </Paper>
      )}
    </div>
  )
}
