import { Text, Textarea } from '@mantine/core'
import type { ShownTicket } from '@plantroom/client/tickets'
import type { TicketState } from '@plantroom/contract/tickets'
import { useState } from 'react'
import { Confirm } from '../../parts/confirm.tsx'
import { consequences, stateChange, states } from '../../texts/requests.ts'
import { MAX_WRITTEN } from './new-request.ts'
import { asksForSummary, consequenceOf } from './state-change.ts'
import type { useChangeRequest } from './use-request.ts'

/** Says what the state means, and asks what came of a request that ends. Stays open, with what was typed, when it fails. */
export function StateDialog({
  ticket,
  wanted,
  change,
  onClose,
  onDone,
}: {
  ticket: ShownTicket
  wanted: TicketState
  change: ReturnType<typeof useChangeRequest>
  onClose: () => void
  onDone: () => void
}) {
  const before = ticket.resolutionSummary ?? ''
  const [summary, setSummary] = useState(before)
  const asks = asksForSummary(ticket.state, wanted)
  const tooLong = summary.length > MAX_WRITTEN && summary !== before

  function confirm() {
    if (tooLong || change.isPending) return
    const said = asks && summary !== before && { resolutionSummary: summary.trim() === '' ? null : summary }
    change.mutate({ state: wanted, ...said }, { onSuccess: onDone })
  }

  return (
    <Confirm
      opened
      onClose={onClose}
      title={stateChange.title(states[wanted])}
      action={stateChange.action(states[wanted])}
      color={wanted === 'canceled' ? 'red' : 'cyan'}
      mutation={change}
      onConfirm={confirm}
    >
      <Text>
        {consequences[consequenceOf(ticket.state, wanted)]} {stateChange.nobodyMailed}
      </Text>
      {asks && (
        <Textarea
          label={stateChange.summary}
          description={stateChange.summaryHint}
          value={summary}
          onChange={({ currentTarget }) => setSummary(currentTarget.value)}
          error={tooLong && stateChange.longSummary}
          autosize
          minRows={3}
          maxRows={12}
          data-autofocus
        />
      )}
    </Confirm>
  )
}
