// biome-ignore lint/style/noRestrictedImports: the dialog of all others is built on it here.
import { Button, Group, Modal as MantineModal, type ModalProps, Stack } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { common } from '../texts/common.ts'
import { createDialogHistory } from './dialog-history.ts'
import { ErrorNotice } from './notices.tsx'

const dialogs = createDialogHistory({
  history: window.history,
  address: () => window.location.href,
  // Capturing: before the pages see it.
  onPop: (listener) => window.addEventListener('popstate', listener, { capture: true }),
  // The router dispatches it.
  onPush: (listener) => window.addEventListener('pushState', listener),
  defer: (run) => void setTimeout(run),
})

// Mantine's `<header>` would be a second banner of the page.
const ATTRIBUTES = { header: { role: 'presentation' } }

/** A dialog. Escape, a click outside and the browser's Back button close it. All dialogs of the console use this one. */
export function Modal({
  byAddress = false,
  keepsPage = false,
  ...props
}: ModalProps & {
  /** The address of the page opens the dialog, so Back closes it anyway. */
  byAddress?: boolean
  /** Leaving the page would lose what the dialog shows: nothing but its own buttons closes it. */
  keepsPage?: boolean
}) {
  const { opened, onClose } = props
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!opened || byAddress) return
    return dialogs.open({ close: () => close(), keepsPage })
  }, [opened, byAddress, keepsPage])
  useFocusReturn(opened)
  return <MantineModal closeButtonProps={{ 'aria-label': common.close }} attributes={ATTRIBUTES} {...props} />
}

/** Returns the focus to where it was, also when the page removes the dialog instead of closing it. */
function useFocusReturn(opened: boolean): void {
  useEffect(() => {
    if (!opened) return
    const opener = document.activeElement
    return () => {
      // The page may have moved the focus on purpose, for example because the opener is gone.
      setTimeout(() => {
        if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
      })
    }
  }, [opened])
}

/** Asks before an action that cannot be undone. Stays open with the error when it fails. */
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
    <Modal opened={opened} onClose={onClose} title={title} centered>
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
