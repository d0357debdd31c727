import { Stack, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useSite } from '../../api/use-site.ts'
import { packages } from '../../texts/packages.ts'
import { type Choice, choiceOf } from './choice.ts'
import { ChoiceNotice } from './choice-notice.tsx'
import { DropArea } from './drop-area.tsx'
import { useUpload } from './site-uploads.ts'
import { UploadView } from './upload-view.tsx'

interface Events {
  /** What was shown before is of another file. */
  onSending: () => void
  onChecking: (jobId: string) => void
}

/** Where packages come in: dropped or chosen, uploaded, then checked by themselves. */
export function ImportSection(events: Events) {
  const { may } = useSite()
  return (
    <Stack component="section">
      <Title order={2} size="h3">
        {packages.importing.title}
      </Title>
      {may('manager') ? <Importing {...events} /> : <Text>{packages.importing.forManagers}</Text>}
    </Stack>
  )
}

function Importing({ onSending, onChecking }: Events) {
  const { upload, start, cancel, dismiss } = useUpload()
  const [choice, setChoice] = useState<Exclude<Choice, { kind: 'send' }>>()

  function begin(file: File, name: string): void {
    setChoice(undefined)
    onSending()
    start(file, name)
  }

  function take(files: File[], isFolder: boolean): void {
    const chosen = choiceOf(files, isFolder)
    if (!chosen) return
    if (chosen.kind === 'send') begin(chosen.file, chosen.name)
    else setChoice(chosen)
  }

  useEffect(() => {
    if (upload?.state !== 'checking') return
    dismiss()
    onChecking(upload.jobId)
  }, [upload, dismiss, onChecking])

  if (upload) return <UploadView upload={upload} onCancel={cancel} onAgain={begin} onDismiss={dismiss} />
  return (
    <>
      <DropArea onFiles={take} />
      {choice && <ChoiceNotice choice={choice} onUse={begin} onDismiss={() => setChoice(undefined)} />}
    </>
  )
}
