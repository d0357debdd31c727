import type { Command } from '@plantroom/contract/commands'
import type { Datapoint } from '@plantroom/contract/datapoint'
import type { ConnectionValues } from '@plantroom/contract/values'
import { createSend } from './http.ts'

const PAGE = 1000

/** A flexibility provider's view of one device. */
export interface PartnerClient {
  /** All datapoints of a connection, page by page. */
  datapoints(connectionId: string): Promise<Datapoint[]>
  values(connectionId: string): Promise<ConnectionValues>
}

export function createPartnerClient(options: {
  baseUrl: string
  apiKey: string
  orgId: string
  deviceId: string
}): PartnerClient {
  const { baseUrl, apiKey, orgId, deviceId } = options
  const send = createSend(baseUrl, { 'x-api-key': apiKey })
  const path = `/api/orgs/${encodeURIComponent(orgId)}/edge-device-admin/${encodeURIComponent(deviceId)}/cmd`

  async function call<Reply>(command: Command, data: object): Promise<Reply> {
    const reqId = crypto.randomUUID()
    const answer = await send<{ reqId: string; data: Reply }>('POST', `${path}/${command}`, { reqId, data })
    return answer.data
  }

  return {
    async datapoints(connectionId) {
      const found: Datapoint[] = []
      for (;;) {
        const page = { connectionId, limit: PAGE, offset: found.length }
        const { count, datapoints } = await call<{ count: number; datapoints: Datapoint[] }>(
          'getTechnicalDataPoints',
          page,
        )
        found.push(...datapoints)
        if (found.length >= count || datapoints.length === 0) return found
      }
    },
    values: (id) => call('getTechnicalConnectionValues', { id }),
  }
}
