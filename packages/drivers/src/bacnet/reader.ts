import type { Clock } from '@plantroom/base/clock'
import type { Reading } from '../driver.ts'
import { createSilentAddresses, type SilentAddresses } from '../silent-addresses.ts'
import { SERVICE } from './apdu.ts'
import { type Answer, Unanswered } from './client.ts'
import type { BacnetPoint } from './config.ts'
import { type Device, isBusy, isTooLong, isUnknownService, RANK, type Rank } from './device.ts'
import { DEVICE, objectText, PROPERTY, reliabilityText } from './names.ts'
import { encodeReadMultiple, type Found, type Query, readMultipleAck, sameObject } from './services.ts'
import { ANY_INSTANCE, Malformed } from './tags.ts'
import { isFaulty, type Properties, propertiesOf, toReading } from './values.ts'

export type Outcome = { properties: Properties } | { error: string }

/** Lengths of parts of requests and answers, from the header to the values of numbers. */
const HEADER = 16
const OBJECT_IN_ANSWER = 8
const PROPERTY_IN_ANSWER = 9

/** Reads points of one device, many with each request where it can. */
export class Reader {
  readonly #device: Device
  readonly #silent: SilentAddresses
  /** The instance that the device must have. */
  readonly #instance: number | undefined
  /** Points whose unit and states were seen to be the commissioned ones. */
  readonly #checked = new Set<BacnetPoint>()
  /** Objects for which a request failed as a whole. They are asked alone. */
  readonly #alone = new Set<string>()

  constructor(device: Device, instance: number | undefined, clock: Clock) {
    this.#device = device
    this.#instance = instance
    this.#silent = createSilentAddresses(clock)
  }

  /** Rejects with `offline` if the device does not answer at all, or is another one. */
  async read(points: readonly BacnetPoint[], rank: Rank): Promise<ReadonlyMap<BacnetPoint, Reading>> {
    const queries = points.map((point) => ({
      object: point.object,
      properties: propertiesOf(point, this.#checked.has(point)),
    }))
    const identity = { object: { type: DEVICE, instance: this.#instance ?? ANY_INSTANCE }, properties: [IDENTIFIER] }
    const isIdentified = this.#instance !== undefined && rank === RANK.poll && points.length > 0
    const outcomes = await this.#readQueries(isIdentified ? [identity, ...queries] : queries, rank)
    if (isIdentified) this.#checkIdentity(outcomes.get(identity))

    const readings = new Map<BacnetPoint, Reading>()
    for (const [index, point] of points.entries()) {
      const query = queries[index]
      const outcome = query && outcomes.get(query)
      if (outcome) readings.set(point, await this.#toReading(point, outcome, rank))
    }
    return readings
  }

  /** Reads these properties, in the order of the queries. Rejects with `offline` if the device does not answer at all. */
  async readProperties(queries: readonly Query[], rank: Rank): Promise<readonly Outcome[]> {
    const outcomes = await this.#readQueries(queries, rank)
    return queries.map((query) => outcomes.get(query) ?? { error: 'not read' })
  }

  /** Makes sure that the device is still there, when nothing else asks it. */
  check(): Promise<void> {
    return this.#device.inTurn(RANK.poll, () => this.#ping())
  }

  #checkIdentity(outcome: Outcome | undefined): void {
    const expected = this.#instance
    if (!outcome || 'error' in outcome || expected === undefined) return
    const found = outcome.properties.get(IDENTIFIER)
    if (!found) return
    const [id] = 'values' in found ? (found.values ?? []) : []
    const instance = id?.tag === 'object' ? id.value.instance : undefined
    if (instance !== expected) throw this.#device.otherDevice(expected, instance)
  }

  async #toReading(point: BacnetPoint, outcome: Outcome, rank: Rank): Promise<Reading> {
    if ('error' in outcome) return outcome
    const { properties } = outcome
    const isFault = point.values !== undefined && isFaulty(properties)
    const reading = toReading(point, properties, isFault ? await this.#readFault(point, rank) : '')
    // A point whose unit or states are wrong is compared each time.
    if ('raw' in reading) this.#checked.add(point)
    return reading
  }

  async #readFault({ object }: BacnetPoint, rank: Rank): Promise<string> {
    const found = await this.#device.inTurn(rank, () => this.#device.readProperty(object, PROPERTY.reliability))
    const [value] = 'values' in found ? (found.values ?? []) : []
    return value?.tag === 'enumerated' ? String(reliabilityText(value.value)).replaceAll('-', ' ') : ''
  }

  async #readQueries(queries: readonly Query[], rank: Rank): Promise<ReadonlyMap<Query, Outcome>> {
    const outcomes = new Map<Query, Outcome>()
    const state = { isAlive: false }
    const waiting = this.#batchesOf(queries, outcomes)
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const parts = await this.#readBatch(batch, rank, outcomes, state)
      waiting.unshift(...parts)
    }
    return outcomes
  }

