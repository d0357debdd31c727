import { Button, Stack, Title } from '@mantine/core'
import type { ConversionJob, ConversionOutput } from '@plantroom/contract/conversion-jobs'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/service.ts'
import { useSite } from '../../../api/use-site.ts'
import { CardTable } from '../../../parts/card-table.tsx'
import { Link } from '../../../parts/link.tsx'
import { Empty, ErrorNotice, QueryView } from '../../../parts/notices.tsx'
import { fullTime } from '../../../parts/time.ts'
import { common } from '../../../texts/common.ts'
import { convert } from '../../../texts/convert.ts'
import { format } from '../../../texts/format.ts'
import { packages } from '../../../texts/packages.ts'
import { describeStarter } from '../describe-job.ts'
import classes from '../packages.module.css'
import { queryOf } from './use-conversion.ts'

const texts = convert.history
const PAGE = 10

/** The conversions of the site, newest first. */
export function ConversionHistory() {
  const { orgId, siteId, site, path } = useSite()
  const query = useInfiniteQuery({
    queryKey: ['conversion-list', orgId, siteId],
    queryFn: ({ pageParam }) =>
      api.listConversions({ orgId, propertyId: siteId, query: { limit: PAGE, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ conversions }) => conversions),
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
                    <Link inherit to={path(`/settings/packages/convert${queryOf(job)}`)}>
                      {texts.of[job.name]}
                    </Link>
                  ),
                },
                { head: texts.file, cell: ({ filename }) => <span className={classes.long}>{filename}</span> },
                { head: texts.by, cell: describeStarter },
                { head: texts.when, time: true, cell: (job) => fullTime(job.scheduled, site.timeZone) },
                { head: texts.result, cell: resultOf },
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
