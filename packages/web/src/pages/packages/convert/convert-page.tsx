import { Button, Stack, Text } from '@mantine/core'
import type { AnalysisOutput } from '@plantroom/contract/conversion-jobs'
import { useSite } from '../../../api/use-site.ts'
import { Link } from '../../../parts/link.tsx'
import { QueryView } from '../../../parts/notices.tsx'
import { PageHead } from '../../../parts/page-head.tsx'
import { RequestsTurnedOff } from '../../../parts/requests-off.tsx'
import { convert } from '../../../texts/convert.ts'
import { ChooseExport } from './choose-export.tsx'
import { ConversionStep } from './conversion-step.tsx'
import { ConversionHistory, KeptMappings } from './earlier.tsx'
import { Failed } from './failed.tsx'
import { Gone, NoRecords, Running } from './job-parts.tsx'
import { MappingStep } from './mapping-step.tsx'
import { useConversion, useShownConversion } from './use-conversion.ts'

/** Turns the export of another system into a package: choose, map, try, convert. */
export function ConvertPage() {
  const { site, may, path } = useSite()
  const back = <Link to={path('/settings/packages')}>{convert.back}</Link>
  if (!site.maintenanceRequests) {
    return (
      <>
        <PageHead title={convert.title} actions={back} />
        <RequestsTurnedOff settings={may('admin') && path('/settings/site')} />
      </>
    )
  }
  return (
    <>
      <PageHead title={convert.title} actions={back}>
        {convert.intro}
      </PageHead>
      {may('manager') ? <Steps /> : <Text>{convert.forManagers}</Text>}
    </>
  )
}

function Steps() {
  const { analysisId, conversionId, showAnalysis } = useShownConversion()
  if (conversionId !== undefined) return <ConversionStep key={conversionId} jobId={conversionId} />
  if (analysisId !== undefined) return <AnalysisStep key={analysisId} jobId={analysisId} />
  return (
    <Stack gap="xl">
      <ChooseExport onStarted={showAnalysis} />
      <ConversionHistory />
      <KeptMappings />
    </Stack>
  )
}

function AnalysisStep({ jobId }: { jobId: string }) {
  const query = useConversion(jobId)
  const { startAgain } = useShownConversion()
  return (
    <QueryView query={query}>
      {(job) => {
        if (!job.resolved) return <Running job={job} />
        if (job.status === 'ERROR') {
          return (
            <Failed job={job}>
              <Button size="xs" onClick={startAgain}>
                {convert.startAgain}
              </Button>
            </Failed>
          )
        }
        if (job.output === null) return <Gone onAgain={startAgain} />
        const analysis = job.output as AnalysisOutput
        if (analysis.records === 0) return <NoRecords file={job.filename} onAgain={startAgain} />
        return <MappingStep job={job} analysis={analysis} />
      }}
    </QueryView>
  )
}
