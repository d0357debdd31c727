import { Badge } from '@mantine/core'
import type { TicketState } from '@plantroom/contract/tickets'
import { requests, states } from '../../texts/requests.ts'

const COLOUR: Readonly<Record<TicketState, string>> = {
  new: 'blue',
  open: 'cyan',
  in_progress: 'violet',
  on_hold: 'orange',
  resolved: 'green',
  closed: 'gray.6',
  canceled: 'gray.6',
}

/** The word is on the plain background: it is as readable as any text, whatever the colour of the dot. */
export function StateBadge({ state, size = 'md' }: { state: TicketState; size?: 'md' | 'lg' }) {
  return (
    <Badge variant="dot" color={COLOUR[state]} size={size} tt="none" fw={600} style={{ flexShrink: 0 }}>
      {states[state]}
    </Badge>
  )
}

/** Only where there is one. */
export function HazardBadge({ hazard, size = 'md' }: { hazard: boolean | null; size?: 'md' | 'lg' }) {
  if (!hazard) return null
  return (
    <Badge variant="filled" color="red" size={size} tt="none" style={{ flexShrink: 0 }}>
      {requests.hazard}
    </Badge>
  )
}
