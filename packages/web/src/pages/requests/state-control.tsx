import { Button, Menu, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ShownTicket } from '@plantroom/contract/api'
import { TICKET_STATES, type TicketState } from '@plantroom/contract/tickets'
import { useState } from 'react'
import { Confirm } from '../../parts/dialogs.tsx'
import { format } from '../../texts/format.ts'
import { consequences, stateChange, states } from '../../texts/requests.ts'
import { MAX_TEXT } from './new-request.ts'
import { asksForSummary, consequenceOf } from './state-change.ts'
import { useChangeRequest } from './use-requests.ts'

/** Changes the state of a request, after a confirmation that says what the state means. */
export function StateControl({ ticket }: { ticket: ShownTicket }) {
  const [wanted, setWanted] = useState<TicketState>()
  const change = useChangeRequest(ticket.number)

  function choose(state: TicketState) {
    change.reset()
    setWanted(state)
  }

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button>{stateChange.label}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {TICKET_STATES.filter((state) => state !== ticket.state).map((state) => (
            <Menu.Item key={state} onClick={() => choose(state)}>
              {states[state]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {wanted && (
        <StateDialog
          key={wanted}
          ticket={ticket}
          wanted={wanted}
          change={change}
          onClose={() => setWanted(undefined)}
          onDone={() => {
            setWanted(undefined)
            notifications.show({ message: format(stateChange.changed, { state: states[wanted] }), color: 'green' })
          }}
        />
      )}
    </>
  )
}

/** Confirms a state and asks for a summary when it ends the request. Keeps the text when it fails. */
function StateDialog({
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
  const consequence = consequenceOf(ticket.state, wanted)
  const tooLong = summary.length > MAX_TEXT && summary !== before

  function confirm() {
    if (tooLong || change.isPending) return
    const summaryChange = asks && summary !== before && { resolutionSummary: summary.trim() === '' ? null : summary }
    change.mutate({ state: wanted, ...summaryChange, before: { state: ticket.state } }, { onSuccess: onDone })
  }

  return (
    <Confirm
      opened
      onClose={onClose}
      title={format(stateChange.title, { state: states[wanted] })}
      action={format(stateChange.action, { state: states[wanted] })}
      color={wanted === 'canceled' ? 'red' : 'cyan'}
      mutation={change}
      onConfirm={confirm}
    >
      <Text>
        {consequence && `${consequences[consequence]} `}
        {stateChange.nobodyMailed}
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
