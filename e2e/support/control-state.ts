import type { Hold, KeyLiveDevice, LiveDevice } from '@plantroom/contract/control-state'
import type { Stack } from './stack.ts'

/** Returns the control state of the controller as the operator sees it: the first event of the console's stream. */
export function controlState(stack: Pick<Stack, 'cloud' | 'orgId' | 'deviceId'>): Promise<LiveDevice> {
  return readState(stack, { authorization: `Bearer ${stack.cloud.ready.adminToken}` })
}

/** The same as a key sees it. */
export function controlStateFor(
  apiKey: string,
  stack: Pick<Stack, 'cloud' | 'orgId' | 'deviceId'>,
): Promise<KeyLiveDevice> {
  return readState(stack, { 'x-api-key': apiKey })
}

async function readState<State>(
  { cloud, orgId, deviceId }: Pick<Stack, 'cloud' | 'orgId' | 'deviceId'>,
  headers: Record<string, string>,
): Promise<State> {
  const stop = new AbortController()
  const url = `${cloud.ready.baseUrl}/api/orgs/${orgId}/devices/${deviceId}/live`
  const response = await fetch(url, { headers, signal: stop.signal })
  let text = ''
  try {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      const [, state] = /event: state\ndata: (.*)\n/.exec(text) ?? []
      if (state !== undefined) return JSON.parse(state) as State
    }
  } finally {
    stop.abort()
  }
  throw new Error(`no state in: ${text}`)
}

/** Returns the hold on a datapoint; `undefined` if there is none. */
export async function holdOn(stack: Stack, datapointId: string): Promise<Hold | undefined> {
  return (await controlState(stack)).holds.find((hold) => hold.datapointId === datapointId)
}
