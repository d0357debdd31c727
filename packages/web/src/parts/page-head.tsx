import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { navigation } from '../texts/common.ts'
import { usePageTitle } from './page-title.ts'

export { usePageTitle } from './page-title.ts'

/** The head of a page: its title, a subtitle, its actions and the page of the help about it. */
export function PageHead({
  title,
  children,
  actions,
  help,
}: {
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
  /** Below `/help/`. A test checks that the page exists. */
  help?: string
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
      {(actions || help) && (
        <Group gap="sm">
          {help && (
            <Anchor href={`/help/${help}`} target="_blank" rel="noopener" size="sm" data-print="never">
              {navigation.help}
            </Anchor>
          )}
          {actions}
        </Group>
      )}
    </Group>
  )
}
