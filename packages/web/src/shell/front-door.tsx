import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePageTitle } from '../parts/page-title.ts'
import { common } from '../texts/common.ts'
import classes from './front-door.module.css'
import { Logo } from './logo.tsx'

/** The pages for whoever is not signed in: one small form each, and nothing around it. */
export function FrontDoor({
  title,
  lead,
  wide = false,
  children,
}: {
  title: string
  lead?: ReactNode
  wide?: boolean
  children: ReactNode
}) {
  usePageTitle(title)
  return (
    <main className={classes.page}>
      <Stack className={wide ? `${classes.door} ${classes.wide}` : classes.door} gap="lg">
        <Group gap={10} justify="center">
          <Logo />
          <Text fw={700} size="lg">
            {common.product}
          </Text>
        </Group>
        <Paper withBorder shadow="xs" p={{ base: 'lg', xs: 'xl' }}>
          <Stack gap="lg">
            <Stack gap={6}>
              <Title order={1} size="h2">
                {title}
              </Title>
              {lead && (
                <Text c="dimmed" component="div">
                  {lead}
                </Text>
              )}
            </Stack>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </main>
  )
}
