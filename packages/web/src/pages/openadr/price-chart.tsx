import { Box, Paper, Text, Title, useComputedColorScheme } from '@mantine/core'
import { lazy, Suspense, useId, useMemo } from 'react'
import { useOrganization } from '../../api/use-site.ts'
import { lineColor } from '../../parts/chart/line-colors.ts'
import { joinFacts } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { openadrEvents as texts } from '../../texts/openadr-events.ts'
import classes from './openadr.module.css'
import { describePrices, type Prices, priceLine } from './prices.ts'

const Plot = lazy(async () => ({ default: (await import('../../parts/chart/plot.tsx')).Plot }))

const HEIGHT = 180
const MINUTE_MS = 60_000

/** Prices over time, a line for each kind. Nothing acts on them. */
export function PriceChart({
  prices,
  from,
  to,
  now,
}: {
  prices: readonly Prices[]
  from: number
  to: number
  now: number
}) {
  const { timeZone } = useOrganization()
  const syncKey = useId()
  const scheme = useComputedColorScheme('light')
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
  const picture = useMemo(() => {
    const units = [...new Set(prices.map(({ unit }) => unit))]
    return { from, to, units, lines: prices.map(priceLine), bands: [], limits: [], now: minute }
  }, [prices, from, to, minute])
  const summaries = prices.map((each) => {
    const { range, now: current } = describePrices(each, now)
    return { ...each, summary: joinFacts([range, current]) }
  })
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="prices">
      <Title order={2} size="h4" id="prices">
        {texts.prices}
      </Title>
      <Text size="sm" c="dimmed">
        {texts.pricesHint}
      </Text>
      <Box mih={HEIGHT}>
        <Suspense fallback={null}>
          <Plot
            picture={picture}
            frame={{ height: HEIGHT, timeZone, hasTimes: true, isStacked: false, syncKey }}
            label={summaries.map(({ name, summary }) => format(texts.priceLabel, { name, summary })).join(' ')}
            onCursor={ignore}
          />
        </Suspense>
      </Box>
      <ul className={classes.prices}>
        {summaries.map(({ key, name, summary }, place) => (
          <li key={key}>
            <span className={classes.swatch} style={{ background: lineColor(place, scheme) }} aria-hidden="true" />
            <Text size="sm" span>
              {format(texts.priceLabel, { name, summary })}
            </Text>
          </li>
        ))}
      </ul>
    </Paper>
  )
}

const ignore = () => {}