  #batchesOf(queries: readonly Query[], outcomes: Map<Query, Outcome>): Query[][] {
    const batches: Query[][] = []
    let batch: Query[] = []
    let size = HEADER
    for (const query of queries) {
      const key = objectText(query.object)
      if (!this.#silent.isDue(key)) {
        outcomes.set(query, { error: this.#silent.reason(key) ?? '' })
        continue
      }
      const isAlone = this.#silent.reason(key) !== undefined || this.#alone.has(key)
      const length = OBJECT_IN_ANSWER + PROPERTY_IN_ANSWER * query.properties.length
      if (isAlone) batches.push([query])
      else {
        if (size + length > this.#device.maxApdu || batch.length >= this.#device.maxBatch) {
          if (batch.length > 0) batches.push(batch)
          batch = []
          size = HEADER
        }
        batch.push(query)
        size += length
      }
    }
    if (batch.length > 0) batches.push(batch)
    return batches
  }

  /** Reads some queries with one request. Returns the smaller batches that must be tried instead, if it could not. */
  async #readBatch(
    batch: readonly Query[],
    rank: Rank,
    outcomes: Map<Query, Outcome>,
    state: { isAlive: boolean },
  ): Promise<readonly Query[][]> {
    const [first] = batch
    if (!first) return []
    const isMultiple = this.#device.readsMultiple && (batch.length > 1 || first.properties.length > 1)
    try {
      if (!isMultiple) return await this.#readSingly(batch, rank, outcomes)
      const answer = await this.#device.inTurn(rank, () =>
        this.#device.question(SERVICE.readPropertyMultiple, encodeReadMultiple(batch)),
      )
      state.isAlive = true
      return await this.#takeAnswer(batch, answer, rank, outcomes)
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      // Rejects when nothing at all answers.
      if (!state.isAlive) await this.#device.inTurn(rank, () => this.#ping())
      state.isAlive = true
      if (batch.length > 1) return halvesOf(batch)
      const key = objectText(first.object)
      this.#silent.noteSilent(key, `${key} did not answer`)
      outcomes.set(first, { error: `${key} did not answer` })
      return []
    }
  }

  async #takeAnswer(
    batch: readonly Query[],
    answer: Answer,
    rank: Rank,
    outcomes: Map<Query, Outcome>,
  ): Promise<readonly Query[][]> {
    if ('refused' in answer) {
      const { refused } = answer
      if (isUnknownService(refused)) {
        this.#device.readsMultiple = false
        return this.#readSingly(batch, rank, outcomes)
      }
      if (isBusy(refused)) {
        for (const query of batch) outcomes.set(query, { error: `the device ${refused.text}` })
        return []
      }
      if (batch.length === 1) return this.#readAlone(batch, rank, outcomes)
      if (isTooLong(refused)) this.#device.maxBatch = Math.ceil(batch.length / 2)
      return halvesOf(batch)
    }
    try {
      this.#takeFound(batch, answer.data, outcomes)
      return []
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      if (batch.length > 1) return halvesOf(batch)
      return this.#readAlone(batch, rank, outcomes)
    }
  }

  #takeFound(batch: readonly Query[], data: Uint8Array, outcomes: Map<Query, Outcome>): void {
    const objects = readMultipleAck(data)
    for (const [index, query] of batch.entries()) {
      const isIts = (entry: (typeof objects)[number] | undefined) => entry && sameObject(entry.object, query.object)
      const entry = isIts(objects[index]) ? objects[index] : objects.find(isIts)
      this.#silent.noteAnswer(objectText(query.object))
      outcomes.set(query, entry ? { properties: entry.found } : { error: 'the device did not answer for this object' })
    }
  }

  /** The request with many properties fails for this object alone. */
  async #readAlone(batch: readonly Query[], rank: Rank, outcomes: Map<Query, Outcome>): Promise<readonly Query[][]> {
    for (const { object } of batch) this.#alone.add(objectText(object))
    return this.#readSingly(batch, rank, outcomes)
  }

  async #readSingly(batch: readonly Query[], rank: Rank, outcomes: Map<Query, Outcome>): Promise<readonly Query[][]> {
    for (const [index, query] of batch.entries()) {
      // If this one is silent, the ones before it are not read again.
      if (outcomes.has(query)) continue
      try {
        outcomes.set(query, await this.#readEach(query, rank))
      } catch (error) {
        if (!(error instanceof Unanswered) || index === 0) throw error
        return [[query], ...batch.slice(index + 1).map((each) => [each])]
      }
      this.#silent.noteAnswer(objectText(query.object))
    }
    return []
  }

  async #readEach({ object, properties }: Query, rank: Rank): Promise<Outcome> {
    const read = new Map<number, Found>()
    for (const property of properties) {
      const found = await this.#device.inTurn(rank, () => this.#device.readProperty(object, property))
      if ('refused' in found) return { error: `the device ${found.refused.text}` }
      read.set(property, found)
    }
    return { properties: read }
  }

  /** Asks the device who it is. Rejects with `offline` if it does not answer, or is another one. */
  async #ping(): Promise<void> {
    const own = { type: DEVICE, instance: this.#instance ?? ANY_INSTANCE }
    const found = await this.#device.readProperty(own, IDENTIFIER)
    if (!('refused' in found)) this.#checkIdentity({ properties: new Map([[IDENTIFIER, found]]) })
  }
}

const IDENTIFIER = PROPERTY['object-identifier']

function halvesOf(batch: readonly Query[]): readonly Query[][] {
  const half = Math.ceil(batch.length / 2)
  return [batch.slice(0, half), batch.slice(half)].filter((part) => part.length > 0)
}
