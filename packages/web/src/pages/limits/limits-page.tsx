import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { pathOf } from '@plantroom/client/client'
import type { SiteLimitInterval } from '@plantroom/contract/fleet-limit'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { useSiteSystems } from '../../api/use-devices.ts'
import { usePages } from '../../api/use-pages.ts'
import { useSite } from '../../api/use-site.ts'
import { useNow } from '../../live/use-now.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { boundsOf, rangeFrom, withRange } from '../../parts/chart/period.ts'
import { PeriodPicker } from '../../parts/chart/period-picker.tsx'
import { Link } from '../../parts/link.tsx'
import { datapointHash } from '../../parts/link-to-datapoint.ts'
import { ListView } from '../../parts/list-view.tsx'
import { Empty } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { plannedTime } from '../../parts/time.ts'
import { joinFacts, shownValue } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { powerLimits } from '../../texts/power-limits.ts'
import { countKept } from './limit-intervals.ts'

const texts = powerLimits.proof
const PAGE = 1000
/** Intervals end on the minute. */
const MINUTE_MS = 60_000

/** The proof: every interval of a site under a limit, with its mean and whether it was kept. */
export function LimitsPage() {
  const { orgId, siteId, site } = useSite()
  const { timeZone } = site
  const [search, setSearch] = useSearchParams()
  const now = useNow(MINUTE_MS)
  const range = rangeFrom(search, timeZone, '24h')
  const period = boundsOf(range, { now: Math.ceil(now / MINUTE_MS) * MINUTE_MS, timeZone })
  const bounds = { from: new Date(period.from).toISOString(), to: new Date(period.to).toISOString() }
  const query = usePages('listLimitIntervals', { query: { ...bounds, limit: PAGE } }, ({ intervals }) => intervals, {
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHead
        title={texts.title}
        actions={
          <Button
            component="a"
            variant="default"
            href={pathOf('listLimitIntervals', { orgId, siteId, query: { ...bounds, format: 'csv' } })}
            download
          >
            {texts.csv}
          </Button>
        }
      >
        {format(texts.intro, { zone: timeZone })}
      </PageHead>
      <Stack>
        <PeriodPicker
          range={range}
          shown={period}
          now={now}
          timeZone={timeZone}
          onChange={(next) => setSearch((before) => withRange(before, next), { replace: true })}
        />
        <ListView query={query} empty={<Empty title={texts.none}>{texts.noneHint}</Empty>}>
          {(intervals) => <Intervals intervals={intervals} now={now} />}
        </ListView>
      </Stack>
    </>
  )
}

function Intervals({ intervals, now }: { intervals: readonly SiteLimitInterval[]; now: number }) {
  const { site } = useSite()
  const names = useNames()
  const { kept, unknown } = countKept(intervals)
  const time = (at: string) => plannedTime(at, site.timeZone, now)
  return (
    <Stack gap="sm">
      <Text role="status">
        {format(texts.summary, { kept, count: intervals.length })}{' '}
        {unknown > 0 && format(texts.unknownCount, { count: unknown })}
      </Text>
      <CardTable
        label={texts.list}
        rows={intervals}
        keyOf={({ deviceId, from, direction, limitKw, limitId }) =>
          `${deviceId} ${from} ${direction} ${limitId ?? limitKw}`
        }
        columns={[
          {
            head: texts.interval,
            time: true,
            cell: ({ from, to }) => format(texts.span, { from: time(from), to: time(to) }),
          },
          { head: texts.controller, cell: ({ deviceId }) => names.get(deviceId) ?? deviceId },
          { head: texts.direction, cell: ({ direction }) => powerLimits.directions[direction] },
          { head: texts.limit, cell: (interval) => <Limit interval={interval} /> },
          { head: texts.limitedBy, cell: ({ limitedBy }) => <LimitedBy by={limitedBy} /> },
          { head: texts.mean, cell: ({ meanKw }) => kw(meanKw) },
          { head: texts.margin, cell: ({ marginKw }) => kw(marginKw) },
          { head: texts.coverage, cell: ({ coverage }) => format(texts.percent, { percent: coverage }) },
          { head: texts.kept, cell: ({ kept: isKept }) => <Kept isKept={isKept} /> },
          {
            head: texts.moved,
            cell: ({ moved, deviceId }) =>
              moved.length === 0 ? texts.nothingMoved : <Moved ids={moved} deviceId={deviceId} names={names} />,
          },
        ]}
      />
    </Stack>
  )
}

/** Limits that overlap have an interval each: who placed it and why tells them apart. */
function Limit({ interval: { limitKw, placedBy } }: { interval: SiteLimitInterval }) {
  const by = placedBy?.name && format(powerLimits.placedBy, { name: placedBy.name })
  return (
    <>
      {kw(limitKw)}
      {placedBy && (
        <Text size="xs" c="dimmed">
          {joinFacts([by, placedBy.reason])}
        </Text>
      )}
    </>
  )
}

/** The strictest limit that was in force: what the site had to keep. */
function LimitedBy({ by }: { by: SiteLimitInterval['limitedBy'] }) {
  if (!by) return texts.notReported
  return (
    <>
      {format(texts.sources[by.source], { limit: kw(by.kw) || '' })}
      {by.limitId && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {by.limitId}
        </Text>
      )}
    </>
  )
}

/** What was moved. Each leads to its datapoint. */
function Moved({ ids, deviceId, names }: { ids: readonly string[]; deviceId: string; names: Names }) {
  const { path } = useSite()
  return (
    <Group gap="xs">
      {ids.map((id) => (
        <Link key={id} to={path(`/devices/${deviceId}${datapointHash(id)}`)} inherit>
          {names.get(id) ?? id}
        </Link>
      ))}
    </Group>
  )
}

const kw = (value: number | null) => value !== null && shownValue(Math.round(value * 100) / 100, 'kW')

function Kept({ isKept }: { isKept: boolean | null }) {
  const state = isKept === null ? 'unknown' : isKept ? 'yes' : 'no'
  return (
    <Badge variant="light" c="inherit" color={{ yes: 'green', no: 'red', unknown: 'gray' }[state]} radius="sm">
      {texts.keptStates[state]}
    </Badge>
  )
}

/** The names of controllers and datapoints by their ids. */
type Names = ReadonlyMap<string, string>

function useNames(): Names {
  const { devices } = useSiteSystems()
  return useMemo(
    () =>
      new Map(
        devices.flatMap(({ id, name, systems = [] }) => [
          [id, name],
          ...systems.flatMap(({ connections }) =>
            connections.flatMap(({ datapoints }) => datapoints.map((each) => [each.id, each.name] as const)),
          ),
        ]),
      ),
    [devices],
  )
}
