import { Alert, Button, Card, Group, Progress, Stack, Text } from '@mantine/core'
import { ApiError } from '@plantroom/client/http'
import { duration } from '../../parts/time.ts'
import { common } from '../../texts/common.ts'
import { packages } from '../../texts/packages.ts'
import { UploadError } from './send-file.ts'
import { speedOf } from './speed.ts'
import type { Upload } from './uploads.ts'

const texts = packages.upload

/** An upload with its bar, or why it failed. */
export function UploadView({
  upload,
  onCancel,
  onAgain,
  onDismiss,
}: {
  upload: Upload
  onCancel: () => void
  onAgain: (file: File, name: string) => void
  onDismiss: () => void
}) {
  if (upload.state === 'failed') {
    const { name, file, error } = upload
    const isSaid = error instanceof UploadError || error instanceof ApiError
    return (
      <Alert color="red" variant="light" title={texts.failed(name)} role="alert">
        <Stack gap="xs">
          <Text size="sm">{isSaid ? error.message : texts.cutOff}</Text>
          <Group>
            <Button size="xs" onClick={() => onAgain(file, name)}>
              {texts.again}
            </Button>
            <Button size="xs" variant="default" onClick={onDismiss}>
              {common.cancel}
            </Button>
          </Group>
        </Stack>
      </Alert>
    )
  }
  if (upload.state !== 'sending') {
    return (
      <Card withBorder>
        <Text role="status">{texts.starting}</Text>
      </Card>
    )
  }
  const { name, loaded, size, marks } = upload
  const speed = speedOf(marks)
  const left = speed && speed > 0 ? texts.left(duration(((size - loaded) / speed) * 1000)) : undefined
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Text fw={600} role="status">
          {texts.title(name)}
        </Text>
        <Progress size="lg" value={size > 0 ? Math.floor((loaded / size) * 100) : 0} aria-label={texts.bar(name)} />
        <Group justify="space-between">
          <Text size="sm" className="figures">
            {[texts.gone(loaded, size), speed !== undefined && texts.speed(speed), left].filter(Boolean).join(' · ')}
          </Text>
          <Button variant="default" size="xs" onClick={onCancel}>
            {texts.cancel}
          </Button>
        </Group>
        <Text size="sm">{texts.stay}</Text>
      </Stack>
    </Card>
  )
}
