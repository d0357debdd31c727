import { Button, Group, Stack } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { common, errors } from '../texts/common.ts'
import { Modal } from './dialogs.tsx'
import { ErrorNotice } from './notices.tsx'
import type { Form, Sending } from './use-form.ts'

/** A dialog with fields, Cancel and a button that sends them. It stays open with the error when that fails. */
export function DialogForm<Values extends object>({
  form,
  action,
  failed,
  onSubmit,
  children,
  ...modal
}: Omit<ComponentProps<typeof Modal>, 'opened' | 'onSubmit'> & {
  form: Pick<Form<Values>, 'submit' | 'error' | 'isPending' | 'isNative'>
  action: string
  failed?: string
  onSubmit: (values: Values) => unknown
  children: ReactNode
  opened?: boolean
}) {
  return (
    <Modal opened {...modal}>
      <form onSubmit={form.submit(onSubmit)} noValidate={!form.isNative}>
        <Stack>
          {children}
          <FormEnd mutation={form} action={action} onCancel={modal.onClose} failed={failed} />
        </Stack>
      </form>
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
  mutation: Sending
  action: string
  onCancel: () => void
  failed?: string | undefined
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
