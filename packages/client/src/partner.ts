import type { PublicCommand } from '@plantroom/contract/commands'
import type { Datapoint } from '@plantroom/contract/datapoint'
import type { ConnectionValues } from '@plantroom/contract/values'
import {
  createHistory,
  type MeasurementPage,
  type MeasurementRange,
  type ReportFilters,
  type ReportPage,
} from './history.ts'
import { type Send, sendWithKey } from './http.ts'

const PAGE = 1000

/** A setpoint for one datapoint, in engineering units, from and to as RFC 3339 times. */
export interface Override {
  datapointId: string
  value: number
  from: string
  to: string
  /** A UUID. Whoever wants to send the same override again after a 502 gives one, and gives it again: it is placed once. */
  reqId?: string | undefined
}

/** What one device can be asked. */
export interface Commands {
  /** All datapoints of a connection, page by page. */
  datapoints(connectionId: string): Promise<Datapoint[]>
  values(connectionId: string): Promise<ConnectionValues>
  /** Places a window; `id` is needed to cancel it. The value goes to the equipment as it is: clamping is the caller's. */
  override(override: Override): Promise<{ id: string; reqId: string }>
  /** Ends a window. Safe to repeat: one that has ended or was cancelled before is a success too. */
  cancel(id: string, reqId?: string): Promise<{ success: boolean; reqId: string }>
}

/** A flexibility provider's view of one device. */
export interface PartnerClient extends Commands {
  /** What was done to the datapoints that the key reaches, of this device where `filters` names no other. */
  reports(filters?: ReportFilters): Promise<ReportPage>
  measurements(datapointId: string, range?: MeasurementRange): Promise<MeasurementPage>
}

export function createPartnerClient(options: {
  baseUrl: string
  apiKey: string
  orgId: string
  deviceId: string
}): PartnerClient {
  const { baseUrl, apiKey, orgId, deviceId } = options
  const send = sendWithKey(baseUrl, apiKey)
  const history = createHistory(send)
  return {
    ...createCommands(send, { orgId, deviceId }),
    reports: (filters) => history.reports(orgId, { ...filters, deviceId: filters?.deviceId ?? deviceId }),
    measurements: (datapointId, range) => history.measurements(orgId, deviceId, datapointId, range),
  }
}

/** The commands of a device, for whoever `send` speaks for. */
export function createCommands(send: Send, { orgId, deviceId }: { orgId: string; deviceId: string }): Commands {
  const path = `/api/orgs/${encodeURIComponent(orgId)}/edge-device-admin/${encodeURIComponent(deviceId)}/cmd`

  async function call<Reply>(
    command: PublicCommand,
    data: object,
    reqId: string = crypto.randomUUID(),
  ): Promise<Reply> {
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
    async override({ reqId = crypto.randomUUID(), datapointId, value, from, to }) {
      const { id } = await call<{ id: string }>('demandResponseOverride', { datapointId, value, from, to }, reqId)
      return { id, reqId }
    },
    async cancel(id, reqId = crypto.randomUUID()) {
      const { success } = await call<{ success: boolean }>('demandResponseCancel', { id }, reqId)
      return { success, reqId }
    },
  }
}
