import { Button, Stack, Text, Title } from '@mantine/core'
import type { OperationReply } from '@plantroom/client/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty, QueryView } from '../../parts/notices.tsx'
import { fullTime } from '../../parts/time.ts'
import { common } from '../../texts/common.ts'
import { packages } from '../../texts/packages.ts'
import { describeJob, describeStarter, fileOf, kindOf } from './describe-job.ts'
import classes from './packages.module.css'
import { jobQuery } from './use-shown-job.ts'

const texts = packages.history
const PAGE = 20
const POLL_MS = 5000

/** The jobs of the site, newest first. */
export function HistorySection() {
  const { orgId, siteId, site, path } = useSite()
  const query = useInfiniteQuery({
    queryKey: ['jobs', orgId, siteId, 'list'],
    queryFn: ({ pageParam }) => api.listJobs({ orgId, propertyId: siteId, query: { limit: PAGE, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // The open job has its own stream; other running jobs are polled.
    refetchInterval: ({ state }) => (state.data?.pages.some(hasRunningJob) ? POLL_MS : false),
    select: ({ pages }) => pages.flatMap(({ jobs }) => jobs),
  })
  return (
    <Stack component="section">
      <Title order={2} size="h3">
        {texts.title}
      </Title>
      <QueryView query={query}>
        {(jobs) =>
          jobs.length === 0 ? (
            <Empty title={texts.empty} />
          ) : (
            <CardTable
              label={texts.label}
              rows={jobs}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: texts.kind,
                  cell: (job) => (
                    <Link inherit to={path(`/settings/packages${jobQuery(job.id)}`)}>
                      {kindOf(job)}
                    </Link>
                  ),
                },
                { head: texts.file, cell: (job) => fileOf(job, job.filename) },
                { head: texts.by, name: true, cell: describeStarter },
                { head: texts.when, time: true, cell: (job) => fullTime(job.scheduled, site.timeZone) },
                {
                  head: texts.result,
                  cell: (job) => (
                    <Text size="sm" className={classes.result}>
                      {describeJob(job)}
                    </Text>
                  ),
                },
              ]}
            />
          )
        }
      </QueryView>
      {query.hasNextPage && (
        <Button
          variant="default"
          onClick={() => void query.fetchNextPage()}
          loading={query.isFetchingNextPage}
          mx="auto"
        >
          {common.more}
        </Button>
      )}
    </Stack>
  )
}

const hasRunningJob = ({ jobs }: OperationReply<'listJobs'>) => jobs.some(({ resolved }) => !resolved)
