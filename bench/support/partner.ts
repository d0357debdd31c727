import type { PublicCommand } from '@plantroom/contract/commands'
import { commandRequest, type Demo, dispatchBody, type Setpoint } from './demo.ts'
import { openConnection, requestBytes } from './http.ts'

/** The service closes connections that are idle for longer. */
const IDLE_MS = 5_000

/** A caller that sends one command after the other over one connection, with little overhead. */
export interface LeanPartner {
  values(connectionId: string): Promise<void>
  /** Resolves with the id of the override. */
  dispatch(setpoint: Setpoint): Promise<string>
  cancel(id: string): Promise<void>
  close(): void
}

export async function openPartner(demo: Demo): Promise<LeanPartner> {
  const open = () => openConnection(commandRequest(demo, 'demandResponseOverride', ''))
  let connection = await open()
  let usedAt = performance.now()
  async function send(command: PublicCommand, body: string): Promise<string> {
    if (performance.now() - usedAt > IDLE_MS) {
      connection.close()
      connection = await open()
    }
    const answer = await connection.exchange(requestBytes(commandRequest(demo, command, body))())
    usedAt = performance.now()
    return answer
  }
  const asBody = (data: object) => JSON.stringify({ reqId: crypto.randomUUID(), data })

  return {
    async values(id) {
      await send('getTechnicalConnectionValues', asBody({ id }))
    },
    async dispatch(setpoint) {
      const { data } = JSON.parse(await send('demandResponseOverride', dispatchBody(setpoint)))
      return data.id
    },
    async cancel(id) {
      await send('demandResponseCancel', asBody({ id }))
    },
    close: () => connection.close(),
  }
}
