import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import type { Mapping } from '@plantroom/contract/conversion'
import type { Unplaced } from '@plantroom/contract/conversion-account'
import type { ConversionJob, TrialOutput } from '@plantroom/contract/conversion-jobs'
import { useChange } from '../../../api/use-operation.ts'
import { CardTable } from '../../../parts/card-table.tsx'
import { ErrorNotice, QueryView } from '../../../parts/notices.tsx'
import { convert } from '../../../texts/convert.ts'
import { formatNumber } from '../../../texts/format.ts'
import { Counts } from '../findings.tsx'
import classes from '../packages.module.css'
import { RequestSamples } from '../request-samples.tsx'
import { describeColumn, describeUnplaced } from './describe-account.ts'
import { Failed } from './failed.tsx'
import { Contradictions, Gone, Notes, Running } from './job-parts.tsx'
import { sameMapping } from './same-mapping.ts'
import { inputOf, useConversion, useShownConversion } from './use-conversion.ts'

const texts = convert.trial

/** Converts the export without keeping the package, and shows what it would become. */
export function Trial({
  analysis,
  mapping,
  allowMissing,
}: {
  analysis: ConversionJob
  mapping: Mapping
  allowMissing: boolean
}) {
  const { trialId, showTrial } = useShownConversion()
  const start = useChange('startConversionTrial', { onSuccess: ({ jobId }) => showTrial(analysis.id, jobId) })
  const body = { ...inputOf(analysis), mapping, analysisId: analysis.id, allowMissing }
  return (
    <Stack component="section" align="stretch">
      <Button
        variant="default"
        onClick={() => start.mutate({ body })}
        loading={start.isPending}
        style={{ alignSelf: 'start' }}
      >
        {texts.start}
      </Button>
      {start.error && <ErrorNotice error={start.error} />}
      {trialId !== undefined && <Tried key={trialId} trialId={trialId} mapping={mapping} />}
    </Stack>
  )
}

function Tried({ trialId, mapping }: { trialId: string; mapping: Mapping }) {
  const query = useConversion(trialId)
  const { startAgain } = useShownConversion()
  return (
    <QueryView query={query}>
      {(job) => {
        if (!job.resolved) return <Running job={job} />
        if (job.output === null) return <Gone onAgain={startAgain} />
        const isStale = job.mapping !== null && !sameMapping(job.mapping, mapping)
        return (
          <Stack>
            {isStale && (
              <Alert color="orange" variant="light" role="status">
                {texts.stale}
              </Alert>
            )}
            {job.status === 'ERROR' ? <Failed job={job} /> : <Outcome output={job.output as TrialOutput} />}
          </Stack>
        )
      }}
    </QueryView>
  )
}

function Outcome({ output }: { output: TrialOutput }) {
  const { tickets, comments, attachments, unplaced, samples, notes } = output
  return (
    <Stack>
      <Title order={2} size="h3">
        {texts.title}
      </Title>
      <ConversionCounts tickets={tickets} comments={comments} attachments={attachments} unplaced={unplaced} />
      <Contradictions notes={output.contradictions} />
      <Notes notes={notes} />
      <RequestSamples samples={samples} />
      <UnplacedSummary unplaced={unplaced} />
    </Stack>
  )
}

export function ConversionCounts({
  tickets,
  comments,
  attachments,
  unplaced,
}: Pick<TrialOutput, 'tickets' | 'comments' | 'attachments' | 'unplaced'>) {
  return (
    <Counts
      counts={[
        [convert.done.requests, tickets],
        [convert.done.comments, comments],
        [convert.done.attachments, attachments],
        [convert.done.unplaced, unplaced.reduce((sum, { values }) => sum + values, 0)],
      ]}
    />
  )
}

/** What became of values that have no field of their own, by column. */
export function UnplacedSummary({ unplaced }: { unplaced: readonly Unplaced[] }) {
  return (
    <Stack gap="sm">
      <Title order={3} size="h4">
        {texts.unplacedTitle}
      </Title>
      {unplaced.length === 0 ? (
        <Text>{texts.allPlaced}</Text>
      ) : (
        <CardTable
          label={texts.label}
          rows={unplaced}
          keyOf={({ column, became }) => `${column} ${became}`}
          columns={[
            {
              head: texts.column,
              cell: ({ column }) => <span className={classes.long}>{describeColumn(column)}</span>,
            },
            { head: texts.values, cell: ({ values }) => formatNumber(values) },
            { head: texts.became, cell: describeUnplaced },
          ]}
        />
      )}
    </Stack>
  )
}
