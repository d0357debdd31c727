import { ApiError, reach } from './http.ts'

/** One server-sent event, with its data parsed. */
export interface ServerEvent {
  name: string
  data: unknown
}

/**
 * Reads a stream of server-sent events until the reader stops or the service ends it. Rejects with an `ApiError`, or with
 * an `UnreachableError` if no reply arrived.
 */
export async function* readEvents(
  baseUrl: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): AsyncGenerator<ServerEvent, void> {
  const stop = new AbortController()
  const response = await reach(baseUrl, path, { headers, signal: stop.signal })
  if (!response.ok) throw new ApiError(response.status, (await response.json().catch(() => ({}))) as object)
  try {
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const [rest = '', ...complete] = (text + chunk).split('\n\n').reverse()
      for (const event of complete.reverse()) yield parseEvent(event)
      text = rest
    }
  } finally {
    stop.abort()
  }
}

/** Parses the lines of an event, as our service writes them: one `event:` and one `data:`. */
function parseEvent(text: string): ServerEvent {
  const lines = text.split('\n')
  const field = (name: string) => {
    const value = lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1)
    return value?.startsWith(' ') ? value.slice(1) : value
  }
  return { name: field('event') ?? 'message', data: JSON.parse(field('data') ?? 'null') }
}
