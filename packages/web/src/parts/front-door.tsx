import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { common } from '../texts/common.ts'
import classes from './front-door.module.css'
import type { Article } from './help/article-of.ts'
import { HelpButton } from './help-button.tsx'
import { LanguageSelect } from './language-select.tsx'
import { Logo } from './logo.tsx'
import { usePageTitle } from './page-title.ts'

/** The layout of pages before sign-in: a small form and nothing else. */
export function FrontDoor({
  title,
  lead,
  wide = false,
  help = 'sign-in',
  children,
}: {
  title: string
  lead?: ReactNode
  wide?: boolean
  /** The article about the page; `null` for a page that needs none. */
  help?: Article | null
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
        <Group justify="center">
          <LanguageSelect />
          {help && <HelpButton article={help} />}
        </Group>
      </Stack>
    </main>
  )
}
