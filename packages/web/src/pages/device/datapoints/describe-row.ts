import type { Datapoint } from '@plantroom/contract/datapoint'
import { CONNECTION_STATUS, type ConnectionStatus } from '@plantroom/contract/values'
import type { Writer } from '@plantroom/contract/writers'
import {
  describeHolder,
  describeNext,
  describeTrouble,
  describeUntil,
  type When,
  writerName,
} from '../../../parts/describe-hold.ts'
import { duration } from '../../../parts/time.ts'
import { shownValue } from '../../../parts/value.ts'
import { device as deviceTexts, datapoints as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import { holds } from '../../../texts/holds.ts'
import type { DatapointRow } from '../rows.ts'

/** Everything shown of a datapoint. Plain values only, so that a row rerenders only when one of them changes. */
export interface RowTexts {
  id: string
  name: string
  /** Read only, or the commissioned range. */
  hint: string
  value: string
  problem: string
  age: string
  isOld: boolean
  /** Empty when nothing holds the datapoint. */
  by: Writer | ''
  holder: string
  heldAt: string
  until: string
  next: string
  trouble: string
  canOverride: boolean
  /** The override to release; `null` unless demand response holds the datapoint. */
  overrideId: string | null
}

interface RowContext {
  when: When
  status: ConnectionStatus | undefined
  isLost: boolean
  canManage: boolean
}

export function describeRow(row: DatapointRow, { when, status, isLost, canManage }: RowContext): RowTexts {
  const { datapoint, value, hold, isWritable } = row
  const age = describeAge(value?.timestamp, { now: when.now, status, isLost })
  return {
    id: datapoint.id,
    name: datapoint.name,
    hint: hintOf(datapoint, isWritable),
    value: shownValue(value?.value),
    problem: value?.error ? format(texts.cannotRead, { why: value.error }) : '',
    age: age.text,
    isOld: age.isOld,
    ...holdTexts(row, when),
    canOverride: canManage && isWritable,
    overrideId: canManage && hold?.by === 'demand-response' ? hold.overrideId : null,
  }
}

type HoldTexts = Pick<RowTexts, 'by' | 'holder' | 'heldAt' | 'until' | 'next' | 'trouble'>

function holdTexts({ value, hold, overrides }: DatapointRow, when: When): HoldTexts {
  if (hold) {
    return {
      by: hold.by,
      holder: describeHolder(hold, overrides),
      heldAt: hold.value === null ? '' : format(holds.heldAt, { value: shownValue(hold.value) }),
      until: describeUntil(hold, when),
      next: describeNext(hold),
      trouble: describeTrouble(hold),
    }
  }
  // A controller may list a locked value without its hold.
  const by = (value?.locked && value.lockedBy) || ''
  const previous = value?.deviationCachedValue
  return {
    by,
    holder: by && writerName(by),
    heldAt: '',
    until: '',
    next: previous === undefined ? '' : format(holds.thenBackTo, { value: shownValue(previous) }),
    trouble: '',
  }
}

function hintOf({ accessType, writeInputData }: Datapoint, isWritable: boolean): string {
  if (accessType === 'READ') return texts.readOnly
  if (!isWritable) return texts.failsafe
  const isWriteOnly = accessType === 'WRITE'
  if (!writeInputData) return isWriteOnly ? texts.writeOnly : ''
  const range = { min: shownValue(writeInputData.min), max: shownValue(writeInputData.max) }
  return format(isWriteOnly ? texts.writeOnlyEnvelope : texts.envelope, range)
}

/** Equipment that reports on its own is silent between changes: only an older value is suspicious. */
const STALE_AFTER_MS = 120_000

/** Returns the age of a value, like `3 s ago`, and whether it is too old to rely on. */
export function describeAge(
  timestamp: string | undefined,
  { now, status, isLost }: Pick<RowContext, 'status' | 'isLost'> & { now: number },
): { text: string; isOld: boolean } {
  const age = now - Date.parse(timestamp ?? '')
  if (Number.isNaN(age)) return { text: deviceTexts.neverHeard, isOld: true }
  const isNow = age < 1000
  const ago = { duration: duration(age) }
  if (isLost || status !== CONNECTION_STATUS.connected) {
    return { text: isNow ? deviceTexts.lastKnownNow : format(deviceTexts.lastKnown, ago), isOld: true }
  }
  if (age > STALE_AFTER_MS) return { text: format(deviceTexts.stale, ago), isOld: true }
  return { text: isNow ? deviceTexts.justNow : format(deviceTexts.ago, ago), isOld: false }
}
