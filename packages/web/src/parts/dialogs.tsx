import { Button, Code, CopyButton, FocusTrap, Group, Modal, Stack, TextInput } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { common, errors } from '../texts/common.ts'
import { ErrorNotice } from './notices.tsx'

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

/** The end of a form: its error, Cancel and the submit button. */
export function FormEnd({
  mutation,
  action,
  onCancel,
  failed = errors.title,
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

/** Shows a secret once. Neither a click outside nor a repeated Enter closes it by accident. */
export function ShownOnce({
  title,
  done,
  onClose,
  children,
}: {
  title: string
  /** The label of the close button. */
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

/** A secret or an address with a copy button. */
export function CopyField({ label, value, description }: { label: string; value: string; description?: string }) {
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        label={label}
        description={description}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        style={{ flex: 1 }}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button onClick={copy} variant={copied ? 'light' : 'filled'} miw={88}>
            {copied ? common.copied : common.copy}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}

/** Several secrets, one a line, with a copy button for all. */
export function CopyAll({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    <Stack align="flex-start">
      <Code block w="100%">
        {lines.join('\n')}
      </Code>
      <CopyButton value={lines.join('\n')}>
        {({ copied, copy }) => (
          <Button onClick={copy} variant="default">
            {copied ? common.copied : label}
          </Button>
        )}
      </CopyButton>
    </Stack>
  )
}
