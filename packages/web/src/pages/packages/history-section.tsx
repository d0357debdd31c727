import { Text } from '@mantine/core'
import type { OperationReply } from '@plantroom/client/client'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { packages } from '../../texts/packages.ts'
import { describeJob, fileOf, kindOf } from './describe-job.ts'
import { JobTable } from './job-table.tsx'
import classes from './packages.module.css'
import { jobQuery } from './use-shown-job.ts'

const texts = packages.history
const PAGE = 20

/** The previews, imports, exports and fills of the site. */
export function HistorySection() {
  const { orgId, siteId } = useSite()
  return (
    <JobTable<OperationReply<'listJobs'>['jobs'][number]>
      title={texts.title}
      label={texts.label}
      empty={texts.empty}
      queryKey={['jobs', orgId, siteId, 'list']}
      read={(cursor) => api.listJobs({ orgId, propertyId: siteId, query: { limit: PAGE, cursor } })}
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
