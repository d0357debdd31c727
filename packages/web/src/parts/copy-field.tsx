import { Button, CopyButton, Group, TextInput } from '@mantine/core'
import { common } from '../texts/common.ts'

/** A secret or an address that is shown to be taken along. */
export function CopyField({ label, value, description }: { label: string; value: string; description?: string }) {
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        label={label}
        description={description}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        style={{ flex: 1 }}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button onClick={copy} variant={copied ? 'light' : 'filled'} miw={88}>
            {copied ? common.copied : common.copy}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
