import type { Datapoint } from '@plantroom/contract/datapoint'
import type { ConnectionValues } from '@plantroom/contract/values'

/** An answer of the HTTP API, as a partner's client sees it. */
export interface Answer<Data> {
  status: number
  contentType: string | null
  /** `data` with 200; otherwise `message` and `code`. */
  body: { reqId: string; data: Data; message: string; code: string; field?: string }
}

export interface DatapointsPage {
  count: number
  datapoints: Datapoint[]
}

/** A setpoint and its bounds, in milliseconds since 1970. */
export interface Setpoint {
  datapointId: string
  value: number
  from: number
  to: number
}

/** The commands of the contract, sent with plain `fetch`. */
export interface Partner {
  /** Sends a body unchanged, JSON or not. */
  post<Data>(name: string, body: string): Promise<Answer<Data>>
  command<Data>(name: string, data: object, reqId?: string): Promise<Answer<Data>>
  datapoints(connectionId: string, page?: { limit?: number; offset?: number }): Promise<Answer<DatapointsPage>>
  values(connectionId: string): Promise<Answer<ConnectionValues>>
  override(setpoint: Setpoint, reqId?: string): Promise<Answer<{ id: string }>>
  cancel(id: string, reqId?: string): Promise<Answer<{ success: boolean }>>
}

export interface PartnerOf {
  baseUrl: string
  apiKey: string
  orgId: string
  deviceId: string
}

/** Calls `of` for every command, because a restarted cloud may have another URL. */
export function partner(of: () => PartnerOf): Partner {
  async function post<Data>(name: string, body: string): Promise<Answer<Data>> {
    const { baseUrl, apiKey, orgId, deviceId } = of()
    const response = await fetch(`${baseUrl}/api/orgs/${orgId}/edge-device-admin/${deviceId}/cmd/${name}`, {
      method: 'POST',
      headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' },
      body,
    })
    return {
      status: response.status,
      contentType: response.headers.get('content-type'),
      body: (await response.json()) as Answer<Data>['body'],
    }
  }
  function command<Data>(name: string, data: object, reqId?: string): Promise<Answer<Data>> {
    return post(name, JSON.stringify({ ...(reqId && { reqId }), data }))
  }
  return {
    post,
    command,
    datapoints: (connectionId, page = {}) => command('getTechnicalDataPoints', { connectionId, ...page }),
    values: (id) => command('getTechnicalConnectionValues', { id }),
    override: ({ from, to, ...rest }, reqId) =>
      command('demandResponseOverride', { ...rest, from: iso(from), to: iso(to) }, reqId),
    cancel: (id, reqId) => command('demandResponseCancel', { id }, reqId),
  }
}

const iso = (ms: number) => new Date(ms).toISOString()
