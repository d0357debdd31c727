import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { undo as texts } from '../texts/common.ts'
import { describeError } from './describe-error.ts'

const SHOWN_MS = 10_000

/** Undoes something. Throws `UndoRefused` when that would overwrite what others did meanwhile. */
type Undo = () => Promise<unknown>

/** Says for people why something cannot be undone any more. */
export class UndoRefused extends Error {}

/** Says what was done, and offers to undo it for a moment. Only for what can be restored as it was. */
export function showUndo(message: string, undo: Undo): void {
  const id = notifications.show({
    message: <Offer message={message} undo={undo} onDone={() => notifications.hide(id)} />,
    autoClose: SHOWN_MS,
  })
}

function Offer({ message, undo, onDone }: { message: string; undo: Undo; onDone: () => void }) {
  const [isPending, setIsPending] = useState(false)
  const [error, setError] = useState<Error>()

  async function run(): Promise<void> {
    setIsPending(true)
    setError(undefined)
    try {
      await undo()
      onDone()
    } catch (reason) {
      setError(reason instanceof Error ? reason : new Error(String(reason)))
      setIsPending(false)
    }
  }
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="default" onClick={() => void run()} loading={isPending}>
          {texts.action}
        </Button>
      </Group>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {texts.failed} {error instanceof UndoRefused ? error.message : describeError(error)}
        </Text>
      )}
    </>
  )
}
