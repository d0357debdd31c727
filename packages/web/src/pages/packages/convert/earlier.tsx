import { Button, Stack, Title } from '@mantine/core'
import type { ConversionJob, ConversionOutput } from '@plantroom/contract/conversion-jobs'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/service.ts'
import { useSite } from '../../../api/use-site.ts'
import { CardTable } from '../../../parts/card-table.tsx'
import { ErrorNotice } from '../../../parts/notices.tsx'
import { fullTime } from '../../../parts/time.ts'
import { common } from '../../../texts/common.ts'
import { convert } from '../../../texts/convert.ts'
import { format } from '../../../texts/format.ts'
import { packages } from '../../../texts/packages.ts'
import { JobTable } from '../job-table.tsx'
import classes from '../packages.module.css'
import { queryOf } from './use-conversion.ts'

const texts = convert.history
const PAGE = 10

/** The conversions of the site, with analyses and trials. */
export function ConversionHistory() {
  const { orgId, siteId } = useSite()
  async function read(cursor: string | undefined) {
    const query = { limit: PAGE, cursor }
    const { conversions, nextCursor } = await api.listConversions({ orgId, propertyId: siteId, query })
    return { jobs: conversions, nextCursor }
  }
  return (
    <JobTable
      title={texts.title}
      label={texts.label}
      empty={texts.empty}
      queryKey={['conversion-list', orgId, siteId]}
      read={read}
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
  const { orgId, siteId, site } = useSite()
  const client = useQueryClient()
  const queryKey = ['mappings', orgId, siteId]
  const query = useQuery({ queryKey, queryFn: () => api.listMappings({ orgId, propertyId: siteId }) })
  const remove = useMutation({
    mutationFn: (mappingId: string) => api.removeMapping({ orgId, propertyId: siteId, mappingId }),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
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
                loading={remove.isPending && remove.variables === id}
                onClick={() => remove.mutate(id)}
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
