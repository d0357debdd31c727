import { Anchor, Group, Stack, Text } from '@mantine/core'
import { pathOf } from '@plantroom/client/client'
import type { FillOutput, Job } from '@plantroom/contract/jobs'
import { useSite } from '../../../api/use-site.ts'
import { CardTable } from '../../../parts/card-table.tsx'
import { QueryView } from '../../../parts/notices.tsx'
import { findText, format, formatNumber } from '../../../texts/format.ts'
import { missing as texts } from '../../../texts/missing.ts'
import { requestFields } from '../../../texts/request-fields.ts'
import { Counts } from '../findings.tsx'
import { MissingSummary } from './import-choices.tsx'
import { useChoices } from './kept-choices.ts'
import { MissingNames } from './missing-names.tsx'
import { StartJob } from './start-job.tsx'
import { useMissingNames } from './use-missing-names.ts'

const { fill } = texts
const FIELDS = { ...requestFields, ...texts.fields }

/** What a fill would do, with the button that starts it, or what it did. */
export function FillOutcome({ job, file }: { job: Job; file: string | undefined }) {
  const { may } = useSite()
  const output = job.output as FillOutput
  const isPreview = job.name === 'PREVIEW_TICKET_FILL'
  return (
    <Stack>
      <FillCounts jobId={job.id} output={output} isPreview={isPreview} />
      {isPreview && file !== undefined && may('manager') ? (
        <Choosing jobId={job.id} output={output} file={file} />
      ) : (
        <MissingSummary missing={output.missing} />
      )}
    </Stack>
  )
}

function FillCounts({ jobId, output, isPreview }: { jobId: string; output: FillOutput; isPreview: boolean }) {
  const { orgId, siteId } = useSite()
  const { tickets, fields } = output
  const { filled } = tickets
  const title = isPreview ? format(fill.previewed, { count: filled }) : format(fill.filled, { count: filled })
  return (
    <>
      <Text role="status" fw={600}>
        {filled === 0 && isPreview ? fill.nothing : title}
      </Text>
      <Counts
        counts={[
          [isPreview ? fill.canFill : fill.didFill, filled],
          [fill.complete, tickets.complete],
          [fill.notOnSite, tickets.notOnSite],
          [fill.notImported, tickets.notImported],
        ]}
      />
      {filled > 0 && (
        <>
          <CardTable
            framed={false}
            label={fill.fieldsLabel}
            rows={Object.entries(fields)}
            keyOf={([field]) => field}
            columns={[
              { head: fill.field, cell: ([field]) => findText(FIELDS, field) ?? field },
              { head: fill.requests, cell: ([, count]) => formatNumber(count) },
            ]}
          />
          <Anchor
            href={pathOf('listJobFills', { orgId, propertyId: siteId, jobId, query: { format: 'csv' } })}
            download
          >
            {fill.list}
          </Anchor>
        </>
      )}
    </>
  )
}

function Choosing({ jobId, output, file }: { jobId: string; output: FillOutput; file: string }) {
  const [choices, setChoices] = useChoices(file)
  const query = useMissingNames(jobId)
  const { missing } = output
  const isMissingAny = Object.values(missing).some(({ left, created }) => left + created > 0)
  return (
    <QueryView query={query}>
      {(names) => (
        <>
          <MissingNames names={names} choices={choices} onChange={setChoices} />
          <Group align="flex-start">
            {output.tickets.filled > 0 && (
              <StartJob
                operation="startFill"
                file={file}
                label={format(fill.start, { count: output.tickets.filled })}
                choices={choices}
                names={names}
              />
            )}
            {isMissingAny && (
              <StartJob
                operation="startFillPreview"
                file={file}
                label={fill.update}
                choices={choices}
                names={names}
                isSecondary
              />
            )}
          </Group>
          <Text size="sm">{fill.noMail}</Text>
        </>
      )}
    </QueryView>
  )
}
