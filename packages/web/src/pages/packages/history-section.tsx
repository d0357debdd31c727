import { Text } from '@mantine/core'
import type { OperationReply } from '@plantroom/client/client'
import { usePages } from '../../api/use-pages.ts'
import { packages } from '../../texts/packages.ts'
import { describeJob, fileOf, kindOf } from './describe-job.ts'
import { JobTable, whileRunning } from './job-table.tsx'
import classes from './packages.module.css'
import { jobQuery } from './use-shown-job.ts'

const texts = packages.history
const PAGE = 20
const jobsOf = ({ jobs }: OperationReply<'listJobs'>) => jobs

/** The previews, imports, exports and fills of the site. */
export function HistorySection() {
  const query = usePages('listJobs', { query: { limit: PAGE } }, jobsOf, { refetchInterval: whileRunning(jobsOf) })
  return (
    <JobTable
      title={texts.title}
      label={texts.label}
      empty={texts.empty}
      query={query}
      pathOf={({ id }) => `/settings/packages${jobQuery(id)}`}
      kindOf={kindOf}
      fileOf={(job) => fileOf(job, job.filename)}
      resultOf={(job) => (
        <Text size="sm" className={classes.result}>
          {describeJob(job)}
        </Text>
      )}
    />
  )
}
