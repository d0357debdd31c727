import { Button, FocusTrap, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { common } from '../texts/common.ts'

/** Something that is shown this once, such as a secret: neither a click beside it nor Enter, pressed once too often, may lose it. */
export function ShownOnce({
  title,
  done,
  onClose,
  children,
}: {
  title: string
  /** What the button says that closes it. */
  done: string
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <FocusTrap.InitialFocus />
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>{done}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
