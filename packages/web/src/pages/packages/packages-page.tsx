import { Button, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link as Route } from 'wouter'
import { invalidate, useChange } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { ChangeButton } from '../../parts/change-button.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RequestsTurnedOff } from '../../parts/requests-off.tsx'
import { Section } from '../../parts/section.tsx'
import { convert } from '../../texts/convert.ts'
import { packages } from '../../texts/packages.ts'
import { AutomaticExportSection } from './automatic-export/automatic-export-section.tsx'
import { HistorySection } from './history-section.tsx'
import { ImportSection } from './import-section.tsx'
import { JobView } from './job-view.tsx'
import { useShownJob } from './use-shown-job.ts'

/** Import and export of maintenance requests. */
export function PackagesPage() {
  const { site, may, path } = useSite()
  const { jobId, show, close } = useShownJob()
  const { top, job } = useFocusOnJob(jobId)
  function follow(id: string): void {
    void invalidate('listJobs')
    show(id)
  }

  if (!site.maintenanceRequests) {
    return (
      <>
        <PageHead title={packages.title} />
        <RequestsTurnedOff settings={may('admin') && path('/settings/site')} />
      </>
    )
  }
  return (
    <>
      <div ref={top} tabIndex={-1} style={FOCUSED}>
        <PageHead title={packages.title}>{packages.intro}</PageHead>
      </div>
      <Stack gap="xl">
        {jobId !== undefined && (
          <div ref={job} tabIndex={-1} style={FOCUSED}>
            <JobView key={jobId} jobId={jobId} onClose={close} />
          </div>
        )}
        <ImportSection onSending={close} onChecking={follow} />
        {may('manager') && <ConvertSection />}
        {may('manager') && <ExportSection onStarted={follow} />}
        {may('manager') && <AutomaticExportSection />}
        <HistorySection />
      </Stack>
    </>
  )
}

const FOCUSED = { scrollMarginTop: 72, outline: 'none' }

/**
 * Moves the view and the focus to a job that the page begins to show, and to the top when it is closed: the button that
 * did it may be far below, or gone. A job in the address of a new page leaves the focus where it is.
 */
function useFocusOnJob(jobId: string | undefined) {
  const top = useRef<HTMLDivElement>(null)
  const job = useRef<HTMLDivElement>(null)
  const shown = useRef(jobId)
  useEffect(() => {
    if (shown.current === jobId) return
    shown.current = jobId
    const part = jobId === undefined ? top.current : job.current
    part?.focus({ preventScroll: true })
    top.current?.scrollIntoView({ block: 'start' })
  }, [jobId])
  return { top, job }
}

/** The way in for who has no package yet. */
function ConvertSection() {
  const { path } = useSite()
  const { offer } = convert
  return (
    <Section title={offer.title} align="flex-start">
      <Text maw={640}>{offer.hint}</Text>
      <Button variant="default" component={Route} href={path('/settings/packages/convert')}>
        {offer.start}
      </Button>
    </Section>
  )
}

const exportTexts = packages.exporting

/** A button that exports all requests of the site. */
function ExportSection({ onStarted }: { onStarted: (jobId: string) => void }) {
  const start = useChange('startExport', { onSuccess: ({ jobId }) => onStarted(jobId) })
  return (
    <Section title={exportTexts.title} align="flex-start">
      <Text maw={640}>{exportTexts.hint}</Text>
      <ChangeButton change={start} onClick={() => start.mutate({})}>
        {exportTexts.start}
      </ChangeButton>
    </Section>
  )
}
