import { Stack } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useSiteSystems } from '../../api/use-devices.ts'
import { useSite } from '../../api/use-site.ts'
import { useNow } from '../../live/use-now.ts'
import { boundsOf, rangeFrom, withoutRange, zoomFrom } from '../../parts/chart/period.ts'
import {
  type ChartSource,
  MAX_SOURCES,
  shownSources,
  sourceKey,
  sourcesOf,
  withSources,
} from '../../parts/chart/sources.ts'
import { Empty, ErrorNotice, Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { readTime } from '../../parts/time.ts'
import { chartPage as texts } from '../../texts/charts.ts'
import { format } from '../../texts/format.ts'
import { DatapointPicker } from './datapoint-picker.tsx'
import { keepViewed } from './first-choice.ts'
import { HoldChart } from './hold-chart.tsx'
import { SiteChart } from './site-chart.tsx'
import { useFirstChoice } from './use-first-choice.ts'

/** Often enough to see the time pass; lines are drawn again only then. */
const TICK_MS = 5000

/** Charts of the datapoints in the address. */
export function ChartsPage() {
  const { site, siteId } = useSite()
  const { devices, isComplete, error } = useSiteSystems()
  const [search, setSearch] = useSearchParams()
  const sources = useMemo(() => sourcesOf(devices), [devices])
  const shown = useMemo(() => shownSources(search, sources), [search, sources])
  const keys = shown.map(sourceKey)
  // Who removes the last line wants no other one.
  const [isFirst, setFirst] = useState(!search.has('show'))
  const show = (next: readonly string[]) => {
    setFirst(false)
    setSearch((before) => withSources(before, next), { replace: true })
  }
  useFirstChoice(devices, isFirst && isComplete && sources.length > 0, show)
  const shownKeys = keys.join(' ')
  useEffect(() => {
    if (shownKeys !== '') keepViewed(siteId, shownKeys.split(' '))
  }, [siteId, shownKeys])

  return (
    <>
      <PageHead title={texts.title}>{format(texts.subtitle, { zone: site.timeZone })}</PageHead>
      <Stack gap="md">
        {error && <ErrorNotice error={error} />}
        {!isComplete && !error && <Loading />}
        {isComplete && sources.length === 0 && <Empty title={texts.noDatapoints}>{texts.noDatapointsHint}</Empty>}
        {sources.length > 0 && (
          <DatapointPicker sources={sources} chosen={keys} onAdd={(key) => show([...keys, key])} />
        )}
        {isComplete && sources.length > 0 && shown.length === 0 && !isFirst && (
          <Empty title={texts.nothing}>{format(texts.nothingHint, { count: MAX_SOURCES })}</Empty>
        )}
        {(isComplete || error) && shown.length > 0 && (
          <ChartOf sources={shown} onRemove={(key) => show(keys.filter((each) => each !== key))} />
        )}
      </Stack>
    </>
  )
}

/** A period of the address, or the time around a hold. */
function ChartOf({ sources, onRemove }: { sources: readonly ChartSource[]; onRemove: (key: string) => void }) {
  const { site } = useSite()
  const [search, setSearch] = useSearchParams()
  const now = useNow(TICK_MS)
  const { timeZone } = site
  const held = readTime(search.get('hold') ?? '')
  const range = rangeFrom(search, timeZone, '24h')
  const zoom = zoomFrom(search)
  const [first] = sources

  if (held !== undefined && first) {
    return (
      <HoldChart
        sources={sources}
        source={first}
        at={Date.parse(held)}
        zoom={zoom}
        now={now}
        onRemove={onRemove}
        onClose={() => setSearch((before) => withoutRange(before), { replace: true })}
      />
    )
  }
  return (
    <SiteChart
      sources={sources}
      range={range}
      period={zoom ?? boundsOf(range, { now, timeZone })}
      zoom={zoom}
      now={now}
      onRemove={onRemove}
    />
  )
}
