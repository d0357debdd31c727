import { AsyncLocalStorage } from 'node:async_hooks'
import { hostInUrl, isEveryInterface } from '@plantroom/base/local-service'
import { isPlainToAnotherMachine } from '@plantroom/contract/broker-url'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CloudConfig } from '../config.ts'

/** Starts listening and returns the port, which the system chooses when it is configured as 0. */
export async function listen(app: FastifyInstance, { host, port }: CloudConfig): Promise<number> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Failure(
      'unavailable',
      `port ${port} on ${host} is taken: stop the program that uses it or set PLANTROOM_PORT (0 picks a free one)`,
    )
  }
  return boundPort(app)
}

/**
 * Returns a function with the address of this service. It throws until the server listens, because the system may choose
 * the port, and stays valid while the server closes.
 */
export function createBaseUrl(app: FastifyInstance, config: CloudConfig): () => string {
  let url = config.publicUrl
  return () => {
    url ??= localUrl(config, boundPort(app))
    return url
  }
}

/**
 * Returns a function with the address of this service as the caller of the current request reached it: for addresses that
 * only the caller gets, such as that of an upload. Never use it in mail, where a caller would choose the address that
 * another person opens.
 */
export function createCallerUrl(app: FastifyInstance, config: CloudConfig, baseUrl: () => string): () => string {
  if (config.publicUrl !== undefined) return baseUrl
  const requests = new AsyncLocalStorage<FastifyRequest>()
  app.addHook('onRequest', (request, _reply, done) => requests.run(request, done))
  return () => {
    const request = requests.getStore()
    const url = request && `${request.protocol}://${request.host}`
    return (url !== undefined && URL.parse(url)?.origin) || baseUrl()
  }
}

/** The address of this service for other machines; `undefined` when the settings do not say it. */
export function knownAddress({ publicUrl, host, port, tls }: CloudConfig): string | undefined {
  if (publicUrl !== undefined) return publicUrl
  if (isEveryInterface(host) || port === 0) return undefined
  return localUrl({ host, tls }, port)
}

/** The address of a service with these settings for programs on its machine. */
export const localUrl = ({ host, tls }: Pick<CloudConfig, 'host' | 'tls'>, port: number) =>
  `${tls ? 'https' : 'http'}://${hostInUrl(host)}:${port}`

/** Warnings for the operator about who can reach this service or read its traffic. */
export function exposureWarnings(config: CloudConfig): string[] {
  const warnings: string[] = []
  if (['127.0.0.1', '::1', 'localhost'].includes(config.host)) {
    warnings.push('only this machine can reach the service; set PLANTROOM_HOST to allow others')
  } else if (!config.tls) {
    warnings.push(
      'keys and passwords travel unencrypted: set PLANTROOM_TLS_CERT and PLANTROOM_TLS_KEY, or put a proxy with TLS in front',
    )
  }
  if (config.publicUrl === undefined && isEveryInterface(config.host)) {
    warnings.push(
      'links in invitations and mail name 127.0.0.1, which other machines cannot open: set PLANTROOM_PUBLIC_URL to the address that people open',
    )
  }
  if (config.mqttUrl !== undefined && isPlainToAnotherMachine(config.mqttUrl)) {
    warnings.push('MQTT_URL is not encrypted: others on the network can read and send setpoints')
  }
  return warnings
}

function boundPort(app: FastifyInstance): number {
  const address = app.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen yet')
  return address.port
}
