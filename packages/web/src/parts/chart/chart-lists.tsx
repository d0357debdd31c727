import { List, Text } from '@mantine/core'
import { limits as limitTexts, chart as texts } from '../../texts/charts.ts'
import { format } from '../../texts/format.ts'
import type { NamedOverride, When } from '../describe-hold.ts'
import { Link } from '../link.tsx'
import type { Band } from './bands.ts'
import { type ChartSeries, holdsIn, limitsOf } from './chart-content.ts'
import { describeBand, describeLimit, sourceName } from './describe-chart.ts'
import type { Period } from './period.ts'
import { sourceKey } from './sources.ts'

const MAX_BANDS = 8

/** The holds of a chart as text, each with a link to what it did to the values. */
export function HoldList({
  series,
  period,
  overrides,
  when,
  linkOf,
}: {
  series: readonly ChartSeries[]
  period: Period
  /** Overrides that have not ended, which tell who placed them. */
  overrides: readonly NamedOverride[]
  when: When
  /** The address of the chart from an hour before a hold to an hour after it. */
  linkOf: (series: ChartSeries, band: Band) => string
}) {
  const all = series
    .flatMap((each) => holdsIn(each, period).map((band) => ({ series: each, band })))
    .toSorted((a, b) => a.band.from - b.band.from)
  if (all.length === 0) return <Text size="sm">{texts.noHolds}</Text>
  return (
    <>
      <List size="sm" aria-label={texts.bandList}>
        {all.slice(-MAX_BANDS).map(({ series: each, band }) => {
          const hold = describeBand(band, each.source.unit, overrides, when)
          const shown = series.length === 1 ? hold : format(texts.bandOf, { name: sourceName(each.source), band: hold })
          return (
            <List.Item key={`${sourceKey(each.source)} ${band.by} ${band.overrideId} ${band.from} ${band.isPlanned}`}>
              {shown}{' '}
              {!band.isPlanned && (
                <Link to={linkOf(each, band)} aria-label={format(texts.beforeAndAfterOf, { band: shown })} inherit>
                  {texts.beforeAndAfter}
                </Link>
              )}
            </List.Item>
          )
        })}
      </List>
      {all.length > MAX_BANDS && <Text size="sm">{format(texts.moreBands, { count: all.length - MAX_BANDS })}</Text>}
    </>
  )
}

/** The limits of a chart as text: a limit far from the values is only here. */
export function LimitList({ series, period }: { series: readonly ChartSeries[]; period: Period }) {
  const all = series.flatMap(({ source }) =>
    limitsOf(source, period).map((limit) =>
      describeLimit(limit, source.unit, series.length === 1 ? undefined : sourceName(source)),
    ),
  )
  if (all.length === 0) return null
  return (
    <Text size="sm" component="ul" m={0} pl="lg" aria-label={limitTexts.list}>
      {all.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </Text>
  )
}
