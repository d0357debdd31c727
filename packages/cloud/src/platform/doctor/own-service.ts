import { X509Certificate } from 'node:crypto'
import { get } from 'node:http'
import { get as getSecurely } from 'node:https'
import { checkServerIdentity, getCACertificates } from 'node:tls'

const ANSWER_MS = 8_000
const LONGEST_BODY = 10_000

/** Who answers at an address: the expected installation, another one, or a program that is no Plantroom. */
export type Answerer = 'ours' | 'another Plantroom' | 'another program' | 'nothing'

interface Expected {
  /** The id of the installation; `undefined` if none of its processes has run yet. */
  instance: string | undefined
  /** The certificate of the service, which is for its public name and not for the address of the machine. */
  certificate?: Buffer | undefined
}

/** Asks who answers at the address of a service. Never rejects. */
export async function whoAnswers(url: string, { instance, certificate }: Expected): Promise<Answerer> {
  try {
    const found = instanceIn(await read(`${url}/healthz`, certificate))
    if (found === undefined) return 'another program'
    return found === instance ? 'ours' : 'another Plantroom'
  } catch (error) {
    return /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(
      String((error as { code?: string }).code),
    )
      ? 'nothing'
      : 'another program'
  }
}

/** The id in the answer of `/healthz`. A process that waits for its database for the first time has an empty one. */
export function instanceIn(body: unknown): string | undefined {
  const { status, instance } = (body ?? {}) as Record<string, unknown>
  return status === 'ok' && typeof instance === 'string' ? instance : undefined
}

/** Reads JSON from an address. Accepts a server that presents exactly this certificate, by whatever name. */
function read(url: string, certificate: Buffer | undefined): Promise<unknown> {
  const own = certificate && new X509Certificate(certificate)
  const options = { timeout: ANSWER_MS, agent: false as const }
  const pinned = own && {
    ca: [...getCACertificates('default'), own.toString()],
    allowPartialTrustChain: true,
    checkServerIdentity: (host: string, peer: Parameters<typeof checkServerIdentity>[1]) =>
      own.raw.equals(peer.raw) ? undefined : checkServerIdentity(host, peer),
  }
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? getSecurely(url, { ...options, ...pinned }) : get(url, options)
    request.once('timeout', () => request.destroy(Object.assign(new Error('no answer'), { code: 'SILENT' })))
    request.once('error', reject)
    request.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('error', reject)
      response.on('data', (part: string) => {
        text += part
        if (text.length > LONGEST_BODY) request.destroy(new Error('too long'))
      })
      response.once('end', () => {
        try {
          resolve(response.statusCode === 200 ? JSON.parse(text) : undefined)
        } catch (error) {
          reject(error as Error)
        }
      })
    })
  })
}
