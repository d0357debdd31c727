import { Alert, Center, Group, Loader, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { common, errors } from '../texts/common.ts'
import { describeError } from './describe-error.ts'
import { SmallButton } from './small-button.tsx'
import { useIsSilent } from './use-is-silent.ts'

/** Shown while something loads for the first time. Says so when the service does not answer. */
export function Loading({ what = common.loading }: { what?: string }) {
  const isSilent = useIsSilent()
  return (
    <Center mih={160} role="status">
      <Group gap="sm" wrap="nowrap">
        <Loader size="sm" aria-hidden />
        <Text c="dimmed">{isSilent ? common.silent : what}</Text>
      </Group>
    </Center>
  )
}

/** Shown in place of an empty list, with what to do about it. */
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

/** An error for people, with a button to retry where that makes sense. */
export function ErrorNotice({
  error,
  retry,
  title = errors.title,
}: {
  error: Error
  retry?: () => unknown
  title?: string
}) {
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{describeError(error)}</Text>
        {retry && <SmallButton onClick={() => void retry()}>{common.tryAgain}</SmallButton>}
      </Stack>
    </Alert>
  )
}

/** Shows a query: loading, failed, or its data. Data stays visible while it is fetched again. */
export function QueryView<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data, Error>
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ErrorNotice error={query.error} retry={query.refetch} />
  return <Loading />
}
