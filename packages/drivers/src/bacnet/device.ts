import { Failure } from '@plantroom/contract/failure'
import type { DriverListener } from '../driver.ts'
import type { Queue } from '../queue.ts'
import type { ApduLength } from './apdu.ts'
import { SERVICE } from './apdu.ts'
import { type Answer, type Client, type Refusal, Unanswered } from './client.ts'
import { ABORT, DEVICE, ERROR, PROPERTY, REJECT } from './names.ts'
import { encodeReadProperty, type Found, readPropertyAck } from './services.ts'
import { ANY_INSTANCE, Malformed, type ObjectId } from './tags.ts'

/** The order of queued requests: the lowest rank goes first. */
export const RANK = { release: 0, setpoint: 1, urgent: 2, poll: 3, scan: 4 } as const
export type Rank = (typeof RANK)[keyof typeof RANK]

export interface DeviceDeps {
  client: Client
  inTurn: Queue
  listener: DriverListener | undefined
  signal: AbortSignal
  timeoutMs: number
  retries: number
  maxApdu: ApduLength
}

/** Another device than the commissioned one answers. */
export class OtherDevice extends Failure {}

/** A device while the connection to it is open. It gets one request at a time. */
export class Device {
  readonly #deps: DeviceDeps
  /** The longest message that it takes. */
  maxApdu: number
  /** Whether it may know ReadPropertyMultiple. */
  readsMultiple = true
  /** How many properties it is asked for at once, at most. */
  maxBatch = Number.POSITIVE_INFINITY

  constructor(deps: DeviceDeps) {
    this.#deps = deps
    this.maxApdu = deps.maxApdu
  }

  get name(): string {
    return this.#deps.client.name
  }

  /** Runs `work`, which may exchange several requests, when its turn comes. */
  inTurn<Result>(rank: Rank, work: () => Promise<Result>, key?: string): Promise<Result> {
    return this.#deps.inTurn(work, rank, key)
  }

  /** Sends a request now. Rejects with `Unanswered` when no answer came. */
  exchange(service: number, data: Uint8Array): Promise<Answer> {
    const { client, signal, listener, timeoutMs, maxApdu } = this.#deps
    return client.request({ service, data, timeoutMs, maxApdu }, signal, listener)
  }

  /** Sends a request that changes nothing, and sends it again if no answer came. */
  async question(service: number, data: Uint8Array): Promise<Answer> {
    for (let left = this.#deps.retries; ; left -= 1) {
      try {
        return await this.exchange(service, data)
      } catch (error) {
        if (!(error instanceof Unanswered) || left === 0) throw error
      }
    }
  }

  /** Reads one property now, or one element of its list: 0 is how many there are. */
  async readProperty(object: ObjectId, property: number, index?: number): Promise<Found | { refused: Refusal }> {
    const answer = await this.question(SERVICE.readProperty, encodeReadProperty(object, property, index))
    if ('refused' in answer) {
      const { kind, errorClass, code } = answer.refused
      return kind === 'error' ? { error: { errorClass, code } } : answer
    }
    try {
      return readPropertyAck(answer.data, object, property)
    } catch (error) {
      if (error instanceof Malformed) throw new Unanswered('offline', `the answer of ${this.name} ${error.message}`)
      throw error
    }
  }

  /** Reads a property of the device itself, whatever its instance. */
  async #readOwn(property: keyof typeof PROPERTY, instance: number) {
    const found = await this.readProperty({ type: DEVICE, instance }, PROPERTY[property])
    return 'values' in found ? found.values?.[0] : undefined
  }

  /**
   * Learns what the device can do. Rejects with `offline` if it does not answer, or if it is not the device with this
   * instance.
   */
  async identify(expected: number | undefined): Promise<void> {
    await this.learnLimits(await this.findInstance(expected))
  }

  /** Returns which device this is. Rejects with `offline` if it is not the expected one. */
  async findInstance(expected: number | undefined): Promise<number | undefined> {
    // Some old devices do not know the instance that stands for any.
    const id = (await this.#readOwn('object-identifier', ANY_INSTANCE)) ?? (await this.#readOwnOf(expected))
    const instance = id?.tag === 'object' ? id.value.instance : undefined
    if (expected !== undefined && instance !== expected) throw this.otherDevice(expected, instance)
    return instance
  }

  async learnLimits(instance: number | undefined): Promise<void> {
    const max = await this.#readOwn('max-apdu-length-accepted', instance ?? ANY_INSTANCE)
    if (max?.tag === 'unsigned' && max.value >= 50) this.maxApdu = Math.min(this.#deps.maxApdu, max.value)
  }

  async #readOwnOf(instance: number | undefined) {
    return instance === undefined ? undefined : this.#readOwn('object-identifier', instance)
  }

  otherDevice(expected: number, found: number | undefined): OtherDevice {
    const who = found === undefined ? 'a device that does not say which one' : `device ${found}`
    return new OtherDevice(
      'offline',
      `${this.name} is ${who}, not device ${expected}: correct host or deviceInstance in the commissioning file`,
    )
  }
}

/** The answer would be too long for one message, or the request is. */
export const isTooLong = ({ kind, code }: Refusal) =>
  kind === 'abort'
    ? code === ABORT.segmentationNotSupported || code === ABORT.bufferOverflow || code === ABORT.apduTooLong
    : kind === 'reject' && (code === REJECT.bufferOverflow || code === REJECT.tooManyArguments)

export const isUnknownService = ({ kind, code }: Refusal) => kind === 'reject' && code === REJECT.unrecognizedService

const BUSY_ERRORS: readonly number[] = [
  ERROR.configurationInProgress,
  ERROR.deviceBusy,
  ERROR.timeout,
  ERROR.busy,
  ERROR.communicationDisabled,
  ERROR.outOfMemory,
  ERROR.operationalProblem,
]

/** The device may do the same thing later. */
export function isBusy({ kind, code }: Pick<Refusal, 'kind' | 'code'>): boolean {
  if (kind === 'error') return BUSY_ERRORS.includes(code)
  return kind === 'abort' && !isTooLong({ kind, code, errorClass: 0, text: '' })
}
