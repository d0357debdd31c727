import { Button, Group, Modal, Stack } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { common } from '../texts/common.ts'
import { ErrorNotice } from './notices.tsx'

/** Asks before something that cannot be taken back; `action` says what the button does. Stays open, with the reason, when it fails. */
export function Confirm({
  opened,
  onClose,
  title,
  action,
  color = 'red',
  mutation,
  onConfirm,
  children,
}: {
  opened: boolean
  onClose: () => void
  title: string
  action: string
  color?: string
  mutation: Pick<UseMutationResult<unknown, Error, never>, 'isPending' | 'error'>
  onConfirm: () => void
  children: ReactNode
}) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': common.close }}>
      <Stack>
        {children}
        {mutation.error && <ErrorNotice error={mutation.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button color={color} onClick={onConfirm} loading={mutation.isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
