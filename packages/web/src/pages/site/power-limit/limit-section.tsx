import { Group, List, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useSite } from '../../../api/use-site.ts'
import { describeCeiling, shownKw } from '../../../parts/describe-ceiling.ts'
import { Figure } from '../../../parts/figure.tsx'
import { LimitBadge } from '../../../parts/limit-badge.tsx'
import { Link } from '../../../parts/link.tsx'
import { SmallButton } from '../../../parts/small-button.tsx'
import { duration } from '../../../parts/time.ts'
import { format } from '../../../texts/format.ts'
import { powerLimits as texts } from '../../../texts/power-limits.ts'
import { type DeviceOverview, isLive } from '../overview.ts'
import {
  describeMoved,
  describeStored,
  gaugesOf,
  type LimitedDevice,
  type LimitGauge,
  limitedDevices,
} from './limit-content.ts'
import { PlacedLimits } from './placed-limits.tsx'

const PlaceLimit = lazy(async () => ({ default: (await import('./place-limit.tsx')).PlaceLimit }))

/** The power limits of a site: what is in force, how far the quarter of an hour is, and what is moved for it. */
export function LimitSection({ devices, now }: { devices: readonly DeviceOverview[]; now: number }) {
  const { may, path } = useSite()
  const [isPlacing, setIsPlacing] = useState(false)
  const limited = limitedDevices(devices)
  return (
    <Stack component="section" gap="xs" aria-labelledby="power-limit">
      <Group gap="sm" justify="space-between">
        <Group gap="sm" align="baseline">
          <Title order={2} size="h4" id="power-limit">
            {texts.title}
          </Title>
          <Link to={path('/limits')} size="sm">
            {texts.toProof}
          </Link>
        </Group>
        {may('manager') && <SmallButton onClick={() => setIsPlacing(true)}>{texts.place}</SmallButton>}
      </Group>
      {limited.map((each) => (
        <LimitCard key={each.seen.device.id} limited={each} isNamed={limited.length > 1} />
      ))}
      <PlacedLimits limited={limited} now={now} />
      <Suspense fallback={null}>
        {isPlacing && (
          <PlaceLimit
            guaranteedKw={limited.reduce((sum, { settings }) => sum + settings.guaranteedKw, 0)}
            now={now}
            onClose={() => setIsPlacing(false)}
          />
        )}
      </Suspense>
    </Stack>
  )
}

function LimitCard({ limited, isNamed }: { limited: LimitedDevice; isNamed: boolean }) {
  const { seen, state } = limited
  const isOld = !isLive(seen)
  const lists = [
    { head: texts.moved, lines: describeMoved(limited) },
    { head: texts.stored, lines: describeStored(limited) },
  ].filter(({ lines }) => lines.length > 0)
  return (
    <Paper withBorder p="sm">
      <Stack gap={6}>
        <Group gap="xs">
          {isNamed && <Text fw={600}>{seen.device.name}</Text>}
          {state && <LimitBadge state={state.state} />}
          <Text size="sm" role="status">
            {state ? texts.about[state.state] : seen.view?.device ? texts.unknown : texts.notHeard}
          </Text>
          {state && isOld && (
            <Text size="sm" c="dimmed">
              {format(texts.lastKnown, { age: duration(seen.ageMs) })}
            </Text>
          )}
        </Group>
        {state && gaugesOf(state).map((gauge) => <Gauge key={gauge.direction} gauge={gauge} isOld={isOld} />)}
        {lists.map(({ head, lines }) => (
          <div key={head}>
            <Text size="sm" c="dimmed">
              {head}
            </Text>
            <List size="sm" className="figures">
              {lines.map((line) => (
                <List.Item key={line}>{line}</List.Item>
              ))}
            </List>
          </div>
        ))}
      </Stack>
    </Paper>
  )
}

/** The mean of this quarter of an hour so far, beside its limit. */
function Gauge({ gauge, isOld }: { gauge: LimitGauge; isOld: boolean }) {
  const { direction, limitKw, meanKw, percent, isAbove } = gauge
  return (
    <div>
      <Group gap="xs" justify="space-between" className="figures">
        <Text fw={600}>{describeCeiling({ direction, kw: limitKw })}</Text>
        <Text size="sm" component="div">
          {texts.mean}:{' '}
          {meanKw === undefined ? texts.noMean : <Figure value={rounded(meanKw)} unit="kW" isOld={isOld} />}
        </Text>
      </Group>
      <Progress
        value={percent}
        color={isAbove ? 'red' : 'blue'}
        mt={4}
        aria-label={
          meanKw === undefined ? texts.noMean : format(texts.meanOf, { mean: shownKw(meanKw), limit: shownKw(limitKw) })
        }
      />
    </div>
  )
}

const rounded = (kw: number) => Math.round(kw * 10) / 10
