import { Alert, Button, Card, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import type { UnfinishedUpload, UploadPurpose } from '@plantroom/contract/uploads'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSite } from '../../api/use-site.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { fullTime } from '../../parts/time.ts'
import { bytes } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { packages } from '../../texts/packages.ts'
import { isFileOf } from './chosen-file.ts'
import { useUnfinishedUploads } from './site-uploads.ts'

const texts = packages.unfinished

/** Says how to continue, with the times of the last part and of the removal. */
type Hint = (times: { last: string; end: string }) => string

/**
 * Uploads of this site that were interrupted. A browser cannot keep the file, so the person chooses it again: here, or,
 * without `onContinue`, together with the other files of its export.
 */
export function UnfinishedUploads({
  purpose,
  hint,
  onContinue,
}: {
  purpose: UploadPurpose
  hint: Hint
  onContinue?: (file: File, name: string) => void
}) {
  const { unfinished, remove } = useUnfinishedUploads(purpose)
  return unfinished.map((upload) => (
    <UnfinishedCard
      key={upload.uploadId}
      upload={upload}
      hint={hint}
      onContinue={onContinue && ((file) => onContinue(file, upload.filename))}
      onRemove={() => remove(upload.uploadId)}
    />
  ))
}

function UnfinishedCard({
  upload,
  hint,
  onContinue,
  onRemove,
}: {
  upload: UnfinishedUpload
  hint: Hint
  onContinue: ((file: File) => void) | undefined
  onRemove: () => Promise<void>
}) {
  const { site } = useSite()
  const { filename, size, storedBytes, usedAt, expiresAt } = upload
  const [other, setOther] = useState<File>()
  const forget = useRef<() => void>(null)
  const removal = useMutation({ mutationFn: onRemove })
  function choose(file: File | null): void {
    if (!file) return
    forget.current?.()
    if (isFileOf(upload, file)) onContinue?.(file)
    else setOther(file)
  }
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {format(texts.title, { name: filename })}
        </Text>
        <Progress
          size="lg"
          value={Math.floor((storedBytes / size) * 100)}
          aria-label={format(packages.upload.bar, { name: filename })}
        />
        <Text size="sm" className="figures">
          {format(packages.upload.gone, { loaded: bytes(storedBytes), total: bytes(size) })}
        </Text>
        <Text size="sm">
          {hint({ last: fullTime(usedAt, site.timeZone), end: fullTime(expiresAt, site.timeZone) })}
        </Text>
        {other && (
          <Alert
            color="orange"
            variant="light"
            role="alert"
            title={format(texts.other, { name: other.name })}
            withCloseButton
            onClose={() => setOther(undefined)}
            closeButtonLabel={common.close}
          >
            {format(texts.otherHint, { name: filename, size: bytes(size), given: bytes(other.size) })}
          </Alert>
        )}
        <Group gap="xs">
          {onContinue && (
            <FileButton
              resetRef={forget}
              onChange={choose}
              inputProps={{ 'aria-label': format(texts.input, { name: filename }) }}
            >
              {(props) => (
                <Button size="xs" {...props}>
                  {texts.choose}
                </Button>
              )}
            </FileButton>
          )}
          <SmallButton loading={removal.isPending} onClick={() => removal.mutate()}>
            {packages.upload.cancel}
          </SmallButton>
        </Group>
        {removal.error && <ErrorNotice error={removal.error} />}
      </Stack>
    </Card>
  )
}
