import { Alert, Button, Group, List, Paper, Text } from '@mantine/core'
import { MAX_CHANGED } from '@plantroom/contract/api'
import { useEffect, useState } from 'react'
import { ErrorNotice } from '../../parts/notices.tsx'
import { format } from '../../texts/format.ts'
import { bulk } from '../../texts/requests.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import type { RequestFilters } from './request-filters.ts'
import classes from './requests.module.css'
import { type BulkSummary, moreToSelect, type Selection, summaryOf } from './selection.ts'
import { useBulkChange, useMatchingNumbers } from './use-request-list.ts'

/** How long a change can be undone here. */
const UNDO_MS = 10_000

interface Done extends BulkSummary {
  kind: 'changed' | 'restored'
  undoId: string | null
}

/** The number of chosen requests, what can be done with them, and what became of the last change. */
export function BulkBar({
  selection,
  onSelect,
  shown,
  count,
  filters,
}: {
  selection: Selection
  onSelect: (selection: Selection) => void
  shown: readonly number[]
  count: number | undefined
  filters: RequestFilters
}) {
  const [opened, setOpened] = useState(false)
  const [done, setDone] = useState<Done>()
  const { change, undo } = useBulkChange()

  // The offer ends; what became of the others stays until it is dismissed.
  useEffect(() => {
    if (!done?.undoId) return
    const timer = setTimeout(() => setDone((now) => (now === done ? expired(now) : now)), UNDO_MS)
    return () => clearTimeout(timer)
  }, [done])

  function finish(kind: Done['kind'], outcomes: Parameters<typeof summaryOf>[0], undoId: string | null) {
    setOpened(false)
    setDone({ ...summaryOf(outcomes), kind, undoId })
    onSelect(new Set())
  }

  return (
    <div className={classes.screenOnly}>
      {selection.size > 0 && (
        <SelectionBar
          selection={selection}
          onSelect={onSelect}
          shown={shown}
          count={count}
          filters={filters}
          onChange={() => {
            change.reset()
            setOpened(true)
          }}
        />
      )}
      {done && (
        <Outcome
          done={done}
          isUndoing={undo.isPending}
          onUndo={(undoId) =>
            undo.mutate({ undoId }, { onSuccess: ({ outcomes }) => finish('restored', outcomes, null) })
          }
          onClose={() => setDone(undefined)}
        />
      )}
      {undo.error && <ErrorNotice error={undo.error} />}
      {opened && (
        <BulkDialog
          numbers={[...selection]}
          change={change}
          onClose={() => setOpened(false)}
          onDone={({ outcomes, undoId }) => finish('changed', outcomes, undoId)}
        />
      )}
    </div>
  )
}

const expired = (done: Done): Done | undefined => (done.failed.length > 0 ? { ...done, undoId: null } : undefined)

function SelectionBar({
  selection,
  onSelect,
  shown,
  count,
  filters,
  onChange,
}: {
  selection: Selection
  onSelect: (selection: Selection) => void
  shown: readonly number[]
  count: number | undefined
  filters: RequestFilters
  onChange: () => void
}) {
  const matching = useMatchingNumbers()
  const more = moreToSelect(selection, shown, count)
  const tooMany = selection.size > MAX_CHANGED
  return (
    <Paper withBorder p="xs" mb="xs" className={classes.bar}>
      <Group gap="sm">
        <Text size="sm" fw={600} role="status">
          {format(bulk.selected, { count: selection.size })}
        </Text>
        <Button size="compact-sm" onClick={onChange} disabled={tooMany}>
          {bulk.change}
        </Button>
        {more.kind === 'all' && (
          <Button
            size="compact-sm"
            variant="default"
            loading={matching.isPending}
            onClick={() => matching.mutate(filters, { onSuccess: (numbers) => onSelect(new Set(numbers)) })}
          >
            {format(bulk.selectMatching, { count: more.count })}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => onSelect(new Set())}>
          {bulk.clear}
        </Button>
        {more.kind === 'too-many' && (
          <Text size="sm">{format(bulk.tooMany, { count: more.count, most: MAX_CHANGED })}</Text>
        )}
        {tooMany && <Text size="sm">{format(bulk.tooManySelected, { most: MAX_CHANGED })}</Text>}
      </Group>
      {matching.error && <ErrorNotice error={matching.error} />}
    </Paper>
  )
}

const SHOWN_FAILURES = 10

function Outcome({
  done,
  isUndoing,
  onUndo,
  onClose,
}: {
  done: Done
  isUndoing: boolean
  onUndo: (undoId: string) => void
  onClose: () => void
}) {
  const { kind, changed, unchanged, failed, undoId } = done
  const summary = kind === 'changed' ? bulk.done : bulk.undone
  const failures = kind === 'changed' ? bulk.failed : bulk.notUndone
  return (
    <Alert
      color={failed.length > 0 ? 'orange' : 'green'}
      mb="xs"
      withCloseButton
      closeButtonLabel={bulk.dismiss}
      onClose={onClose}
      role="status"
    >
      <Group gap="sm">
        <span>{format(summary, { count: changed })}</span>
        {unchanged > 0 && <span>{format(bulk.had, { count: unchanged })}</span>}
        {undoId && (
          <Button size="compact-sm" variant="default" loading={isUndoing} onClick={() => onUndo(undoId)}>
            {bulk.undo}
          </Button>
        )}
      </Group>
      {failed.length > 0 && (
        <>
          <Text size="sm" mt="xs">
            {format(failures, { count: failed.length })}
          </Text>
          <List size="sm">
            {failed.slice(0, SHOWN_FAILURES).map(({ number, message }) => (
              <List.Item key={number}>{format(bulk.failure, { number: String(number), message })}</List.Item>
            ))}
            {failed.length > SHOWN_FAILURES && (
              <List.Item>{format(bulk.moreFailures, { count: failed.length - SHOWN_FAILURES })}</List.Item>
            )}
          </List>
        </>
      )}
    </Alert>
  )
}
