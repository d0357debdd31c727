import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useSite } from '../../api/use-site.ts'
import { Empty, PageHead } from '../../parts/notices.tsx'
import { common } from '../../texts/common.ts'
import { packages } from '../../texts/packages.ts'
import { ExportSection } from './export-section.tsx'
import { HistorySection } from './history-section.tsx'
import { ImportSection } from './import-section.tsx'
import { JobView } from './job-view.tsx'
import { useShownJob } from './use-shown-job.ts'

/** Packages of maintenance requests, in and out. */
export function PackagesPage() {
  const { site, orgId, siteId } = useSite()
  const { jobId, show, close } = useShownJob()
  const client = useQueryClient()
  const top = useRef<HTMLDivElement>(null)
  // What was just begun is above what it was begun from.
  function follow(id: string): void {
    void client.invalidateQueries({ queryKey: ['jobs', orgId, siteId, 'list'] })
    show(id)
    top.current?.scrollIntoView({ block: 'start' })
  }

  if (!site.maintenanceRequests) {
    return (
      <>
        <PageHead title={packages.title} />
        <Empty title={common.requestsOff}>{common.requestsOffHint}</Empty>
      </>
    )
  }
  return (
    <>
      <div ref={top} style={{ scrollMarginTop: 72 }}>
        <PageHead title={packages.title}>{packages.intro}</PageHead>
      </div>
      <Stack gap="xl">
        {jobId !== undefined && <JobView key={jobId} jobId={jobId} onClose={close} />}
        <ImportSection onSending={close} onChecking={follow} />
        <ExportSection onStarted={follow} />
        <HistorySection />
      </Stack>
    </>
  )
}
