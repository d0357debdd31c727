import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePageTitle } from './page-title.ts'

export { usePageTitle } from './page-title.ts'

/** The head of a page: its title, a subtitle and its actions. */
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
    <Group justify="space-between" align="flex-start" mb={{ base: 'sm', sm: 'lg' }} gap="md">
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
