import { Stack, Text } from '@mantine/core'
import type { FleetLimit, LimitOutcome } from '@plantroom/contract/fleet-limit'
import { useState } from 'react'
import { useAll } from '../../../api/use-all.ts'
import { describeCeiling } from '../../../parts/describe-ceiling.ts'
import { ErrorNotice } from '../../../parts/notices.tsx'
import { SmallButton } from '../../../parts/small-button.tsx'
import { joinFacts } from '../../../parts/value.ts'
import { dispatches } from '../../../texts/dispatches.ts'
import { format } from '../../../texts/format.ts'
import { powerLimits as texts } from '../../../texts/power-limits.ts'
import { countedShares, isShared } from './limit-content.ts'

const REFRESH_MS = 5000

/** The share of each controller, for a limit over several. */
export function LimitShares({ limit }: { limit: FleetLimit }) {
  const [isOpen, setOpen] = useState(false)
  if (!isShared(limit)) return null
  return (
    <>
      <SmallButton onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        {isOpen ? texts.hideShares : texts.showShares}
      </SmallButton>
      {isOpen && <Shares limit={limit} />}
    </>
  )
}

function Shares({ limit: { id, direction } }: { limit: FleetLimit }) {
  const outcomes = useAll('getLimit', { limitId: id, query: { limit: 1000 } }, (page) => page.outcomes, {
    refetchInterval: REFRESH_MS,
  })
  if (outcomes.error && !outcomes.data) return <ErrorNotice error={outcomes.error} retry={outcomes.refetch} />
  return (
    <Stack component="ul" gap={2} m={0} p={0} style={{ listStyle: 'none' }} aria-label={texts.shares}>
      {countedShares(outcomes.data ?? []).map((share) => (
        <Text component="li" size="sm" className="figures" key={share.reqId}>
          {joinFacts([
            format(texts.share, {
              controller: share.deviceName ?? share.deviceId,
              limit: describeCeiling({ direction, kw: share.kw }),
            }),
            outcomeOf(share),
            share.outcome !== 'accepted' && share.reason,
          ])}
        </Text>
      ))}
    </Stack>
  )
}

const outcomeOf = ({ isLost, outcome }: LimitOutcome) => (isLost ? texts.lost : dispatches.outcomes[outcome])
