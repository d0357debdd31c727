import { Paper, Stack, type StackProps, Text, Title } from '@mantine/core'
import type { ReactNode, Ref } from 'react'

/** A part of a page, below its heading. */
export function Section({
  title,
  children,
  ...stack
}: StackProps & { title: ReactNode; ref?: Ref<HTMLDivElement>; tabIndex?: number; children: ReactNode }) {
  return (
    <Stack component="section" {...stack}>
      <Title order={2} size="h3">
        {title}
      </Title>
      {children}
    </Stack>
  )
}

/** A part of a page in a frame, named by its heading. */
export function CardSection({
  id,
  title,
  hint,
  children,
}: {
  /** Of the heading. */
  id: string
  title: string
  hint?: string
  children: ReactNode
}) {
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb={hint === undefined ? 'sm' : 4}>
        {title}
      </Title>
      {hint !== undefined && (
        <Text c="dimmed" mb="md">
          {hint}
        </Text>
      )}
      {children}
    </Paper>
  )
}
