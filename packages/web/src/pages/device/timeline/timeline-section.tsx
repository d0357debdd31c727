import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { memo, useMemo, useState } from 'react'
import { useParams } from 'wouter'
import { useSite } from '../../../api/use-site.ts'
import { chartSearch } from '../../../parts/chart/sources.ts'
import { describePeriod, describePlacedBy, overrideKey, type When } from '../../../parts/describe-hold.ts'
import { Link } from '../../../parts/link.tsx'
import { joinFacts, shownValue } from '../../../parts/value.ts'
import { timeline as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import type { LiveOverride, RowGroup } from '../rows.ts'
import classes from './timeline.module.css'
import { inReadingOrder, layoutTimeline } from './timeline-layout.ts'

/** The names of datapoints, and the values of overrides with their units. */
interface Describe {
  nameOf(datapointId: string): string
  valueText(override: LiveOverride): string
}

/** The overrides of a controller, drawn for sighted people and listed for everyone. */
export const TimelineSection = memo(function TimelineSection({
  overrides,
  leftOut,
  isKnown,
  isLost,
  groups,
  when,
  onRelease,
}: {
  overrides: readonly LiveOverride[]
  leftOut: number
  /** True when the controller has said what it holds. */
  isKnown: boolean
  /** True while that is not live. */
  isLost: boolean
  groups: readonly RowGroup[]
  when: When
  onRelease: (datapointId: string, overrideId: string) => void
}) {
  const datapoints = useMemo(
    () => new Map(groups.flatMap(({ rows }) => rows.map(({ datapoint }) => [datapoint.id, datapoint] as const))),
    [groups],
  )
  const describe: Describe = {
    nameOf: (datapointId) => datapoints.get(datapointId)?.name ?? texts.unknownDatapoint,
    valueText: ({ datapointId, value }) => shownValue(value, datapoints.get(datapointId)?.unit),
  }
  return (
    <Stack component="section" gap="sm" aria-labelledby="overrides">
      <Title order={2} size="h3" id="overrides">
        {texts.title}
      </Title>
      {overrides.length === 0 ? (
        <Text c="dimmed">{isKnown ? (isLost ? texts.noneThen : texts.none) : texts.unknown}</Text>
      ) : (
        <Paper withBorder p="md">
          <TimelineGraphic overrides={overrides} {...describe} when={when} />
          <OverrideList overrides={overrides} {...describe} when={when} onRelease={onRelease} />
        </Paper>
      )}
      {leftOut > 0 && <Text>{format(texts.leftOut, { count: leftOut })}</Text>}
    </Stack>
  )
})

const MAX_ROWS = 20
const LANE_PX = 26

/** The next 24 hours, a row per datapoint. Hidden from assistive technology: the list has the same content. */
function TimelineGraphic({
  overrides,
  nameOf,
  valueText,
  when,
}: Describe & { overrides: readonly LiveOverride[]; when: When }) {
  const { nowAt, ticks, rows } = layoutTimeline(overrides, when, valueText)
  if (rows.length === 0) return null
  return (
    <div className={classes.graphic} aria-hidden="true">
      <Text size="sm" c="dimmed" mb={4}>
        {format(texts.graphic, { zone: when.timeZone })}
      </Text>
      <div className={classes.rows}>
        {rows.slice(0, MAX_ROWS).map(({ datapointId, lanes, bars }) => (
          <div className={classes.row} key={datapointId}>
            <div className={classes.name} title={nameOf(datapointId)}>
              {nameOf(datapointId)}
            </div>
            <div className={classes.track} style={{ height: lanes * LANE_PX + 4 }}>
              {ticks.map(({ at }) => (
                <div key={at} className={classes.gridLine} style={{ left: `${at}%` }} />
              ))}
              {bars.map(({ override, left, width, lane, label, isCutLeft, isCutRight }) => (
                <div
                  key={overrideKey(override)}
                  className={classes.bar}
                  data-state={override.state}
                  data-cut-left={isCutLeft || undefined}
                  data-cut-right={isCutRight || undefined}
                  style={{ left: `${left}%`, width: `${width}%`, top: lane * LANE_PX + 3 }}
                >
                  <span className={classes.label} data-place={label}>
                    {valueText(override)}
                  </span>
                </div>
              ))}
              <div className={classes.now} style={{ left: `${nowAt}%` }} />
            </div>
          </div>
        ))}
        <div className={classes.row}>
          <div className={classes.name} />
          <div className={classes.axis}>
            {ticks.map(({ at, label }) => (
              <span key={at} className={classes.tick} style={{ left: `${at}%` }}>
                {label}
              </span>
            ))}
          </div>
        </div>
      </div>
      {rows.length > MAX_ROWS && <Text size="sm">{format(texts.moreRows, { count: rows.length - MAX_ROWS })}</Text>}
    </div>
  )
}

const FIRST = 6
const STEP = 50

const COLORS = { active: 'cyan', queued: 'blue', superseded: 'gray' } as const

/** Every override with its period and who placed it, and a button to end it. */
function OverrideList({
  overrides,
  nameOf,
  valueText,
  when,
  onRelease,
}: Describe & {
  overrides: readonly LiveOverride[]
  when: When
  onRelease: (datapointId: string, overrideId: string) => void
}) {
  const { may } = useSite()
  const [limit, setLimit] = useState(FIRST)
  const leftOut = overrides.length - limit
  const isActive = ({ state }: LiveOverride) => state === 'active'
  const valuesOf = (override: LiveOverride) => ({ name: nameOf(override.datapointId), value: valueText(override) })
  return (
    <>
      <ul className={classes.list} aria-label={texts.list}>
        {inReadingOrder(overrides)
          .slice(0, limit)
          .map((override) => (
            <li key={`${override.datapointId} ${overrideKey(override)}`} className={classes.entry}>
              <div>
                <Group gap="xs">
                  <Text fw={600}>{format(texts.entry, valuesOf(override))}</Text>
                  <Badge variant="light" color={COLORS[override.state]}>
                    {texts.state[override.state]}
                  </Badge>
                </Group>
                <Text size="sm">{joinFacts([describePeriod(override, when), describePlacedBy(override)])}</Text>
                {isActive(override) && <BeforeAndAfter override={override} now={when.now} />}
              </div>
              {may('manager') && override.id !== null && (
                <Button
                  variant="default"
                  size="sm"
                  onClick={() => override.id !== null && onRelease(override.datapointId, override.id)}
                  aria-label={format(isActive(override) ? texts.releaseOf : texts.cancelOf, valuesOf(override))}
                >
                  {isActive(override) ? texts.release : texts.cancel}
                </Button>
              )}
            </li>
          ))}
      </ul>
      {leftOut > 0 && (
        <Button variant="default" onClick={() => setLimit((before) => before + STEP)} mt="sm">
          {format(texts.more, { count: leftOut })}
        </Button>
      )}
    </>
  )
}

/** The time of the page may be this old. A link that names an earlier moment would show the hold before this one. */
const COARSE_MS = 10_000

/** A link to what an active override has done to the values. */
function BeforeAndAfter({ override, now }: { override: LiveOverride; now: number }) {
  const { path } = useSite()
  const { deviceId = '' } = useParams()
  const at = Math.min(now + COARSE_MS, Date.parse(override.to) - 1)
  const search = chartSearch([{ deviceId, datapointId: override.datapointId }], { hold: new Date(at).toISOString() })
  return (
    <Link size="sm" to={path(`/charts?${search}`)}>
      {texts.beforeAndAfter}
    </Link>
  )
}
