import { Alert, Button, Card, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { pathOf } from '@plantroom/client/client'
import type { ExportOutput, Job, NamedJob } from '@plantroom/contract/jobs'
import { useState } from 'react'
import { invalidate, remember, useOperation } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { useEventStream } from '../../live/event-stream.ts'
import { useNow } from '../../live/use-now.ts'
import { QueryView } from '../../parts/notices.tsx'
import { duration, fullTime } from '../../parts/time.ts'
import { joinFacts } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { packages } from '../../texts/packages.ts'
import { describeProgress, describeStarter, fileOf, kindOf, waitsLong } from './describe-job.ts'
import { JobOutcome } from './job-outcome.tsx'
import { type Pace, paceOf, timeLeft } from './time-left.ts'

const texts = packages.job

/** One job, followed until it is resolved. */
export function JobView({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const { site } = useSite()
  const { query, named, pace, isLost } = useJob(jobId)
  const filename = named?.filename
  const starter = named && describeStarter(named)
  return (
    <QueryView query={query}>
      {(job) => (
        <Card withBorder component="section" aria-label={titleOf(job, filename)}>
          <Stack>
            <Group justify="space-between" align="flex-start">
              <div style={{ flex: '1 1 240px' }}>
                <Title order={2} size="h3">
                  {titleOf(job, filename)}
                </Title>
                <Text size="sm">
                  {starter
                    ? format(texts.acceptedBy, { time: fullTime(job.scheduled, site.timeZone), who: starter })
                    : format(texts.accepted, { time: fullTime(job.scheduled, site.timeZone) })}
                </Text>
              </div>
              <Button variant="default" size="xs" onClick={onClose} style={{ flexShrink: 0 }}>
                {common.close}
              </Button>
            </Group>
            {isLost && (
              <Alert color="orange" variant="light" role="status">
                {texts.lost}
              </Alert>
            )}
            {job.resolved ? <JobOutcome job={job} file={filename} /> : <UnderWay job={job} pace={pace} />}
          </Stack>
        </Card>
      )}
    </QueryView>
  )
}

function titleOf(job: Job, filename: string | undefined): string {
  const file = fileOf(job, filename)
  return file === null ? kindOf(job) : format(texts.title[job.name], { file })
}

function UnderWay({ job, pace }: { job: Job; pace: Pace | undefined }) {
  const now = useNow(5000)
  const { headline, detail, percent } = describeProgress(job)
  const left = timeLeft(pace)
  const bar = { size: 'lg', 'aria-label': texts.bar[job.name] } as const
  return (
    <Stack gap="xs">
      <Text role="status" fw={600}>
        {headline}
      </Text>
      {percent === undefined ? (
        <Progress.Root size="lg">
          <Progress.Section value={100} animated withAria={false} />
        </Progress.Root>
      ) : (
        <Progress {...bar} value={percent} />
      )}
      {detail && (
        <Text size="sm" className="figures">
          {joinFacts([detail, left !== undefined && format(packages.upload.left, { time: duration(left) })])}
        </Text>
      )}
      {job.status === 'ERROR' && <Text size="sm">{packages.progress.againHint}</Text>}
      {/* Only imports wait for each other. */}
      {waitsLong(job, now) && job.name !== 'TICKET_IMPORT' && <Text size="sm">{texts.noWorker}</Text>}
      <Text size="sm">{texts.stays}</Text>
    </Stack>
  )
}

/** Download addresses expire after an hour, so an open page refreshes its address before that. */
const FRESH_ADDRESS_MS = 30 * 60_000

/** Loads a job and follows it until it is resolved. The name of its package, and who started it, arrive with the first event. */
function useJob(jobId: string) {
  const { orgId, siteId } = useSite()
  const params = { orgId, propertyId: siteId, jobId }
  const query = useOperation('getJob', params, {
    refetchInterval: ({ state }) => (hasAddress(state.data) ? FRESH_ADDRESS_MS : false),
  })

  const [named, setNamed] = useState<NamedJob>()
  const [pace, setPace] = useState<Pace>()
  const stream = useEventStream(query.data && pathOf('followJob', params), {
    job(data) {
      const job = data as NamedJob
      const wasOpen = query.data?.resolved === false
      setNamed(job)
      setPace((before) => paceOf(before, job.progress, performance.now()))
      remember('getJob', params, job)
      if (!job.resolved) return undefined
      if (!wasOpen) return 'end'
      void invalidate('listJobs')
      if (job.name === 'TICKET_IMPORT' || job.name === 'TICKET_FILL') {
        for (const changed of ['listRequests', 'listTags', 'listUnits', 'listPeople'] as const) void invalidate(changed)
      }
      return 'end'
    },
  })
  return { query, named, pace, isLost: query.data?.resolved === false && stream === 'lost' }
}

function hasAddress(job: Job | undefined): boolean {
  return job?.name === 'TICKET_EXPORT' && job.status === 'SUCCESS' && (job.output as ExportOutput).url !== ''
}
