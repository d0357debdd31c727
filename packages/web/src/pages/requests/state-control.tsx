import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ShownTicket } from '@plantroom/client/tickets'
import { TICKET_STATES, type TicketState } from '@plantroom/contract/tickets'
import { useState } from 'react'
import { stateChange, states } from '../../texts/requests.ts'
import { StateDialog } from './state-dialog.tsx'
import { useChangeRequest } from './use-request.ts'

/** The states that a request can be given. Each is confirmed, with what it means beside the word. */
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
            notifications.show({ message: stateChange.changed(states[wanted]), color: 'green' })
          }}
        />
      )}
    </>
  )
}
