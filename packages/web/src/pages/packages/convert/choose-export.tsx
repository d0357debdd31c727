import { Alert, Button, FileButton, Group, Progress, Select, Stack, Text } from '@mantine/core'
import { SOURCE_NAMES, type SourceName } from '@plantroom/contract/conversion'
import { MAPPING_PRESETS, type MappingPreset } from '@plantroom/contract/conversion-jobs'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../../api/service.ts'
import { useSite } from '../../../api/use-site.ts'
import { describeError } from '../../../parts/describe-error.ts'
import { ownAddress, sendFile, UploadError } from '../../../parts/send-file.ts'
import { bytes } from '../../../parts/value.ts'
import { convert } from '../../../texts/convert.ts'
import { format } from '../../../texts/format.ts'
import { packages } from '../../../texts/packages.ts'
import classes from '../packages.module.css'
import { useFileDrop } from '../use-file-drop.ts'
import { flawOfAttachments, flawOfFiles } from './chosen-export.ts'
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
  const [sent, setSent] = useState<{ name: string; loaded: number; size: number }>()
  const upload = useUpload(setSent)
  const { orgId, siteId } = useSite()
  const start = useMutation({
    async mutationFn({ files, source, preset, attachments }: Chosen) {
      const uploaded = []
      for (const file of files) uploaded.push(await upload(file))
      const beside = attachments && { attachments: await upload(attachments) }
      const known = isTable(source) && preset !== undefined && { preset }
      const body = { source, files: uploaded, ...known, ...beside }
      return api.startSourceAnalysis({ orgId, propertyId: siteId, body })
    },
    onSuccess: ({ jobId }) => onStarted(jobId),
    onSettled: () => setSent(undefined),
  })

  async function take(files: readonly File[]): Promise<void> {
    const [first] = files
    if (!first) return
    const found = flawOfFiles(files)
    setFlaw(found)
    if (found !== undefined) return
    const head = await first.slice(0, HEAD_BYTES).text()
    setChosen({ files, source: guessSource(first.name, head), preset: undefined, attachments: undefined })
  }

  if (start.isPending) return <Sending sent={sent} />
  return (
    <Stack>
      {chosen ? (
        <ChosenExport
          chosen={chosen}
          onChange={setChosen}
          onFlaw={setFlaw}
          onOther={() => setChosen(undefined)}
          onRead={() => start.mutate(chosen)}
        />
      ) : (
        <DropArea onFiles={(files) => void take(files)} />
      )}
      {flaw !== undefined && <Alert color="red" variant="light" role="alert" title={flaw} />}
      {start.error && (
        <Alert color="red" variant="light" role="alert">
          {start.error instanceof UploadError ? start.error.message : describeError(start.error)}
        </Alert>
      )}
    </Stack>
  )
}

function useUpload(report: (sent: { name: string; loaded: number; size: number }) => void) {
  const { orgId, siteId } = useSite()
  return async (file: File) => {
    const filename = file.name
    report({ name: filename, loaded: 0, size: file.size })
    const { uploadId, url } = await api.getSourceUploadUrl({ orgId, propertyId: siteId, query: { filename } })
    await sendFile(ownAddress(url), file, (loaded) => report({ name: filename, loaded, size: file.size })).done
    return { uploadId, filename }
  }
}

function Sending({ sent }: { sent: { name: string; loaded: number; size: number } | undefined }) {
  const { name = '', loaded = 0, size = 0 } = sent ?? {}
  return (
    <Stack gap="xs">
      <Text fw={600} role="status" className={classes.long}>
        {format(texts.sending, { name })}
      </Text>
      <Progress size="lg" aria-label={texts.bar} value={size > 0 ? Math.floor((loaded / size) * 100) : 0} />
      <Text size="sm" className="figures">
        {format(texts.gone, { loaded: bytes(loaded), total: bytes(size) })}
      </Text>
    </Stack>
  )
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
            {(props) => (
              <Button {...props} size="xs" variant="default">
                {texts.chooseAttachments}
              </Button>
            )}
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
