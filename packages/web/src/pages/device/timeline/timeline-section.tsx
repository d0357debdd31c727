import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { memo, useMemo, useState } from 'react'
import { useParams } from 'wouter'
import { useSite } from '../../../api/use-site.ts'
import { chartSearch } from '../../../parts/chart/sources.ts'
import { describePeriod, describePlacedBy, overrideKey, type When } from '../../../parts/describe-hold.ts'
import { Link } from '../../../parts/link.tsx'
import { TimelineGraphic } from '../../../parts/timeline/timeline-graphic.tsx'
import type { TimelineItem } from '../../../parts/timeline/timeline-layout.ts'
import { joinFacts, shownValue } from '../../../parts/value.ts'
import { timeline as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import type { LiveOverride, RowGroup } from '../rows.ts'
import { inReadingOrder } from './reading-order.ts'
import classes from './timeline.module.css'

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
          <TimelineGraphic
            title={format(texts.graphic, { zone: when.timeZone })}
            items={overrides.map((override) => itemOf(override, describe))}
            when={when}
            nameOf={describe.nameOf}
            moreRows={(count) => format(texts.moreRows, { count })}
          />
          <OverrideList overrides={overrides} {...describe} when={when} onRelease={onRelease} />
        </Paper>
      )}
      {leftOut > 0 && <Text>{format(texts.leftOut, { count: leftOut })}</Text>}
    </Stack>
  )
})

const itemOf = (override: LiveOverride, { valueText }: Describe): TimelineItem => ({
  key: overrideKey(override),
  row: override.datapointId,
  from: override.from,
  to: override.to,
  label: valueText(override),
  look: override.state,
})

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
