import { Alert, Button, Card, List, Progress, Stack, Text } from '@mantine/core'
import type { ConversionJob } from '@plantroom/contract/conversion-jobs'
import type { ConversionNote } from '@plantroom/contract/conversion-notes'
import { useNow } from '../../../live/use-now.ts'
import { convert } from '../../../texts/convert.ts'
import { format } from '../../../texts/format.ts'
import { packages } from '../../../texts/packages.ts'
import { waitsLong } from '../describe-job.ts'
import classes from '../packages.module.css'
import { describeNote } from './describe-account.ts'

const texts = convert.progress

/** A job that waits or runs. */
export function Running({ job }: { job: ConversionJob }) {
  const { progress, status } = job
  const now = useNow(5000)
  const headline = status === 'SCHEDULED' ? texts.waiting : format(texts[job.name], { file: job.filename })
  return (
    <Card withBorder>
      <Stack gap="xs">
        <Text role="status" fw={600} className={classes.long}>
          {headline}
        </Text>
        {progress && progress.total > 0 ? (
          <Progress
            size="lg"
            aria-label={texts.bar}
            value={Math.min(100, Math.floor((progress.done / progress.total) * 100))}
          />
        ) : (
          <Progress.Root size="lg">
            <Progress.Section value={100} animated withAria={false} />
          </Progress.Root>
        )}
        {progress && (
          <Text size="sm" className="figures">
            {progress.total > 0
              ? format(texts.recordsOf, { done: progress.done, count: progress.total })
              : format(texts.records, { count: progress.done })}
          </Text>
        )}
        {waitsLong(job, now) && <Text size="sm">{packages.job.noWorker}</Text>}
        <Text size="sm">{texts.stays}</Text>
      </Stack>
    </Card>
  )
}

interface NotesProps {
  notes?: readonly ConversionNote[] | undefined
}

/** What was assumed to read the export. */
export const Notes = ({ notes }: NotesProps) => <NoteList notes={notes} title={convert.notes} />

/** What does not fit together in the converted requests. */
export const Contradictions = ({ notes }: NotesProps) => (
  <NoteList notes={notes} title={convert.contradictions} color="orange" />
)

function NoteList({ notes = [], title, color }: NotesProps & { title: string; color?: string }) {
  if (notes.length === 0) return null
  return (
    <Alert variant="light" title={title} {...(color && { color })}>
      <List size="sm">
        {notes.map((note) => (
          <List.Item key={note.text}>{describeNote(note)}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

/** An export that has nothing to convert. */
export function NoRecords({ file, onAgain }: { file: string; onAgain: () => void }) {
  return (
    <Alert color="orange" variant="light" role="alert" title={format(convert.noRecords, { file })}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{convert.noRecordsHint}</Text>
        <Button size="xs" onClick={onAgain}>
          {convert.startAgain}
        </Button>
      </Stack>
    </Alert>
  )
}

/** A result that was removed with the export that it quoted. */
export function Gone({ onAgain }: { onAgain: () => void }) {
  return (
    <Alert color="orange" variant="light" title={convert.gone}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{convert.goneHint}</Text>
        <Button size="xs" onClick={onAgain}>
          {convert.startAgain}
        </Button>
      </Stack>
    </Alert>
  )
}
