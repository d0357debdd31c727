import { Transform } from 'node:stream'
import { type Answered, BOUNDS, type Outgoing, type Transport } from '../../../platform/outbound/index.ts'
import { explainNetwork } from './explain-network.ts'
import { type SendOptions, type SentFile, type Target, TargetFailure, temporaryName } from './target.ts'

/** A folder on a WebDAV server. */
export function openWebdav(
  place: { url: string; user: string; password: string },
  { transport, group }: { transport: Transport; group: string },
): Target {
  const folder = new URL(place.url)
  const authorization = `Basic ${Buffer.from(`${place.user}:${place.password}`).toString('base64')}`
  const fileUrl = (name: string) => new URL(encodeURIComponent(name), folder)

  async function ask(
    method: string,
    url: URL,
    { signal, ...rest }: { signal: AbortSignal } & Partial<Pick<Outgoing, 'headers' | 'body'>>,
  ): Promise<Answered> {
    try {
      const headers = { authorization, ...rest.headers }
      return await transport.send(url, { method, signal, body: rest.body, headers, group, bounds: BOUNDS.webdav })
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw explainNetwork(error, folder.host)
    }
  }

  // Asked first: a refusal in the middle of a large body is often lost.
  async function requireFolder(signal: AbortSignal): Promise<void> {
    const answer = await ask('PROPFIND', folder, { signal, headers: { depth: '0', 'content-length': '0' } })
    if (answer.status !== 207) throw refused(answer, 'the folder', folder)
  }

  async function sizeOf(name: string, signal: AbortSignal): Promise<number | undefined> {
    const head = await ask('HEAD', fileUrl(name), { signal })
    const given = head.headers['content-length']
    if (head.status === 200 && given !== undefined) return Number(given)
    const found = await ask('PROPFIND', fileUrl(name), { signal, headers: { depth: '0', 'content-length': '0' } })
    if (found.status !== 207) return undefined
    const size = /getcontentlength[^<>]{0,100}>\s*(\d+)\s*</i.exec(found.body.toString('utf8'))?.[1]
    return size === undefined ? undefined : Number(size)
  }

  async function requireSize(name: string, size: number, signal: AbortSignal): Promise<void> {
    const stored = await sizeOf(name, signal)
    if (stored === size) return
    const has = stored === undefined ? 'does not have the file' : `has ${stored} bytes`
    throw new TargetFailure(
      `${folder.host} ${has} after an upload of ${size} bytes that it confirmed: check its disk space and its log`,
    )
  }

  const remove = async (name: string, signal: AbortSignal) => {
    const answer = await ask('DELETE', fileUrl(name), { signal })
    if (!isDone(answer) && answer.status !== 404) throw refused(answer, 'deleting a file', folder)
  }

  async function send(temporary: string, file: SentFile, { signal, progress }: SendOptions): Promise<void> {
    const source = await file.open()
    const counted = new Transform({
      transform(chunk, _encoding, done) {
        progress()
        done(null, chunk)
      },
    })
    source.on('error', (error) => counted.destroy(error))
    counted.on('close', () => source.destroy())
    const headers = { 'content-length': String(file.size), 'content-type': 'application/zip' }
    const answer = await ask('PUT', fileUrl(temporary), { signal, headers, body: source.pipe(counted) })
    if (!isDone(answer)) throw refused(answer, 'writing a file', folder)
  }

  return {
    async put(name, file, options) {
      const { signal, attempt } = options
      const temporary = temporaryName(name, attempt)
      await requireFolder(signal)
      // A worker that died left its part behind.
      await remove(temporaryName(name, attempt - 1), signal).catch(() => {})
      try {
        await send(temporary, file, options)
        await requireSize(temporary, file.size, signal)
        const destination = { destination: fileUrl(name).href, overwrite: 'T', 'content-length': '0' }
        const moved = await ask('MOVE', fileUrl(temporary), { signal, headers: destination })
        if (!isDone(moved)) throw refused(moved, 'renaming a file', folder)
        await requireSize(name, file.size, signal)
      } catch (error) {
        if (!signal.aborted) await remove(temporary, signal).catch(() => {})
        throw error
      }
    },

    async read(name, signal) {
      const answer = await ask('GET', fileUrl(name), { signal })
      if (answer.status !== 200) throw refused(answer, 'reading a file', folder)
      return answer.body
    },

    remove,
    close() {},
  }
}

// 207 would list parts that failed.
const isDone = ({ status }: Answered) => status >= 200 && status <= 299 && status !== 207

function refused({ status }: Answered, what: string, { host }: URL): TargetFailure {
  const because = (reason: string) => new TargetFailure(`${host} answered ${status} to ${what}: ${reason}`)
  if (status === 401) return because('the user or the password is wrong')
  if (status === 403) return because('the user may not do this in this folder')
  if (status === 404 || status === 409) return because('the folder does not exist; create it, or correct the address')
  if (status === 405 || status === 501) return because('this is not a WebDAV folder, or it is read-only')
  if (status === 413) return because('the server does not take files of this size')
  if (status === 423) return because('the file is locked')
  if (status === 507) return because('the server has no space left')
  if (status >= 300 && status <= 399) return because('redirects are not followed; enter the address that it leads to')
  return because('try again, and check the log of the server')
}
