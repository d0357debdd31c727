import type { Hold, LiveDevice } from '@plantroom/contract/control-state'
import type { Stack } from './stack.ts'

/** Returns the control state of the controller as a key sees it: the first event of the console's stream. */
export async function controlState({
  cloud,
  orgId,
  deviceId,
  apiKey,
}: Pick<Stack, 'cloud' | 'orgId' | 'deviceId' | 'apiKey'>): Promise<LiveDevice> {
  const stop = new AbortController()
  const url = `${cloud.ready.baseUrl}/api/orgs/${orgId}/devices/${deviceId}/live`
  const response = await fetch(url, { headers: { 'X-Api-Key': apiKey }, signal: stop.signal })
  let text = ''
  try {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      const [, state] = /event: state\ndata: (.*)\n/.exec(text) ?? []
      if (state !== undefined) return JSON.parse(state) as LiveDevice
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
