import { Alert, Button, Card, Group, Progress, Stack, Text } from '@mantine/core'
import { ApiError } from '@plantroom/client/http'
import { speedOf, timeLeft } from '@plantroom/client/transfer-speed'
import { UnreadableFile } from '@plantroom/client/upload'
import { PART_BYTES } from '@plantroom/contract/uploads'
import { type ReactNode, useEffect, useState } from 'react'
import { describeError } from '../../parts/describe-error.ts'
import { UploadError } from '../../parts/send-file.ts'
import { SmallButton } from '../../parts/small-button.tsx'
import { duration } from '../../parts/time.ts'
import { bytes, joinFacts } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { packages } from '../../texts/packages.ts'
import type { Upload, UploadTask } from './uploads.ts'

const texts = packages.upload

interface Actions<Task extends UploadTask> {
  onPause: () => void
  onCancel: () => void
  onAgain: (task: Task) => void
  onReplace: () => void
  onDismiss: () => void
}

/** The progress of an upload, or why it stopped. */
export function UploadView<Task extends UploadTask>({
  upload,
  starting,
  ...actions
}: {
  upload: Upload<Task>
  /** What to say while the job that reads the files starts. */
  starting: string
} & Actions<Task>) {
  const { onCancel, onAgain, onReplace, onDismiss } = actions
  if (upload.state === 'failed') {
    const { name, size, task, error } = upload
    return (
      <Notice color="red" title={format(texts.failed, { name })} text={describeUploadError(error)}>
        <Button size="xs" onClick={() => onAgain(task)}>
          {size > PART_BYTES ? texts.resume : texts.again}
        </Button>
        <SmallButton onClick={onDismiss}>{common.close}</SmallButton>
      </Notice>
    )
  }
  if (upload.state === 'another') {
    return (
      <Notice color="orange" title={format(texts.another, { name: upload.name })} text={texts.anotherHint}>
        <Button size="xs" onClick={onReplace}>
          {texts.replace}
        </Button>
        <SmallButton onClick={onDismiss}>{common.cancel}</SmallButton>
      </Notice>
    )
  }
  if (upload.state === 'sending') return <SendingCard upload={upload} onPause={actions.onPause} onCancel={onCancel} />
  if (upload.state === 'paused') {
    const { name, size, loaded, task } = upload
    return (
      <TransferCard title={format(texts.paused, { name })} name={name} size={size} loaded={loaded}>
        <Button size="xs" onClick={() => onAgain(task)}>
          {texts.resume}
        </Button>
        <SmallButton onClick={onCancel}>{texts.cancel}</SmallButton>
      </TransferCard>
    )
  }
  return (
    <Card withBorder>
      <Text role="status">{starting}</Text>
    </Card>
  )
}

function SendingCard({
  upload,
  onPause,
  onCancel,
}: {
  upload: Extract<Upload, { state: 'sending' }>
  onPause: () => void
  onCancel: () => void
}) {
  const { name, size, position, count, loaded, stage, marks, retryAt } = upload
  const retrySeconds = useSecondsUntil(retryAt)
  const speed = speedOf(marks)
  const left = timeLeft(marks, size)
  const facts = [
    count > 1 && format(texts.position, { position, count }),
    speed !== undefined && format(texts.speed, { amount: bytes(speed) }),
    left !== undefined && format(texts.left, { time: duration(left) }),
  ]
  const titles = { comparing: texts.comparing, sending: texts.title, completing: texts.completing }
  return (
    <TransferCard title={format(titles[stage], { name })} name={name} size={size} loaded={loaded} facts={facts}>
      {size > PART_BYTES && <SmallButton onClick={onPause}>{texts.pause}</SmallButton>}
      <SmallButton onClick={onCancel}>{texts.cancel}</SmallButton>
      {retrySeconds !== undefined && (
        <Text size="sm" role="timer" w="100%">
          {format(texts.retrying, { seconds: retrySeconds })}
        </Text>
      )}
      <Text size="sm" w="100%">
        {size > PART_BYTES ? texts.stay : texts.stayWhole}
      </Text>
    </TransferCard>
  )
}

function TransferCard({
  title,
  name,
  size,
  loaded,
  facts = [],
  children,
}: {
  title: string
  name: string
  size: number
  loaded: number
  facts?: Parameters<typeof joinFacts>[0]
  children: ReactNode
}) {
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Text fw={600} role="status" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        <Progress
          size="lg"
          value={size > 0 ? Math.floor((loaded / size) * 100) : 0}
          aria-label={format(texts.bar, { name })}
        />
        <Text size="sm" className="figures">
          {joinFacts([format(texts.gone, { loaded: bytes(loaded), total: bytes(size) }), ...facts])}
        </Text>
        <Group gap="xs">{children}</Group>
      </Stack>
    </Card>
  )
}

function Notice({ color, title, text, children }: { color: string; title: string; text: string; children: ReactNode }) {
  return (
    <Alert color={color} variant="light" title={title} role="alert">
      <Stack gap="xs">
        <Text size="sm">{text}</Text>
        <Group>{children}</Group>
      </Stack>
    </Alert>
  )
}

/** Returns the whole seconds until a moment of `performance.now()`, and updates each second. */
function useSecondsUntil(at: number | undefined): number | undefined {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    if (at === undefined) return
    setNow(performance.now())
    const timer = setInterval(() => setNow(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [at])
  return at === undefined ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}

function describeUploadError(error: Error): string {
  if (error instanceof UploadError) return error.message
  if (error instanceof UnreadableFile) return texts.unreadable
  return error instanceof ApiError ? describeError(error) : texts.cutOff
}
