import { Alert, Anchor, Button, Code, Group, Stack, Text } from '@mantine/core'
import { pathOf } from '@plantroom/client/client'
import type { ExportOutput, ImportOutput, Job, PreviewOutput } from '@plantroom/contract/jobs'
import { invalidate, useChange, useOperation } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { ErrorNotice, QueryView } from '../../parts/notices.tsx'
import { bytes, joinFacts } from '../../parts/value.ts'
import { samples as sampleTexts } from '../../texts/convert.ts'
import { format } from '../../texts/format.ts'
import { packages } from '../../texts/packages.ts'
import { AdjustedValues } from './adjusted-values.tsx'
import { canRunAgain, failureOf, isInvalidManifest, isUnreadable } from './describe-job.ts'
import { Counts, Findings } from './findings.tsx'
import { FillOutcome } from './missing/fill-outcome.tsx'
import { AfterImport, ImportWithChoices, OfferFill } from './missing/import-choices.tsx'
import { MAX_PROBLEMS, PackageProblems } from './package-problems.tsx'
import classes from './packages.module.css'
import { RequestSamples } from './request-samples.tsx'
import { useShownJob } from './use-shown-job.ts'

const { counts } = packages

/** The outcome of a resolved job, and what to do next. */
export function JobOutcome({ job, file }: { job: Job; file: string | undefined }) {
  if (job.status === 'ERROR') return <Failed job={job} file={file} />
  switch (job.name) {
    case 'PREVIEW_TICKET_IMPORT':
      return <Previewed jobId={job.id} output={job.output as PreviewOutput} file={file} />
    case 'TICKET_IMPORT':
      return <Imported jobId={job.id} output={job.output as ImportOutput} />
    case 'TICKET_EXPORT':
      return <Exported output={job.output as ExportOutput} />
    case 'PREVIEW_TICKET_FILL':
    case 'TICKET_FILL':
      return <FillOutcome job={job} file={file} />
  }
}

function Previewed({ jobId, output, file }: { jobId: string; output: PreviewOutput; file: string | undefined }) {
  const { may } = useSite()
  const texts = packages.preview
  const { tickets, comments, attachments } = output
  return (
    <Stack>
      <Text role="status" fw={600}>
        {texts.valid}
      </Text>
      <Counts
        counts={[
          [counts.new, tickets.new],
          [counts.existing, tickets.existing],
          [counts.comments, comments],
          [counts.attachments, attachments],
        ]}
      />
      {!(may('manager') && file !== undefined && tickets.new > 0) && <Findings jobId={jobId} found={output} />}
      <Text>{describePreview(tickets)}</Text>
      {tickets.new > 0 && (
        <Stack gap="xs" align="flex-start">
          {!may('manager') && <Text>{texts.forManagers}</Text>}
          {may('manager') && file !== undefined && (
            <>
              <ImportWithChoices jobId={jobId} file={file} label={format(texts.importAll, { count: tickets.new })} />
              <Text size="sm">{texts.noMail}</Text>
            </>
          )}
        </Stack>
      )}
      {may('manager') && file !== undefined && <OfferFill existing={tickets.existing} file={file} />}
      <Samples jobId={jobId} />
    </Stack>
  )
}

/** The first requests of the package. Nothing once the package is removed. */
function Samples({ jobId }: { jobId: string }) {
  const query = useOperation('listJobSamples', { jobId })
  return (
    <QueryView query={query}>
      {({ samples }) =>
        samples.length > 0 && (
          <Stack gap="sm">
            <Text fw={600} component="h3" size="sm" m={0}>
              {sampleTexts.title}
            </Text>
            <RequestSamples samples={samples} />
          </Stack>
        )
      }
    </QueryView>
  )
}

function describePreview({ new: added, existing }: PreviewOutput['tickets']): string {
  const texts = packages.preview
  if (added === 0) return existing === 0 ? texts.empty : format(texts.nothingNew, { count: existing })
  const adds = format(texts.willAdd, { count: added })
  return existing === 0 ? adds : `${adds} ${format(texts.willSkip, { count: existing })}`
}

