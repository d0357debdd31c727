import type { Datapoint } from '@plantroom/contract/datapoint'
import type { ConnectionValues } from '@plantroom/contract/values'

/** An answer of the HTTP API, as a partner's own client sees it. */
export interface Answer<Data> {
  status: number
  contentType: string | null
  /** `data` with 200; else `message` and `code`. */
  body: { reqId: string; data: Data; message: string; code: string; field?: string }
}

export interface DatapointsPage {
  count: number
  datapoints: Datapoint[]
}

/** The commands of the contract, sent with plain `fetch`. */
export interface Partner {
  command<Data>(name: string, data: object, reqId?: string): Promise<Answer<Data>>
  datapoints(connectionId: string, page?: { limit?: number; offset?: number }): Promise<Answer<DatapointsPage>>
  values(connectionId: string): Promise<Answer<ConnectionValues>>
}

export interface PartnerOf {
  baseUrl: string
  apiKey: string
  orgId: string
  deviceId: string
}

/** `of` is asked at every command: the cloud may have been started anew. */
export function partner(of: () => PartnerOf): Partner {
  async function command<Data>(name: string, data: object, reqId?: string): Promise<Answer<Data>> {
    const { baseUrl, apiKey, orgId, deviceId } = of()
    const response = await fetch(`${baseUrl}/api/orgs/${orgId}/edge-device-admin/${deviceId}/cmd/${name}`, {
      method: 'POST',
      headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...(reqId && { reqId }), data }),
    })
    return {
      status: response.status,
      contentType: response.headers.get('content-type'),
      body: (await response.json()) as Answer<Data>['body'],
    }
  }
  return {
    command,
    datapoints: (connectionId, page = {}) => command('getTechnicalDataPoints', { connectionId, ...page }),
    values: (id) => command('getTechnicalConnectionValues', { id }),
  }
}
