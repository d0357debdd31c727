import { Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { FleetLimit } from '@plantroom/contract/fleet-limit'
import type { AveragingSeconds, Direction } from '@plantroom/contract/power-limit'
import { keepPreviousData } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useAll } from '../../../api/use-all.ts'
import { useChange, useOperation } from '../../../api/use-operation.ts'
import { useSite } from '../../../api/use-site.ts'
import { describeCeiling } from '../../../parts/describe-ceiling.ts'
import { periodOf } from '../../../parts/describe-hold.ts'
import { Confirm } from '../../../parts/dialogs.tsx'
import { ErrorNotice } from '../../../parts/notices.tsx'
import { SmallButton } from '../../../parts/small-button.tsx'
import { joinFacts } from '../../../parts/value.ts'
import { common } from '../../../texts/common.ts'
import { format } from '../../../texts/format.ts'
import { powerLimits as texts } from '../../../texts/power-limits.ts'
import type { LimitedDevice } from './limit-content.ts'
import { LimitShares } from './limit-shares.tsx'

const REFRESH_MS = 5000
/** Drawn at first, and with each *Show more*. Every limit that was refused asks for its reason. */
const PAGE = 20

/** The limits in force and queued. People who manage the site can release them. */
export function PlacedLimits({ limited, now }: { limited: readonly LimitedDevice[]; now: number }) {
  const { may } = useSite()
  return may('manager') ? <ReleasableLimits now={now} /> : <HeldLimits limited={limited} now={now} />
}

/** What the controllers hold, for people who only look. */
function HeldLimits({ limited, now }: { limited: readonly LimitedDevice[]; now: number }) {
  const held = limited.flatMap(({ state }) => state?.limits ?? [])
  if (held.length === 0) return null
  return (
    <Limits>
      {held.map((limit) => (
        <li key={`${limit.direction} ${limit.kw} ${limit.from} ${limit.to}`}>
          <LimitFacts limit={limit} by={limit.placedByName} now={now} />
        </li>
      ))}
    </Limits>
  )
}

function ReleasableLimits({ now }: { now: number }) {
  const { siteId } = useSite()
  const [most, setMost] = useState(PAGE)
  const limits = useAll('listLimits', { query: { siteId, active: 'true' } }, (page) => page.limits, {
    most: most + 1,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  })
  const [releasing, setReleasing] = useState<FleetLimit>()
  const release = useChange('releaseLimit', {
    onFresh() {
      if (releasing) notifications.show({ message: texts.released })
      setReleasing(undefined)
    },
  })
  if (limits.error && !limits.data) return <ErrorNotice error={limits.error} retry={limits.refetch} />
  if (!limits.data || limits.data.length === 0) return null
  return (
    <Limits>
      {limits.data.slice(0, most).map((limit) => (
        <li key={limit.id}>
          <Group gap="sm" justify="space-between" wrap="nowrap" align="flex-start">
            <div>
              <LimitFacts limit={limit} by={limit.placedBy.name} now={now} />
              <Outcome limit={limit} />
              <LimitShares limit={limit} />
            </div>
            {limit.state !== 'cancelled' && (
              <SmallButton
                flex="none"
                onClick={() => (isHeld(limit) ? setReleasing(limit) : release.mutate({ limitId: limit.id }))}
                aria-label={format(isHeld(limit) ? texts.releaseOf : texts.dismissOf, {
                  limit: describeCeiling(limit),
                })}
              >
                {isHeld(limit) ? texts.release : texts.dismiss}
              </SmallButton>
            )}
          </Group>
        </li>
      ))}
      {limits.data.length > most && (
        <li>
          <SmallButton onClick={() => setMost(most + PAGE)}>{common.more}</SmallButton>
        </li>
      )}
      <Confirm
        opened={releasing !== undefined}
        onClose={() => setReleasing(undefined)}
        title={texts.releaseTitle}
        action={texts.keep}
        mutation={release}
        onConfirm={() => releasing && release.mutate({ limitId: releasing.id })}
      >
        {releasing && <LimitFacts limit={releasing} by={releasing.placedBy.name} now={now} />}
        <Text size="sm">{texts.releaseHint}</Text>
      </Confirm>
    </Limits>
  )
}

/** Whether a controller has it, or may get it. One that was refused everywhere is only taken off the list. */
const isHeld = ({ counts, releasing }: FleetLimit) => counts.accepted + counts.pending + releasing > 0

const Limits = ({ children }: { children: ReactNode }) => (
  <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }} aria-label={texts.limits}>
    {children}
  </Stack>
)

interface ShownLimit {
  direction: Direction
  kw: number
  from: string
  to: string
  averagingSeconds: AveragingSeconds
  reason?: string | null
}

function LimitFacts({ limit, by, now }: { limit: ShownLimit; by: string | null; now: number }) {
  const { site } = useSite()
  return (
    <>
      <Text size="sm" className="figures">
        {format(texts.limitFact, {
          limit: describeCeiling(limit),
          ...periodOf(limit, { timeZone: site.timeZone, now }),
        })}
      </Text>
      <Text size="sm" c="dimmed">
        {joinFacts([
          texts.averagings[`${limit.averagingSeconds}`],
          by !== null && format(texts.placedBy, { name: by }),
          limit.reason,
        ])}
      </Text>
    </>
  )
}

const NOT_ACCEPTED = ['refused', 'offline', 'expired'] as const

/** Says what became of a limit that its controllers have not all accepted. */
function Outcome({ limit: { id, counts, releasing } }: { limit: FleetLimit }) {
  const failed = NOT_ACCEPTED.find((outcome) => counts[outcome] > 0)
  const { data } = useOperation(
    'getLimit',
    { limitId: id, query: { outcome: failed, limit: 1 } },
    { enabled: failed !== undefined, select: ({ outcomes }) => outcomes[0]?.reason },
  )
  if (failed) {
    return (
      <Text size="sm" c="var(--mantine-color-error)">
        {format(texts.becoming[failed], { reason: data ?? texts.noReason })}
      </Text>
    )
  }
  const waiting = counts.pending > 0 ? texts.becoming.pending : releasing > 0 && texts.releasing
  return waiting && <Text size="sm">{waiting}</Text>
}
