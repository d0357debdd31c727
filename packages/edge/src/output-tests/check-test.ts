import type { CommandRequest } from '@plantroom/contract/commands'
import { type Envelope, isBounded } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { WRITERS } from '@plantroom/contract/writers'
import type { Place } from '../connections/connections.ts'
import { overridesOf } from '../overrides/outlook.ts'
import type { Timeline } from '../overrides/timeline.ts'
import { type Hold, writerOf } from '../writing/hold.ts'

/** What a test of an output is checked against. */
interface Checked {
  request: Pick<CommandRequest<'testOutput'>, 'value' | 'seconds'>
  place: Place
  /** What the equipment shows now; `undefined` when that is unknown. */
  current: number | undefined
  hold: Hold | undefined
  timeline: Timeline | undefined
  /** When the test ends. */
  to: number
}

/** Throws a `Failure` that says why the output cannot be tested, and what to do. */
export function checkTest(checked: Checked): void {
  rejectHeld(checked)
  const { request, place, current } = checked
  const { name, accessType, releaseValue, writeInputData: envelope } = place.datapoint
  const { value } = request
  if (accessType !== 'READ' && !isBounded(envelope) && !isBounded(limitsOf(place.datapoint))) {
    throw rejected(
      `datapoint ${name} has no envelope, so nothing bounds a test; add writeInputData with min and max to the commissioning file`,
    )
  }
  if (envelope && !(value >= envelope.min && value <= envelope.max)) {
    throw rejected(
      `value ${value} is outside of the envelope of datapoint ${name}, ${envelope.min} to ${envelope.max}; choose a value within it`,
    )
  }
  if (accessType === 'WRITE' && releaseValue === undefined) {
    throw rejected(
      `datapoint ${name} cannot be read and has no releaseValue, so a test could not give it back; add releaseValue to the commissioning file`,
    )
  }
  if (value === current) throw rejected(`datapoint ${name} is already at ${value}; choose another value`)
  rejectTooFast(checked)
}

/** The limits as an envelope, if they bound both sides. */
function limitsOf({ limits: { min, max } = {} }: Checked['place']['datapoint']): Envelope | undefined {
  return min === undefined || max === undefined ? undefined : { min, max }
}

/** Nothing may be taken from another writer, nor be due before the test is over. */
function rejectHeld({ place: { datapoint }, hold, timeline, to }: Checked): void {
  if (hold) {
    const claim = hold.holder?.claim
    const until = claim?.until === undefined ? '' : ` until ${formatTimestamp(claim.until)}`
    throw rejected(
      claim
        ? `datapoint ${datapoint.name} is held by ${WRITERS[writerOf(claim)].label}${until}; test it when it is free, or release it first`
        : `datapoint ${datapoint.name} is being released; test it when it is free`,
    )
  }
  for (const { override } of timeline ? overridesOf(timeline) : []) {
    if (override.from >= to) continue
    throw rejected(
      `an override of datapoint ${datapoint.name} starts at ${formatTimestamp(override.from)}; test it when that has ended`,
    )
  }
}

/** The equipment must be back at the end, within its limits. */
function rejectTooFast({ request: { value, seconds }, place: { datapoint }, current }: Checked): void {
  const { minOnSeconds = 0, minOffSeconds = 0, maxStepPerMinute } = datapoint.limits ?? {}
  if (current === undefined) return
  const isSwitched = (value === 0) !== (current === 0)
  const [limit, least] = value === 0 ? ['minOffSeconds', minOffSeconds] : ['minOnSeconds', minOnSeconds]
  if (isSwitched && seconds < Number(least)) {
    throw rejected(
      `limits.${limit} of datapoint ${datapoint.name} is ${least}, so it must not be switched back after ${seconds} seconds; test for longer, or test another output`,
    )
  }
  const distance = Math.abs(value - current)
  // There and back, within one minute.
  if (maxStepPerMinute !== undefined && 2 * distance > maxStepPerMinute) {
    throw rejected(
      `limits.maxStepPerMinute of datapoint ${datapoint.name} is ${maxStepPerMinute}, and a test moves it there and back; choose a value at most ${maxStepPerMinute / 2} from ${current}`,
    )
  }
}

const rejected = (message: string) => new Failure('rejected', message)
