import { Badge, Group, Text } from '@mantine/core'
import type { OpenadrPlacement } from '@plantroom/contract/openadr'
import { dispatchesPath, sitePath, useOrganization } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { sentence } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { openadrEvents as texts } from '../../texts/openadr-events.ts'
import {
  describeOutcome,
  describePeriod,
  PLACEMENT_COLORS,
  placedValue,
  type SiteNames,
  targetName,
} from './describe-event.ts'
import classes from './openadr.module.css'

/** What became of one interval at every controller, with links to the dispatch or limit and to the datapoints. */
export function PlacementView({
  placement,
  sites,
  now,
}: {
  placement: OpenadrPlacement
  sites: SiteNames
  now: number
}) {
  const { timeZone } = useOrganization()
  const { resourceName, payload, state, reason } = placement
  const target = targetName(placement, sites)
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={600} className={classes.wrap}>
          {format(texts.placementOf, { target, value: placedValue(placement) })}
        </Text>
        <Badge variant="light" color={PLACEMENT_COLORS[state]} radius="sm">
          {texts.placementStates[state]}
        </Badge>
        <Origin placement={placement} target={target} />
      </Group>
      <Text size="sm" className="figures">
        {describePeriod(placement, { timeZone, now })}
      </Text>
      <Text size="sm" c="dimmed" className={classes.wrap}>
        {format(texts.placementBy, { payload, resource: resourceName })}
      </Text>
      {reason !== null && (
        <Text size="sm" c={state === 'refused' || state === 'offline' ? 'var(--mantine-color-error)' : undefined}>
          {sentence(reason)}
        </Text>
      )}
      <Outcomes placement={placement} />
    </>
  )
}

/** A link to the dispatch or the limits that a placement is among. */
function Origin({ placement: { kind, siteId, dispatchId }, target }: { placement: OpenadrPlacement; target: string }) {
  const { orgId } = useOrganization()
  if (dispatchId === null) return null
  if (kind === 'setpoint') {
    return (
      <Link to={dispatchesPath(orgId, dispatchId)} size="sm" aria-label={format(texts.dispatchOf, { what: target })}>
        {texts.dispatch}
      </Link>
    )
  }
  if (siteId === null) return null
  return (
    <Link to={sitePath(orgId, siteId)} size="sm" aria-label={format(texts.limitsOf, { what: target })}>
      {texts.limits}
    </Link>
  )
}

function Outcomes({ placement: { kind, siteId, outcomes } }: { placement: OpenadrPlacement }) {
  const { orgId } = useOrganization()
  if (outcomes.length === 0) return null
  return (
    <ul className={classes.plain}>
      {outcomes.map((outcome) => {
        const { deviceId, datapointId } = outcome
        const text = describeOutcome(outcome, kind)
        return (
          <Text component="li" size="sm" key={`${deviceId} ${datapointId}`} className={classes.wrap}>
            {siteId === null ? (
              text
            ) : (
              <Link
                to={sitePath(orgId, siteId, `/devices/${deviceId}?datapoint=${encodeURIComponent(datapointId)}`)}
                inherit
              >
                {text}
              </Link>
            )}
          </Text>
        )
      })}
    </ul>
  )
}