function Imported({ jobId, output }: { jobId: string; output: ImportOutput }) {
  const { orgId, siteId, path } = useSite()
  const texts = packages.imported
  const { created, skipped } = output
  const numbersPath = pathOf('listJobNumbers', { orgId, propertyId: siteId, jobId, query: { format: 'csv' } })
  return (
    <Stack>
      <Text role="status" fw={600}>
        {texts.title} {format(texts.line, { count: created.tickets, skipped })}
      </Text>
      <Counts
        counts={[
          [counts.imported, created.tickets],
          [counts.skipped, skipped],
          [counts.comments, created.comments],
          [counts.attachments, created.attachments],
          [counts.tags, created.tags],
        ]}
      />
      <Findings jobId={jobId} found={output} isDone />
      <AfterImport output={output} />
      <Group>
        <Link to={path('/requests')}>{texts.seeRequests}</Link>
        {created.tickets > 0 && (
          <Anchor href={numbersPath} download>
            {texts.numbers}
          </Anchor>
        )}
      </Group>
      {created.tickets > 0 && <Text size="sm">{texts.numbersHint}</Text>}
    </Stack>
  )
}

function Exported({ output }: { output: ExportOutput }) {
  const texts = packages.exporting
  const { url, filename, tickets, comments, attachments, bytes: size } = output
  if (url === '') return <Text role="status">{texts.removed}</Text>
  return (
    <Stack gap="xs" align="flex-start">
      <Text role="status" fw={600}>
        {texts.done}
      </Text>
      <Text>
        {joinFacts([
          filename,
          format(texts.requests, { count: tickets }),
          format(texts.comments, { count: comments }),
          format(texts.attachments, { count: attachments }),
        ])}
      </Text>
      <Button component="a" href={url} download={filename}>
        {format(texts.download, { size: bytes(size) })}
      </Button>
      <Text size="sm">{texts.kept}</Text>
      <AdjustedValues values={output.adjusted} />
    </Stack>
  )
}

function Failed({ job, file }: { job: Job; file: string | undefined }) {
  const { orgId, siteId, may } = useSite()
  const texts = packages.failed
  const message = failureOf(job)
  const isInvalid = isInvalidManifest(message)
  const isNoPackage = !isInvalid && isUnreadable(message)
  const problemsPath = (query: { format: 'csv' } | { limit: number }) =>
    pathOf('listJobProblems', { orgId, propertyId: siteId, jobId: job.id, query })
  return (
    <Stack>
      <Alert
        color="red"
        variant="light"
        role="alert"
        title={isInvalid ? texts.invalid : isNoPackage ? texts.unreadable : texts.other[job.name]}
      >
        <Stack gap="sm" align="flex-start">
          <Code block className={classes.message} tabIndex={0} w="100%" mah={140}>
            {message}
          </Code>
          {isNoPackage && <Text size="sm">{texts.unreadableHint}</Text>}
          {isInvalid && (
            <>
              <Text size="sm">{texts.invalidHint}</Text>
              <Group>
                <Anchor href={problemsPath({ format: 'csv' })} download>
                  {texts.csv}
                </Anchor>
                <Anchor href={problemsPath({ limit: MAX_PROBLEMS })} download={`${job.id}-problems.json`}>
                  {texts.json}
                </Anchor>
              </Group>
            </>
          )}
          {canRunAgain(job) && may('manager') && file !== undefined && <ImportButton file={file} label={texts.again} />}
        </Stack>
      </Alert>
      {isInvalid && <PackageProblems jobId={job.id} />}
    </Stack>
  )
}

/** Starts the import of an uploaded package and follows it. */
function ImportButton({ file, label }: { file: string; label: string }) {
  const { show } = useShownJob()
  const start = useChange('startImport', {
    onSuccess({ jobId }) {
      void invalidate('listJobs')
      show(jobId)
    },
  })
  return (
    <Stack gap="xs" align="flex-start">
      <Button onClick={() => start.mutate({ body: { filename: file } })} loading={start.isPending} size="md">
        {label}
      </Button>
      {start.error && <ErrorNotice error={start.error} />}
    </Stack>
  )
}
