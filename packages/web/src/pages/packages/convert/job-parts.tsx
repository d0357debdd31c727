import { Alert, Anchor, Button, Card, Code, Group, List, Progress, Stack, Text, TextInput } from '@mantine/core'
import { pathOf } from '@plantroom/client/client'
import type { ConversionJob } from '@plantroom/contract/conversion-jobs'
import type { ConversionNote } from '@plantroom/contract/conversion-notes'
import type { JobError } from '@plantroom/contract/jobs'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../../api/service.ts'
import { useSite } from '../../../api/use-site.ts'
import { CardTable } from '../../../parts/card-table.tsx'
import { QueryView } from '../../../parts/notices.tsx'
import { common } from '../../../texts/common.ts'
import { convert } from '../../../texts/convert.ts'
import { format } from '../../../texts/format.ts'
import classes from '../packages.module.css'
import { describeNote, describePlace } from './describe-account.ts'

const { progress: texts, problems: problemTexts } = convert

/** A job that waits or runs. */
export function Running({ job }: { job: ConversionJob }) {
  const { progress, status } = job
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
        <Text size="sm">{texts.stays}</Text>
      </Stack>
    </Card>
  )
}

/** What was assumed to read the export. */
export function Notes({ notes = [] }: { notes?: readonly ConversionNote[] | undefined }) {
  if (notes.length === 0) return null
  return (
    <Alert variant="light" title={convert.notes}>
      <List size="sm">
        {notes.map((note) => (
          <List.Item key={note.text}>{describeNote(note)}</List.Item>
        ))}
      </List>
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

/** A job that failed, with what to do next and all problems of its export. */
export function Failed({ job, children }: { job: ConversionJob; children?: ReactNode }) {
  const { message } = job.output as JobError
  return (
    <Stack>
      <Alert color="red" variant="light" role="alert" title={convert.failed}>
        <Stack gap="sm" align="flex-start">
          <Code block className={classes.message} tabIndex={0} w="100%" mah={140}>
            {message}
          </Code>
          <Text size="sm">{convert.failedHint}</Text>
          {children}
        </Stack>
      </Alert>
      <SourceProblems jobId={job.id} />
    </Stack>
  )
}

/** The most problems that a job keeps. */
const MAX_PROBLEMS = 10_000
const PAGE = 50

function SourceProblems({ jobId }: { jobId: string }) {
  const { orgId, siteId } = useSite()
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState(PAGE)
  const params = { orgId, propertyId: siteId, jobId }
  const query = useQuery({
    queryKey: ['conversions', orgId, siteId, jobId, 'problems'],
    queryFn: () => api.listConversionProblems({ ...params, query: { limit: MAX_PROBLEMS } }),
  })
  return (
    <QueryView query={query}>
      {({ problems }) => {
        if (problems.length === 0) return null
        const wanted = search.trim().toLowerCase()
        const found = problems
          .map((problem, index) => ({ ...problem, key: String(index) }))
          .filter(({ place, column, message }) =>
            `${describePlace(place)} ${column ?? ''} ${message}`.toLowerCase().includes(wanted),
          )
        return (
          <Stack>
            <Group justify="space-between" align="flex-end">
              <Text fw={600} component="h2" size="lg" m={0}>
                {format(problemTexts.title, { count: problems.length })}
              </Text>
              <Anchor href={pathOf('listConversionProblems', { ...params, query: { format: 'csv' } })} download>
                {problemTexts.csv}
              </Anchor>
            </Group>
            <TextInput
              label={problemTexts.search}
              value={search}
              onChange={({ currentTarget }) => setSearch(currentTarget.value)}
              maw={360}
            />
            {found.length === 0 ? (
              <Text>{problemTexts.none}</Text>
            ) : (
              <CardTable
                label={problemTexts.label}
                rows={found.slice(0, shown)}
                keyOf={({ key }) => key}
                columns={[
                  { head: problemTexts.place, cell: ({ place }) => describePlace(place) },
                  { head: problemTexts.column, cell: ({ column }) => column },
                  {
                    head: problemTexts.message,
                    cell: ({ message }) => <span className={classes.long}>{message}</span>,
                  },
                ]}
              />
            )}
            {found.length > shown && (
              <Button variant="default" mx="auto" onClick={() => setShown(shown + PAGE)}>
                {common.more}
              </Button>
            )}
          </Stack>
        )
      }}
    </QueryView>
  )
}
