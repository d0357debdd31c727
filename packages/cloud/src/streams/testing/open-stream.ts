import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { onTestFinished } from 'vitest'

export interface OpenStream {
  request: ClientRequest
  response: IncomingMessage
  /** All that has come. */
  text(): string
  /** The events that have come, whole ones only. */
  events(): { event: string; data: unknown }[]
}

/** A reader of server-sent events; one that outlives the running test goes with it. */
export async function openStream(url: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const asked = request(url, { headers, agent: false }).end()
  asked.on('error', () => {})
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  let text = ''
  response.on('data', (chunk: Buffer) => {
    text += chunk
  })
  onTestFinished(() => void asked.destroy())
  const events = () =>
    [...text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)].map(([, event = '', data = '']) => ({
      event,
      data: JSON.parse(data) as unknown,
    }))
  return { request: asked, response, text: () => text, events }
}
