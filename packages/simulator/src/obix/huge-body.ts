import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

const CHUNK = Buffer.alloc(65_536, 'x')

/** An object of which no end is in sight: its first attribute alone is as long as that. It ends early when the client goes. */
export async function sendHugeBody(response: ServerResponse, bytes: number): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8' })
  response.write('<real xmlns="http://obix.org/ns/schema/1.0" display="')
  const closed = once(response, 'close')
  for (let sent = 0; sent < bytes && !response.destroyed; sent += CHUNK.length) {
    const taken = response.write(CHUNK)
    if (!taken && !response.destroyed) await Promise.race([once(response, 'drain'), closed])
  }
  if (!response.destroyed) response.end('" val="1"/>')
}
