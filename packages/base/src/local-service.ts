import { randomUUID, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import tls from 'node:tls'

/**
 * Describes a running cloud to programs on its machine that may read its data folder. Only the process itself knows where it
 * listens: its settings may come from a unit, a file or the environment, and the system may have chosen the port.
 */
export interface LocalService {
  /** The address for programs on this machine. */
  url: string
  /** The id of the installation, which all its processes share. */
  instance: string
  /** Accepted from operators until the process ends. */
  token: string
  /** The certificate that it presents at this address, in PEM form. */
  certificate: string | null
}

const FILE = 'service.json'
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/

/** Writes it into the data folder for the owner of the folder and for root. */
export async function writeLocalService(folder: string, service: LocalService): Promise<void> {
  const temporary = join(folder, `${FILE}.${randomUUID()}`)
  try {
    await writeFile(temporary, `${JSON.stringify(service)}\n`, { mode: 0o600 })
    await rename(temporary, join(folder, FILE))
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Reads what the last cloud process of a data folder wrote; `undefined` if there is nothing that this user may read. */
export function readLocalService(folder: string): LocalService | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(join(folder, FILE), 'utf8'))
    return isLocalService(read) ? read : undefined
  } catch {
    return undefined
  }
}

function isLocalService(value: unknown): value is LocalService {
  const { url, instance, token, certificate } = (value ?? {}) as Record<string, unknown>
  const isText = [url, instance, token].every((one) => typeof one === 'string')
  return isText && URL.canParse(String(url)) && (certificate === null || typeof certificate === 'string')
}

/** A host that programs on this machine can connect to, even when the server listens on all interfaces. */
export function hostInUrl(host: string): string {
  if (isEveryInterface(host)) return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** True for a host that stands for all interfaces of the machine, and is no address to connect to. */
export const isEveryInterface = (host: string) => host === '0.0.0.0' || host === '::'

/**
 * Lets this process accept a server that presents exactly this certificate, whoever issued it and whatever name it is for:
 * on its own machine, the service is reached by an address that the certificate does not have. Other servers are checked as
 * always.
 */
export function trustCertificate(pem: string): void {
  const [own] = PEM.exec(pem) ?? []
  if (own === undefined) return
  const { raw } = new X509Certificate(own)
  tls.setDefaultCACertificates([...tls.getCACertificates(), own])
  const { connect, checkServerIdentity } = tls
  tls.checkServerIdentity = (host, peer) => (raw.equals(peer.raw) ? undefined : checkServerIdentity(host, peer))
  // Without this, a certificate of an authority that this machine does not know would not be trusted alone.
  const trusting = (options: tls.ConnectionOptions, ...rest: []) =>
    connect({ allowPartialTrustChain: true, ...options }, ...rest)
  tls.connect = ((first: unknown, ...rest: []) =>
    typeof first === 'object'
      ? trusting(first as tls.ConnectionOptions, ...rest)
      : connect(first as never, ...rest)) as typeof connect
}
