import { Paper, Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { useAll } from '../../api/use-all.ts'
import { useOrganization } from '../../api/use-site.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { TimelineGraphic } from '../../parts/timeline/timeline-graphic.tsx'
import { format } from '../../texts/format.ts'
import { openadrEvents as texts } from '../../texts/openadr-events.ts'
import type { SiteNames } from './describe-event.ts'
import { timelineOf } from './event-timeline.ts'
import classes from './openadr.module.css'
import { PriceChart } from './price-chart.tsx'
import { pricesOf } from './prices.ts'
import type { MeaningOf } from './use-meanings.ts'

const HOUR_MS = 3_600_000
const BEHIND_MS = 6 * HOUR_MS
const AHEAD_MS = 24 * HOUR_MS
/** The period of the query moves in these steps, so that it is not another query all the time. */
const STEP_MS = 10 * 60_000
const EVERY_MS = 15_000
/** More events would not fit on a timeline. */
const MOST = 500
const LOOKS = ['active', 'queued', 'superseded', 'failed'] as const

/** What programs ask for around now, as a timeline, and their prices as a chart. */
export function EventsNow({
  programId,
  sites,
  meaningOf,
  now,
}: {
  programId: string | undefined
  sites: SiteNames
  meaningOf: MeaningOf
  now: number
}) {
  const { timeZone } = useOrganization()
  const step = Math.floor(now / STEP_MS) * STEP_MS
  const [from, to] = [step - BEHIND_MS, step + STEP_MS + AHEAD_MS].map((at) => new Date(at).toISOString())
  const query = useAll('listOpenadrEvents', { query: { programId, from, to, limit: 100 } }, ({ events }) => events, {
    most: MOST,
    refetchInterval: EVERY_MS,
  })
  const { items, names } = useMemo(() => timelineOf(query.data ?? [], sites, meaningOf), [query.data, sites, meaningOf])
  const prices = useMemo(() => pricesOf(query.data ?? [], meaningOf), [query.data, meaningOf])

  if (query.error && !query.data) {
    return <ErrorNotice error={query.error} retry={query.refetch} title={texts.timelineFailed} />
  }
  if (!query.data || query.data.length === 0) return null
  return (
    <Stack mb="md">
      <Paper withBorder p="md" component="section" aria-labelledby="timeline" visibleFrom="sm">
        <Title order={2} size="h4" id="timeline" mb="xs">
          {texts.timelineTitle}
        </Title>
        {items.length === 0 ? (
          <Text c="dimmed">{texts.timelineEmpty}</Text>
        ) : (
          <>
            <TimelineGraphic
              title={format(texts.graphic, { zone: timeZone })}
              items={items}
              when={{ now, timeZone, behindMs: BEHIND_MS }}
              nameOf={(row) => names.get(row) ?? row}
              moreRows={(count) => format(texts.moreRows, { count })}
            />
            <ul className={classes.legend} aria-label={texts.legend.label}>
              {LOOKS.map((look) => (
                <li key={look}>
                  <span className={classes.sample} data-look={look} aria-hidden="true" />
                  {texts.legend[look]}
                </li>
              ))}
            </ul>
          </>
        )}
      </Paper>
      {prices.length > 0 && <PriceChart prices={prices} from={step - BEHIND_MS} to={step + AHEAD_MS} now={now} />}
    </Stack>
  )
}
