import { Code, List, Stack, Text } from '@mantine/core'
import type { AdjustedValue } from '@plantroom/contract/jobs'
import { format } from '../../texts/format.ts'
import { packages } from '../../texts/packages.ts'

const MAX_LISTED = 20

/** What an export wrote otherwise than it is stored, because a package may not have it. */
export function AdjustedValues({ values = [] }: { values: readonly AdjustedValue[] | undefined }) {
  const texts = packages.exporting
  if (values.length === 0) return null
  return (
    <Stack gap={4}>
      <Text size="sm">{format(texts.adjusted, { count: values.length })}</Text>
      <List size="sm">
        {values.slice(0, MAX_LISTED).map(({ path, value, became }) => (
          <List.Item key={path}>
            <Code>{path}</Code>{' '}
            {became === null ? format(texts.leftOut, { value }) : format(texts.became, { value, became })}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
