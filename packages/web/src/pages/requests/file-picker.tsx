import { Alert, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import {
  type ClipboardEvent,
  type DragEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { describeError } from '../../parts/describe-error.ts'
import { ownAddress, sendFile, UploadError } from '../../parts/send-file.ts'
import { bytes } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { files as texts } from '../../texts/request-parts.ts'
import { attachmentsOf, type ChosenFile, createFileUploads, type FileUploads } from './file-uploads.ts'
import classes from './requests.module.css'

/** The files of a form. Uploads stop when the form goes away. */
export function useFileUploads() {
  const { orgId, siteId } = useSite()
  const [uploads] = useState(() =>
    createFileUploads({
      async offer(size) {
        const { uploadId, url } = await api.getAttachmentUploadUrl({ orgId, propertyId: siteId, query: { size } })
        return { uploadId, url: ownAddress(url) }
      },
      sendFile,
    }),
  )
  const chosen = useSyncExternalStore(uploads.subscribe, uploads.list)
  useEffect(() => () => uploads.clear(), [uploads])
  return { uploads, chosen, ...attachmentsOf(chosen) }
}

/** Takes files by choice, drop, paste or camera into the form around it, and shows how their uploads go. */
export function FilePicker({
  uploads,
  chosen,
  disabled = false,
  children,
}: {
  uploads: FileUploads
  chosen: readonly ChosenFile[]
  disabled?: boolean
  /** The part of the form onto which files can be dropped and pasted. */
  children: ReactNode
}) {
  const [problems, setProblems] = useState<readonly string[]>([])
  const take = (files: readonly File[]) => {
    if (!disabled && files.length > 0) setProblems(uploads.add(files))
  }
  const { isOver, events } = useDropAndPaste(take)
  return (
    <div className={classes.drop} data-over={isOver} {...events}>
      <Stack gap="sm">
        {children}
        <FileButtons onFiles={take} disabled={disabled} />
        <Text size="sm">{isOver ? texts.dropNow : texts.hint}</Text>
        {problems.length > 0 && (
          <Alert
            color="orange"
            variant="light"
            role="alert"
            withCloseButton
            onClose={() => setProblems([])}
            closeButtonLabel={common.close}
          >
            {problems.map((problem) => (
              <Text size="sm" key={problem}>
                {problem}
              </Text>
            ))}
          </Alert>
        )}
        {chosen.length > 0 && (
          <Stack component="ul" gap="xs" className={classes.list} aria-label={texts.chosen}>
            {chosen.map((one) => (
              <li key={one.id}>
                <FileRow one={one} uploads={uploads} disabled={disabled} />
              </li>
            ))}
          </Stack>
        )}
      </Stack>
    </div>
  )
}

function FileButtons({ onFiles, disabled }: { onFiles: (files: File[]) => void; disabled: boolean }) {
  const hasTouch = navigator.maxTouchPoints > 0
  const forget = useRef<() => void>(null)
  const forgetPhoto = useRef<() => void>(null)
  return (
    <Group gap="xs">
      <FileButton
        multiple
        resetRef={forget}
        onChange={(files) => {
          // Without a reset, choosing the same file again would not count as a change.
          forget.current?.()
          onFiles(files)
        }}
        inputProps={{ 'aria-label': texts.add }}
        disabled={disabled}
      >
        {(props) => (
          <Button variant="default" size="compact-sm" disabled={disabled} {...props}>
            {texts.add}
          </Button>
        )}
      </FileButton>
      {hasTouch && (
        <FileButton
          resetRef={forgetPhoto}
          onChange={(file) => {
            forgetPhoto.current?.()
            if (file) onFiles([file])
          }}
          accept="image/*"
          capture="environment"
          inputProps={{ 'aria-label': texts.photo }}
          disabled={disabled}
        >
          {(props) => (
            <Button variant="default" size="compact-sm" disabled={disabled} {...props}>
              {texts.photo}
            </Button>
          )}
        </FileButton>
      )}
    </Group>
  )
}

/** The file store explains a refusal itself. */
const reasonOf = (error: Error) => (error instanceof UploadError ? error.message : describeError(error))

function FileRow({ one, uploads, disabled }: { one: ChosenFile; uploads: FileUploads; disabled: boolean }) {
  const { id, file, state, loaded, error } = one
  const { name, size } = file
  const percent = size === 0 ? 100 : Math.floor((loaded / size) * 100)
  const isOver = state === 'done' || state === 'failed'
  return (
    <Stack gap={4}>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <div className={classes.fileName}>
          <Text size="sm" fw={600} truncate title={name}>
            {name}
          </Text>
          <Text size="sm" c={state === 'failed' ? 'red' : undefined}>
            {state === 'waiting' && texts.waiting}
            {state === 'sending' && format(texts.sending, { percent, size: bytes(size) })}
            {state === 'done' && format(texts.done, { size: bytes(size) })}
            {state === 'failed' && format(texts.failed, { reason: error ? reasonOf(error) : '' })}
          </Text>
        </div>
        <Group gap={4} wrap="nowrap">
          {state === 'failed' && (
            <Button
              size="compact-xs"
              variant="default"
              disabled={disabled}
              onClick={() => uploads.retry(id)}
              aria-label={format(texts.retry, { name })}
            >
              {texts.retryShort}
            </Button>
          )}
          <Button
            size="compact-xs"
            variant="default"
            disabled={disabled}
            onClick={() => uploads.remove(id)}
            aria-label={format(isOver ? texts.remove : texts.cancel, { name })}
          >
            {isOver ? texts.removeShort : texts.cancelShort}
          </Button>
        </Group>
      </Group>
      {state === 'sending' && <Progress value={percent} size="sm" aria-label={name} />}
    </Stack>
  )
}

function useDropAndPaste(take: (files: File[]) => void) {
  const [isOver, setOver] = useState(false)
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  return {
    isOver,
    events: {
      onDragOver(event: DragEvent) {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave(event: DragEvent) {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      },
      onDrop(event: DragEvent) {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        // A folder has no content that could be read like a file's.
        const items = [...event.dataTransfer.items].filter((item) => !item.webkitGetAsEntry()?.isDirectory)
        take(items.flatMap((item) => item.getAsFile() ?? []))
      },
      onPaste(event: ClipboardEvent) {
        const files = [...event.clipboardData.files]
        // Programs for texts and tables copy a picture of the text, too.
        if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return
        event.preventDefault()
        take(files)
      },
    },
  }
}
