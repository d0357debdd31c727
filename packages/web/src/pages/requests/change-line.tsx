import { Button, Stack, Text } from '@mantine/core'
import type { TicketChange } from '@plantroom/contract/tickets'
import { useId, useState } from 'react'
import { useSite } from '../../api/use-site.ts'
import { useIsPrinting } from '../../parts/printing.ts'
import { fullTime } from '../../parts/time.ts'
import { format } from '../../texts/format.ts'
import { history } from '../../texts/request-parts.ts'
import { describeChange, isLongText } from './describe-change.ts'
import classes from './requests.module.css'
import { WrittenText } from './written-text.tsx'

/** Changes in a row that are shown on demand, and on paper. */
export function FoldedChanges({ changes }: { changes: readonly TicketChange[] }) {
  const [isOpen, setOpen] = useState(false)
  const isPrinting = useIsPrinting()
  if (!isOpen && !isPrinting) {
    return (
      <div className={classes.change}>
        <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
          {format(history.showFolded, { count: changes.length })}
        </Button>
      </div>
    )
  }
  return (
    <Stack component="ol" gap="sm" className={classes.list}>
      {changes.map((change, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: changes are only ever added at the end
        <li key={place}>
          <ChangeLine change={change} />
        </li>
      ))}
    </Stack>
  )
}

/** One quiet line of the history. The values of a long text are shown on demand. */
export function ChangeLine({ change }: { change: TicketChange }) {
  const { site } = useSite()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div className={classes.change}>
      <Text size="sm" c="dimmed" component="div">
        {format(history.line, { what: describeChange(change), time: fullTime(change.at, site.timeZone) })}
        {isLongText(change.field) && (
          <>
            {' '}
            <Button
              size="compact-xs"
              variant="default"
              className={classes.screenOnly}
              aria-expanded={isOpen}
              aria-controls={id}
              onClick={() => setOpen((before) => !before)}
            >
              {isOpen ? history.hide : history.show}
            </Button>
          </>
        )}
      </Text>
      {isOpen && (
        <Stack gap="xs" mt="xs" id={id}>
          <Version title={history.before} text={change.from[0]} />
          <Version title={history.after} text={change.to[0]} />
        </Stack>
      )}
    </div>
  )
}

function Version({ title, text }: { title: string; text: string | null | undefined }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <WrittenText>{text || history.nothing}</WrittenText>
    </div>
  )
}
