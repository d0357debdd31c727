import type { VtnVersion } from './vtn-schemas.ts'

export interface VtnDoubleOptions {
  readonly version: VtnVersion
  /** Of 3.1: what the body of a resource must look like. */
  readonly patch?: 0 | 1
  /** The path of the base URL, for example `/tenants/7/openadr3`. */
  readonly path?: string
  readonly clientId?: string
  readonly clientSecret?: string
  /** Required of a request for a token, when given. */
  readonly scope?: string
  readonly audience?: string
  readonly now?: () => number
  /** Called with the topic of each change: a test publishes it at a broker. */
  readonly publish?: (topic: string, notification: unknown) => void
  /** The address of that broker, which `/notifiers` names. */
  readonly mqttUrl?: string
}
