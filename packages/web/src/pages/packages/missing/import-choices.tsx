import { Alert, List, Stack, Text } from '@mantine/core'
import type { ImportOutput, MissingCounts } from '@plantroom/contract/jobs'
import { QueryView } from '../../../parts/notices.tsx'
import { format } from '../../../texts/format.ts'
import { missing as texts } from '../../../texts/missing.ts'
import { useChoices } from './kept-choices.ts'
import { MissingNames } from './missing-names.tsx'
import { StartJob } from './start-job.tsx'
import { type NamesByKind, useMissingNames } from './use-missing-names.ts'

const NOTHING: NamesByKind = { units: [], people: [], tags: [] }

/** The choices of an import, and the button that starts it with them. */
export function ImportWithChoices({ jobId, file, label }: { jobId: string; file: string; label: string }) {
  const [choices, setChoices] = useChoices(file)
  const query = useMissingNames(jobId)
  return (
    <QueryView query={query}>
      {(names) => (
        <Stack w="100%">
          <MissingNames names={names} choices={choices} onChange={setChoices} />
          <StartJob operation="startImport" file={file} label={label} choices={choices} names={names} />
        </Stack>
      )}
    </QueryView>
  )
}

/** Offers to fill what an earlier import of the package left empty in requests that are already on the site. */
export function OfferFill({ existing, file }: { existing: number; file: string }) {
  const [choices] = useChoices(file)
  if (existing === 0) return null
  return (
    <Stack gap="xs">
      <Text size="sm">{texts.offerHint}</Text>
      <StartJob
        operation="startFillPreview"
        file={file}
        label={texts.offer}
        choices={choices}
        names={NOTHING}
        isSecondary
      />
    </Stack>
  )
}

/** What became of names that the site lacked, and how to fill what was left empty. */
export function AfterImport({ output }: { output: ImportOutput }) {
  const { missing, unmatchedUnits, unmatchedEmails } = output
  return (
    <>
      {missing && <MissingSummary missing={missing} />}
      {unmatchedUnits.length + unmatchedEmails.length > 0 && (
        <Alert variant="light" title={texts.leftTitle}>
          {texts.leftHint}
        </Alert>
      )}
    </>
  )
}

/** How many names were created, replaced and left. */
export function MissingSummary({ missing }: { missing: MissingCounts }) {
  const lines = [
    [missing.units, texts.doneUnits],
    [missing.people, texts.donePeople],
    [missing.tags, texts.doneTags],
  ] as const
  const shown = lines.filter(([{ created, mapped, left }]) => created + mapped + left > 0)
  if (shown.length === 0) return null
  return (
    <div>
      <Text fw={600} size="sm" component="h3" m={0}>
        {texts.done}
      </Text>
      <List size="sm">
        {shown.map(([counts, message]) => (
          <List.Item key={message}>{format(message, counts)}</List.Item>
        ))}
      </List>
    </div>
  )
}
