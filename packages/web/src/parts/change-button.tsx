import { Button, type ButtonProps, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorNotice } from './notices.tsx'

/** A button that starts a change, with the error below it when that fails. */
export function ChangeButton({
  change,
  onClick,
  children,
  ...button
}: ButtonProps & {
  change: { isPending: boolean; error: Error | null }
  onClick: () => void
  children: ReactNode
}) {
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant="default" {...button} onClick={onClick} loading={change.isPending}>
        {children}
      </Button>
      {change.error && <ErrorNotice error={change.error} />}
    </Stack>
  )
}
