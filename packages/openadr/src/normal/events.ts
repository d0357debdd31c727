import { sha256 } from '@plantroom/base/sha256'
import { accept } from '@plantroom/contract/read'
import { array, boolean, integer, object, type Static, text } from '@plantroom/contract/schema'
import type { Duration } from './durations.ts'
import {
  maybe,
  name,
  objectId,
  type Payload,
  Payloads,
  type Period,
  PeriodFields,
  type Read,
  readDurationField,
  readPayloads,
  readPeriod,
  readSafely,
  readTargets,
  readTime,
  type Target,
  Targets,
} from './parts.ts'

export const MAX_INTERVALS = 10_000
export const MAX_DESCRIPTORS = 100

/** One event in the form that all versions of the standard become. It survives JSON. */
export interface VtnEvent {
  readonly id: string
  readonly programId: string
  readonly name: string | null
  /** A digest of everything below: it changes exactly when the event does, whatever times the VTN writes. */
  readonly version: string
  readonly createdAt: number | null
  readonly modifiedAt: number | null
  /** 0 is the highest; `null` is below every number. */
  readonly priority: number | null
  readonly targets: readonly Target[]
  /** How long the intervals are repeated; `null`: they are not. */
  readonly duration: Duration | null
  readonly period: Period | null
  readonly intervals: readonly EventInterval[]
  readonly payloadDescriptors: readonly PayloadDescriptor[]
  readonly reportDescriptors: readonly ReportDescriptor[]
}

export interface EventInterval {
  readonly id: number
  readonly period: Period | null
  readonly payloads: readonly Payload[]
}

export interface PayloadDescriptor {
  readonly payloadType: string
  readonly units: string | null
  readonly currency: string | null
}

export interface ReportDescriptor {
  readonly payloadType: string
  readonly readingType: string | null
  readonly units: string | null
  readonly targets: readonly Target[]
  readonly aggregate: boolean
  readonly startInterval: number
  readonly numIntervals: number
  readonly historical: boolean
  readonly frequency: number
  readonly repeat: number
  readonly reportIntervals: string | null
}

/** Of an event or a program. */
export const PayloadDescriptors = maybe(
  array(object({ payloadType: name, units: maybe(text()), currency: maybe(text()) }), { maxItems: MAX_DESCRIPTORS }),
)
export const readPayloadDescriptors = (
  given: Static<typeof PayloadDescriptors> | undefined,
): readonly PayloadDescriptor[] =>
  (given ?? []).map(({ payloadType, units, currency }) => ({
    payloadType,
    units: units ?? null,
    currency: currency ?? null,
  }))

const EventFields = object({
  id: objectId,
  programID: objectId,
  eventName: maybe(text()),
  createdDateTime: maybe(text()),
  modificationDateTime: maybe(text()),
  priority: maybe(integer({ minimum: 0 })),
  targets: Targets,
  duration: maybe(text()),
  intervalPeriod: PeriodFields,
  intervals: maybe(
    array(object({ id: integer(), intervalPeriod: PeriodFields, payloads: Payloads }), { maxItems: MAX_INTERVALS }),
  ),
  payloadDescriptors: PayloadDescriptors,
  reportDescriptors: maybe(
    array(
      object({
        payloadType: name,
        readingType: maybe(text()),
        units: maybe(text()),
        targets: Targets,
        aggregate: maybe(boolean()),
        startInterval: maybe(integer()),
        numIntervals: maybe(integer()),
        historical: maybe(boolean()),
        frequency: maybe(integer()),
        repeat: maybe(integer()),
        reportIntervals: maybe(text()),
      }),
      { maxItems: MAX_DESCRIPTORS },
    ),
  ),
})
type EventFields = Static<typeof EventFields>

/** Reads an event of any version. Fields that we do not use may be missing, null or wrong. */
export function readEvent(given: unknown): Read<VtnEvent> {
  return readSafely(() => {
    const fields = accept(EventFields, given)
    const content = contentOf(fields)
    const version = sha256(JSON.stringify(content)).slice(0, 16)
    return {
      ...content,
      version,
      createdAt: readTime(fields.createdDateTime),
      modifiedAt: readTime(fields.modificationDateTime),
    }
  })
}

function contentOf(fields: EventFields): Omit<VtnEvent, 'version' | 'createdAt' | 'modifiedAt'> {
  return {
    id: fields.id,
    programId: fields.programID,
    name: fields.eventName ?? null,
    priority: fields.priority ?? null,
    targets: readTargets(fields.targets),
    duration: readDurationField(fields.duration, 'duration'),
    period: readPeriod(fields.intervalPeriod, 'intervalPeriod'),
    intervals: (fields.intervals ?? []).map(({ id, intervalPeriod, payloads }, index) => ({
      id,
      period: readPeriod(intervalPeriod, `intervals[${index}].intervalPeriod`),
      payloads: readPayloads(payloads, `intervals[${index}].payloads`),
    })),
    payloadDescriptors: readPayloadDescriptors(fields.payloadDescriptors),
    reportDescriptors: (fields.reportDescriptors ?? []).map((descriptor) => ({
      payloadType: descriptor.payloadType,
      readingType: descriptor.readingType ?? null,
      units: descriptor.units ?? null,
      targets: readTargets(descriptor.targets),
      aggregate: descriptor.aggregate ?? false,
      startInterval: descriptor.startInterval ?? -1,
      numIntervals: descriptor.numIntervals ?? -1,
      historical: descriptor.historical ?? true,
      frequency: descriptor.frequency ?? -1,
      repeat: descriptor.repeat ?? 1,
      reportIntervals: descriptor.reportIntervals ?? null,
    })),
  }
}
