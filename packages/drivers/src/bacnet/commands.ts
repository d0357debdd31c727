import { Failure } from '@plantroom/contract/failure'
import type { InCharge, WriteOptions } from '../driver.ts'
import { SERVICE } from './apdu.ts'
import type { BacnetPoint } from './config.ts'
import { type Device, isBusy, RANK } from './device.ts'
import { describeError, ERROR, objectText, PROPERTY, RESERVED_PRIORITIES } from './names.ts'
import { encodeWriteProperty } from './services.ts'
import { encodeValue, type Value } from './tags.ts'
import { decode } from './values.ts'

const NULL = encodeValue({ tag: 'null' })
const SLOTS = 16

/** What a release by NULL left at an object. */
export type Released =
  /** Our slot is empty. */
  | { kind: 'released' }
  /** The object has no priorities: NULL was not sent. */
  | { kind: 'not-commandable' }

/** Writes and releases points of one device at one priority. */
export class Commands {
  readonly #device: Device
  readonly #priority: number
  readonly #lastReleases: Map<BacnetPoint, symbol>

  /** @param lastReleases outlives the device: a setpoint that waited for it must not undo a release */
  constructor(device: Device, priority: number, lastReleases: Map<BacnetPoint, symbol>) {
    this.#device = device
    this.#priority = priority
    this.#lastReleases = lastReleases
  }

  async write(point: BacnetPoint, value: Uint8Array, options: WriteOptions, sent: () => void): Promise<void> {
    const { release = false, stillWanted = () => true } = options
    const isCurrent = this.#turnOf(point, release)
    const rank = release ? RANK.release : RANK.setpoint
    await this.#device.inTurn(
      rank,
      async () => {
        refuseUnwanted(isCurrent() && stillWanted())
        await this.#send(point, value, sent)
      },
      objectText(point.object),
    )
  }

  /** Empties our slot, and reads what the object then holds. Rejects with `rejected` if our value is still in the slot. */
  async release(point: BacnetPoint, stillWanted: () => boolean, sent: () => void): Promise<Released> {
    const isCurrent = this.#turnOf(point, true)
    const isWanted = () => isCurrent() && stillWanted()
    return this.#device.inTurn(
      RANK.release,
      async () => {
        refuseUnwanted(isWanted())
        const before = await this.#readSlots(point)
        if (before === 'not-commandable') return { kind: 'not-commandable' }
        refuseUnwanted(isWanted())
        await this.#send(point, NULL, sent)
        const slots = await this.#readSlots(point)
        // Its own answer is all that a device says that does not show its slots.
        if (slots !== 'not-commandable' && slots !== 'hidden') this.#refuseKept(point, slots)
        return { kind: 'released' }
      },
      objectText(point.object),
    )
  }

  /** Returns the slot that has the point; `undefined` when it is ours, and when all are empty. */
  async inCharge(point: BacnetPoint): Promise<InCharge | undefined> {
    const slots = await this.#device.inTurn(RANK.urgent, () => this.#readSlots(point))
    if (slots === 'not-commandable' || slots === 'hidden') return undefined
    const index = slots.findIndex(({ tag }) => tag !== 'null')
    const [value, priority, ours] = [slots[index], index + 1, this.#priority]
    if (!value || priority === ours) return undefined
    const whose = RESERVED_PRIORITIES.get(priority)
    const name = `priority ${priority}${whose ? ` (${whose})` : ''}`
    return { name, priority, ours, reading: decode(value), outranks: priority < ours }
  }

  #refuseKept(point: BacnetPoint, slots: readonly Value[]): void {
    if ((slots[this.#priority - 1]?.tag ?? 'null') === 'null') return
    const problem = `the device accepted NULL at priority ${this.#priority}, but its value is still there`
    throw new Failure('rejected', `${point.name}: ${problem}`)
  }

  /** Returns a function that says whether no release has overtaken this command. */
  #turnOf(point: BacnetPoint, release: boolean): () => boolean {
    if (release) this.#lastReleases.set(point, Symbol('release'))
    const lastRelease = this.#lastReleases.get(point)
    return () => this.#lastReleases.get(point) === lastRelease
  }

  async #readSlots({ object }: BacnetPoint): Promise<readonly Value[] | 'not-commandable' | 'hidden'> {
    const found = await this.#device.readProperty(object, PROPERTY['priority-array'])
    // Aborted, for example: the list is too long for a line of old devices.
    if ('refused' in found) return 'hidden'
    if ('values' in found) return found.values?.length === SLOTS ? found.values : 'hidden'
    if (found.error.code === ERROR.unknownProperty) return 'not-commandable'
    if (isBusy({ kind: 'error', code: found.error.code }))
      throw new Failure('offline', `the device ${describeError(found.error)}`)
    return 'hidden'
  }

  async #send(point: BacnetPoint, value: Uint8Array, sent: () => void): Promise<void> {
    const { object, property, name } = point
    const data = encodeWriteProperty({ object, property, value, priority: this.#priority })
    sent()
    const answer = await this.#device.exchange(SERVICE.writeProperty, data)
    if (!('refused' in answer)) return
    const { refused } = answer
    throw new Failure(isBusy(refused) ? 'offline' : 'rejected', `${name}: the device ${refused.text}`)
  }
}

function refuseUnwanted(isWanted: boolean): void {
  if (!isWanted) throw new Failure('conflict', 'the value is no longer wanted')
}
