import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { common } from '../texts/common.ts'
import { format } from '../texts/format.ts'

/** Sets the title of the browser tab. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? format(common.pageTitle, { page: title, product: common.product }) : common.product
  }, [title])
}

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
