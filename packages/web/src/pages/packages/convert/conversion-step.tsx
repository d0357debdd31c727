import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { pathOf } from '@plantroom/client/client'
import type { ConversionJob, ConversionOutput } from '@plantroom/contract/conversion-jobs'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useChange } from '../../../api/use-operation.ts'
import { usePages } from '../../../api/use-pages.ts'
import { useSite } from '../../../api/use-site.ts'
import { CardTable } from '../../../parts/card-table.tsx'
import { ErrorNotice, QueryView } from '../../../parts/notices.tsx'
import { common } from '../../../texts/common.ts'
import { conversionAccount as accountTexts } from '../../../texts/conversion-account.ts'
import { convert } from '../../../texts/convert.ts'
import { format } from '../../../texts/format.ts'
import classes from '../packages.module.css'
import { jobQuery } from '../use-shown-job.ts'
import { describeColumn, describePlace, describeUnplaced } from './describe-account.ts'
import { Failed } from './failed.tsx'
import { Contradictions, Notes, Running } from './job-parts.tsx'
import { ConversionCounts, UnplacedSummary } from './trial.tsx'
import { useConversion, useShownConversion } from './use-conversion.ts'

const texts = convert.done

/** A conversion under way or at its end. */
export function ConversionStep({ jobId }: { jobId: string }) {
  const query = useConversion(jobId)
  const { showAnalysis, startAgain } = useShownConversion()
  return (
    <QueryView query={query}>
      {(job) => {
        if (!job.resolved) return <Running job={job} />
        if (job.status === 'SUCCESS') return <Converted job={job} output={job.output as ConversionOutput} />
        const { analysisId } = job
        return (
          <Failed job={job}>
            <Group>
              {analysisId !== null && (
                <Button size="xs" onClick={() => showAnalysis(analysisId)}>
                  {convert.changeMapping}
                </Button>
              )}
              <Button size="xs" variant="default" onClick={startAgain}>
                {convert.startAgain}
              </Button>
            </Group>
          </Failed>
        )
      }}
    </QueryView>
  )
}

function Converted({ job, output }: { job: ConversionJob; output: ConversionOutput }) {
  const { filename, hasAccount, unplaced } = output
  return (
    <Stack gap="lg">
      <Title order={2} size="h3" role="status" className={classes.long}>
        {format(texts.title, { file: filename })}
      </Title>
      <ConversionCounts {...output} />
      <Contradictions notes={output.contradictions} />
      <Notes notes={output.notes} />
      <CheckButton filename={filename} />
      <UnplacedSummary unplaced={unplaced} />
      {hasAccount && unplaced.length > 0 && <Account jobId={job.id} />}
    </Stack>
  )
}

/** Goes on to the ordinary check and import. */
function CheckButton({ filename }: { filename: string }) {
  const { path } = useSite()
  const [, navigate] = useLocation()
  const start = useChange('startPreview', {
    onSuccess: ({ jobId }) => navigate(path(`/settings/packages${jobQuery(jobId)}`)),
  })
  return (
    <Stack gap="xs" align="flex-start">
      <Button size="md" onClick={() => start.mutate({ body: { filename } })} loading={start.isPending}>
        {texts.check}
      </Button>
      <Text size="sm">{texts.checkHint}</Text>
      {start.error && <ErrorNotice error={start.error} />}
    </Stack>
  )
}

const PAGE = 50

/** Every value without a field, as a file and by pages. */
function Account({ jobId }: { jobId: string }) {
  const { orgId, siteId } = useSite()
  const [isOpen, setIsOpen] = useState(false)
  const params = { orgId, propertyId: siteId, jobId }
  return (
    <Stack>
      <Group>
        <Anchor href={pathOf('listUnplacedValues', { ...params, query: { format: 'csv' } })} download>
          {texts.csv}
        </Anchor>
        {!isOpen && (
          <Button variant="default" size="xs" onClick={() => setIsOpen(true)}>
            {texts.list}
          </Button>
        )}
      </Group>
      {isOpen && <AccountList jobId={jobId} />}
    </Stack>
  )
}

function AccountList({ jobId }: { jobId: string }) {
  const query = usePages('listUnplacedValues', { jobId, query: { limit: PAGE } }, ({ unplaced }) => unplaced)
  return (
    <QueryView query={query}>
      {(rows) => (
        <Stack>
          <CardTable
            label={texts.listLabel}
            rows={rows.map((row, index) => ({ ...row, key: String(index) }))}
            keyOf={({ key }) => key}
            columns={[
              { head: accountTexts.place, cell: ({ place }) => describePlace(place) },
              {
                head: accountTexts.column,
                cell: ({ column }) => <span className={classes.long}>{describeColumn(column)}</span>,
              },
              { head: accountTexts.value, cell: ({ value }) => <span className={classes.long}>{value}</span> },
              { head: accountTexts.outcome, cell: describeUnplaced },
            ]}
          />
          {query.hasNextPage ? (
            <Button
              variant="default"
              mx="auto"
              onClick={() => void query.fetchNextPage()}
              loading={query.isFetchingNextPage}
            >
              {common.more}
            </Button>
          ) : (
            rows.length >= MAX_LISTED && <Text size="sm">{texts.firstOnly}</Text>
          )}
        </Stack>
      )}
    </QueryView>
  )
}

/** The service lists this many. */
const MAX_LISTED = 10_000
