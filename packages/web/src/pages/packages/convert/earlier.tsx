import { Button, Stack, Title } from '@mantine/core'
import type { OperationReply } from '@plantroom/client/client'
import type { ConversionJob, ConversionOutput } from '@plantroom/contract/conversion-jobs'
import { useChange, useOperation } from '../../../api/use-operation.ts'
import { usePages } from '../../../api/use-pages.ts'
import { useSite } from '../../../api/use-site.ts'
import { CardTable } from '../../../parts/card-table.tsx'
import { ErrorNotice } from '../../../parts/notices.tsx'
import { fullTime } from '../../../parts/time.ts'
import { common } from '../../../texts/common.ts'
import { convert } from '../../../texts/convert.ts'
import { format } from '../../../texts/format.ts'
import { packages } from '../../../texts/packages.ts'
import { JobTable, whileRunning } from '../job-table.tsx'
import classes from '../packages.module.css'
import { queryOf } from './use-conversion.ts'

const texts = convert.history
const PAGE = 10
const jobsOf = ({ conversions }: OperationReply<'listConversions'>) => conversions

/** The conversions of the site, with analyses and trials. */
export function ConversionHistory() {
  const refetchInterval = whileRunning(jobsOf)
  const query = usePages('listConversions', { query: { limit: PAGE } }, jobsOf, { refetchInterval })
  return (
    <JobTable
      title={texts.title}
      label={texts.label}
      empty={texts.empty}
      query={query}
      pathOf={(job) => `/settings/packages/convert${queryOf(job)}`}
      kindOf={({ name }) => texts.of[name]}
      resultOf={resultOf}
    />
  )
}

function resultOf({ name, status, resolved, output }: ConversionJob): string {
  if (!resolved) return texts.running
  if (status === 'ERROR') return texts.failed
  if (output === null) return common.none
  if (name === 'TICKET_SOURCE_ANALYSIS' && 'records' in output) {
    return format(convert.progress.records, { count: output.records })
  }
  return format(packages.exporting.requests, { count: (output as ConversionOutput).tickets })
}

/** The mappings that the site keeps. Nothing while there are none. */
export function KeptMappings() {
  const { site } = useSite()
  const query = useOperation('listMappings', {})
  const remove = useChange('removeMapping')
  const mappings = query.data?.mappings ?? []
  if (mappings.length === 0) return query.error ? <ErrorNotice error={query.error} retry={query.refetch} /> : null
  return (
    <Stack component="section">
      <Title order={2} size="h3">
        {convert.kept.title}
      </Title>
      {remove.error && <ErrorNotice error={remove.error} />}
      <CardTable
        label={convert.kept.label}
        rows={mappings}
        keyOf={({ id }) => id}
        columns={[
          { head: convert.kept.name, cell: ({ name }) => <span className={classes.long}>{name}</span> },
          { head: convert.kept.source, cell: ({ source }) => convert.sources[source] },
          { head: convert.kept.saved, time: true, cell: ({ savedAt }) => fullTime(savedAt, site.timeZone) },
          {
            head: convert.kept.remove,
            plain: true,
            cell: ({ id, name }) => (
              <Button
                size="xs"
                variant="default"
                aria-label={format(convert.kept.removeOf, { name })}
                loading={remove.isPending && remove.variables.mappingId === id}
                onClick={() => remove.mutate({ mappingId: id })}
              >
                {convert.kept.remove}
              </Button>
            ),
          },
        ]}
      />
    </Stack>
  )
}
