import { Button, Stack, Text, Title } from '@mantine/core'
import type { ExportRun } from '@plantroom/contract/automatic-exports'
import { useEffect, useRef } from 'react'
import { invalidate } from '../../../api/use-operation.ts'
import { usePages } from '../../../api/use-pages.ts'
import { useSite } from '../../../api/use-site.ts'
import { CardTable } from '../../../parts/card-table.tsx'
import { Link } from '../../../parts/link.tsx'
import { Empty, QueryView } from '../../../parts/notices.tsx'
import { fullTime } from '../../../parts/time.ts'
import { automaticExport } from '../../../texts/automatic-export.ts'
import { common } from '../../../texts/common.ts'
import { jobQuery } from '../use-shown-job.ts'
import classes from './automatic-export.module.css'
import { describeContent, describeDelivery, describeState, describeTime, isMoving } from './describe-export.ts'

const texts = automaticExport.runs
const PAGE = 5
const POLL_MS = 3_000

/** The automatic exports of the site so far, newest first. */
export function RunsTable() {
  const { site, path } = useSite()
  const timeOf = (at: string) => fullTime(at, site.timeZone)
  const query = usePages('listExportRuns', { query: { limit: PAGE } }, ({ runs }) => runs, {
    refetchInterval: ({ state }) => (isMoving(state.data?.pages.flatMap(({ runs }) => runs) ?? []) ? POLL_MS : false),
  })
  const isBusy = isMoving(query.data ?? [])
  const wasBusy = useRef(isBusy)
  useEffect(() => {
    // The end of a run changes the states of the targets, which are read less often.
    if (wasBusy.current && !isBusy) void invalidate('getAutomaticExport')
    wasBusy.current = isBusy
  }, [isBusy])
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query
  return (
    <Stack>
      <Title order={3} size="h4">
        {texts.title}
      </Title>
      <QueryView query={query}>
        {(runs) =>
          runs.length === 0 ? (
            <Empty title={texts.empty} />
          ) : (
            <CardTable
              label={texts.label}
              rows={runs}
              keyOf={({ id }) => id}
              columns={[
                { head: texts.due, time: true, cell: (run) => describeTime(run, timeOf) },
                { head: texts.state, cell: (run) => <State run={run} /> },
                {
                  head: texts.content,
                  cell: (run) => (
                    <>
                      {describeContent(run)}
                      {run.jobId !== null && (
                        <Link size="sm" display="block" to={path(`/settings/packages${jobQuery(run.jobId)}`)}>
                          {texts.job}
                        </Link>
                      )}
                    </>
                  ),
                },
                {
                  head: texts.where,
                  cell: ({ deliveries }) =>
                    deliveries.map((delivery) => (
                      <Text key={delivery.targetId} size="sm" className={classes.message}>
                        {describeDelivery(delivery, timeOf)}
                      </Text>
                    )),
                },
              ]}
            />
          )
        }
      </QueryView>
      {hasNextPage && (
        <Button variant="default" mx="auto" onClick={() => void fetchNextPage()} loading={isFetchingNextPage}>
          {common.more}
        </Button>
      )}
    </Stack>
  )
}

function State({ run }: { run: ExportRun }) {
  return (
    <Text size="sm" className={classes.message}>
      {describeState(run)}
    </Text>
  )
}
