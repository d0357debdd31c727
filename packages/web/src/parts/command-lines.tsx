import { Code, Group, Stack, Text } from '@mantine/core'
import { apiLines as texts } from '../texts/api-lines.ts'
import { format } from '../texts/format.ts'
import { CopyButton } from './shown-once.tsx'

/** Commands for a shell, each with what it does and a copy button. */
export function CommandLines({ lines }: { lines: readonly { what: string; line: string }[] }) {
  return (
    <Stack gap="md">
      {lines.map(({ what, line }) => (
        <div key={what}>
          <Group justify="space-between" gap="xs" mb={4} wrap="nowrap">
            <Text size="sm" fw={600}>
              {what}
            </Text>
            <CopyButton quiet text={line} name={format(texts.copyLine, { what })} />
          </Group>
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {line}
          </Code>
        </div>
      ))}
    </Stack>
  )
}
