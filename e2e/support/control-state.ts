import type { Hold, LiveDevice } from '@plantroom/contract/control-state'
import type { Stack } from './stack.ts'

/** What the console would show of the device now: the first event of its stream. */
async function controlState({ cloud, orgId, deviceId, apiKey }: Stack): Promise<LiveDevice> {
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

/** The hold on a datapoint; `undefined` where there is none. */
export async function holdOn(stack: Stack, datapointId: string): Promise<Hold | undefined> {
  return (await controlState(stack)).holds.find((hold) => hold.datapointId === datapointId)
}
