import { Button, Group } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { common } from '../texts/common.ts'
import { ErrorNotice } from './notices.tsx'

/** The end of a form: why it failed, the way out, and the button that says what it does. */
export function FormEnd({
  mutation,
  action,
  onCancel,
  failed = common.failed,
}: {
  mutation: Pick<UseMutationResult<unknown, Error, never>, 'isPending' | 'error'>
  action: string
  onCancel: () => void
  failed?: string
}) {
  return (
    <>
      {mutation.error && <ErrorNotice error={mutation.error} title={failed} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {common.cancel}
        </Button>
        <Button type="submit" loading={mutation.isPending}>
          {action}
        </Button>
      </Group>
    </>
  )
}
