import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link as Route } from 'wouter'
import { useSite } from '../../api/use-site.ts'
import { Section } from '../../parts/section.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { common } from '../../texts/common.ts'
import { convert } from '../../texts/convert.ts'
import { format } from '../../texts/format.ts'
import { packages } from '../../texts/packages.ts'
import { type Choice, choiceOf } from './chosen-file.ts'
import { packageUploads } from './package-uploads.ts'
import classes from './packages.module.css'
import { useSiteUpload } from './site-uploads.ts'
import { UnfinishedUploads } from './unfinished-uploads.tsx'
import { UploadView } from './upload-view.tsx'
import type { UploadTask } from './uploads.ts'
import { useFileDrop } from './use-file-drop.ts'

interface Events {
  /** A new upload starts: a job shown before belongs to another file. */
  onSending: () => void
  onChecking: (jobId: string) => void
}

/** Takes a package by drop or choice, uploads it and starts the check. */
export function ImportSection(events: Events) {
  const { may } = useSite()
  return (
    <Section title={packages.importing.title}>
      {may('manager') ? <Importing {...events} /> : <Text>{packages.importing.forManagers}</Text>}
    </Section>
  )
}

function Importing({ onSending, onChecking }: Events) {
  const { upload, start, pause, cancel, replace, dismiss } = useSiteUpload(packageUploads)
  const [choice, setChoice] = useState<Exclude<Choice, { kind: 'send' }>>()

  function begin(task: UploadTask): void {
    setChoice(undefined)
    onSending()
    start(task)
  }
  const send = (file: File, name: string) => begin({ files: [{ file, name }] })

  function take(files: File[], isFolder: boolean): void {
    const chosen = choiceOf(files, isFolder)
    if (!chosen) return
    if (chosen.kind === 'send') send(chosen.file, chosen.name)
    else setChoice(chosen)
  }

  useEffect(() => {
    if (upload?.state !== 'started') return
    dismiss()
    onChecking(upload.jobId)
  }, [upload, dismiss, onChecking])

  if (upload) {
    return (
      <UploadView
        upload={upload}
        starting={packages.upload.starting}
        onPause={pause}
        onCancel={cancel}
        onAgain={begin}
        onReplace={replace}
        onDismiss={dismiss}
      />
    )
  }
  return (
    <>
      <DropArea onFiles={take} />
      <UnfinishedUploads purpose="import" hint={(times) => format(packages.unfinished.hint, times)} onContinue={send} />
      {choice && <ChoiceNotice choice={choice} onUse={send} onDismiss={() => setChoice(undefined)} />}
    </>
  )
}

const { importing } = packages

/** A large area to drop a package on. The rest of the page accepts it too. */
function DropArea({ onFiles }: { onFiles: (files: File[], isFolder: boolean) => void }) {
  const isOver = useFileDrop(onFiles)
  const forget = useRef<() => void>(null)
  function choose(file: File | null): void {
    if (!file) return
    // Without a reset, choosing the same file again would not count as a change.
    forget.current?.()
    onFiles([file], false)
  }
  return (
    <div className={classes.drop} data-over={isOver}>
      <Text fw={600} size="lg">
        {isOver ? importing.dropNow : importing.drop}
      </Text>
      <Text size="sm" maw={460}>
        {importing.dropHint}
      </Text>
      <FileButton resetRef={forget} onChange={choose} inputProps={{ 'aria-label': importing.input }}>
        {(props) => <Button {...props}>{importing.choose}</Button>}
      </FileButton>
    </div>
  )
}

const nameTexts = packages.name

/** Why a file was not uploaded, and a valid name for it. */
function ChoiceNotice({
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
  if (choice.kind === 'convert') return <ConvertNotice name={choice.file.name} onDismiss={onDismiss} />
  const { file, flaw, suggested } = choice
  return (
    <Alert color="orange" variant="light" role="alert" title={format(nameTexts.title, { name: file.name })}>
      <Stack gap="xs">
        <Text size="sm">{suggested === undefined ? `${flaw} ${nameTexts.notAPackage}` : flaw}</Text>
        <Group>
          {suggested !== undefined && (
            <Button size="xs" onClick={() => onUse(file, suggested)}>
              {format(nameTexts.use, { name: suggested })}
            </Button>
          )}
          <SmallButton onClick={onDismiss}>{common.cancel}</SmallButton>
        </Group>
      </Stack>
    </Alert>
  )
}

/** Leads to the conversion of a file that another system wrote. */
function ConvertNotice({ name, onDismiss }: { name: string; onDismiss: () => void }) {
  const { path } = useSite()
  return (
    <Alert color="orange" variant="light" role="alert" title={format(nameTexts.title, { name })}>
      <Stack gap="xs">
        <Text size="sm">{nameTexts.convert}</Text>
        <Group>
          <Button size="xs" component={Route} href={path('/settings/packages/convert')}>
            {convert.offer.start}
          </Button>
          <SmallButton onClick={onDismiss}>{common.cancel}</SmallButton>
        </Group>
      </Stack>
    </Alert>
  )
}
