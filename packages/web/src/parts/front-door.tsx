import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { common } from '../texts/common.ts'
import classes from './front-door.module.css'
import { HelpButton } from './help-button.tsx'
import { LanguageSelect } from './language-select.tsx'
import { usePageTitle } from './page-title.ts'

/** The layout of pages before sign-in: a small form and nothing else. */
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
        <Group justify="center">
          <LanguageSelect />
          <HelpButton article="sign-in" />
        </Group>
      </Stack>
    </main>
  )
}

export function Logo() {
  return (
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0b7285" />
      <path
        d="M6 20h5l3-10 4 14 3-9h5"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
