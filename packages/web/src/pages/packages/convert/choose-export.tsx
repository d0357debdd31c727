import { Alert, Button, FileButton, Group, Select, Stack, Text } from '@mantine/core'
import { SOURCE_NAMES, type SourceName } from '@plantroom/contract/conversion'
import { MAPPING_PRESETS, type MappingPreset } from '@plantroom/contract/conversion-jobs'
import { useEffect, useRef, useState } from 'react'
import { SmallButton } from '../../../parts/small-button.tsx'
import { bytes } from '../../../parts/value.ts'
import { convert } from '../../../texts/convert.ts'
import { format } from '../../../texts/format.ts'
import { packages } from '../../../texts/packages.ts'
import classes from '../packages.module.css'
import { useSiteUpload } from '../site-uploads.ts'
import { UnfinishedUploads } from '../unfinished-uploads.tsx'
import { UploadView } from '../upload-view.tsx'
import { useFileDrop } from '../use-file-drop.ts'
import { flawOfAttachments, flawOfFiles } from './chosen-export.ts'
import { exportUploads } from './export-uploads.ts'
import { guessSource, HEAD_BYTES } from './guess-source.ts'

const texts = convert.choose

interface Chosen {
  files: readonly File[]
  source: SourceName
  preset: MappingPreset | undefined
  attachments: File | undefined
}

/** Takes the files of an export, uploads them and starts the analysis. */
export function ChooseExport({ onStarted }: { onStarted: (jobId: string) => void }) {
  const [chosen, setChosen] = useState<Chosen>()
  const [flaw, setFlaw] = useState<string>()
  const { upload, start, pause, cancel, replace, dismiss } = useSiteUpload(exportUploads)

  useEffect(() => {
    if (upload?.state !== 'started') return
    dismiss()
    onStarted(upload.jobId)
  }, [upload, dismiss, onStarted])

  async function take(files: readonly File[]): Promise<void> {
    const [first] = files
    if (!first) return
    const found = flawOfFiles(files)
    setFlaw(found)
    if (found !== undefined) return
    const head = await first.slice(0, HEAD_BYTES).text()
    setChosen({ files, source: guessSource(first.name, head), preset: undefined, attachments: undefined })
  }

  if (upload) {
    return (
      <UploadView
        upload={upload}
        starting={convert.upload.starting}
        onPause={pause}
        onCancel={cancel}
        onAgain={start}
        onReplace={replace}
        onDismiss={dismiss}
      />
    )
  }
  return (
    <Stack>
      {chosen ? (
        <ChosenExport
          chosen={chosen}
          onChange={setChosen}
          onFlaw={setFlaw}
          onOther={() => setChosen(undefined)}
          onRead={() => start(taskOf(chosen))}
        />
      ) : (
        <DropArea onFiles={(files) => void take(files)} />
      )}
      {flaw !== undefined && <Alert color="red" variant="light" role="alert" title={flaw} />}
      {!chosen && <UnfinishedUploads purpose="conversion" hint={(times) => format(convert.upload.unfinished, times)} />}
    </Stack>
  )
}

function taskOf({ files, source, preset, attachments }: Chosen) {
  const named = (file: File) => ({ file, name: file.name.normalize('NFC') })
  return {
    files: [...files, ...(attachments ? [attachments] : [])].map(named),
    source,
    preset: isTable(source) ? preset : undefined,
    hasAttachments: attachments !== undefined,
  }
}

function DropArea({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const isOver = useFileDrop(onFiles)
  const forget = useRef<() => void>(null)
  return (
    <section className={classes.drop} data-over={isOver} aria-label={texts.files}>
      <Text fw={600} size="lg">
        {isOver ? packages.importing.dropNow : texts.drop}
      </Text>
      <Text size="sm" maw={460}>
        {texts.hint}
      </Text>
      <FileButton
        multiple
        resetRef={forget}
        onChange={(files) => {
          // Without a reset, choosing the same file again would not count as a change.
          forget.current?.()
          onFiles(files)
        }}
        inputProps={{ 'aria-label': texts.input }}
      >
        {(props) => <Button {...props}>{texts.button}</Button>}
      </FileButton>
    </section>
  )
}

const PRESETS = MAPPING_PRESETS.map((name) => ({ value: name, label: texts.presets[name] }))
/** Any program can write a table. */
const isTable = (source: SourceName) => source === 'csv' || source === 'xlsx'
const SYSTEMS = SOURCE_NAMES.map((name) => ({ value: name, label: convert.sources[name] }))

function ChosenExport({
  chosen,
  onChange,
  onFlaw,
  onOther,
  onRead,
}: {
  chosen: Chosen
  onChange: (chosen: Chosen) => void
  onFlaw: (flaw: string | undefined) => void
  onOther: () => void
  onRead: () => void
}) {
  const { files, source, preset, attachments } = chosen
  function attach(file: File | null): void {
    const flaw = file ? flawOfAttachments(file) : undefined
    onFlaw(flaw)
    if (flaw === undefined) onChange({ ...chosen, attachments: file ?? undefined })
  }
  return (
    <Stack maw={560}>
      <div>
        <Text fw={600} size="sm" component="h2" m={0}>
          {texts.files}
        </Text>
        {files.map(({ name, size }) => (
          <Text key={name} className={classes.long}>
            {name} ({bytes(size)})
          </Text>
        ))}
      </div>
      <Select
        label={texts.system}
        description={texts.systemHint}
        data={SYSTEMS}
        value={source}
        allowDeselect={false}
        onChange={(value) => value && onChange({ ...chosen, source: value as SourceName })}
      />
      {isTable(source) && (
        <Select
          label={texts.preset}
          description={texts.presetHint}
          placeholder={texts.anyProgram}
          data={PRESETS}
          value={preset ?? null}
          clearable
          onChange={(value) => onChange({ ...chosen, preset: (value ?? undefined) as MappingPreset | undefined })}
        />
      )}
      <Stack gap={4} align="flex-start">
        <Text fw={600} size="sm" component="h2" m={0}>
          {texts.attachments}
        </Text>
        <Text size="sm">{texts.attachmentsHint}</Text>
        {attachments ? (
          <Group gap="xs">
            <Text className={classes.long}>
              {attachments.name} ({bytes(attachments.size)})
            </Text>
            <Button size="compact-sm" variant="default" onClick={() => onChange({ ...chosen, attachments: undefined })}>
              {format(texts.remove, { name: attachments.name })}
            </Button>
          </Group>
        ) : (
          <FileButton onChange={attach} accept=".zip" inputProps={{ 'aria-label': texts.attachmentsInput }}>
            {(props) => <SmallButton {...props}>{texts.chooseAttachments}</SmallButton>}
          </FileButton>
        )}
      </Stack>
      <Group>
        <Button onClick={onRead}>{texts.read}</Button>
        <Button variant="default" onClick={onOther}>
          {texts.other}
        </Button>
      </Group>
    </Stack>
  )
}
