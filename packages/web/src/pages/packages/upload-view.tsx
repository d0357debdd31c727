import { Alert, Button, Card, Group, Progress, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ApiError } from '@plantroom/client/http'
import { useSyncExternalStore } from 'react'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { describeError } from '../../parts/describe-error.ts'
import { ownAddress, sendFile, UploadError } from '../../parts/send-file.ts'
import { duration } from '../../parts/time.ts'
import { bytes, joinFacts } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { packages } from '../../texts/packages.ts'
import { createUploads, speedOf, type Upload } from './uploads.ts'

const texts = packages.upload

/** The progress of an upload, or why it failed. */
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
    return (
      <Alert color="red" variant="light" title={format(texts.failed, { name })} role="alert">
        <Stack gap="xs">
          <Text size="sm">{describeUploadError(error)}</Text>
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
  const left = speed && speed > 0 ? format(texts.left, { time: duration(((size - loaded) / speed) * 1000) }) : undefined
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Text fw={600} role="status">
          {format(texts.title, { name })}
        </Text>
        <Progress
          size="lg"
          value={size > 0 ? Math.floor((loaded / size) * 100) : 0}
          aria-label={format(texts.bar, { name })}
        />
        <Group justify="space-between">
          <Text size="sm" className="figures">
            {joinFacts([
              format(texts.gone, { loaded: bytes(loaded), total: bytes(size) }),
              speed !== undefined && format(texts.speed, { amount: bytes(speed) }),
              left,
            ])}
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

function describeUploadError(error: Error): string {
  if (error instanceof UploadError) return error.message
  return error instanceof ApiError ? describeError(error) : texts.cutOff
}

const keyOf = (orgId: string, siteId: string) => `${orgId}/${siteId}`

function siteOf(key: string) {
  const [orgId = '', propertyId = ''] = key.split('/')
  return { orgId, propertyId }
}

const uploads = createUploads({
  async addressFor(site, filename) {
    const { url } = await api.getUploadUrl({ ...siteOf(site), query: { filename } })
    return ownAddress(url)
  },
  sendFile,
  async startCheck(site, name) {
    const { jobId } = await api.startPreview({ ...siteOf(site), body: { filename: name } })
    if (!location.pathname.endsWith('/settings/packages')) {
      notifications.show({ title: format(packages.upload.doneAway, { name }), message: packages.upload.doneAwayHint })
    }
    return jobId
  },
  now: () => performance.now(),
})

window.addEventListener('beforeunload', (event) => {
  if (uploads.isSending()) event.preventDefault()
})

/** The upload of this site. It survives visits to other pages. */
export function useUpload() {
  const { orgId, siteId } = useSite()
  const key = keyOf(orgId, siteId)
  const upload = useSyncExternalStore(uploads.subscribe, () => uploads.of(key))
  return {
    upload,
    start: (file: File, name: string) => void uploads.start(key, file, name),
    cancel: () => uploads.cancel(key),
    dismiss: () => uploads.dismiss(key),
  }
}
