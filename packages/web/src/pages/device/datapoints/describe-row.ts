import type { Hold } from '@plantroom/contract/control-state'
import { type Datapoint, isBounded } from '@plantroom/contract/datapoint'
import { ON_OFF } from '@plantroom/contract/units'
import { CONNECTION_STATUS, type ConnectionStatus } from '@plantroom/contract/values'
import type { Writer } from '@plantroom/contract/writers'
import { canClose } from '../../../parts/close-hold/describe-close.ts'
import {
  describeActual,
  describeHolder,
  describeNext,
  describeTrouble,
  describeUnanswered,
  describeUntil,
  stateName,
  type When,
  writerName,
} from '../../../parts/describe-hold.ts'
import { duration } from '../../../parts/time.ts'
import { shownRange, shownValue, valueParts } from '../../../parts/value.ts'
import { device as deviceTexts, datapoints as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import { holds } from '../../../texts/holds.ts'
import type { DatapointRow } from '../rows.ts'

/** Everything shown of a datapoint. Plain values only, so that a row rerenders only when one of them changes. */
export interface RowTexts {
  id: string
  name: string
  /** Read only, write only, or the commissioned range. */
  hint: string
  value: string
  unit: string | undefined
  problem: string
  age: string
  isOld: boolean
  /** Empty when nothing holds the datapoint. */
  by: Writer | ''
  holder: string
  /** What is said of a datapoint that nothing holds, as far as that is known. */
  notHeld: string
  heldAt: string
  /** What the equipment is at, when that is something else. */
  actual: string
  until: string
  next: string
  trouble: string
  /** What the controller does for the holder, like `Writing`; empty where nobody holds the datapoint. */
  state: string
  stateHint: string
  /** What is known of the hold while the controller does not answer. */
  unanswered: string
  /** True when a person who manages the site may close the hold. */
  canCloseHold: boolean
  canOverride: boolean
  /** The override to release; `null` unless demand response holds the datapoint. */
  overrideId: string | null
  /** True for the datapoint that the address names. */
  isWanted: boolean
}

interface RowContext {
  when: When
  /** The time by the clock of the controller, which dates its values. */
  controllerNow: number
  status: ConnectionStatus | undefined
  /** From this age on, in milliseconds, a value is old. */
  oldAfter: number
  /** False while the state of the controller is not live. */
  isLost: boolean
  /** True while even the service is not heard: then nothing is known of the controller. */
  isServiceLost: boolean
  /** True when the controller has said what it holds. */
  isKnown: boolean
  canManage: boolean
  /** The datapoint that the address names. */
  wantedId?: string | undefined
}

export function describeRow(row: DatapointRow, context: RowContext): RowTexts {
  const { controllerNow, status, oldAfter, isLost, canManage, wantedId } = context
  const { datapoint, value, hold, isWritable } = row
  const age = describeAge(value?.timestamp, { now: controllerNow, status, oldAfter, isLost })
  const shown = valueParts(value?.value, datapoint.unit)
  return {
    id: datapoint.id,
    name: datapoint.name,
    hint: hintOf(datapoint, isWritable),
    value: shown.number,
    unit: shown.unit,
    problem: problemOf(row),
    age: age.text,
    isOld: age.isOld,
    ...holdTexts(row, context),
    canCloseHold: canManage && hold !== undefined && canClose(hold),
    canOverride: canManage && isWritable,
    overrideId: canManage && hold?.by === 'demand-response' ? hold.overrideId : null,
    isWanted: datapoint.id === wantedId,
  }
}

/** Why there is no value, if there is none. A datapoint that was not read yet, or never is, can still be read or written. */
function problemOf({ datapoint, value }: DatapointRow): string {
  if (!value || value.value !== null) return ''
  if (datapoint.accessType === 'WRITE') return texts.neverWritten
  if (value.error === NOT_YET) return texts.notReadYet
  return value.error ? format(texts.cannotRead, { why: value.error }) : ''
}

/** What a controller says until the first reading. */
const NOT_YET = 'not read yet'

type HoldTexts = Pick<
  RowTexts,
  | 'by'
  | 'holder'
  | 'notHeld'
  | 'heldAt'
  | 'actual'
  | 'until'
  | 'next'
  | 'trouble'
  | 'state'
  | 'stateHint'
  | 'unanswered'
>

function holdTexts(
  { datapoint, value, hold, overrides, failsafe, releaseWaits }: DatapointRow,
  context: RowContext,
): HoldTexts {
  const { unit } = datapoint
  const { when, isLost, isServiceLost } = context
  const notHeld = describeNotHeld(context)
  if (hold) {
    return {
      by: hold.by,
      holder: describeHolder(hold, overrides),
      notHeld,
      heldAt: describeHeldAt(hold, unit),
      actual: describeActual(hold, value?.value, unit),
      until: describeUntil(hold, when, !isLost),
      next: describeNext(hold, unit),
      trouble: describeTrouble(hold, !isLost),
      state: hold.by === 'plain' ? '' : stateName(hold),
      stateHint: releaseWaits
        ? holds.releaseWaits
        : isLost || hold.state === 'holding'
          ? ''
          : holds.stateHint[hold.state],
      unanswered:
        isLost && !isServiceLost
          ? describeUnanswered(hold, { actual: value?.value ?? null, failsafe, unit }, when)
          : '',
    }
  }
  // A controller may list a locked value without its hold.
  const by = (value?.locked && value.lockedBy) || ''
  const previous = value?.deviationCachedValue
  return {
    by,
    holder: by && writerName(by),
    notHeld,
    heldAt: '',
    actual: '',
    until: '',
    next: previous === undefined ? '' : format(holds.thenBackTo, { value: shownValue(previous, unit) }),
    trouble: '',
    state: '',
    stateHint: '',
    unanswered: '',
  }
}

/** While it is being released, its value is what it returns to. */
function describeHeldAt({ by, value }: Pick<Hold, 'by' | 'value'>, unit: string | undefined): string {
  if (value === null) return ''
  return format(by === 'plain' ? holds.returningTo : holds.heldAt, { value: shownValue(value, unit) })
}

/** A controller that does not answer may have started to hold it since. */
function describeNotHeld({ isKnown, isLost }: RowContext): string {
  if (!isKnown) return texts.holdUnknown
  return isLost ? texts.notHeldThen : texts.notHeld
}

function hintOf({ accessType, writeInputData, unit }: Datapoint, isWritable: boolean): string {
  if (accessType === 'READ') return texts.readOnly
  if (!isWritable) return texts.failsafe
  const isWriteOnly = accessType === 'WRITE'
  if (!isBounded(writeInputData) || unit === ON_OFF) return isWriteOnly ? texts.writeOnly : ''
  const range = shownRange(writeInputData, unit)
  return format(isWriteOnly ? texts.writeOnlyEnvelope : texts.envelope, range)
}

/** Equipment is read every few seconds. An age that changes every second would redraw every row for nothing. */
const FRESH_MS = 10_000

/** Returns the age of a value, like `3 s ago`, and whether it is too old to rely on. */
export function describeAge(
  timestamp: string | undefined,
  { now, status, oldAfter, isLost }: Pick<RowContext, 'status' | 'oldAfter' | 'isLost'> & { now: number },
): { text: string; isOld: boolean } {
  const age = now - Date.parse(timestamp ?? '')
  if (Number.isNaN(age)) return { text: deviceTexts.neverHeard, isOld: true }
  const isNow = age < 1000
  const isFresh = age < FRESH_MS
  const ago = { duration: duration(age) }
  if (isLost || status !== CONNECTION_STATUS.connected) {
    return { text: isNow ? deviceTexts.lastKnownNow : format(deviceTexts.lastKnown, ago), isOld: true }
  }
  if (age > oldAfter) return { text: format(deviceTexts.stale, ago), isOld: true }
  return { text: isFresh ? deviceTexts.justNow : format(deviceTexts.ago, ago), isOld: false }
}
