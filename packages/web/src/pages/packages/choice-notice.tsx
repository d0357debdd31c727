import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { common } from '../../texts/common.ts'
import { packages } from '../../texts/packages.ts'
import type { Choice } from './choice.ts'

const texts = packages.name

/** Why a file was not sent, and the name under which it could be. */
export function ChoiceNotice({
  choice,
  onUse,
  onDismiss,
}: {
  choice: Exclude<Choice, { kind: 'send' }>
  onUse: (file: File, name: string) => void
  onDismiss: () => void
}) {
  if (choice.kind === 'refuse') {
    return (
      <Alert
        color="red"
        variant="light"
        role="alert"
        title={choice.reason}
        withCloseButton
        onClose={onDismiss}
        closeButtonLabel={common.close}
      />
    )
  }
  const { file, flaw, mended } = choice
  return (
    <Alert color="orange" variant="light" role="alert" title={texts.title(file.name)}>
      <Stack gap="xs">
        <Text size="sm">{mended === undefined ? `${flaw} ${texts.notAPackage}` : flaw}</Text>
        <Group>
          {mended !== undefined && (
            <Button size="xs" onClick={() => onUse(file, mended)}>
              {texts.use(mended)}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onDismiss}>
            {common.cancel}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
