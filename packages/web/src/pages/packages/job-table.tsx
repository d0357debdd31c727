import { Button, Stack, Title } from '@mantine/core'
import type { NamedJob } from '@plantroom/contract/jobs'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty, QueryView } from '../../parts/notices.tsx'
import { fullTime } from '../../parts/time.ts'
import { common } from '../../texts/common.ts'
import { packages } from '../../texts/packages.ts'
import { describeStarter } from './describe-job.ts'
import classes from './packages.module.css'

const heads = packages.history
const POLL_MS = 5000

/** What the jobs of packages and of conversions have in common. */
type AnyJob = Pick<NamedJob, 'id' | 'filename' | 'startedBy' | 'scheduled' | 'resolved'>

interface JobTableProps<Job extends AnyJob> {
  title: string
  label: string
  empty: string
  query: UseInfiniteQueryResult<Job[]>
  /** The end of the address within the site that shows a job. */
  pathOf: (job: Job) => string
  kindOf: (job: Job) => string
  /** The name of its file, if that is not the one that it was started with. */
  fileOf?: (job: Job) => string | null
  resultOf: (job: Job) => ReactNode
}

/** The jobs of the site, newest first. */
export function JobTable<Job extends AnyJob>(props: JobTableProps<Job>) {
  const { title, label, empty, query, pathOf, kindOf, fileOf = ({ filename }) => filename, resultOf } = props
  const { site, path } = useSite()
  return (
    <Stack component="section">
      <Title order={2} size="h3">
        {title}
      </Title>
      <QueryView query={query}>
        {(jobs) =>
          jobs.length === 0 ? (
            <Empty title={empty} />
          ) : (
            <CardTable
              label={label}
              rows={jobs}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: heads.kind,
                  cell: (job) => (
                    <Link inherit to={path(pathOf(job))}>
                      {kindOf(job)}
                    </Link>
                  ),
                },
                { head: heads.file, cell: (job) => <span className={classes.long}>{fileOf(job)}</span> },
                { head: heads.by, name: true, cell: describeStarter },
                { head: heads.when, time: true, cell: (job) => fullTime(job.scheduled, site.timeZone) },
                { head: heads.result, cell: resultOf },
              ]}
            />
          )
        }
      </QueryView>
      {query.hasNextPage && (
        <Button
          variant="default"
          mx="auto"
          onClick={() => void query.fetchNextPage()}
          loading={query.isFetchingNextPage}
        >
          {common.more}
        </Button>
      )}
    </Stack>
  )
}

/** How often to load a list again. A job that is shown is followed on its own; other running jobs are polled. */
export const whileRunning =
  <Page,>(jobsOf: (page: Page) => readonly AnyJob[]) =>
  ({ state }: { state: { data: { pages: readonly Page[] } | undefined } }) =>
    state.data?.pages.flatMap(jobsOf).some(({ resolved }) => !resolved) ? POLL_MS : false
