import { Alert, Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { ApiError } from '@plantroom/client/http'
import type { ReactNode } from 'react'
import { common } from '../texts/common.ts'
import { usePageTitle } from './page-title.ts'
import { capitalized } from './value.ts'

/** While something is asked for the first time. */
export function Loading({ what = common.loading }: { what?: string }) {
  return (
    <Center mih={160} role="status">
      <Group gap="sm">
        <Loader size="sm" aria-hidden />
        <Text c="dimmed">{what}</Text>
      </Group>
    </Center>
  )
}

/** A list without anything in it says so, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap={4} py="xl" ta="center">
      <Text fw={600}>{title}</Text>
      {children && (
        <Text c="dimmed" size="sm" component="div">
          {children}
        </Text>
      )}
    </Stack>
  )
}

/** What the service said, for people; who was not reached says nothing, and is tried again. */
export function messageOf(error: Error): string {
  return error instanceof ApiError ? capitalized(error.message) : common.unreachable
}

export function ErrorNotice({
  error,
  retry,
  title = common.failed,
}: {
  error: Error
  retry?: () => unknown
  title?: string
}) {
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{messageOf(error)}</Text>
        {retry && (
          <Button size="xs" variant="default" onClick={() => void retry()}>
            {common.tryAgain}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** The head of a page: its one title, what is said below it, and what can be done. */
export function PageHead({
  title,
  children,
  actions,
}: {
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
}) {
  usePageTitle(typeof title === 'string' ? title : undefined)
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="md">
      <Stack gap={2} style={{ flex: '1 1 240px' }}>
        <Title order={1} size="h2">
          {title}
        </Title>
        {children && (
          <Text c="dimmed" component="div">
            {children}
          </Text>
        )}
      </Stack>
      {actions && <Group gap="sm">{actions}</Group>}
    </Group>
  )
}
