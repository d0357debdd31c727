import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { onTestFinished } from 'vitest'

interface OpenStream {
  request: ClientRequest
  response: IncomingMessage
  /** Everything received so far. */
  text(): string
  /** The complete events received so far, without those that only say that the service is alive. */
  events(): { event: string; data: unknown }[]
}

/** Opens a reader of server-sent events, which closes when the test ends. */
export async function openStream(url: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const sent = request(url, { headers, agent: false }).end()
  sent.on('error', () => {})
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  let text = ''
  response.on('data', (chunk: Buffer) => {
    text += chunk
  })
  onTestFinished(() => void sent.destroy())
  const events = () =>
    [...text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)]
      .map(([, event = '', data = '']) => ({ event, data: JSON.parse(data) as unknown }))
      .filter(({ event }) => event !== 'alive')
  return { request: sent, response, text: () => text, events }
}
