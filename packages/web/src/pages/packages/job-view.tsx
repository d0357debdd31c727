import { Alert, Button, Card, Group, Progress, Stack, Text, Title } from '@mantine/core'
import type { Job } from '@plantroom/contract/jobs'
import { useSite } from '../../api/use-site.ts'
import { useNow } from '../../live/use-now.ts'
import { QueryView } from '../../parts/query-view.tsx'
import { fullTime } from '../../parts/time.ts'
import { packages } from '../../texts/packages.ts'
import { JobOutcome } from './job-outcome.tsx'
import { kindOf, standingOf } from './job-words.ts'
import { useJob } from './use-job.ts'

const texts = packages.job
const UNUSUALLY_LONG_MS = 60_000

/** One job, followed until it is resolved. */
export function JobView({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const { site } = useSite()
  const { query, filename, isLost } = useJob(jobId)
  return (
    <QueryView query={query}>
      {(job) => (
        <Card withBorder component="section" aria-label={texts.title(kindOf(job), filename)}>
          <Stack>
            <Group justify="space-between" align="flex-start" wrap="nowrap">
              <div>
                <Title order={2} size="h3">
                  {texts.title(kindOf(job), filename)}
                </Title>
                <Text size="sm">{texts.accepted(fullTime(job.scheduled, site.timeZone))}</Text>
              </div>
              <Button variant="default" size="xs" onClick={onClose} style={{ flexShrink: 0 }}>
                {texts.close}
              </Button>
            </Group>
            {isLost && (
              <Alert color="orange" variant="light" role="status">
                {texts.lost}
              </Alert>
            )}
            {job.resolved ? <JobOutcome job={job} file={filename} /> : <UnderWay job={job} />}
          </Stack>
        </Card>
      )}
    </QueryView>
  )
}

function UnderWay({ job }: { job: Job }) {
  const now = useNow(5000)
  const { headline, detail, percent } = standingOf(job)
  const waitsLong = job.status === 'SCHEDULED' && now - Date.parse(job.scheduled) > UNUSUALLY_LONG_MS
  const bar = { size: 'lg', 'aria-label': texts.bar(kindOf(job)) } as const
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
          {detail}
        </Text>
      )}
      {job.status === 'ERROR' && <Text size="sm">{packages.words.againHint}</Text>}
      {/* An import may wait for another one; a check and an export have nobody before them. */}
      {waitsLong && job.name !== 'TICKET_IMPORT' && <Text size="sm">{texts.noWorker}</Text>}
      <Text size="sm">{texts.stays}</Text>
    </Stack>
  )
}
